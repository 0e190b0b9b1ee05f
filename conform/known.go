package conform

import (
	"fmt"
	"slices"
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

// scenario gives the reason for which the failure of a scenario is expected; empty when it is not. A scenario that is not
// named itself is expected to fail if each check of it that failed decides known requirements and nothing else.
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
	for _, f := range failures {
		if len(f.IDs) == 0 {
			return ""
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
	return first
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
