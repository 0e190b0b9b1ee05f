package runner

import (
	"strings"
	"testing"

	"acp-conform/conform"
	"acp-conform/wire"
)

// What a scenario came to is compared with the first run: the verdict, the checks that fail, and the transcript of what
// passed. The reference adapter has to pass.
func TestSoakCompares(t *testing.T) {
	t.Parallel()
	played := func(verdict conform.Verdict, text string, failed ...string) (conform.RunResult, *Recorder) {
		r := NewRecorder()
		if text != "" {
			r.Compare("a", wire.Transcript{{Entry: wire.Entry{Lane: wire.Client, Dir: wire.ToAdapter, Data: []byte(text)}}}, 0)
		}
		sc := conform.ScenarioResult{Name: "a", Verdict: verdict, Reason: "for a reason"}
		for _, name := range failed {
			sc.Checks = append(sc.Checks, conform.Check{Name: name})
		}
		return conform.RunResult{Scenarios: []conform.ScenarioResult{sc}}, r
	}
	type run struct {
		verdict conform.Verdict
		text    string
		failed  []string
	}
	for name, tt := range map[string]struct {
		first, second run
		reference     bool
		want          string // a part of what is said about the second; empty where it is the same
	}{
		"the same":            {run{conform.Pass, "x", nil}, run{conform.Pass, "x", nil}, false, ""},
		"another text":        {run{conform.Pass, "x", nil}, run{conform.Pass, "y", nil}, false, "a: the transcript differs: line 1"},
		"another verdict":     {run{conform.Pass, "x", nil}, run{conform.Fail, "x", []string{"c"}}, false, "a: first it came to pass, and now to fail, c: for a reason"},
		"failed the same way": {run{conform.Fail, "x", []string{"c"}}, run{conform.Fail, "y", []string{"c"}}, false, ""},
		"failed another way":  {run{conform.Fail, "", []string{"c"}}, run{conform.Fail, "", []string{"c", "d"}}, false, "and now to fail, c, d"},
		"the reference fails": {run{conform.Pass, "x", nil}, run{conform.NotApplicable, "", nil}, true, "a: not_applicable: for a reason"},
	} {
		s, first := &Soak{Reference: tt.reference}, map[string]soaked{}
		result, recorder := played(tt.first.verdict, tt.first.text, tt.first.failed...)
		if what := s.compare(first, result, recorder); what != "" {
			t.Errorf("%s: the first run differs: %s", name, what)
		}
		result, recorder = played(tt.second.verdict, tt.second.text, tt.second.failed...)
		if what := s.compare(first, result, recorder); (what == "") != (tt.want == "") || !strings.Contains(what, tt.want) {
			t.Errorf("%s: %q does not say %q", name, what, tt.want)
		}
	}
}
