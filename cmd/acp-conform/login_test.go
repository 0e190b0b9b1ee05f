package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"acp-conform/conform"
	"acp-conform/report"
)

// TestAdapterWantsLogin: of an adapter that makes no session, or takes no prompt, without a login nothing can be judged.
// One reason stands for everything, and it is no failure of the adapter.
func TestAdapterWantsLogin(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ way, problem string }{
		{"wants-a-login-first", `session/new was answered with the error {"code":-32000,"message":"log in first"}`},
		{"wants-a-login", "a probe turn was answered with the error -32000 (log in first), and no muse was started"},
	} {
		t.Run(tt.way, func(t *testing.T) {
			t.Parallel()
			out := program(t, "run", "--format=json", "--scenario", "text-turn", "--scenario", "unknown-session", "--scenario", "bad-lines", "--", own, oddWord, "needs-no-host", tt.way)
			var m report.Model
			if err := json.Unmarshal([]byte(out.stdout), &m); err != nil || out.code != conform.ExitCouldNotRun {
				t.Fatalf("exit %d, not %d: %v\n%s", out.code, conform.ExitCouldNotRun, err, out.stderr)
			}
			if m.Problem != tt.problem {
				t.Errorf("the problem is %q, not %q", m.Problem, tt.problem)
			}
			for _, s := range m.Scenarios {
				if s.Verdict != conform.CouldNotRun || s.Reason != tt.problem {
					t.Errorf("%s: %s, %s", s.Name, s.Verdict, s.Reason)
				}
			}
			const advice = "It is the configuration: it wants a login; give it what it needs with --env."
			if out := program(t, "run", "--scenario", "text-turn", "--", own, oddWord, "needs-no-host", tt.way); !strings.Contains(out.stdout, advice) {
				t.Errorf("run does not say %q\n%s", advice, out.stdout)
			}
		})
	}
}
