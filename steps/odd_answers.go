package steps

import (
	"encoding/json"

	"acp-conform/conform"
	"acp-conform/scenarios"
)

// oddAnswers are the sentences about answers that no editor should give, byte for byte, twice or under another id, and
// about a user who takes their time.
func oddAnswers() []Definition {
	raw := func(answer func(json.RawMessage) scenarios.Answer) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error { return answerRaw(s, a[0], answer) }
	}
	return []Definition{
		{Sentence: `the editor will answer with the result: {rest}`, run: raw(func(r json.RawMessage) scenarios.Answer {
			return scenarios.Answer{Result: r}
		})},
		{Sentence: `the editor will answer with the error: {rest}`, run: raw(func(r json.RawMessage) scenarios.Answer {
			return scenarios.Answer{Error: r}
		})},
		{Sentence: `the editor will answer with the members: {rest}`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{Body: a[0]})
		}},
		{Sentence: `the editor will answer {text}, and then the same question with {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{Name: a[0], Then: &scenarios.Answer{Name: a[1]}})
		}},
		{Sentence: `the editor will answer {text} under the id in the other type, and then the question with {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{Name: a[0], OtherID: true, Then: &scenarios.Answer{Name: a[1]}})
		}},
		{Sentence: `the user thinks for {n} seconds`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "think", Seconds: a.number(0)})
		}},
	}
}
