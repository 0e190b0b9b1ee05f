package runner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
)

func TestKnownFailures(t *testing.T) {
	t.Parallel()
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	known, err := s.KnownFailures("known.txt", "# ours\n\n text-turn : no model: yet\nACP-PR-09: late\r\ncancel-during-start: slow\nprobe: a login\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []conform.Known{
		{Name: "text-turn", Reason: "no model: yet", Place: "known.txt:3"},
		{Name: "ACP-PR-09", Reason: "late", Place: "known.txt:4"},
		{Name: "cancel-during-start/handshake", Reason: "slow", Place: "known.txt:5"},
		{Name: "cancel-during-start/session", Reason: "slow", Place: "known.txt:5"},
		{Name: "probe", Reason: "a login", Place: "known.txt:6"},
	}
	if diff := cmp.Diff(want, known); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for text, says := range map[string]string{
		"text-turn":                  `k:1: "text-turn" gives no reason; write NAME: reason`,
		"\ntext-turn: ":              `k:2: "text-turn:" gives no reason`,
		"text-trun: x":               `k:1: "text-trun" is neither a scenario nor a requirement; did you mean "text-turn"?`,
		"ACP-PR-9: x":                `k:1: "ACP-PR-9" is neither a scenario nor a requirement; did you mean "ACP-PR-`,
		": x":                        `k:1: "" is neither`,
		"text-turn: x\ntext-turn: y": `k:2: text-turn is named already in k:1`,
		"cancel-during-start/session: x\ncancel-during-start: y": `k:2: cancel-during-start/session is named already in k:1`,
	} {
		if _, err := s.KnownFailures("k", text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q gave %v, want %q", text, err, says)
		}
	}
}
