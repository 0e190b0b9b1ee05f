package otheradapter_test

import (
	"testing"

	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/internal/raced"
)

// TestPassesTheSuite: what binds any adapter holds for this one. As a process it plays a cross-section: the bytes on its
// stdio are the same in both ways.
func TestPassesTheSuite(t *testing.T) {
	if raced.On {
		t.Skip("the suite is played without the race detector, which sees the same code in TestPassesUnderEveryHostVariant")
	}
	t.Run("in this process", func(t *testing.T) {
		verdicts := play(t, inProcess(), nil)
		for _, name := range offered() {
			if verdicts[name] != conform.Pass {
				t.Errorf("%s: %s, though this adapter offers what it is about", name, verdicts[name])
			}
		}
	})
	t.Run("as a process", func(t *testing.T) {
		play(t, asProcess(t), []string{"text-turn", "approval-allowed", "two-sessions-answered-in-reverse", "approval-cancelled-then-allowed", "escalation-rejected",
			"told-to-end"}) // which ends this program at once
	})
}

// offered are scenarios that must not turn out as not applicable: this adapter offers what they are about.
func offered() []string {
	return []string{"close-while-asked", "close-while-form-is-open", "close-while-talking", "close-between-turns", "resume-goes-on", "resume-late-form",
		"resume-unknown", "resume-refused/other-folder", "escalation-rejected", "choices-turned-round", "emoji-cut-in-two", "long-of-the-user/1m", "longer-of-muse", "long-output/1m"}
}

// TestPassesUnderEveryHostVariant: a right adapter is right whatever kind of Muse it meets, also where
// several sessions share it, a turn is cancelled, or a command is asked about.
func TestPassesUnderEveryHostVariant(t *testing.T) {
	names := []string{"two-sessions-answered-in-reverse", "approval-cancelled-then-allowed"}
	for _, variant := range fakemuse.VariantNames() {
		t.Run(variant, func(t *testing.T) { play(t, inProcess(), names, variant) })
	}
}
