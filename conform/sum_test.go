package conform

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func check(ok bool, ids ...string) Check { return Check{IDs: ids, OK: ok} }

func TestSum(t *testing.T) {
	t.Parallel()
	scenario := func(name string, v Verdict, ids []string, checks ...Check) ScenarioResult {
		return ScenarioResult{Name: name, Verdict: v, Requirements: ids, Checks: checks}
	}
	inapplicable := func(s ScenarioResult) ScenarioResult {
		s.Inapplicable = "it does not offer this"
		return s
	}
	ids := []string{"R-1"}
	tests := []struct {
		name      string
		scenarios []ScenarioResult
		want      Verdict
	}{
		{"passed", []ScenarioResult{scenario("a", Pass, ids, check(true, "R-1"))}, Pass},
		{"passed in a scenario that failed for another reason", []ScenarioResult{scenario("a", Fail, ids, check(true, "R-1"), check(false))}, Pass},
		{"passed once, failed once", []ScenarioResult{scenario("a", Fail, ids, check(true, "R-1"), check(false, "R-1"))}, Fail},
		{"failed in another scenario", []ScenarioResult{scenario("a", Pass, ids, check(true, "R-1")), scenario("b", Fail, ids, check(false, "R-1"))}, Fail},
		{"no check got there", []ScenarioResult{scenario("a", Fail, ids, check(false, "R-2"))}, NotReached},
		{"could not run", []ScenarioResult{scenario("a", CouldNotRun, ids)}, CouldNotRun},
		{"checks of what could not run count for nothing", []ScenarioResult{scenario("a", CouldNotRun, ids, check(true, "R-1"))}, CouldNotRun},
		{"not applicable", []ScenarioResult{scenario("a", NotApplicable, ids)}, NotApplicable},
		{"not applicable here, not reached there", []ScenarioResult{scenario("a", NotApplicable, ids), scenario("b", Pass, ids)}, NotApplicable},
		{"not applicable, and failed by an oracle", []ScenarioResult{inapplicable(scenario("a", Fail, ids, check(false, "R-2")))}, NotApplicable},
		{"not applicable, and an oracle speaks against it", []ScenarioResult{inapplicable(scenario("a", Fail, ids, check(false, "R-1")))}, Fail},
		{"could not run here, passed there", []ScenarioResult{scenario("a", CouldNotRun, ids), scenario("b", Pass, ids, check(true, "R-1"))}, Pass},
		{"could not run here, not applicable there", []ScenarioResult{scenario("a", NotApplicable, ids), scenario("b", CouldNotRun, ids)}, CouldNotRun},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, r := range Sum(tt.scenarios, nil) {
				if r.ID == "R-1" && r.Verdict != tt.want {
					t.Errorf("got %s, want %s", r.Verdict, tt.want)
				}
			}
		})
	}
}

func TestSumKeepsFactsAndOrder(t *testing.T) {
	t.Parallel()
	got := Sum([]ScenarioResult{
		{Name: "b", Verdict: Pass, Requirements: []string{"R-2", "R-1"}, Checks: []Check{check(true, "R-2", "R-1")}},
		{Name: "a", Verdict: Fail, Requirements: []string{"R-2"}, Checks: []Check{check(true, "R-2"), check(false, "R-2"), check(false, "R-2")}},
	}, []RequirementFacts{{ID: "R-1", Level: "MUST", Statement: "One."}, {ID: "R-9", Level: "MAY"}})
	want := []RequirementResult{
		{ID: "R-1", Level: "MUST", Statement: "One.", Verdict: Pass, Scenarios: []string{"b"}},
		{ID: "R-2", Verdict: Fail, Scenarios: []string{"b", "a"}, FailedIn: []string{"a"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	run := func(v ...Verdict) RunResult {
		var r RunResult
		for _, v := range v {
			r.Scenarios = append(r.Scenarios, ScenarioResult{Verdict: v})
		}
		return r
	}
	with := func(r RunResult, level string, v Verdict) RunResult {
		r.Requirements = append(r.Requirements, RequirementResult{Level: level, Verdict: v})
		return r
	}
	problem := run(CouldNotRun)
	problem.Problem = "no adapter"
	tests := []struct {
		name string
		r    RunResult
		want int
	}{
		{"all passed", run(Pass, Pass), 0},
		{"not applicable is green", with(run(Pass, NotApplicable), "MUST", NotApplicable), 0},
		{"nothing judged is not green", run(NotApplicable, NotApplicable), 3},
		{"orphaned goldens", RunResult{Scenarios: run(Pass).Scenarios, Orphans: []string{"old.golden"}}, 1},
		{"one failed", run(Pass, Fail), 1},
		{"a failure outweighs what could not run", run(CouldNotRun, Fail), 1},
		{"one could not run", run(Pass, CouldNotRun), 3},
		{"one was not reached", run(Pass, NotReached), 3},
		{"nothing was selected", run(), 3},
		{"nothing could be run", problem, 3},
		{"a requirement failed", with(run(Pass), "derived", Fail), 1},
		{"a MUST was not reached", with(run(Pass), "MUST", NotReached), 3},
		{"a SHOULD was not reached", with(run(Pass), "SHOULD", NotReached), 0},
		{"a requirement could not be judged", with(run(Pass), "MAY", CouldNotRun), 3},
		{"a failed requirement outweighs one that was not reached", with(with(run(Pass), "MUST", NotReached), "MUST", Fail), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.r.ExitCode(); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	r := RunResult{
		Scenarios:    []ScenarioResult{{Verdict: Pass}, {Verdict: Fail}, {Verdict: Pass}},
		Requirements: []RequirementResult{{Verdict: NotReached}, {Verdict: Pass}},
	}
	for _, v := range Verdicts() {
		want := map[Verdict][2]int{Pass: {2, 1}, Fail: {1, 0}, NotReached: {0, 1}}[v]
		if got := [2]int{r.CountScenarios(v), r.CountRequirements(v)}; got != want {
			t.Errorf("%s: got %v, want %v", v, got, want)
		}
	}
	if a := (ScenarioResult{Feature: "approval/escalation.feature"}).Area(); a != "approval" {
		t.Errorf("the area is %q", a)
	}
}

// Which requirements a check decides: those of the scenario's tags, and none that is outside.
func TestCheckDecides(t *testing.T) {
	t.Parallel()
	s := &Scenario{Names: Names{Requirements: []string{"R-1", "R-2"}}, engine: &Engine{Outside: map[string]bool{"R-2": true, "R-3": true}}}
	s.Check("both", []string{"R-1", "R-2", "R-9"}, false, nil, "wrong %d", 1)
	s.Check("outside alone", []string{"R-3"}, false, nil, "left out")
	s.Check("none", nil, true, &Place{}, "a message that is dropped")
	want := []Check{{Name: "both", IDs: []string{"R-1"}, Message: "wrong 1"}, {Name: "none", OK: true}}
	if diff := cmp.Diff(want, s.checks); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
