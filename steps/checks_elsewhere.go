package steps

import (
	"bytes"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// elsewhereChecks are about questions that are decided without this editor, and about what Muse asks in less usual ways.
func elsewhereChecks() []Definition {
	late := []string{"MUSE-PERM-17", "MUSE-PERM-18"}
	return []Definition{
		{Sentence: `Muse refused the answer {text} and took {text}`, IDs: []string{"MUSE-PERM-17"}, run: func(s *conform.Scenario, a args) error {
			return refusedAnswer(s, "MUSE-PERM-17", a[:1], a[1:])
		}},
		{Sentence: `Muse refused the answer {text} and took nothing`, IDs: []string{"MUSE-PERM-18"}, run: func(s *conform.Scenario, a args) error {
			return refusedAnswer(s, "MUSE-PERM-18", a[:1], nil)
		}},
		{Sentence: `Muse was not told what it knew already`, IDs: []string{"MUSE-PERM-23"}, run: func(s *conform.Scenario, _ args) error {
			return refusedAnswer(s, "MUSE-PERM-23", nil, nil)
		}},
		{Sentence: `to be too late was no failure: the turn ended with {text}`, IDs: late, run: func(s *conform.Scenario, a args) error {
			return ended(s, 0, a[0], late...)
		}},
		{Sentence: `the question did not hold up the turn, which ended with {text}`, IDs: []string{"MUSE-PERM-23"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, 0, a[0], "MUSE-PERM-23")
		}},
		{Sentence: `nobody was asked about the work of the subagent`, IDs: []string{"REQ-ACP-19"}, run: func(s *conform.Scenario, _ args) error {
			return askedTimes(s, 0, "REQ-ACP-19")
		}},
		{Sentence: `the work of the subagent was refused with {text}`, IDs: []string{"REQ-ACP-19"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			got := taken(s)
			s.Check("what is nobody's is denied", []string{"REQ-ACP-19"}, slices.Equal(got, a), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(a), Actual: list(got)}, "Muse took %s", list(got))
			return nil
		}},
		{Sentence: `the options were of the kinds {text}`, IDs: []string{"MUSE-PERM-09"}, run: optionKinds},
		{Sentence: `the input of {text} was shown, and asked about, with {text} in it`, IDs: []string{"MUSE-TURN-05", "MUSE-PERM-06"}, run: inputHolds},
		{Sentence: `Muse was asked for what got lost, and for nothing again`, IDs: []string{"MUSE-TURN-11"}, run: func(s *conform.Scenario, _ args) error {
			if s.Broken() != nil {
				return nil
			}
			methods, _ := hostCalls(s)
			pages, turns := 0, 0
			for _, m := range methods {
				switch m {
				case "view/page":
					pages++
				case "turn/start":
					turns++
				}
			}
			const name = "what got lost is fetched"
			s.Check(name, []string{"MUSE-TURN-11"}, pages > 0, nil, "Muse was not asked for the events that got lost")
			s.Check(name, []string{"MUSE-TURN-11"}, turns == 1, nil, "%d turns were begun, not one", turns)
			return nil
		}},
		{Sentence: `the user was shown everything once: {text}`, IDs: []string{"MUSE-TURN-11", "MUSE-TURN-02"}, run: func(s *conform.Scenario, a args) error {
			return shown(s, "what got lost is shown in its place", "agent_message_chunk", a[0], 0, "MUSE-TURN-11", "MUSE-TURN-02")
		}},
		{Sentence: `nothing from behind what got lost was shown, only {text}`, IDs: []string{"MUSE-TURN-24"}, run: func(s *conform.Scenario, a args) error {
			return shown(s, "what comes behind a hole is not shown", "agent_message_chunk", a[0], 0, "MUSE-TURN-24")
		}},
		{Sentence: `what got lost failed the turn, with the error -{n}`, IDs: []string{"MUSE-TURN-12"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			o := last(s.Outcomes(0))
			s.Check("a turn with a hole does not pass for whole", []string{"MUSE-TURN-12"}, o.Code == -a.number(0), s.At(o.Seq, "", "error -"+a[0], describe(o)), "the prompt came to: %s", describe(o))
			return nil
		}},
		{Sentence: `the user was shown the thought {text}, and nothing of {text}`, IDs: []string{"MUSE-TURN-03"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			const name = "raw reasoning stays at Muse"
			got := s.Shown(0, "agent_thought_chunk")
			s.Check(name, []string{"MUSE-TURN-03"}, got == a[0], &conform.Place{Lane: "client", Offset: -1, Expected: a[0], Actual: got}, "the thought that was shown is %q", got)
			for _, r := range s.Records() {
				if r.Lane == wire.Client && r.Dir == wire.FromAdapter && bytes.Contains(r.Data, []byte(jsonText(a[1]))) {
					s.Check(name, []string{"MUSE-TURN-03"}, false, s.At(r.Seq, "", "nothing of "+a[1], string(r.Data)), "the client was sent the raw reasoning")
					break
				}
			}
			return nil
		}},
		{Sentence: `the turn of session {n} failed for want of movement, which takes the time that Muse may stand still`, IDs: []string{"MUSE-PERM-26"}, run: func(s *conform.Scenario, a args) error {
			o := last(s.Outcomes(a.number(0)))
			s.Check("the time in which nothing may move has passed", []string{"MUSE-PERM-26"}, o.Answered && o.Code == -32603, s.At(o.Turn, "", "error -32603", describe(o)), "the prompt came to: %s", describe(o))
			return nil
		}},
		{Sentence: `the prompt failed with the error -{n}, for Muse did not move`, IDs: []string{"MUSE-PERM-25", "MUSE-FORM-09"}, run: func(s *conform.Scenario, a args) error {
			outcomes := s.Outcomes(0)
			if len(outcomes) == 0 {
				return nil
			}
			o := last(outcomes)
			s.Check("a question that does not move fails the turn", []string{"MUSE-PERM-25", "MUSE-FORM-09"}, o.Answered && o.Code == -a.number(0), s.At(o.Turn, "", "error -"+a[0], describe(o)), "the prompt came to: %s", describe(o))
			return nil
		}},
	}
}

// taken lists the labels of the decisions that Muse took.
func taken(s *conform.Scenario) []string {
	var labels []string
	for _, d := range s.Facts().Decisions {
		if d.Accepted {
			labels = append(labels, d.Label)
		}
	}
	return labels
}

// refusedAnswer looks at the decisions that reached Muse: those that it refused, and those that it took.
func refusedAnswer(s *conform.Scenario, id string, refuses, takes []string) error {
	var refused []string
	for _, d := range s.Facts().Decisions {
		if !d.Accepted {
			refused = append(refused, d.Label)
		}
	}
	if s.Broken() != nil && len(refused) <= len(refuses) {
		return nil // what was decided is evidence even so; what was not, is none
	}
	took := taken(s)
	const name = "each answer is sent to Muse once, and what is decided is not decided again"
	s.Check(name, []string{id}, slices.Equal(refused, refuses), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(refuses), Actual: list(refused)}, "Muse refused %s", list(refused))
	if s.Broken() == nil {
		s.Check(name, []string{id}, slices.Equal(took, takes), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(takes), Actual: list(took)}, "Muse took %s", list(took))
	}
	return nil
}

func optionKinds(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "each option shows what it does, and for how long"
	questions := s.Questions()
	if len(questions) == 0 {
		s.Check(name, []string{"MUSE-PERM-09"}, false, nil, "the editor was not asked")
		return nil
	}
	q, want := questions[0], strings.Split(a[0], " | ")
	s.Check(name, []string{"MUSE-PERM-09"}, slices.Equal(q.Kinds, want), s.At(q.Seq, "/params/options", list(want), list(q.Kinds)), "the options are of the kinds %s", list(q.Kinds))
	return nil
}

// inputHolds looks for a piece of JSON text in the input of a tool call, as it was shown and as it was asked about.
func inputHolds(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	piece := []byte(a[1])
	const shownName, askedName = "the input of a tool reaches the client as it is", "the input that is asked about is that of the tool"
	found := false
	for _, c := range s.ToolCalls() {
		if found = strings.Contains(plain(c.RawInput), jsonText(a[0])); found {
			s.Check(shownName, []string{"MUSE-TURN-05"}, bytes.Contains(c.RawInput, piece), s.At(c.Seqs[0], "/params/update/rawInput", a[1], string(c.RawInput)), "the input is shown as %s", c.RawInput)
			break
		}
	}
	if !found {
		s.Check(shownName, []string{"MUSE-TURN-05"}, false, nil, "no tool call was shown whose input holds %q", a[0])
	}
	for _, q := range s.Questions() {
		input := wire.Lookup(q.Params, "toolCall", "rawInput")
		s.Check(askedName, []string{"MUSE-PERM-06"}, bytes.Contains(input, piece), s.At(q.Seq, "/params/toolCall/rawInput", a[1], string(input)), "the input is asked about as %s", input)
	}
	return nil
}
