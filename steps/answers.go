package steps

import (
	"acp-conform/conform"
	"acp-conform/scenarios"
)

// timedAnswers are the sentences about answers that are not given at once, or to the oldest question, or at all. What an
// answer waits for is something that the adapter does, behind which it does nothing more until it is answered.
func timedAnswers() []Definition {
	once := func(event func(a args) scenarios.Event) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			e := event(a)
			return s.Answer(scenarios.Answer{Name: a[0], After: &e})
		}
	}
	return []Definition{
		{Sentence: `the editor will answer {text}, once it has been asked {n} times`, run: once(func(a args) scenarios.Event {
			return scenarios.Event{Asked: a.number(1)}
		})},
		{Sentence: `the editor will answer {text}, once the user has been shown {text}`, run: once(func(a args) scenarios.Event {
			return scenarios.Event{Shown: a[1]}
		})},
		{Sentence: `the editor will answer {text}, once Muse has been called with {text}`, run: once(func(a args) scenarios.Event {
			return scenarios.Event{Called: a[1]}
		})},
		{Sentence: `the editor will answer {text}, once the turn has ended`, run: once(func(args) scenarios.Event {
			return scenarios.Event{Ended: true}
		})},
		{Sentence: `the editor will answer {text} to the question about {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Answer(scenarios.Answer{Name: a[0], Expect: &scenarios.Expectation{ToolCall: a[1]}})
		}},
		{Sentence: `the editor will go away while it is asked`, run: func(s *conform.Scenario, _ args) error {
			return s.Answer(scenarios.Answer{Disconnect: true})
		}},
		{Sentence: `the editor answers the open question about {text} with {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "answer", About: a[0], Answer: &scenarios.Answer{Name: a[1]}})
		}},
		{Sentence: `the adapter is told to end`, run: func(s *conform.Scenario, _ args) error {
			return s.Perform(scenarios.Step{Op: "terminate"})
		}},
		{Sentence: `the editor goes away while the question is open`, run: func(s *conform.Scenario, _ args) error {
			return s.Perform(scenarios.Step{Op: "answer", Answer: &scenarios.Answer{Disconnect: true}})
		}},
	}
}
