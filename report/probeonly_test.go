package report

import (
	"bytes"
	"strings"
	"testing"

	"acp-conform/conform"
)

// One sentence that fails against different requirements is told for each of them.
func TestOneSentenceForTwoRequirements(t *testing.T) {
	t.Parallel()
	scenario := func(name, id string) conform.ScenarioResult {
		return conform.ScenarioResult{Name: name, Verdict: conform.Fail, Requirements: []string{id},
			Checks: []conform.Check{{Name: "the connection goes on", IDs: []string{id}, Message: "it did not"}}}
	}
	var out bytes.Buffer
	r := conform.RunResult{Scenarios: []conform.ScenarioResult{scenario("a", "R-1"), scenario("b", "R-2"), scenario("c", "R-2")}}
	if err := Write(&out, "pretty", r, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- the connection goes on [R-1]", "- the connection goes on [R-2]"} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("%q does not stand there once:\n%s", want, out.String())
		}
	}
}

// Where no selected scenario applies, what the probe failed is said, and can be forgiven.
func TestOnlyTheProbeWasJudged(t *testing.T) {
	t.Parallel()
	probe := conform.ScenarioResult{Name: conform.ProbeName, Verdict: conform.Fail, Requirements: []string{"R-1"},
		Checks: []conform.Check{{Name: "the second turn", IDs: []string{"R-1"}, Message: "it was not answered"}}}
	r := conform.RunResult{
		Scenarios:    []conform.ScenarioResult{probe, {Name: "a", Verdict: conform.NotApplicable, Reason: "no host"}},
		Requirements: []conform.RequirementResult{{ID: "R-1", Level: "MUST", Verdict: conform.Fail}},
	}
	for format, want := range map[string]string{"pretty": "Only the probe was judged: none of the selected scenarios applies", "known": "\nR-1:\n"} {
		var out bytes.Buffer
		if err := Write(&out, format, r, Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) || strings.Contains(out.String(), "Nothing was judged") {
			t.Errorf("%s does not say %q:\n%s", format, want, out.String())
		}
	}
}
