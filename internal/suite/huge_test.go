package suite

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"acp-conform/conform"
	"acp-conform/scenarios"
)

// megabyte is the length of a text that no reader's first guess at a buffer holds.
const megabyte = 1 << 20

// TestHugeTexts sends a megabyte in one piece through the reference adapter, in each direction. It is no scenario of a
// feature file, because its golden would be as large.
func TestHugeTexts(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("0123456789abcdef", megabyte/16)

	t.Run("of the user", func(t *testing.T) {
		t.Parallel()
		s := huged(t, huge, "Read.")
		if turns := s.Facts().Turns; len(turns) != 1 || strings.Join(turns[0].Texts, "") != huge {
			t.Errorf("Muse was given %d turns, or another text", len(turns))
		}
		if got := s.Shown(1, "agent_message_chunk"); got != "Read." {
			t.Errorf("the user was shown %.100q", got)
		}
	})
	t.Run("of Muse", func(t *testing.T) {
		t.Parallel()
		s := huged(t, "write", huge)
		// The reference adapter passes on so many characters of one message, and says that there were more.
		const most = 65536
		want := huge[:most] + "\n[Public text truncated by adapter.]"
		if got := s.Shown(1, "agent_message_chunk"); got != want {
			t.Errorf("the user was shown %d bytes, ending in %q", len(got), got[max(0, len(got)-100):])
		}
	})
}

// huged plays one turn in which the user sends one text and Muse says another, each in one piece.
func huged(t *testing.T, prompt, say string) *conform.Scenario {
	t.Helper()
	script, err := json.Marshal(map[string]any{"turns": []any{map[string]any{"steps": []any{map[string]any{"say": say}}}}})
	if err != nil {
		t.Fatal(err)
	}
	engine := load(t).Engine(inProcess(t), true)
	engine.Scenarios = fstest.MapFS{"huge/muse.json": {Data: script}}
	engine.Record = func(string, []byte) error { return nil }
	s, err := engine.Begin(t.Context(), conform.Names{Name: "huge", Title: "A huge text"})
	if err != nil {
		t.Fatal(err)
	}
	told := s.Host().Expect(conform.ScriptStep{Kind: "says", Chunks: []string{say}})
	performed := s.Perform(scenarios.Step{Op: "prompt", Text: prompt})
	if r := s.End(nil); told != nil || performed != nil || r.Verdict != conform.Pass {
		t.Fatalf("%.200v, %.200v, %s: %.500s", told, performed, r.Verdict, r.Reason)
	}
	if o := s.Outcomes(1); len(o) != 1 || o[0].StopReason != "end_turn" {
		t.Errorf("the turn came to %+v", o)
	}
	return s
}
