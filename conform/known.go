package conform

import (
	"fmt"
	"slices"
	"strings"
)

// Known is a failure that is expected: of a scenario or of a requirement.
type Known struct {
	Name   string // of a scenario, or the id of a requirement
	Reason string
	Place  string // where it is written down, such as "known.txt:3"
}

// expectation is what is known, by name.
type expectation map[string]Known

// Expect marks the failures that are known, which then do not count, and adds what is known and not so any more: a known
// failure that passes is a failure. Of a requirement that can be said only when everything was selected: the scenario in
// which it fails may have been left out.
func (r *RunResult) Expect(known []Known, everything bool) {
	if r.Problem != "" {
		return // nothing was judged
	}
	e := expectation{}
	for _, k := range known {
		e[k.Name] = k
	}
	for i := range r.Scenarios {
		r.Scenarios[i].Expected = e.scenario(r.Scenarios[i])
	}
	for i := range r.Requirements {
		r.Requirements[i].Expected = e.requirement(r.Requirements[i], r.Scenarios)
	}
	for _, k := range known {
		passes := slices.ContainsFunc(r.Scenarios, func(s ScenarioResult) bool { return s.Name == k.Name && s.Verdict == Pass }) ||
			everything && slices.ContainsFunc(r.Requirements, func(q RequirementResult) bool { return q.ID == k.Name && q.Verdict == Pass })
		if passes {
			r.Stale = append(r.Stale, fmt.Sprintf("%s: %s passes, which is said to fail: %s", k.Place, k.Name, k.Reason))
		}
	}
}

// Unforgiven names what must be expected for the failures of a run not to count, beside what is: the requirements that
// failed, and the scenarios that fail by more than those. What could not run is not among them.
func (r RunResult) Unforgiven() (names []string) {
	all := expectation{}
	for _, q := range r.Requirements {
		if q.Verdict != Fail {
			continue
		}
		all[q.ID] = Known{Name: q.ID}
		if q.Expected == "" {
			names = append(names, q.ID)
		}
	}
	for _, s := range r.Scenarios {
		if s.Verdict == Fail && s.Expected == "" && all.scenario(s) == "" {
			names = append(names, s.Name)
		}
	}
	return names
}

// scenario gives the reason for which the failure of a scenario is expected; empty when it is not. A scenario that is not
// named itself is expected to fail if each check of it that failed decides known requirements and nothing else. What decides
// none and can follow from another failure is forgiven beside one that is known, and is named with it.
func (e expectation) scenario(s ScenarioResult) string {
	if s.Verdict != Fail && s.Verdict != CouldNotRun {
		return ""
	}
	if k, known := e[s.Name]; known {
		return k.Reason
	}
	failures := s.Failures()
	if s.Verdict == CouldNotRun || len(failures) == 0 {
		return ""
	}
	var first string
	var beside []string
	for _, f := range failures {
		if len(f.IDs) == 0 {
			if !canFollow(f.Name) {
				return ""
			}
			if !slices.Contains(beside, f.Name) {
				beside = append(beside, f.Name)
			}
			continue
		}
		for _, id := range f.IDs {
			if _, known := e[id]; !known {
				return ""
			}
		}
		if first == "" {
			first = f.IDs[0] + ": " + e[f.IDs[0]].Reason
		}
	}
	if first != "" && len(beside) > 0 {
		first += "; with it failed: " + strings.Join(beside, ", ")
	}
	return first
}

// canFollow reports whether a check without a requirement can fail for no other reason than that something else went wrong
// before: the conversation stops, or goes on otherwise than the script says, and the transcript differs. All else is named
// here on purpose or not forgiven: what ran, what was granted, and what the host objects to.
func canFollow(check string) bool {
	switch check {
	case comesToItsEnd, answersUsed, stepsUsed, questionsAnswered, answerPossible, Golden:
		return true
	}
	return strings.HasPrefix(check, "the turn ended with ")
}

// requirement gives the reason for which a requirement is expected not to hold; empty when it is not. One that is not
// named itself is expected to fail if it does so only in scenarios that are expected to.
func (e expectation) requirement(q RequirementResult, scenarios []ScenarioResult) string {
	if q.Verdict == Pass || q.Verdict == NotApplicable {
		return ""
	}
	if k, known := e[q.ID]; known {
		return k.Reason
	}
	where := q.FailedIn
	if q.Verdict != Fail { // it was not decided where it should have been
		where = q.Scenarios
	}
	var first string
	for _, name := range where {
		i := slices.IndexFunc(scenarios, func(s ScenarioResult) bool { return s.Name == name })
		switch {
		case i < 0 || scenarios[i].Verdict == Pass || scenarios[i].Verdict != NotApplicable && scenarios[i].Expected == "":
			return ""
		case first == "" && scenarios[i].Expected != "":
			first = name + ": " + scenarios[i].Expected
		}
	}
	return first
}
