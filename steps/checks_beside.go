package steps

import (
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// besideSteps are about questions of one session that are open at the same time.
func besideSteps() []Definition {
	return []Definition{
		{Sentence: `the editor will answer the question about {text} with {text}, when {n} questions are open`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{Name: a[1], After: &scenarios.Event{Asked: a.number(2)}, Expect: &scenarios.Expectation{ToolCall: a[0]}})
		}},
		{Sentence: `the editor will answer the question about {text} with {text}, when a tool call of {text} has ended`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{Name: a[1], After: &scenarios.Event{Closed: a[2]}, Expect: &scenarios.Expectation{ToolCall: a[0]}})
		}},
		{Sentence: `both questions were open at once`, IDs: []string{"MUSE-PERM-04"}, run: bothOpen},
		{Sentence: `each of the commands {text} got its own answer, {text}`, IDs: []string{"ACP-PERM-10"}, run: ownAnswers},
	}
}

// bothOpen looks whether the second question came before the first was answered. It looks even when the scenario could
// not go on: that the second never came is the finding.
func bothOpen(s *conform.Scenario, _ args) error {
	const name = "a question does not wait for the answer to another"
	questions := s.Questions()
	if len(questions) < 2 {
		s.Check(name, []string{"MUSE-PERM-04"}, false, nil, "%d of two questions were asked", len(questions))
		return nil
	}
	second := questions[1]
	for _, r := range s.Records() {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Answers == questions[0].Seq {
			s.Check(name, []string{"MUSE-PERM-04"}, second.Seq < r.Seq, s.At(second.Seq, "", "a question in front of the answer to the first one", "one behind it"), "the second question came when the first was answered")
			return nil
		}
	}
	s.Check(name, []string{"MUSE-PERM-04"}, s.Broken() == nil, nil, "the first question was never answered")
	return nil
}

// ownAnswers looks at what Muse was told about each command.
func ownAnswers(s *conform.Scenario, a args) error {
	commands, want := strings.Split(a[0], " | "), strings.Split(a[1], " | ")
	facts := s.Facts()
	var got []string
	for _, command := range commands {
		label := "nothing"
		for _, t := range facts.Tools {
			i := slices.IndexFunc(facts.Decisions, func(d conform.Decision) bool { return d.Call == t.Call })
			if i >= 0 && strings.Contains(plain(t.Input), jsonText(command)) {
				label = facts.Decisions[i].Label
			}
		}
		got = append(got, label)
	}
	if s.Broken() != nil {
		return nil
	}
	s.Check("each answer reaches its own call", []string{"ACP-PERM-10"}, slices.Equal(got, want), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(want), Actual: list(got)}, "Muse was told %s", list(got))
	return nil
}
