//go:build unix

package reference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

func sandboxed(o *reference.Options) { o.SandboxMode = "read-only" }

// permission is the question of a script's approval, with the host's own choices.
const permission = `{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"{session:1}",` +
	`"toolCall":{"toolCallId":"call1","title":"touch marker","kind":"execute","status":"pending","rawInput":` + touch + `},` +
	`"options":[{"optionId":"allow_once","name":"Allow once","kind":"allow_once","_meta":{"museDecision":"approved","museScope":"once"}},` +
	`{"optionId":"deny_forever","name":"Never","kind":"reject_always","_meta":{"museDecision":"deniedPolicyAmendment","museScope":"localPersistent"}},` +
	`{"optionId":"abort","name":"Reject","kind":"reject_once","_meta":{"museDecision":"abort","museScope":"once"}}],` +
	`"_meta":{"museApprovalId":"a-call1","museTurnId":"{id:1}","museItemId":"i-call1","museRequirementId":{"approvalId":"a-call1","sourceIndex":0},"museTaskId":"t-call1"}}}`

// oneShot is the question of a hook or an escalation.
const oneShot = `{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"{session:1}",` +
	`"toolCall":{"toolCallId":"call1"},"options":[{"optionId":"allow-once","name":"Allow once","kind":"allow_once"},` +
	`{"optionId":"reject-once","name":"Reject","kind":"reject_once"}]}}`

func card(update, status, args, texts string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"{session:1}","update":{"sessionUpdate":"` + update +
		`","toolCallId":"call1","title":"touch marker","kind":"execute","status":"` + status + `","rawInput":` + args + texts + `}}}`
}

func texts(t ...string) string {
	var parts []string
	for _, text := range t {
		parts = append(parts, `{"type":"content","content":{"type":"text","text":`+text+`}}`)
	}
	return `,"content":[` + strings.Join(parts, ",") + `]`
}

// decision is the decide frame that the host got.
func (w *world) decisions() []string {
	var out []string
	for _, line := range w.hostFrames() {
		if strings.Contains(line, `"approval/decide"`) {
			_, params, _ := strings.Cut(line, `"approvalId"`)
			out = append(out, `"approvalId"`+strings.TrimSuffix(params, "}}"))
		}
	}
	return out
}

const stage0 = `"requirementId":{"approvalId":"a-call1","sourceIndex":0}`

// Every answer to every asker: muse-adapter.md §6.3.
func TestAnswers(t *testing.T) {
	t.Parallel()
	result := func(r string) string { return `{"jsonrpc":"2.0","id":0,"result":` + r + `}` }
	allow := `"approvalId":"a-call1","choiceId":"allow_once",` + stage0
	deny := func(text string) string {
		return `"approvalId":"a-call1","choiceId":"abort",` + stage0 + `,"feedback":"Error: ` + text + `"`
	}
	rejected, cancelled := `the user rejected tool \"bash\"`, `approval for tool \"bash\" was cancelled`
	const noChannel = `sandbox escalation to \"workspace-write\" requires approval, but no approval channel is available`
	escRejected := `the user rejected escalating this command to \"workspace-write\"`
	escCancelled := `approval for escalating to \"workspace-write\" was cancelled`
	for name, c := range map[string]struct {
		script, answer string
		decided        string // outcome in the log
		decide         string // what the host got; empty for nothing
		end            string // of the prompt
	}{
		"allow":                  {"approve", selected(0, "allow_once"), "allowed-once", allow, "end_turn"},
		"reject":                 {"approve", selected(0, "abort"), "rejected", deny(rejected), "end_turn"},
		"reject for good":        {"approve", selected(0, "deny_forever"), "rejected", `"approvalId":"a-call1","choiceId":"deny_forever",` + stage0, "end_turn"},
		"dismiss":                {"approve", result(`{"outcome":{"outcome":"cancelled"}}`), "cancelled", deny(cancelled), "end_turn"},
		"dismiss with an option": {"approve", result(`{"outcome":{"outcome":"cancelled","optionId":"allow_once"}}`), "cancelled", deny(cancelled), "end_turn"},
		"not offered":            {"approve", selected(0, "allow-forever"), "rejected", "", "selected unknown option: allow-forever"},
		"other case":             {"approve", selected(0, "ALLOW_ONCE"), "rejected", "", "-32603"},
		"no option":              {"approve", result(`{"outcome":{"outcome":"selected"}}`), "rejected", "", "-32603"},
		"option of a kind":       {"approve", result(`{"outcome":{"outcome":"selected","optionId":0}}`), "rejected", "", "-32603"},
		"no discriminator":       {"approve", result(`{"outcome":{"optionId":"allow_once"}}`), "unavailable", "", "-32603"},
		"other discriminator":    {"approve", result(`{"outcome":{"outcome":"Selected","optionId":"allow_once"}}`), "unavailable", "", "-32603"},
		"other member":           {"approve", result(`{"Outcome":{"outcome":"selected","optionId":"allow_once"}}`), "unavailable", "", "-32603"},
		"flat":                   {"approve", result(`{"outcome":"selected","optionId":"allow_once"}`), "unavailable", "", "-32603"},
		"empty":                  {"approve", result(`{}`), "unavailable", "", "-32603"},
		"null":                   {"approve", result(`null`), "unavailable", "", "-32603"},
		"meta does not settle":   {"approve", result(`{"outcome":{"outcome":"cancelled"},"_meta":{"muse/approval":{"decision":"approved"}}}`), "cancelled", deny(cancelled), "end_turn"},
		"both":                   {"approve", `{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}},"error":{"code":1,"message":"x"}}`, "unavailable", "", "-32603"},
		"outcome twice":          {"approve", result(`{"outcome":{"outcome":"cancelled","outcome":"selected","optionId":"allow_once"}}`), "unavailable", "", "-32603"},
		"allows, then not":       {"approve", result(`{"outcome":{"outcome":"selected","outcome":"cancelled","optionId":"allow_once"}}`), "unavailable", "", "-32603"},
		"option twice":           {"approve", result(`{"outcome":{"outcome":"selected","optionId":"abort","optionI\u0064":"allow_once"}}`), "unavailable", "", "-32603"},
		"result twice":           {"approve", `{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}},"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}`, "unavailable", "", "-32603"},
		"error":                  {"approve", `{"jsonrpc":"2.0","id":0,"error":{"code":-32801,"message":"no window","data":{"a":1}}}`, "unavailable", "", `"error":{"code":-32801,"message":"no window","data":{"a":1,"failure":{"source":"adapter","kind":"requestError"`},

		"escalation, allow":            {"escalate", selected(0, "allow-once"), "allowed-once", allow, "end_turn"},
		"escalation, reject":           {"escalate", selected(0, "reject-once"), "rejected", deny(escRejected), "end_turn"},
		"escalation, dismiss":          {"escalate", result(`{"outcome":{"outcome":"cancelled"}}`), "cancelled", deny(escCancelled), "end_turn"},
		"escalation, not offered":      {"escalate", selected(0, "allow_once"), "rejected", deny(escRejected), "end_turn"},
		"escalation, no discriminator": {"escalate", result(`{"outcome":{"optionId":"allow-once"}}`), "unavailable", deny(noChannel), "end_turn"},
		"escalation, error":            {"escalate", `{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"x"}}`, "unavailable", deny(noChannel), "end_turn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.script, sandboxed).ready(1)
			w.send(w.prompt(2, 0))
			args, question := touch, permission
			if c.script == "escalate" {
				args, question = escalate, oneShot
			}
			before := w.plain(w.until("request_permission"))
			if diff := cmp.Diff([]string{card("tool_call", "pending", args, ""), question}, before); diff != "" {
				t.Errorf("until the question (-want +got):\n%s", diff)
			}
			if w.marker("call1") || len(w.decisions()) != 0 {
				t.Error("something was decided before the answer")
			}
			w.send(c.answer)
			lines := w.until(`"id":2`)
			if !contains(lines, c.end) {
				t.Errorf("end: %q, want %s", lines, c.end)
			}
			w.close()
			var want []string
			if c.decide != "" {
				want = []string{c.decide}
			}
			if diff := cmp.Diff(want, w.decisions()); diff != "" {
				t.Errorf("decisions (-want +got):\n%s", diff)
			}
			if granted := c.decided == "allowed-once"; w.marker("call1") != granted {
				t.Errorf("marker: %t", !granted)
			}
			status, kind := "failed", "completed"
			if c.decided == "allowed-once" {
				status = "completed"
			} else if !strings.Contains(lines[len(lines)-2], "Error: ") && !strings.Contains(lines[0], "Error: ") && c.decide != "" {
				t.Errorf("the denial is not told: %q", lines)
			}
			if !contains(lines, `"status":"`+status+`"`) {
				t.Errorf("the tool did not end %s: %q", status, lines)
			}
			log := w.log(0)
			if c.decide == "" {
				kind = log[len(log)-1][len("turn/end "):]
			}
			events := []string{"turn/start", "tool/call", "approval/asked", "approval/decided " + c.decided, "tool/result", "turn/end " + kind}
			if diff := cmp.Diff(events, log); diff != "" {
				t.Errorf("audit log (-want +got):\n%s", diff)
			}
		})
	}
}

// What the client sees of a granted and of a denied tool, byte by byte.
func TestCards(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string][]string{
		"allow-once": {
			card("tool_call_update", "in_progress", escalate, ""),
			card("tool_call_update", "completed", escalate, texts(`"done\n"`)),
		},
		"reject-once": {
			card("tool_call_update", "failed", escalate, texts(`"Error: the user rejected escalating this command to \"workspace-write\""`)),
		},
	} {
		w := newWorld(t, "escalate", sandboxed).ready(1)
		w.send(w.prompt(2, 0))
		w.until("request_permission")
		w.send(selected(0, answer))
		lines := w.plain(w.until(`"id":2`))
		if diff := cmp.Diff(want, lines[:len(lines)-2]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", answer, diff)
		}
		w.close()
	}
}

// Denied without a question: REQ-ESC-02, REQ-ESC-03, REQ-ESC-08, REQ-ASK-02, REQ-APPR-07, and what is nobody's.
func TestNobodyAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		with   func(*reference.Options)
		text   string
		pair   bool
	}{
		"not wider":           {"escalate-wrongly", sandboxed, `sandbox escalation to \"read-only\" is not strictly wider than this call's current \"read-only\" mode`, false},
		"same mode":           {"escalate", func(o *reference.Options) { o.SandboxMode = "workspace-write" }, `sandbox escalation to \"workspace-write\" is not strictly wider than this call's current \"workspace-write\" mode`, false},
		"nothing confines":    {"escalate", func(*reference.Options) {}, `sandbox_permissions is not available in this composition (no sandboxing executor to escalate)`, false},
		"no seam":             {"approve", func(o *reference.Options) { o.NoApprovals = true }, `tool \"bash\" requires approval (not yet supported)`, false},
		"no seam, escalation": {"escalate", func(o *reference.Options) { o.NoApprovals = true; o.SandboxMode = "read-only" }, `sandbox escalation to \"workspace-write\" requires approval, but no approval service is composed`, false},
		"never":               {"approve", func(o *reference.Options) { o.ApprovalPolicy = "never" }, `the user rejected tool \"bash\"`, true},
		"never, escalation":   {"escalate", func(o *reference.Options) { o.ApprovalPolicy = "never"; o.SandboxMode = "read-only" }, `the user rejected escalating this command to \"workspace-write\"`, true},
		"subagent":            {"subagent", func(*reference.Options) {}, `tool \"bash\" requires approval, but no approval channel is available`, true},
		"subagent's own turn": {"subagent-turn", func(*reference.Options) {}, `tool \"bash\" requires approval, but no approval channel is available`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.script, c.with).ready(1)
			w.send(w.prompt(2, 0))
			lines := w.until(`"id":2`)
			w.close()
			if contains(lines, "request_permission") || !contains(lines, `"text":"Error: `+c.text+`"`) || !contains(lines, "end_turn") {
				t.Errorf("lines: %q", lines)
			}
			if d := w.decisions(); len(d) == 0 || d[0] != `"approvalId":"a-call1","choiceId":"abort",`+stage0+`,"feedback":"Error: `+c.text+`"` {
				t.Errorf("decisions: %q", d)
			}
			if log := w.log(0); contains(log, "approval/") != c.pair {
				t.Errorf("audit log: %q", log)
			}
		})
	}
}

// While the policy is never the model is told so in every turn, and of the change once.
func TestNeverSentence(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text", func(o *reference.Options) { o.ApprovalPolicy = "never" }).ready(1)
	for range 2 {
		w.send(w.prompt(2, 0))
		w.until(`"id":2`)
	}
	w.close()
	const n = "{\"type\":\"text\",\"text\":\"Approval prompts are disabled in this session: actions that require approval are rejected automatically — do not request sandbox escalation (do not set `sandbox_permissions`).\"}"
	const notice = `{"type":"text","text":"The approval policy changed from \"ask\" to \"never\" (changed by the operator/config)."}`
	const user = `{"type":"text","text":"hello"}`
	var inputs []string
	for _, line := range w.hostFrames() {
		if _, input, ok := strings.Cut(line, `"input":`); ok {
			inputs = append(inputs, strings.TrimSuffix(input, "}}"))
		}
	}
	want := []string{"[" + n + "," + notice + "," + user + "]", "[" + n + "," + user + "]"}
	if diff := cmp.Diff(want, inputs); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

// Two open questions of one session, and one each of two sessions, answered in reverse.
func TestReverse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "two-approvals").ready(1)
	w.send(w.prompt(2, 0))
	w.until(`"id":1,"method":"session/request_permission"`)
	w.send(selected(1, "abort"), selected(0, "allow_once"))
	w.until(`"id":2`)
	w.close()
	if !w.marker("call1") || w.marker("call2") {
		t.Errorf("markers: %t, %t", w.marker("call1"), w.marker("call2"))
	}
	events := []string{
		"turn/start", "tool/call", "tool/call", "approval/asked", "approval/asked",
		"approval/decided rejected", "approval/decided allowed-once", "tool/result", "tool/result", "turn/end completed",
	}
	if diff := cmp.Diff(events, w.log(0)); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}

	w = newWorld(t, "approve").ready(2)
	w.send(w.prompt(2, 0))
	first := w.until("request_permission")
	w.send(w.prompt(3, 1))
	second := w.until("request_permission")
	if !strings.Contains(first[1], w.sessions[0]) || !strings.Contains(second[1], w.sessions[1]) {
		t.Errorf("asked in: %q, %q", first, second)
	}
	w.send(selected(1, "abort"))
	if lines := w.until(`"id":3`); contains(lines, w.sessions[0]) {
		t.Errorf("the other session moved: %q", lines)
	}
	if w.marker("call1") {
		t.Error("the rejection ran the tool")
	}
	w.send(selected(0, "allow_once"))
	w.until(`"id":2`)
	w.close()
	if !w.marker("call1") {
		t.Error("the grant did not run the tool")
	}
}

// Stages are asked one by one, each once; a stale decision leads to the next stage, any other refusal fails closed.
func TestStages(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{"stages": "0 2", "stale": "0 1"} {
		w := newWorld(t, script).ready(1)
		w.send(w.prompt(2, 0))
		w.until("request_permission")
		w.send(selected(0, "allow_once"))
		lines := w.until("request_permission")
		if contains(lines, "in_progress") {
			t.Errorf("%s: in progress before the last stage: %q", script, lines)
		}
		w.send(selected(1, "allow_once"))
		if lines := w.until(`"id":2`); !contains(lines, "in_progress") || !contains(lines, "end_turn") {
			t.Errorf("%s: %q", script, lines)
		}
		w.close()
		var stages []string
		for _, d := range w.decisions() {
			var n int
			_, _ = fmt.Sscanf(d[strings.Index(d, "sourceIndex"):], `sourceIndex":%d`, &n)
			stages = append(stages, fmt.Sprint(n))
		}
		if got := strings.Join(stages, " "); got != want {
			t.Errorf("%s: decided stages %s, want %s", script, got, want)
		}
	}
	w := newWorld(t, "decide-refused").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(selected(0, "abort"))
	lines := w.until(`"id":2`)
	if !contains(lines, "Muse approval decision rejected (MSP -32603)") || contains(lines, "secret") || len(w.decisions()) != 1 {
		t.Errorf("refused: %q", lines)
	}
	if frames := w.hostFrames(); frames[len(frames)-1] != "-" {
		t.Error("the host was kept")
	}
	w.close()
}
