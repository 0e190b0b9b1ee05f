package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
	"acp-conform/goldens"
	"acp-conform/runner"
)

// TestWithoutTheSeam holds REQ-SNAP-17: who composes no seam gets what everybody got before there was one. Every
// conversation of the goldens in which Muse works on a turn, and nothing is asked and no option is set, is the same to
// the byte when the reference adapter runs without the seam; only the seam's own option and modes are not offered.
func TestWithoutTheSeam(t *testing.T) {
	t.Parallel()
	s := load(t)
	accepted, want := conform.NewGoldens(goldens.FS), map[string]string{}
	var selected []runner.Planned
	for _, p := range s.Plan.Scenarios {
		text, err := accepted.Load(p.Name)
		if err != nil {
			t.Fatal(err)
		}
		has := func(method string) bool { return strings.Contains(text, `"method":"`+method) }
		resumed := strings.Contains(text, `"method":"session/resume","params":{"sessionId":"{session:1}","cwd"`) // by the client, which is shown the policy
		if !has("turn/start") || has("approval/") || has("session/set_config_option") || resumed {
			continue
		}
		without := cutOption(text)
		if without == text {
			t.Errorf("the golden of %s does not offer the seam's option; this test knows it in another form", p.Name)
		}
		want[p.Name], selected = without, append(selected, p)
	}
	if !slices.ContainsFunc(selected, func(p runner.Planned) bool { return p.Name == "text-turn" }) {
		t.Fatal("text-turn is not among what is compared")
	}
	recorder := runner.NewRecorder()
	engine := s.Engine(inProcess(t, "--no-approvals"), true)
	engine.Goldens = recorder
	result, err := s.Run(engine, selected, 2).Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, sc := range result.Scenarios {
		if sc.Verdict != conform.Pass {
			t.Errorf("%s: %s: %s", sc.Name, sc.Verdict, sc.Reason)
		} else if got := recorder.Text(sc.Name); got != want[sc.Name] {
			t.Errorf("%s (-with the seam +without):\n%s", sc.Name, cmp.Diff(strings.Split(want[sc.Name], "\n"), strings.Split(got, "\n")))
		}
	}
}

// cutOption takes what the seam offers out of a transcript: its option, which is the last of every list, and the modes in
// which it answers by itself.
func cutOption(text string) string {
	for _, offer := range []struct{ begin, end string }{
		{`,{"id":"approval-policy",`, `]}`},
		{`,{"id":"bypassApprovals",`, `}`},
		{`,{"id":"rejectApprovals",`, `}`},
		{`,{"value":"bypassApprovals",`, `}`},
		{`,{"value":"rejectApprovals",`, `}`},
	} {
		for {
			before, rest, found := strings.Cut(text, offer.begin)
			if !found {
				break
			}
			_, after, _ := strings.Cut(rest, offer.end)
			text = before + after
		}
	}
	return text
}
