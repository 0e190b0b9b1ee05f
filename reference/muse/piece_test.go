package muse_test

import (
	"encoding/json"
	"testing"

	"acp-conform/reference/muse"
)

// TestPieces: pieces are cut anywhere in UTF-16; together they are what was said.
func TestPieces(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		pieces []string // as JSON
		want   []string
	}{
		{"whole characters", []string{`"a\u00e9"`, `"\n\"\\\/😀"`}, []string{"aé", "\n\"\\/😀"}},
		{"a pair in one", []string{`"\ud83d\ude00"`}, []string{"😀"}},
		{"a pair in two", []string{`"a\ud83d"`, `"\ude00b"`}, []string{"a", "😀b"}},
		{"a pair in three", []string{`"\ud83d"`, `""`, `"\ude00"`}, []string{"", "", "😀"}},
		{"two first halves", []string{`"\ud83d"`, `"\ud83d"`, `"\ude00"`}, []string{"", "\ufffd", "😀"}},
		{"a second half alone", []string{`"\ude00"`}, []string{"\ufffd"}},
		{"no text", []string{`null`, `"x"`}, []string{"", "x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var left muse.Piece
			for i, raw := range tt.pieces {
				var p muse.Piece
				if err := json.Unmarshal([]byte(raw), &p); err != nil {
					t.Fatal(err)
				}
				var text string
				if text, left = p.Cut(left); text != tt.want[i] {
					t.Errorf("piece %d gives %q, not %q", i+1, text, tt.want[i])
				}
			}
		})
	}
	var p muse.Piece
	if err := json.Unmarshal([]byte(`7`), &p); err == nil {
		t.Error("a number is a piece")
	}
}
