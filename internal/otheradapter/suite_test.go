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

// TestPassesUnderEveryHostVariant: a right adapter is right whatever kind of Muse it meets. What is about lines alone
// meets none.
func TestPassesUnderEveryHostVariant(t *testing.T) {
	if testing.Short() {
		t.Skip("plays most of the suite once for every variant")
	}
	for _, variant := range fakemuse.VariantNames() {
		t.Run(variant, func(t *testing.T) { play(t, inProcess(), []string{"not @transport"}, variant) })
	}
}
