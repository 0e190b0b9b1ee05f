package conform

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatFollowsIsForgiven: a check without a requirement that can follow from another failure is forgiven beside one that
// is known, and told; alone it is not, and nothing that ran or was granted ever is.
func TestWhatFollowsIsForgiven(t *testing.T) {
	t.Parallel()
	follows := []string{comesToItsEnd, answersUsed, stepsUsed, questionsAnswered, answerPossible, Golden, "the turn ended with cancelled"}
	never := []string{"the file does not exist", "the file exists", hostObjects, "the question is the expected one", "each grant was given"}
	judged := func(checks ...Check) string {
		r := RunResult{Scenarios: []ScenarioResult{{Name: "a", Verdict: Fail, Requirements: []string{"R1", "R2"}, Checks: checks}}}
		r.Expect([]Known{{Name: "R1", Reason: "why"}}, true)
		return r.Scenarios[0].Expected
	}
	known, unknown := Check{Name: "check", IDs: []string{"R1"}}, Check{Name: "check", IDs: []string{"R2"}}
	for _, name := range follows {
		c := Check{Name: name}
		if got, want := judged(c, known, c), "R1: why; with it failed: "+name; got != want {
			t.Errorf("%s beside a known failure: %q, not %q", name, got, want)
		}
		for what, checks := range map[string][]Check{"alone": {c}, "beside an unknown failure": {c, unknown},
			"beside both": {c, known, unknown}, "where the known one held": {c, {Name: "check", IDs: []string{"R1"}, OK: true}}} {
			if got := judged(checks...); got != "" {
				t.Errorf("%s %s is expected: %q", name, what, got)
			}
		}
	}
	for _, name := range never {
		if got := judged(known, Check{Name: name}); got != "" {
			t.Errorf("%s is expected: %q", name, got)
		}
	}
	if got, want := judged(Check{Name: stepsUsed}, known, Check{Name: Golden}), "R1: why; with it failed: "+stepsUsed+", "+Golden; got != want {
		t.Errorf("two of them: %q, not %q", got, want)
	}
	r := RunResult{Scenarios: []ScenarioResult{{Name: "a", Verdict: CouldNotRun, Checks: []Check{known, {Name: stepsUsed}}}}}
	if r.Expect([]Known{{Name: "R1", Reason: "why"}}, true); r.Scenarios[0].Expected != "" {
		t.Error("what could not run is expected by a requirement")
	}
}

// The scenario a fails by R1 alone, b by R1 and R2, c by a check without a requirement; d could not run; e passes.
func expectable() RunResult {
	failed := func(ids ...string) Check { return Check{Name: "check", IDs: ids} }
	r := RunResult{Scenarios: []ScenarioResult{
		{Name: "a", Verdict: Fail, Requirements: []string{"R1"}, Checks: []Check{failed("R1")}},
		{Name: "b", Verdict: Fail, Requirements: []string{"R1", "R2"}, Checks: []Check{failed("R1"), failed("R2"), {Name: "check", IDs: []string{"R3"}, OK: true}}},
		{Name: "c", Verdict: Fail, Checks: []Check{failed()}},
		{Name: "d", Verdict: CouldNotRun, Requirements: []string{"R4"}},
		{Name: "e", Verdict: Pass, Requirements: []string{"R3", "R5"}, Checks: []Check{{Name: "check", IDs: []string{"R3"}, OK: true}}},
		{Name: "f", Verdict: NotApplicable, Reason: "no", Requirements: []string{"R6"}},
	}}
	r.Requirements = Sum(r.Scenarios, []RequirementFacts{{ID: "R1", Level: "MUST"}, {ID: "R2", Level: "MUST"}, {ID: "R4", Level: "MUST"}, {ID: "R5", Level: "SHOULD"}})
	return r
}

func TestExpect(t *testing.T) {
	t.Parallel()
	k := func(name string) Known { return Known{Name: name, Reason: "why " + name, Place: "known:1"} }
	tests := []struct {
		name       string
		known      []Known
		everything bool
		expected   map[string]string // by scenario or requirement
		stale      []string
		code       int
	}{
		{"nothing is known", nil, true, map[string]string{}, nil, ExitFailed},
		{"a requirement forgives what fails by it alone", []Known{k("R1")}, true, map[string]string{"a": "R1: why R1", "R1": "why R1"}, nil, ExitFailed},
		{"a scenario forgives its requirements where they fail nowhere else", []Known{k("b")}, true, map[string]string{"b": "why b", "R2": "b: why b"}, nil, ExitFailed},
		{"two requirements", []Known{k("R1"), k("R2")}, true, map[string]string{"a": "R1: why R1", "b": "R1: why R1", "R1": "why R1", "R2": "why R2"}, nil, ExitFailed},
		{"what could not run", []Known{k("d")}, true, map[string]string{"d": "why d", "R4": "d: why d"}, nil, ExitFailed},
		{"everything", []Known{k("R1"), k("b"), k("c"), k("d")}, true,
			map[string]string{"a": "R1: why R1", "b": "why b", "c": "why c", "d": "why d", "R1": "why R1", "R2": "b: why b", "R4": "d: why d"}, nil, ExitOK},
		{"everything but what could not run", []Known{k("R1"), k("b"), k("c")}, true,
			map[string]string{"a": "R1: why R1", "b": "why b", "c": "why c", "R1": "why R1", "R2": "b: why b"}, nil, ExitCouldNotRun},
		{"a scenario that passes", []Known{k("e")}, false, map[string]string{}, []string{"known:1: e passes, which is said to fail: why e"}, ExitFailed},
		{"a requirement that passes", []Known{k("R3")}, true, map[string]string{}, []string{"known:1: R3 passes, which is said to fail: why R3"}, ExitFailed},
		{"a requirement that passes in a part", []Known{k("R3")}, false, map[string]string{}, nil, ExitFailed},
		{"one that does not apply, and one that was not selected", []Known{k("f"), k("R6"), k("g")}, true, map[string]string{}, nil, ExitFailed},
		{"stale, and all else is known", []Known{k("R1"), k("b"), k("c"), k("d"), k("e")}, true,
			map[string]string{"a": "R1: why R1", "b": "why b", "c": "why c", "d": "why d", "R1": "why R1", "R2": "b: why b", "R4": "d: why d"},
			[]string{"known:1: e passes, which is said to fail: why e"}, ExitFailed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := expectable()
			r.Expect(tt.known, tt.everything)
			got := map[string]string{}
			for _, s := range r.Scenarios {
				if s.Expected != "" {
					got[s.Name] = s.Expected
				}
			}
			for _, q := range r.Requirements {
				if q.Expected != "" {
					got[q.ID] = q.Expected
				}
			}
			if diff := cmp.Diff(tt.expected, got); diff != "" {
				t.Errorf("expected (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.stale, r.Stale); diff != "" {
				t.Errorf("stale (-want +got):\n%s", diff)
			}
			if code := r.ExitCode(); code != tt.code {
				t.Errorf("exit %d, not %d", code, tt.code)
			}
		})
	}
}
