package steps

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// failureChecks are about prompts that fail, and about what comes after one turn.
func failureChecks() []Definition {
	settles := []string{"ACP-PR-03", "ACP-PERM-08"}
	fails := []string{"MUSE-PERM-19", "MUSE-TURN-17", "MUSE-TURN-18", "MUSE-TURN-19", "MUSE-PERM-14", "MUSE-PERM-15", "MUSE-PERM-16", "MUSE-PERM-30", "MUSE-PERM-32", "MUSE-MODE-06"}
	return []Definition{
		{Sentence: `the prompt was answered`, IDs: settles, run: func(s *conform.Scenario, _ args) error {
			answered(s)
			return nil
		}},
		{Sentence: `the prompt failed with the error -{n}`, IDs: append(append([]string{"ACP-PR-04"}, settles...), fails...), run: func(s *conform.Scenario, a args) error {
			return failedWith(s, -a.number(0), fails)
		}},
		{Sentence: `the prompt failed with the error {n}`, IDs: append(append([]string{"ACP-PR-04"}, settles...), fails...), run: func(s *conform.Scenario, a args) error {
			return failedWith(s, a.number(0), fails)
		}},
		{Sentence: `the turn ran out of steps and ended with {text}`, IDs: []string{"ACP-PR-03", "ACP-PR-04", "MUSE-TURN-16"}, run: func(s *conform.Scenario, a args) error {
			if o, ok := answered(s); ok {
				s.Check("a failed turn is no good end", []string{"ACP-PR-04"}, o.StopReason != "end_turn", s.At(o.Seq, "", "another end than end_turn", describe(o)), "the failed turn was answered: %s", describe(o))
				s.Check("the limit of steps is told", []string{"MUSE-TURN-16"}, o.StopReason == a[0], s.At(o.Seq, "/result/stopReason", a[0], describe(o)), "the prompt came to: %s", describe(o))
			}
			return nil
		}},
		{Sentence: `the error is about {text}, and says {text}`, IDs: []string{"MUSE-FAIL-02"}, run: func(s *conform.Scenario, a args) error {
			o, ok := answered(s)
			if !ok {
				return nil
			}
			kind, execution := failureOf(s, o)
			const name = "the error says what went wrong"
			s.Check(name, []string{"MUSE-FAIL-02"}, kind == a[0], s.At(o.Seq, "/error/data/failure/kind", a[0], kind), "the error is about %q", kind)
			s.Check(name, []string{"MUSE-FAIL-02"}, execution == "possiblySubmitted", s.At(o.Seq, "/error/data/failure/execution", "possiblySubmitted", execution), "the error says %q about the turn", execution)
			s.Check(name, []string{"MUSE-FAIL-02"}, strings.Contains(o.Message, a[1]), s.At(o.Seq, "/error/message", a[1], o.Message), "the error's message is %q", o.Message)
			return nil
		}},
		{Sentence: `the prompt {text} reached Muse once`, IDs: []string{"MUSE-FAIL-01"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			times := 0
			for _, t := range s.Facts().Turns {
				if slices.ContainsFunc(t.Texts, func(text string) bool { return strings.Contains(text, a[0]) }) {
					times++
				}
			}
			s.Check("a turn is sent to Muse once", []string{"MUSE-FAIL-01"}, times == 1, nil, "the prompt %q was sent to Muse %d times", a[0], times)
			return nil
		}},
		{Sentence: `the prompt {text} never reached Muse`, IDs: []string{"MUSE-TURN-20"}, run: func(s *conform.Scenario, a args) error {
			for _, t := range s.Facts().Turns {
				if slices.Contains(t.Texts, a[0]) {
					s.Check("the turn is not sent", []string{"MUSE-TURN-20"}, false, s.At(t.Seq, "", "no such turn", a[0]), "the prompt %q was sent to Muse", a[0])
					return nil
				}
			}
			s.Check("the turn is not sent", []string{"MUSE-TURN-20"}, s.Broken() == nil, nil, "the scenario did not come so far")
			return nil
		}},
		{Sentence: `the error says that the turn was never sent`, IDs: []string{"MUSE-FAIL-05"}, run: func(s *conform.Scenario, _ args) error {
			if o, ok := answered(s); ok {
				_, execution := failureOf(s, o)
				s.Check("the error says that nothing was sent", []string{"MUSE-FAIL-05"}, execution == "notSubmitted", s.At(o.Seq, "/error/data/failure/execution", "notSubmitted", execution), "the error says %q about the turn", execution)
			}
			return nil
		}},
		{Sentence: `the error names Muse's code -{n}, and nothing of its words {text}`, IDs: []string{"MUSE-PERM-19"}, run: func(s *conform.Scenario, a args) error {
			if o, ok := answered(s); ok {
				ids := []string{"MUSE-PERM-19"}
				s.Check("the error names the code", ids, strings.Contains(o.Message, fmt.Sprintf("(MSP -%d)", a.number(0))), s.At(o.Seq, "/error/message", "(MSP -"+a[0]+")", o.Message), "the error's message is %q", o.Message)
				s.Check("the error keeps the host's words", ids, !strings.Contains(o.Message, a[1]), s.At(o.Seq, "/error/message", "nothing of "+a[1], o.Message), "the error's message is %q", o.Message)
			}
			return nil
		}},
		{Sentence: `the session went on: the next turn ended with {text}`, IDs: []string{"MUSE-FAIL-03", "ACP-PR-10", "ACP-CAN-07", "ACP-CAN-09"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, 0, a[0], "MUSE-FAIL-03", "ACP-PR-10", "ACP-CAN-07", "ACP-CAN-09")
		}},
		{Sentence: `the turn went on and ended with {text}`, IDs: []string{"MUSE-TURN-13", "MUSE-FAIL-04"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, 0, a[0], "MUSE-TURN-13", "MUSE-FAIL-04")
		}},
		{Sentence: `the same Muse took both turns`, IDs: []string{"MUSE-SESS-02"}, run: func(s *conform.Scenario, _ args) error {
			return twoTurns(s, "the Muse is kept between turns", "MUSE-SESS-02", func(a, b wire.Lane) bool { return a == b })
		}},
		{Sentence: `a new Muse took the next turn`, IDs: []string{"MUSE-FAIL-03"}, run: func(s *conform.Scenario, _ args) error {
			return twoTurns(s, "the Muse of a failed turn is not used again", "MUSE-FAIL-03", func(a, b wire.Lane) bool { return a != b })
		}},
	}
}

// answered checks that the last prompt has an answer, and gives it. A prompt that waits for ever is the finding itself,
// so this looks even when the scenario could not go on.
func answered(s *conform.Scenario) (conform.Outcome, bool) {
	outcomes := s.Outcomes(0)
	if len(outcomes) == 0 {
		return conform.Outcome{}, false
	}
	o := last(outcomes)
	s.Check("the prompt is answered", []string{"ACP-PR-03", "ACP-PERM-08"}, o.Answered, s.At(o.Turn, "", "an answer", "none"), "the prompt was never answered")
	return o, o.Answered
}

// failureOf reads what data.failure says in the error of a prompt.
func failureOf(s *conform.Scenario, o conform.Outcome) (kind, execution string) {
	var failure struct{ Kind, Execution string }
	for _, r := range s.Records() {
		if r.Seq == o.Seq {
			json.Unmarshal(wire.Lookup(r.Frame.Error, "data", "failure"), &failure)
		}
	}
	return failure.Kind, failure.Execution
}

// twoTurns compares the lanes of the last two turns that Muse was given.
func twoTurns(s *conform.Scenario, name, id string, right func(a, b wire.Lane) bool) error {
	if s.Broken() != nil {
		return nil
	}
	turns := s.Facts().Turns
	if len(turns) < 2 {
		s.Check(name, []string{id}, false, nil, "Muse was given %d turns", len(turns))
		return nil
	}
	first, second := turns[len(turns)-2], turns[len(turns)-1]
	s.Check(name, []string{id}, right(first.Lane, second.Lane), s.At(second.Seq, "", "", second.Lane.String()), "the turns went to %s and %s", first.Lane, second.Lane)
	return nil
}

// failedWith checks that the prompt failed with a code.
func failedWith(s *conform.Scenario, want int, ids []string) error {
	if o, ok := answered(s); ok {
		s.Check("a failed turn is no good end", []string{"ACP-PR-04"}, o.Code != 0, s.At(o.Seq, "", "an error", describe(o)), "the failed turn was answered: %s", describe(o))
		s.Check("the prompt fails with the right code", ids, o.Code == want, s.At(o.Seq, "/error/code", fmt.Sprint(want), describe(o)), "the prompt came to: %s", describe(o))
	} else if o.Turn > 0 {
		s.Check("the prompt fails with the right code", ids, false, s.At(o.Turn, "", "an error", "none"), "the prompt was never answered")
	}
	return nil
}
