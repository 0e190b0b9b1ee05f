package report

import (
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
)

// cause is what failures of several scenarios have in common: the same check failed with the same message, against the same
// requirements. A scenario that failed no check has its reason for a message.
type cause struct{ check, message, requirements string }

// causes says in which scenarios each cause appears, in the order of the run.
type causes map[cause][]string

func causeOf(f Failure) cause { return cause{f.Check, f.Message, strings.Join(f.Requirements, " ")} }

// causesOf lists the causes of a scenario that is not green, each once.
func causesOf(s Scenario) []cause {
	if len(s.Failures) == 0 {
		return []cause{{message: s.Reason}}
	}
	var list []cause
	for _, f := range s.Failures {
		if c := causeOf(f); !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// commonCauses finds the causes of all scenarios that are told about.
func commonCauses(told []Scenario) causes {
	g := causes{}
	for _, s := range told {
		for _, c := range causesOf(s) {
			g[c] = append(g[c], s.Name)
		}
	}
	return g
}

// first reports whether a scenario is the first with the cause, which is where it is told in full.
func (g causes) first(c cause, s Scenario) bool { return g[c][0] == s.Name }

// news reports whether a scenario has a cause that was not told before.
func (g causes) news(s Scenario) bool {
	return slices.ContainsFunc(causesOf(s), func(c cause) bool { return g.first(c, s) })
}

// further says in which scenarios beside the first a cause appears; empty when there are none.
func (g causes) further(c cause, all []Scenario) string {
	names := g[c][1:]
	if len(names) == 0 {
		return ""
	}
	noun := "scenario"
	if len(names) > 1 {
		noun += "s"
	}
	return fmt.Sprintf("and in %d further %s: %s", len(names), noun, head(strings.Join(fold(names, all), ", ")))
}

// fold puts the name of a folder in the place of its rows where all of the run's rows are named. A single row stays.
func fold(names []string, all []Scenario) []string {
	rows := map[string]int{}
	for _, s := range all {
		folder, _, _ := strings.Cut(s.Name, "/")
		rows[folder]++
	}
	var out []string
	for i := 0; i < len(names); i++ {
		folder, _, row := strings.Cut(names[i], "/")
		n := 1
		for i+n < len(names) && strings.HasPrefix(names[i+n], folder+"/") {
			n++
		}
		if row && n > 1 && n == rows[folder] {
			out = append(out, fmt.Sprintf("%s (%d rows)", folder, n))
			i += n - 1
			continue
		}
		out = append(out, names[i])
	}
	return out
}

// told lists the scenarios that pretty tells about: those that are not green, but for what the one reason for all of
// them has told.
func told(m Model) []Scenario {
	var list []Scenario
	for _, s := range m.Scenarios {
		already := m.Problem != "" && s.Verdict == conform.CouldNotRun && s.Reason == m.Problem
		if !already && s.Expected == "" && (!green(s.Verdict) || len(s.Failures) > 0) {
			list = append(list, s)
		}
	}
	return list
}
