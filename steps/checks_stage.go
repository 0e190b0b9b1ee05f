package steps

import (
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// stageChecks are about approvals that are decided in stages, and about tools that nobody was asked about.
func stageChecks() []Definition {
	return []Definition{
		{Sentence: `the editor was not asked`, IDs: unaskedIDs(), run: func(s *conform.Scenario, _ args) error {
			return askedTimes(s, 0, unaskedIDs()...)
		}},
		{Sentence: `the editor was asked {n} times`, IDs: []string{"MUSE-PERM-01", "MUSE-PERM-20", "MUSE-PERM-21", "MUSE-PERM-33", "REQ-APPR-23", "ACP-PERM-09"}, run: func(s *conform.Scenario, a args) error {
			return askedTimes(s, a.number(0), "MUSE-PERM-01", "MUSE-PERM-20", "MUSE-PERM-21", "MUSE-PERM-33", "REQ-APPR-23", "ACP-PERM-09")
		}},
		{Sentence: `the questions had the titles {text}`, IDs: []string{"MUSE-PERM-07"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			var got []string
			for _, q := range s.Questions() {
				got = append(got, wire.LookupString(q.Params, "toolCall", "title"))
			}
			want := strings.Split(a[0], " | ")
			s.Check("the title says which stage is asked about", []string{"MUSE-PERM-07"}, slices.Equal(got, want), &conform.Place{Lane: "client", Offset: -1, Expected: list(want), Actual: list(got)}, "the questions had the titles %s", list(got))
			return nil
		}},
		{Sentence: `Muse took every decision, each for a stage of its own`, IDs: []string{"MUSE-PERM-20", "MUSE-PERM-21"}, run: ownStages},
		{Sentence: `Muse was sent no decision`, IDs: []string{"MUSE-PERM-13", "MUSE-PERM-14", "MUSE-PERM-15", "MUSE-PERM-16", "MUSE-PERM-30", "MUSE-MODE-06"}, run: func(s *conform.Scenario, _ args) error {
			ids := []string{"MUSE-PERM-13", "MUSE-PERM-14", "MUSE-PERM-15", "MUSE-PERM-16", "MUSE-PERM-30", "MUSE-MODE-06"}
			for _, d := range s.Facts().Decisions {
				s.Check("an answer that says nothing decides nothing", ids, false, s.At(d.Seq, "", "no decision", d.Choice), "Muse was told %q", d.Choice)
				return nil
			}
			s.Check("an answer that says nothing decides nothing", ids, s.Broken() == nil, nil, "the scenario did not come so far")
			return nil
		}},
		{Sentence: `the tool call of {text} ended as {text}`, IDs: []string{"ACP-TOOL-13", "MUSE-PERM-21"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			ids := []string{"ACP-TOOL-13", "MUSE-PERM-21"}
			for _, c := range s.ToolCalls() {
				if n := len(c.Statuses); n > 0 && isAbout(s, c, a[0]) {
					s.Check("the tool call ends as it went", ids, c.Statuses[n-1] == a[1], s.At(c.Seqs[len(c.Seqs)-1], "/params/update/status", a[1], c.Statuses[n-1]), "the tool call ended as %s", c.Statuses[n-1])
					return nil
				}
			}
			s.Check("the tool call ends as it went", ids, false, nil, "no tool call was shown whose rawInput or title holds %q", a[0])
			return nil
		}},
	}
}

func askedTimes(s *conform.Scenario, want int, ids ...string) error {
	if s.Broken() != nil {
		return nil
	}
	n := len(s.Questions())
	s.Check("the editor is asked as often as Muse asks", ids, n == want, nil, "the editor was asked %d times, not %d", n, want)
	return nil
}

// ownStages looks at the decisions of each tool call: Muse took all of them, and each was for a later stage than the
// one before.
func ownStages(s *conform.Scenario, _ args) error {
	ids := []string{"MUSE-PERM-20", "MUSE-PERM-21"}
	const name = "each stage is decided once"
	decisions := s.Facts().Decisions
	if s.Broken() != nil && len(decisions) == 0 {
		return nil // what was decided is evidence even so; what was not, is none
	}
	s.Check(name, ids, len(decisions) > 0, nil, "Muse was told nothing")
	stage := map[string]int{}
	for _, d := range decisions {
		before, again := stage[d.Call]
		s.Check(name, ids, !again || d.Stage > before, s.At(d.Seq, "/params/requirementId", "a later stage than the one before", "the same or an earlier one"), "a stage was decided again")
		s.Check(name, ids, d.Accepted, s.At(d.Seq, "", "a decision that Muse takes", "one that it refuses"), "Muse refused the decision %q", d.Choice)
		stage[d.Call] = d.Stage
	}
	return nil
}
