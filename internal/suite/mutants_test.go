package suite

import (
	"maps"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
	"acp-conform/internal/raced"
	"acp-conform/reference"
	"acp-conform/requirements"
	"acp-conform/runner"
)

func mutants(t *testing.T, s *runner.Suite) []requirements.Mutant {
	t.Helper()
	list, err := requirements.LoadMutants(s.Registry)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestEveryMutantTripsItsList plays each mutant over the scenarios that its list names: all of them fail, and together
// they trip exactly what is listed. Each requirement is tripped by a mutant, and each scenario is named by one that
// fails it through a sentence of its own; an oracle that would fail any scenario tells nothing about this one.
func TestEveryMutantTripsItsList(t *testing.T) {
	t.Parallel()
	if raced.On {
		t.Skip("hundreds of mutants are played without the race detector, which sees the same code in TestScenarios")
	}
	s := load(t)
	m := runner.Mutation{Suite: s, Mutants: mutants(t, s), Selected: s.Plan.Scenarios, Shown: true, Jobs: mutantsAtOnce}
	results, err := m.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tripped, failed := map[string]bool{}, map[string]bool{}
	for _, r := range results {
		if diff := cmp.Diff(r.IDs(), r.Tripped); diff != "" {
			t.Errorf("%s:%d: the mutant %s does not trip what is listed for it (-listed +tripped):\n%s", r.File, r.Line, r.Name, diff)
			explain(t, r)
		}
		for _, name := range r.Passed {
			t.Errorf("%s:%d: the scenario %s should show the mutant %s, and passes", r.File, r.Line, name, r.Name)
		}
		for _, id := range r.Tripped {
			tripped[id] = true
		}
		for _, sc := range r.Failed {
			if slices.ContainsFunc(sc.Failures(), ownCheck) {
				failed[sc.Name] = true
			}
		}
	}
	for _, q := range s.Registry.All() {
		if q.Excluded == "" && s.Proof(q).Played() && !tripped[q.ID] {
			t.Errorf("%s:%d: no mutant trips %s: %s", q.File, q.Line, q.ID, q.Statement)
		}
	}
	for _, name := range s.Plan.Names() {
		if !failed[name] {
			t.Errorf("no mutant that names the scenario %s makes a sentence of it fail", name)
		}
	}
}

// mutantsAtOnce is small: the test runs beside others.
const mutantsAtOnce = 2

// ownCheck reports whether a check is a sentence of its scenario that decides a requirement, not one that is always on.
func ownCheck(c conform.Check) bool {
	return len(c.IDs) > 0 && !slices.Contains(conform.AlwaysOn(), c.Name)
}

// explain logs the failures of a mutant that are not listed for it.
func explain(t *testing.T, r runner.MutantResult) {
	t.Helper()
	for _, sc := range r.Failed {
		for _, c := range sc.Failures() {
			if slices.ContainsFunc(c.IDs, func(id string) bool { return slices.Contains(r.Unexpected, id) }) {
				t.Logf("%s: %s %v: %s %+v", sc.Name, c.Name, c.IDs, c.Message, c.Place)
			}
		}
	}
}

// withoutMutant are the faults that no scenario can show yet, with what is missing.
func withoutMutant() map[reference.Fault]string {
	return map[reference.Fault]string{
		reference.UpdateAfterResponse: "the update behind the response is seen in time or not; update-behind-response shows the same for certain",
		reference.KeepsHost:           "found on Linux only; TestAHostLeftBehindIsFound shows it",
		reference.IDTypeChanged:       "such an adapter never answers initialize; error-id-as-text shows the same",
	}
}

// TestEveryFaultHasAMutant: a fault has a mutant, or a reason why not, and not both.
func TestEveryFaultHasAMutant(t *testing.T) {
	t.Parallel()
	has := map[string]bool{}
	for _, m := range mutants(t, load(t)) {
		has[m.Fault] = true
	}
	excused := withoutMutant()
	maps.Copy(excused, excusedForNow())
	for _, f := range reference.Faults() {
		_, without := excused[f.Name]
		if without == has[string(f.Name)] {
			t.Errorf("%s: has a mutant: %t, has a reason why not: %t", f.Name, has[string(f.Name)], without)
		}
	}
}

// TestALieIsCaughtByTheMarkerFile: an adapter runs a command that the user rejected, and tells the client in its
// tool_call_update that it failed. What the adapter says is as it should be; the file is there.
func TestALieIsCaughtByTheMarkerFile(t *testing.T) {
	t.Parallel()
	s := load(t)
	sc := playOne(t, s, "approval-rejected", inProcess(t, "--fault="+string(reference.LiesAboutDenied)))
	if sc.Verdict != conform.Fail {
		t.Fatalf("the scenario came to %s: %s", sc.Verdict, sc.Reason)
	}
	verdicts := map[string]bool{}
	for _, c := range sc.Checks {
		if old, seen := verdicts[c.Name]; !seen || old {
			verdicts[c.Name] = c.OK
		}
	}
	got := map[string]bool{}
	for _, name := range []string{"the file does not exist", "the tool call is closed as it should", "the tool call says why"} {
		ok, looked := verdicts[name]
		if !looked {
			t.Fatalf("nothing was looked at under the name %q", name)
		}
		got[name] = ok
	}
	want := map[string]bool{"the file does not exist": false, "the tool call is closed as it should": true, "the tool call says why": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the checks (-want +got):\n%s", diff)
	}
}

// TestAHostLeftBehindIsFound: a host that outlives its adapter breaks the end of stdin, wherever processes can be
// found by their environment.
func TestAHostLeftBehindIsFound(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("processes cannot be found by their environment here")
	}
	s := load(t)
	sc := playOne(t, s, "text-turn", inProcess(t, "--fault="+string(reference.KeepsHost)))
	var broken []string
	for _, c := range sc.Failures() {
		broken = append(broken, c.IDs...)
	}
	if diff := cmp.Diff([]string{"ACP-TRN-11"}, broken); diff != "" {
		t.Errorf("requirements (-want +got):\n%s", diff)
	}
}

// playOne plays one scenario without goldens.
func playOne(t *testing.T, s *runner.Suite, name string, adapter conform.Adapter) conform.ScenarioResult {
	t.Helper()
	selected, err := s.Plan.Select(nil, []string{name})
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Run(s.Engine(adapter, true), selected, 1).Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return result.Scenarios[0]
}

// What a mutant trips in scenarios that are not named for it is told, and not held against its list.
func TestWhatAMutantTripsElsewhere(t *testing.T) {
	t.Parallel()
	s := load(t)
	selected, err := s.Plan.Select(nil, []string{"approval-allowed", "approval-rejected"})
	if err != nil {
		t.Fatal(err)
	}
	all := mutants(t, s)
	twice := all[slices.IndexFunc(all, func(m requirements.Mutant) bool { return m.Name == "decides-twice" })]
	twice.Scenarios = []string{"approval-allowed"}
	m := runner.Mutation{Suite: s, Mutants: []requirements.Mutant{twice}, Selected: selected}
	results, err := m.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	if !slices.Contains(r.Tripped, "MUSE-PERM-11") || slices.Contains(r.Tripped, "MUSE-PERM-12") || !slices.Contains(r.Elsewhere, "MUSE-PERM-12") || !r.OK() {
		t.Errorf("tripped %v, elsewhere %v, unexpected %v, passed %v", r.Tripped, r.Elsewhere, r.Unexpected, r.Passed)
	}
	if diff := cmp.Diff([]string{"approval-allowed", "approval-rejected"}, r.FailedNames()); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
}
