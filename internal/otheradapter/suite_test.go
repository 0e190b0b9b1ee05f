package otheradapter_test

import (
	"testing"

	"acp-conform/fakemuse"
)

// TestPassesTheSuite: what binds any adapter holds for this one, in both ways of running it.
func TestPassesTheSuite(t *testing.T) {
	t.Run("in this process", func(t *testing.T) { play(t, inProcess(), nil) })
	t.Run("as a process", func(t *testing.T) { play(t, asProcess(t), nil) })
}

// TestPassesUnderEveryHostVariant: a right adapter is right whatever kind of Muse it meets, also where
// several sessions share it, a turn is cancelled, or a command is asked about twice.
func TestPassesUnderEveryHostVariant(t *testing.T) {
	names := []string{"two-sessions-answered-in-reverse", "approval-cancelled-then-allowed", "escalation-approved", "stages-refused-later"}
	for _, variant := range fakemuse.VariantNames() {
		t.Run(variant, func(t *testing.T) { play(t, inProcess(), names, variant) })
	}
}
