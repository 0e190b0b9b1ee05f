package otheradapter_test

import (
	"testing"

	"acp-conform/fakemuse"
)

// TestPassesTheSuite: what binds any adapter holds for this one. As a process it plays a cross-section: the bytes on its
// stdio are the same in both ways.
func TestPassesTheSuite(t *testing.T) {
	t.Run("in this process", func(t *testing.T) { play(t, inProcess(), nil) })
	t.Run("as a process", func(t *testing.T) {
		play(t, asProcess(t), []string{"text-turn", "approval-allowed", "two-sessions-answered-in-reverse", "approval-cancelled-then-allowed", "escalation-rejected",
			"told-to-end"}) // which ends this program at once
	})
}

// TestPassesUnderEveryHostVariant: a right adapter is right whatever kind of Muse it meets, also where
// several sessions share it, a turn is cancelled, or a command is asked about.
func TestPassesUnderEveryHostVariant(t *testing.T) {
	names := []string{"two-sessions-answered-in-reverse", "approval-cancelled-then-allowed"}
	for _, variant := range fakemuse.VariantNames() {
		t.Run(variant, func(t *testing.T) { play(t, inProcess(), names, variant) })
	}
}
