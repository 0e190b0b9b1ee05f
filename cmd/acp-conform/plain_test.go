package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPlainReferencePasses judges the reference adapter as its user starts it, without the flags of the suite. It knows
// no sandbox mode then, so it denies every call that asks for wider rights by itself, as REQ-ESC-08 demands.
func TestPlainReferencePasses(t *testing.T) {
	t.Parallel()
	out := program(t, "run", "--jobs", "4", "--format", "json", "--env=GORACE=atexit_sleep_ms=0", "--", binary, "reference")
	if out.code != 0 {
		t.Fatalf("exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	var report struct {
		Scenarios []struct{ Name, Verdict, Reason string }
	}
	if err := json.Unmarshal([]byte(out.stdout), &report); err != nil {
		t.Fatal(err)
	}
	const why = `it refuses wider rights by itself: its sessions have no option sandbox-mode, and it sent Muse "Reject" without asking the editor`
	excused, passed := 0, 0
	for _, sc := range report.Scenarios {
		switch {
		case sc.Verdict == "pass":
			passed++
		case sc.Verdict != "not_applicable":
			t.Errorf("%s: %s: %s", sc.Name, sc.Verdict, sc.Reason)
		case sc.Reason == why && strings.HasPrefix(sc.Name, "escalation-"):
			excused++
		case strings.HasPrefix(sc.Name, "escalation-") && !strings.Contains(sc.Reason, "the reference adapter"):
			t.Errorf("%s does not apply: %s", sc.Name, sc.Reason)
		}
	}
	if excused == 0 || passed < 100 {
		t.Errorf("%d scenarios passed, and %d about wider rights do not apply", passed, excused)
	}
}

// TestWhoKnowsRightsMustAsk: an adapter that shows a sandbox mode has no such excuse.
func TestWhoKnowsRightsMustAsk(t *testing.T) {
	t.Parallel()
	out := program(t, "run", "--scenario", "escalation-rejected", "--env=GORACE=atexit_sleep_ms=0", "--", binary, "reference",
		"--sandbox-mode=read-only", "--approval-policy=never")
	if out.code != 1 {
		t.Errorf("exit %d, not 1\n%s%s", out.code, out.stdout, out.stderr)
	}
}
