package report

import (
	"slices"
	"strings"

	"acp-conform/conform"
)

// renderKnown writes what failed, and was not expected to, as a file of known failures. Behind each name the reason is
// missing, and a name without one is refused: whoever forgives a failure has to say why.
func renderKnown(m Model) ([]byte, error) {
	p := &printer{}
	if m.Problem != "" && len(m.Unforgiven) == 0 {
		p.linef("# Nothing was judged: %s", head(m.Problem))
		return p.Bytes(), nil
	}
	if len(m.Unforgiven) == 0 {
		p.linef("# Nothing failed that was not expected to.")
	} else {
		p.linef("# Write behind each name why it fails; a line without a reason is refused.")
	}
	for _, name := range m.Unforgiven {
		p.linef("")
		if i := slices.IndexFunc(m.Requirements, func(q Requirement) bool { return q.ID == name }); i >= 0 {
			q := m.Requirements[i]
			p.linef("# %s (%s)", q.Statement, q.Level)
			p.linef("#   failed in %s", head(strings.Join(fold(q.FailedIn, m.Scenarios), ", ")))
		} else if i := slices.IndexFunc(m.Scenarios, func(s Scenario) bool { return s.Name == name }); i >= 0 {
			p.linef("# fails by what no requirement stands for: %s", head(m.Scenarios[i].Reason))
		}
		p.linef("%s:", name)
	}
	for _, s := range m.Scenarios {
		if s.Verdict == conform.CouldNotRun && s.Expected == "" {
			p.linef("")
			p.linef("# %s could not run, which is no failure to forgive: %s", s.Name, head(s.Reason))
		}
	}
	return p.Bytes(), nil
}
