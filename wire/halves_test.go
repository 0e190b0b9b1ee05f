package wire_test

import (
	"testing"

	"acp-conform/wire"
)

func TestHalves(t *testing.T) {
	t.Parallel()
	const first, second = "\xed\xa0\xbd", "\xed\xb8\x80" // of U+1F600
	tests := []struct{ quoted, text, again string }{
		{`""`, "", ""},
		{`"plain <&> \" \\ \n é"`, "plain <&> \" \\ \n é", ""},
		{`"\ud83d\ude00"`, "😀", `"😀"`},
		{`"a\ud83d"`, "a" + first, ""},
		{`"\ude00b"`, second + "b", ""},
		{`"\uD83D"`, first, `"\ud83d"`},
		{`"\ude00\ud83d"`, second + first, ""},
		{`"\ud83d\ud83d\ude00"`, first + "😀", `"\ud83d😀"`},
		{`"\\ud83d"`, `\ud83d`, ""},
		{`"\\\ud83d\u00e9"`, `\` + first + "é", `"\\\ud83dé"`},
		{`"\ufffd\ud7ff\ue000"`, "\ufffd\ud7ff\ue000", "\"\ufffd\ud7ff\ue000\""},
	}
	for _, tt := range tests {
		got, err := wire.UnquoteText([]byte(tt.quoted))
		if err != nil || got != tt.text {
			t.Errorf("%s is read as %q, %v", tt.quoted, got, err)
		}
		if tt.again == "" {
			tt.again = tt.quoted
		}
		if back := string(wire.QuoteText(got)); back != tt.again {
			t.Errorf("%q is written as %s, not as %s", got, back, tt.again)
		}
	}
	if got := wire.JoinHalves("x" + first + second + "y" + second + first); got != "x😀y"+second+first {
		t.Errorf("joined: %q", got)
	}
	for _, bad := range []string{`"`, `x`, `"\ud8"`, `"a`, `"\x"`} {
		if got, err := wire.UnquoteText([]byte(bad)); err == nil {
			t.Errorf("%s is read as %q", bad, got)
		}
	}
}
