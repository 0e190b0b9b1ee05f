package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
)

// TestProgressInShort: what is not applicable for one and the same reason is told at the end, in one line.
func TestProgressInShort(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := ProgressInShort(&out)
	for i, s := range []struct {
		v      conform.Verdict
		reason string
	}{{conform.NotApplicable, "rare"}, {conform.NotApplicable, "frequent"}, {conform.Fail, "frequent"}, {conform.NotApplicable, "frequent"}, {conform.Pass, ""},
		{conform.NotApplicable, "also rare"}, {conform.NotApplicable, "frequent"}} {
		p.Scenario(conform.ScenarioResult{Name: string(rune('a' + i)), Verdict: s.v, Reason: s.reason})
	}
	p.End()
	p.End() // nothing is told twice
	const want = "FAIL  c (0s): frequent\nok    e (0s)\nn.a.  3 scenarios: frequent\nn.a.  f (0s): also rare\nn.a.  a (0s): rare\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMostFailuresFirst: the closing list begins with what failed in most scenarios, and says in how many.
func TestMostFailuresFirst(t *testing.T) {
	t.Parallel()
	r := conform.RunResult{Requirements: []conform.RequirementResult{
		{ID: "A-1", Level: "MUST", Verdict: conform.NotReached, Scenarios: []string{"w", "x", "y", "z"}},
		{ID: "A-2", Level: "MUST", Verdict: conform.Fail, FailedIn: []string{"x"}},
		{ID: "A-3", Level: "MUST", Verdict: conform.Fail, FailedIn: []string{"x", "y", "z"}},
		{ID: "A-4", Level: "MUST", Verdict: conform.Pass},
		{ID: "A-5", Level: "MAY", Verdict: conform.Fail, FailedIn: []string{"w"}},
	}}
	var out bytes.Buffer
	if err := Write(&out, "pretty", r, Options{}); err != nil {
		t.Fatal(err)
	}
	const want = "first what failed in most scenarios:\n  A-3 (MUST) failed: \n    in 3 scenarios: x, y, z\n  A-2 (MUST) failed: \n    in 1 scenario: x\n" +
		"  A-5 (MAY) failed: \n    in 1 scenario: w\n  A-1 (MUST) not reached: \n    in w, x, y, z\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("got\n%s\nwant at its end\n%s", out.String(), want)
	}
}
