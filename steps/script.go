package steps

import (
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
)

// expect checks a sentence about Muse against the script.
func expect(s *conform.Scenario, told conform.ScriptStep) error {
	if err := s.Host().Expect(told); err != nil {
		return s.Harness("%v", err)
	}
	return nil
}

// bash is the tool with which Muse runs commands.
const bash = "bash"

// museScript are the sentences about what Muse is going to do.
func museScript() []Definition {
	runs := func(choices ...string) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			step := conform.ScriptStep{Kind: "uses", Tool: bash, Command: a[0], Asks: true, Choices: choices}
			step.Choices = append(step.Choices, a[1:]...)
			return expect(s, step)
		}
	}
	return []Definition{
		{Sentence: `when Muse hears {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "hears", Text: a[0]})
		}},
		{Sentence: `Muse thinks {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "thinks", Chunks: a})
		}},
		{Sentence: `Muse thinks {text} and then {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "thinks", Chunks: a})
		}},
		{Sentence: `Muse says {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "says", Chunks: a})
		}},
		{Sentence: `Muse says {text} and then {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "says", Chunks: a})
		}},
		{Sentence: `Muse would fall silent in the middle of every turn`, run: func(s *conform.Scenario, _ args) error {
			return expect(s, conform.ScriptStep{Kind: "hangs", Repeats: true})
		}},
		{Sentence: `Muse falls silent in the middle of its turn`, run: func(s *conform.Scenario, _ args) error {
			return expect(s, conform.ScriptStep{Kind: "hangs"})
		}},
		{Sentence: `Muse wants to run {text} and asks first`, run: runs()},
		{Sentence: `Muse wants to run {text} and asks first, offering {text} and {text}`, run: runs()},
		{Sentence: `Muse wants to run {text} with the rights {text} because {text}, and asks first`, run: func(s *conform.Scenario, a args) error {
			s.Excuse(func() string { return refusesRights(s) })
			return expect(s, conform.ScriptStep{Kind: "uses", Tool: bash, Command: a[0], Asks: true, Rights: a[1], Reason: a[2]})
		}},
	}
}

// editorScript are the sentences about how the editor is going to answer.
func editorScript() []Definition {
	return []Definition{
		{Sentence: `an editor that dismisses what nobody told it about`, run: func(s *conform.Scenario, _ args) error {
			return s.Lenient()
		}},
		{Sentence: `the editor will answer {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{Name: a[0]})
		}},
		{Sentence: `the editor will answer with the first choice of the kind {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{Kind: a[0]})
		}},
		{Sentence: `the editor will answer with the option id {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{OptionID: a[0]})
		}},
		{Sentence: `the editor will dismiss the question`, run: func(s *conform.Scenario, _ args) error {
			return s.Answer(scenarios.Answer{Cancelled: true})
		}},
		{Sentence: `the editor will leave the question open`, run: func(s *conform.Scenario, _ args) error {
			return s.Answer(scenarios.Answer{Withhold: true})
		}},
	}
}

// actions are what the user and the editor do.
func actions() []Definition {
	perform := func(make func(a args) scenarios.Step) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error { return s.Perform(make(a)) }
	}
	return []Definition{
		{Sentence: `the recorded conversation {text}`, run: func(s *conform.Scenario, a args) error { return s.Recorded(a[0]) }},
		{Sentence: `there are {n} sessions`, run: func(s *conform.Scenario, a args) error {
			for range a.number(0) {
				if err := s.Perform(scenarios.Step{Op: "newSession"}); err != nil {
					return err
				}
			}
			return nil
		}},
		{Sentence: `another session`, run: perform(func(args) scenarios.Step { return scenarios.Step{Op: "newSession"} })},
		{Sentence: `the user sends {text}`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "prompt", Text: a[0]}
		})},
		{Sentence: `the user sends {text} and the editor is asked`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "prompt", Text: a[0], Until: "asked"}
		})},
		{Sentence: `the user sends {text} and has been shown {text}`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "prompt", Text: a[0], Until: "said", Said: a[1]}
		})},
		{Sentence: `the user sends {text} in session {n}`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "prompt", Text: a[0], Session: a.number(1)}
		})},
		{Sentence: `in one write, {text} is sent in session {n} and {text} in session {n}, and the editor is asked in both`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "prompts", Until: "asked", Prompts: []scenarios.Prompt{{Text: a[0], Session: a.number(1)}, {Text: a[2], Session: a.number(3)}}}
		})},
		{Sentence: `in one write, {text} and {text} are sent`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "prompts", Prompts: []scenarios.Prompt{{Text: a[0]}, {Text: a[1]}}}
		})},
		{Sentence: `the user sends {text} and stops it in the same write, {n} times`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "promptAndCancelInOneWrite", Text: a[0], Times: a.number(1)}
		})},
		{Sentence: `the user stops the turn`, run: perform(func(args) scenarios.Step { return scenarios.Step{Op: "cancel"} })},
		{Sentence: `the editor answers the open question with {text}`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "answer", Answer: &scenarios.Answer{Name: a[0]}}
		})},
		{Sentence: `the editor answers the open question of session {n} with {text}`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "answer", Session: a.number(0), Answer: &scenarios.Answer{Name: a[1]}}
		})},
		{Sentence: `the editor sends the line: {rest}`, run: perform(func(a args) scenarios.Step {
			return scenarios.Step{Op: "line", Line: &a[0]}
		})},
	}
}

// list puts words into a sentence.
func list(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return `"` + strings.Join(words, `", "`) + `"`
}
