package reference

import (
	"testing"

	"acp-conform/reference/muse"
)

// A grant of one shot is sent as nothing that lasts, whatever stands in front (approval-seam.md §0.2).
func TestOnceApproval(t *testing.T) {
	t.Parallel()
	choice := func(id, decision, scope string) muse.Choice {
		return muse.Choice{ChoiceID: id, Decision: decision, Scope: scope}
	}
	session, always := choice("session", "approved", "session"), choice("always", "approved", "localPersistent")
	named, deny := choice("named", "approvedForSession", "once"), choice("deny", "denied", "once")
	for want, choices := range map[string][]muse.Choice{
		"":     {session, always, named, deny, choice("unscoped", "approved", "")},
		"once": {session, always, named, deny, choice("once", "approved", "once")},
	} {
		if got, ok := onceApproval(choices); got.ChoiceID != want || ok != (want != "") {
			t.Errorf("got %q, %t, want %q", got.ChoiceID, ok, want)
		}
	}
}

// A member that is null is not there, and a justification that is no text says nothing (REQ-ESC-02, REQ-ESC-11).
func TestOddEscalations(t *testing.T) {
	t.Parallel()
	const mode = `"sandbox_permissions":"workspace-write"`
	for args, want := range map[string]string{
		`{"sandbox_permissions":null,"justification":null}`: "none",
		`{` + mode + `,"justification":null}`:               "invalid escalation: sandbox_permissions requires a justification",
		`{` + mode + `,"justification":7}`:                  "invalid justification: expected a non-empty sentence",
		`{` + mode + `,"justification":["why"]}`:            "invalid justification: expected a non-empty sentence",
		`{"sandbox_permissions":null,"justification":"x"}`:  "invalid escalation: justification is only valid together with sandbox_permissions",
		`{` + mode + `,"justification":"why"}`:              "",
	} {
		got := "none"
		if _, wrong, found := escalationOf(args, "read-only"); found {
			got = wrong
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
}
