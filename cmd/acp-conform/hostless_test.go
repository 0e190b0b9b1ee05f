package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
	"acp-conform/report"
	"acp-conform/wire"
)

// Ways in which an adapter without a host answers a prompt otherwise than well and once.
const (
	updatesLate = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"late"}}}}`
	plansLate   = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":"plan","entries":[{"content":"x","priority":"high","status":"pending"}]}}}`
	asksLate    = `{"jsonrpc":"2.0","id":"question of PROMPT","method":"session/request_permission","params":{"sessionId":%q,"toolCall":{"toolCallId":"t"},"options":[{"optionId":"a","name":"A","kind":"allow_once"}]}}`
)

// beHostless is a right adapter that needs no host: it answers every prompt by itself. With a way it is not quite right.
func beHostless(way string) int {
	lines := wire.NewLineReader(os.Stdin, 0)
	sessions := map[string]bool{}
	answer := func(id json.RawMessage, member, value string) {
		if id == nil {
			id = json.RawMessage("null")
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%q:%s}`+"\n", id, member, value)
	}
	for {
		line, err := lines.Next()
		if err != nil {
			return 0
		}
		f := wire.ParseFrame(line.Bytes)
		switch {
		case f.Kind == wire.Malformed:
			answer(nil, "error", `{"code":-32700,"message":"that is not JSON"}`)
		case f.Kind == wire.Invalid || f.Kind == wire.Batch || f.Kind == wire.Scalar:
			answer(nil, "error", `{"code":-32600,"message":"that is no request"}`)
		case f.Kind != wire.Request:
		case f.Method == "initialize":
			answer(f.ID, "result", `{"protocolVersion":1,"agentCapabilities":{},"agentInfo":{"name":"hostless","version":"1"}}`)
		case f.Method == "session/new" && way == "wants-a-login-first":
			answer(f.ID, "error", `{"code":-32000,"message":"log in first"}`)
		case f.Method == "session/new" && strings.HasPrefix(wire.LookupString(f.Params, "cwd"), "/") && isFolder(wire.LookupString(f.Params, "cwd")):
			id := fmt.Sprintf("session-%d", len(sessions)+1)
			sessions[id] = true
			answer(f.ID, "result", fmt.Sprintf(`{"sessionId":%q}`, id))
		case f.Method == "session/prompt" && sessions[wire.LookupString(f.Params, "sessionId")] && isPrompt(wire.Lookup(f.Params, "prompt")):
			session := wire.LookupString(f.Params, "sessionId")
			switch way {
			case "refuses":
				answer(f.ID, "result", `{"stopReason":"refusal"}`)
			case "errs":
				answer(f.ID, "error", `{"code":-32603,"message":"no model"}`)
			case "wants-a-login":
				answer(f.ID, "error", `{"code":-32000,"message":"log in first"}`)
			case "only-once":
				answer(f.ID, "result", `{"stopReason":"end_turn"}`)
				way = "wants-a-login"
			default:
				answer(f.ID, "result", `{"stopReason":"end_turn"}`)
			}
			if late := map[string]string{"updates-late": updatesLate, "plans-late": plansLate, "asks-late": asksLate}[way]; late != "" {
				fmt.Println(strings.Replace(fmt.Sprintf(late, session), "PROMPT", strings.Trim(string(f.ID), `"`), 1))
			}
		case way == "is-never-the-same" && f.Method == "session/prompt":
			answer(f.ID, "error", fmt.Sprintf(`{"code":-32602,"message":"wrong params for %d"}`, os.Getpid()))
		case f.Method == "session/new" || f.Method == "session/prompt":
			answer(f.ID, "error", `{"code":-32602,"message":"wrong params"}`)
		default:
			answer(f.ID, "error", `{"code":-32601,"message":"no such method"}`)
		}
	}
}

// isPrompt reports whether a value is a list of content blocks.
func isPrompt(value json.RawMessage) bool {
	var blocks []struct {
		Type string
		Text *string
	}
	if json.Unmarshal(value, &blocks) != nil {
		return false
	}
	return !slices.ContainsFunc(blocks, func(b struct {
		Type string
		Text *string
	}) bool {
		return b.Type == "" || b.Type == "text" && b.Text == nil
	})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// TestAdapterWithoutHost: an adapter that starts no host is judged by what needs none, and by its probe.
func TestAdapterWithoutHost(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const evidence = "never started a host: a probe turn was answered with "
	tests := []struct {
		way      string
		code     int
		evidence string
		verdict  conform.Verdict
		failed   []string // requirements
		reason   string   // a part of it
	}{
		{"", 0, evidence + "end_turn, and no muse was started", conform.Pass, nil, ""},
		{"refuses", 0, evidence + "refusal, and no muse was started", conform.Pass, nil, ""},
		{"errs", 3, evidence + "the error -32603 (no model), and no muse was started", conform.CouldNotRun, nil, "with the error -32603 (no model), so no turn could be judged"},
		{"updates-late", 1, evidence + "end_turn", conform.Fail, []string{"ACP-PR-09"}, "behind the response of its prompt"},
		{"plans-late", 1, evidence + "end_turn", conform.Fail, []string{"ACP-PR-09"}, "behind the response of its prompt"},
		{"asks-late", 1, evidence + "end_turn", conform.Fail, []string{"ACP-PR-16", "ACP-TOOL-16"}, "came while no turn of its session was open"},
		{"only-once", 1, evidence + "end_turn", conform.Fail, []string{"ACP-CAN-07", "ACP-PR-10"}, "answered without a stop reason"},
	}
	for _, tt := range tests {
		t.Run(tt.way, func(t *testing.T) {
			t.Parallel()
			out := program(t, "run", "--format=json", "--scenario", "text-turn", "--scenario", "unknown-session", "--scenario", "bad-workspace", "--", own, oddWord, "needs-no-host", tt.way)
			var m report.Model
			if err := json.Unmarshal([]byte(out.stdout), &m); err != nil || out.code != tt.code {
				t.Fatalf("exit %d, not %d: %v\n%s", out.code, tt.code, err, out.stderr)
			}
			for _, s := range m.Scenarios {
				switch {
				case s.Name == conform.ProbeName:
					if s.Verdict != tt.verdict || !strings.Contains(s.Reason, tt.reason) || !strings.Contains(s.Replay, " --scenario text-turn -- ") {
						t.Errorf("the probe: %s, %s\n%s", s.Verdict, s.Reason, s.Replay)
					}
					if advised := strings.Contains(strings.Join(s.Notes, "\n"), "--env MUSE_CLI={{muse}}"); advised != (tt.verdict == conform.CouldNotRun) {
						t.Errorf("the notes of the probe are %q", s.Notes)
					}
				case s.Name == "text-turn" && (s.Verdict != conform.NotApplicable || !strings.HasPrefix(s.Reason, tt.evidence)):
					t.Errorf("%s: %s, %s", s.Name, s.Verdict, s.Reason)
				case s.Verdict != conform.NotApplicable && s.Verdict != conform.Pass:
					t.Errorf("%s: %s, %s", s.Name, s.Verdict, s.Reason)
				}
			}
			var failed []string
			for _, q := range m.Requirements {
				if q.Verdict == conform.Fail {
					failed = append(failed, q.ID)
				}
			}
			if diff := cmp.Diff(tt.failed, failed); diff != "" || m.Scenarios[len(m.Scenarios)-1].Name != conform.ProbeName {
				t.Errorf("failed (-want +got):\n%s", diff)
			}
		})
	}
	// Where nothing that was selected applies, nothing holds, whatever the probe says.
	const none = "none of the selected scenarios applies to the adapter"
	out := program(t, "run", "--scenario", "text-turn", "--", own, oddWord, "needs-no-host")
	if out.code != 3 || !strings.Contains(out.stdout, "1 scenario passed") || !strings.Contains(out.stdout, "\nNothing was judged: "+none+".\n") {
		t.Errorf("exit %d, not 3, or without the reason\n%s", out.code, out.stdout)
	}
	if line := " scenarios: never started a host: a probe turn"; strings.Contains(out.stdout, line) {
		t.Errorf("one scenario is told of as several\n%s", out.stdout)
	}
	short := program(t, "run", "--tags", "@escalation", "--", own, oddWord, "needs-no-host")
	long := program(t, "run", "--tags", "@escalation", "--name-each", "--", own, oddWord, "needs-no-host")
	if lines := strings.Count(short.stdout, "\nn.a.  "); lines > 3 || strings.Contains(short.stdout, "escalation-rejected") || !strings.Contains(long.stdout, "n.a.  escalation-rejected (") {
		t.Errorf("%d lines of what is not applicable, or a name where it should not be, or none\n%s\n%s", lines, short.stdout, long.stdout)
	}
	out = program(t, "run", "--format=json", "--tags", "@approval", "--", own, oddWord, "needs-no-host")
	var m report.Model
	if err := json.Unmarshal([]byte(out.stdout), &m); err != nil || out.code != 3 || m.Problem != none {
		t.Errorf("exit %d, not 3, or the problem is %q: %v", out.code, m.Problem, err)
	}
}

// TestProbeIsPlayedAgain: the command that a report gives for a probe that failed has it fail again.
func TestProbeIsPlayedAgain(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "--format=json", "--scenario", "approval-rejected", "--", own, oddWord, "needs-no-host", "updates-late"}
	for range 2 {
		out := program(t, args...)
		var m report.Model
		if err := json.Unmarshal([]byte(out.stdout), &m); err != nil || out.code != conform.ExitFailed {
			t.Fatalf("exit %d, not %d: %v\n%s", out.code, conform.ExitFailed, err, out.stderr)
		}
		probe := m.Scenarios[len(m.Scenarios)-1]
		if probe.Name != conform.ProbeName || probe.Verdict != conform.Fail {
			t.Fatalf("the last scenario is %s: %s", probe.Name, probe.Verdict)
		}
		args = append([]string{"run", "--format=json"}, strings.Fields(probe.Replay)[2:]...)
	}
}
