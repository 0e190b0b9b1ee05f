package conform

import (
	"cmp"
	"maps"
	"slices"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// RequirementFacts are what a verdict on a requirement needs to know about it.
type RequirementFacts struct {
	ID        string
	Level     string
	Statement string
}

// Sum judges the requirements over all scenarios: fail if a check of any scenario failed, else pass if one passed,
// else the first verdict of those scenarios that could not decide it, else not reached.
func Sum(scenarios []ScenarioResult, requirements []RequirementFacts) []RequirementResult {
	type count struct{ passed, failed, notApplicable, couldNotRun int }
	counts := map[string]*count{}
	where, failed := map[string][]string{}, map[string][]string{}
	get := func(id string) *count {
		if counts[id] == nil {
			counts[id] = &count{}
		}
		return counts[id]
	}
	for _, s := range scenarios {
		for _, id := range s.Requirements {
			c := get(id)
			where[id] = append(where[id], s.Name)
			switch {
			case s.Verdict == NotApplicable, s.Inapplicable != "": // what a check says goes before
				c.notApplicable++
			case s.Verdict == CouldNotRun:
				c.couldNotRun++
			}
		}
		if s.Verdict == CouldNotRun || s.Verdict == NotApplicable {
			continue
		}
		for _, check := range s.Checks {
			for _, id := range check.IDs {
				if check.OK {
					get(id).passed++
				} else {
					get(id).failed++
					if n := len(failed[id]); n == 0 || failed[id][n-1] != s.Name {
						failed[id] = append(failed[id], s.Name)
					}
				}
			}
		}
	}
	facts := map[string]RequirementFacts{}
	for _, f := range requirements {
		facts[f.ID] = f
	}
	var out []RequirementResult
	for _, id := range sortedKeys(counts) {
		c := counts[id]
		r := RequirementResult{ID: id, Level: facts[id].Level, Statement: facts[id].Statement, Scenarios: where[id], FailedIn: failed[id]}
		switch {
		case c.failed > 0:
			r.Verdict = Fail
		case c.passed > 0:
			r.Verdict = Pass
		case c.couldNotRun > 0:
			r.Verdict = CouldNotRun
		case c.notApplicable > 0:
			r.Verdict = NotApplicable
		default:
			r.Verdict = NotReached
		}
		out = append(out, r)
	}
	return out
}
