//go:build unix

package reference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

func (w *world) set(id, session int, option, value string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/set_config_option","params":{"sessionId":%q,"configId":%q,"value":%s}}`, id, w.sessions[session], option, value)
}

// modeMenu is the option of the modes, as it is sent; without the automatic ones where there is no policy.
func modeMenu(current, policy string) string {
	menu := `{"value":"default","name":"On request","description":"You are asked about what Muse does not settle by itself."}`
	if policy != "" {
		menu += `,{"value":"bypassApprovals","name":"Auto-approve","description":"Whatever Muse asks about is approved once, without asking you."}` +
			`,{"value":"rejectApprovals","name":"Reject prompts","description":"Whatever Muse asks about is rejected once, without asking you."}`
	}
	return `{"id":"mode","name":"Mode","category":"mode","type":"select","currentValue":"` + current + `","options":[` + menu + `]}`
}

// options is a list of config options, as it is sent in the default mode.
func options(sandbox, policy string) string { return optionsIn("default", sandbox, policy) }

func optionsIn(mode, sandbox, policy string) string {
	list := []string{modeMenu(mode, policy)}
	if sandbox != "" {
		list = append(list, `{"id":"sandbox-mode","name":"Sandbox","description":"The file sandbox mode bash commands in this session run under.","type":"select","currentValue":"`+sandbox+`","options":[{"value":"read-only","name":"read-only"},{"value":"workspace-write","name":"workspace-write"},{"value":"danger-full-access","name":"danger-full-access"}]}`)
	}
	if policy != "" {
		list = append(list, `{"id":"approval-policy","name":"Approvals","description":"ask: permission prompts reach you; never: they are rejected automatically.","type":"select","currentValue":"`+policy+`","options":[{"value":"ask","name":"ask"},{"value":"never","name":"never"}]}`)
	}
	return `"configOptions":[` + strings.Join(list, ",") + `]`
}

func answered(id int, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{%s}}`, id, result)
}

// Options are advertised where they mean something; that of the modes stands first and mirrors them (REQ-POL-04).
func TestAdvertisedOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		with func(*reference.Options)
		want string
	}{
		"both":       {sandboxed, "," + options("read-only", "ask")},
		"no sandbox": {func(o *reference.Options) { o.ApprovalPolicy = "never" }, "," + options("", "never")},
		"no seam":    {func(o *reference.Options) { o.NoApprovals = true; o.SandboxMode = "workspace-write" }, "," + options("workspace-write", "")},
		"neither":    {func(o *reference.Options) { o.NoApprovals = true }, "," + options("", "")},
	} {
		w := newWorld(t, "text", c.with).start()
		w.send(hello, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, w.cwd))
		w.next()
		line := w.next()
		w.sessions = []string{sessionOf(line)}
		menu := modeMenu("default", "ask")
		if w.options.NoApprovals {
			menu = modeMenu("default", "")
		}
		_, menu, _ = strings.Cut(strings.TrimSuffix(menu, "}"), `"options":`)
		modes := `,"modes":{"currentModeId":"default","availableModes":` + strings.ReplaceAll(menu, `"value"`, `"id"`) + "}"
		if diff := cmp.Diff(answered(1, `"sessionId":"{session:1}"`+modes+c.want), w.plain([]string{line})[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		w.send(w.set(2, 0, "sandbox-mode", `"read-only"`), w.set(3, 0, "approval-policy", `"never"`))
		for id, option := range []string{2: "sandbox-mode", 3: "approval-policy"} {
			if option == "" {
				continue
			}
			good := strings.Contains(c.want, option)
			if got := w.next(); strings.Contains(got, `"result"`) != good || !good && !strings.Contains(got, `"message":"Invalid params: unknown `+option+` value \"`) {
				t.Errorf("%s: set %s (id %d): %s", name, option, id, got)
			}
		}
		w.close()
	}
}

// Setting options between turns: the answers are complete, and the errors are those of REQ-POL-06 and change nothing.
func TestSetOptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text", sandboxed).ready(2)
	wrong := func(message string) string {
		return `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid params: ` + message + `"}}`
	}
	for _, c := range []struct{ name, line, want string }{
		{"no-op", w.set(2, 0, "approval-policy", `"ask"`), answered(2, options("read-only", "ask"))},
		{"policy", w.set(2, 0, "approval-policy", `"never"`), answered(2, options("read-only", "never"))},
		{"sandbox", w.set(2, 0, "sandbox-mode", `"workspace-write"`), answered(2, options("workspace-write", "never"))},
		{"the other session", w.set(2, 1, "sandbox-mode", `"read-only"`), answered(2, options("read-only", "ask"))},
		{"unknown option", w.set(2, 0, "model", `"x"`), wrong(`unknown config option \"model\"`)},
		{"unknown sandbox mode", w.set(2, 0, "sandbox-mode", `"yolo"`), wrong(`unknown sandbox-mode value \"yolo\"`)},
		{"unknown policy", w.set(2, 0, "approval-policy", `"Ask"`), wrong(`unknown approval-policy value \"Ask\"`)},
		{"boolean", w.set(2, 0, "approval-policy", `true`), wrong(`config option approval-policy is a select; boolean values are not accepted`)},
		{"typed boolean", w.set(2, 0, "sandbox-mode", `false,"type":"boolean"`), wrong(`config option sandbox-mode is a select; boolean values are not accepted`)},
		{"number", w.set(2, 0, "sandbox-mode", `1`), wrong(`config option sandbox-mode is a select; its value must be a string`)},
		{"null", w.set(2, 0, "sandbox-mode", `null`), wrong(`config option sandbox-mode is a select; its value must be a string`)},
		{"unknown session", strings.Replace(w.set(2, 0, "sandbox-mode", `"read-only"`), w.sessions[0], "x", 1), wrong("unknown session: x")},
		{"no session", `{"jsonrpc":"2.0","id":2,"method":"session/set_config_option","params":{"configId":"sandbox-mode","value":"read-only"}}`, wrong("sessionId must be a string")},
		{"no id", strings.Replace(w.set(2, 0, "x", `"y"`), `"configId":"x",`, "", 1), wrong("configId must be a string")},
		{"no params", `{"jsonrpc":"2.0","id":2,"method":"session/set_config_option"}`, wrong("session/set_config_option needs an object")},
		{"nothing was changed", w.set(2, 0, "approval-policy", `"never"`), answered(2, options("workspace-write", "never"))},
	} {
		w.send(c.line)
		if diff := cmp.Diff(c.want, w.next()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	w.close()
	if log := w.log(0); len(log) != 0 {
		t.Errorf("recorded between turns: %q", log)
	}
}

const (
	sayNever = "{\"type\":\"text\",\"text\":\"Approval prompts are disabled in this session: actions that require approval are rejected automatically — do not request sandbox escalation (do not set `sandbox_permissions`).\"}"
	sayHello = `{"type":"text","text":"hello"}`
)

func switched(from, to, who string) string {
	return `The approval policy changed from "` + from + `" to "` + to + `" (changed by ` + who + `).`
}

func notice(from, to, who string) string {
	return `{"type":"text","text":"` + strings.ReplaceAll(switched(from, to, who), `"`, `\"`) + `"}`
}

// turnInputs are the inputs of the turns that the hosts got.
func (w *world) turnInputs() []string {
	var inputs []string
	for _, line := range w.hostFrames() {
		if _, input, ok := strings.Cut(line, `"input":`); ok {
			inputs = append(inputs, strings.TrimSuffix(strings.TrimPrefix(input, "["), "]}}"))
		}
	}
	return inputs
}

// Switches between turns are written with the next one, and the model is told once, user or operator
// (REQ-POL-07, REQ-POL-08, REQ-POL-10 to REQ-POL-13).
func TestSwitches(t *testing.T) {
	t.Parallel()
	started := []string{"turn/start"}
	done := "turn/end completed"
	told := func(from, to, who string) string { return "context/message " + switched(from, to, who) }
	for name, c := range map[string]struct {
		configured string
		turns      [][]string // values set before each turn
		inputs     []string
		log        []string
	}{
		"to never and back": {"ask", [][]string{{"never"}, {}, {"ask"}, {}},
			[]string{sayNever + "," + notice("ask", "never", "the user") + "," + sayHello, sayNever + "," + sayHello, notice("never", "ask", "the user") + "," + sayHello, sayHello},
			[]string{"turn/start", "approval/policy never", told("ask", "never", "the user"), done, "turn/start", done, "turn/start", "approval/policy ask", told("never", "ask", "the user"), done, "turn/start", done}},
		"net-zero":  {"ask", [][]string{{"never", "ask"}}, []string{sayHello}, append(started, done)},
		"no-op":     {"ask", [][]string{{"ask", "ask"}}, []string{sayHello}, append(started, done)},
		"coalesced": {"ask", [][]string{{"never", "ask", "never"}}, []string{sayNever + "," + notice("ask", "never", "the user") + "," + sayHello}, []string{"turn/start", "approval/policy never", told("ask", "never", "the user"), done}},
		"operator, then user": {"never", [][]string{{}, {"ask"}},
			[]string{sayNever + "," + notice("ask", "never", "the operator/config") + "," + sayHello, notice("never", "ask", "the user") + "," + sayHello},
			[]string{"turn/start", told("ask", "never", "the operator/config"), done, "turn/start", "approval/policy ask", told("never", "ask", "the user"), done}},
		"back to ask before the first turn": {"never", [][]string{{"ask"}}, []string{sayHello}, []string{"turn/start", "approval/policy ask", done}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "text", func(o *reference.Options) { o.ApprovalPolicy = c.configured }).ready(2)
			for _, values := range c.turns {
				for _, v := range values {
					w.send(w.set(5, 0, "approval-policy", `"`+v+`"`))
					if diff := cmp.Diff(answered(5, options("", v)), w.next()); diff != "" {
						t.Errorf("set (-want +got):\n%s", diff)
					}
				}
				w.send(w.prompt(2, 0))
				w.until(`"id":2,"result":{"stopReason":"end_turn"}`)
			}
			if lines := w.close(); contains(lines, "config_option_update") {
				t.Errorf("an update: %q", lines)
			}
			if diff := cmp.Diff(c.inputs, w.turnInputs()); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.log, w.log(0)); diff != "" {
				t.Errorf("audit log (-want +got):\n%s", diff)
			}
			if log := w.log(1); len(log) != 0 {
				t.Errorf("the other session: %q", log)
			}
		})
	}
}

// A switch while a question is open is recorded at once, between the pair; it does not touch the question, only the
// next one (REQ-POL-07, REQ-APPR-28).
func TestSwitchWhileAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "approve-each").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(w.set(5, 0, "approval-policy", `"never"`))
	w.until(`"id":5`)
	w.send(w.set(6, 0, "sandbox-mode", `"read-only"`))
	w.until(`"id":6,"error"`)
	w.send(selected(0, "allow_once"))
	w.until(`"id":2,"result":{"stopReason":"end_turn"}`)
	w.send(w.prompt(3, 0))
	if lines := w.until(`"id":3`); contains(lines, "request_permission") {
		t.Errorf("asked under never: %q", lines)
	}
	w.close()
	if !w.marker("call1") || w.marker("call2") {
		t.Errorf("markers: %t, %t", w.marker("call1"), w.marker("call2"))
	}
	want := []string{
		"turn/start", "tool/call", "approval/asked", "approval/policy never", "approval/decided allowed-once", "tool/result", "turn/end completed",
		"turn/start", "context/message " + switched("ask", "never", "the user"), "tool/call", "approval/asked", "approval/decided rejected", "tool/result", "turn/end completed",
	}
	if diff := cmp.Diff(want, w.log(0)); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// The sandbox mode that is in force decides what an escalation may ask for (REQ-ESC-03), per session.
func TestSandboxMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "escalate", sandboxed).ready(2)
	w.send(w.set(5, 0, "sandbox-mode", `"workspace-write"`), w.prompt(2, 0))
	lines := w.until(`"id":2`)
	if contains(lines, "request_permission") || !contains(lines, `is not strictly wider than this call's current \"workspace-write\" mode`) {
		t.Errorf("lines: %q", lines)
	}
	w.send(w.prompt(3, 1))
	w.until("request_permission")
	w.send(selected(0, "reject-once"))
	w.until(`"id":3`)
	w.close()
	if diff := cmp.Diff([]string{"turn/start", "sandbox/mode workspace-write", "tool/call", "tool/result", "turn/end completed"}, w.log(0)); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}
