package runner

import (
	"slices"
	"strings"

	"acp-conform/requirements"
)

// Proof is what proves a requirement. That each of these fails when the rule is broken, mutants show for scenarios and
// oracles; of a Go test its reader must see it.
type Proof struct {
	Scenarios []string // those whose tags name it, in the order of the plan
	Oracles   []string // what looks at every scenario
	Tests     []string // Go tests, as the registry names them
}

// Proof gives what proves a requirement.
func (s *Suite) Proof(q requirements.Requirement) Proof {
	p := Proof{Oracles: oraclesOf(q.ID), Tests: slices.Clone(q.Tests)}
	for _, planned := range s.Plan.Scenarios {
		if slices.Contains(planned.Requirements, q.ID) {
			p.Scenarios = append(p.Scenarios, planned.Name)
		}
	}
	return p
}

// Fold puts the name of a folder in the place of its rows where all of them are named.
func (p *Plan) Fold(names []string) []string {
	var folded []string
	for _, name := range names {
		folder, _, row := strings.Cut(name, "/")
		if row && !slices.ContainsFunc(p.Names(), func(n string) bool {
			return strings.HasPrefix(n, folder+"/") && !slices.Contains(names, n)
		}) {
			name = folder
		}
		if !slices.Contains(folded, name) {
			folded = append(folded, name)
		}
	}
	return folded
}

// Suffices reports whether there is enough to prove a requirement. Go tests look at our own adapter, so they alone never
// prove what binds any.
func (p Proof) Suffices(a requirements.Applies) bool {
	return p.Played() || len(p.Tests) > 0 && a == requirements.Reference
}

// Played reports whether playing scenarios decides the requirement, so that a mutant must be able to trip it.
func (p Proof) Played() bool { return len(p.Scenarios)+len(p.Oracles) > 0 }
