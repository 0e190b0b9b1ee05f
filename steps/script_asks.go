package steps

import (
	"strconv"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
)

// museAsks are the sentences about a Muse that asks in less usual ways, and about what becomes of a question without
// the editor's doing.
func museAsks() []Definition {
	asks := func(change func(*conform.ScriptStep, args)) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			step := conform.ScriptStep{Kind: "uses", Tool: bash, Command: a[0], Asks: true}
			change(&step, a)
			return expect(s, step)
		}
	}
	elsewhere := func(by, when string) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "is answered elsewhere", Text: a[0], By: by, When: when})
		}
	}
	ends := func(when string) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "exits", Text: strconv.Itoa(a.number(0)), When: when})
		}
	}
	const crossing, shown, otherSession = "with the answer", "decided elsewhere", "the other session goes on"
	return []Definition{
		{Sentence: `at the same time Muse wants to run {text} and asks first`, run: asks(func(step *conform.ScriptStep, _ args) { step.Beside = true })},
		{Sentence: `Muse wants to run {text} and asks first, part by part: {text}`, run: asks(func(step *conform.ScriptStep, a args) {
			step.Stages = strings.Split(a[1], " | ")
		})},
		{Sentence: `Muse wants to run {text} and asks first, offering the choices {text}`, run: asks(func(step *conform.ScriptStep, a args) {
			step.Choices = strings.Split(a[1], " | ")
		})},
		{Sentence: `Muse wants to run {text} with the rights {text} because {text}, and asks first, part by part: {text}`, run: asks(func(step *conform.ScriptStep, a args) {
			step.Rights, step.Reason, step.Stages = a[1], a[2], strings.Split(a[3], " | ")
		})},
		{Sentence: `Muse asks before it uses {text} with: {rest}`, run: func(s *conform.Scenario, a args) error {
			raw, err := compactJSON(a[1])
			if err != nil {
				return s.Harness("the arguments %s are not JSON: %v", a[1], err)
			}
			return expect(s, conform.ScriptStep{Kind: "uses", Tool: a[0], Input: string(raw), Asks: true})
		}},
		{Sentence: `a judge has passed that on to the user`, run: func(s *conform.Scenario, _ args) error {
			return expect(s, conform.ScriptStep{Kind: "is marked", Text: "judgeEscalated"})
		}},
		{Sentence: `that is a write to a protected place`, run: func(s *conform.Scenario, _ args) error {
			return expect(s, conform.ScriptStep{Kind: "is marked", Text: "protectedWrite"})
		}},
		{Sentence: `a subagent of Muse wants to run {text} and asks first`, run: asks(func(step *conform.ScriptStep, _ args) { step.Origin = "a subagent" })},

		{Sentence: `Muse wants to run {text} and asks first, without a word about the tool call`, run: asks(func(step *conform.ScriptStep, _ args) { step.Origin = "no tool call" })},
		{Sentence: `Muse shows part {n} with: {rest}`, run: func(s *conform.Scenario, a args) error {
			raw, err := compactJSON(a[1])
			if err != nil {
				return s.Harness("what Muse shows is not JSON: %v", err)
			}
			return expect(s, conform.ScriptStep{Kind: "shows a part otherwise", Text: a[0] + ": " + string(raw)})
		}},
		{Sentence: `Muse changes its mind at once, and offers the choices {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "offers instead", Choices: strings.Split(a[0], " | "), When: "at once"})
		}},
		{Sentence: `Muse gives each of these choices the contrary meaning at once, and calls them {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "turns round", Choices: strings.Split(a[0], " | "), When: "at once"})
		}},
		{Sentence: `in another session Muse wants to run {text} and asks first`, run: asks(func(step *conform.ScriptStep, _ args) { step.Origin = "another session" })},
		{Sentence: `Muse waits for the other session`, run: func(s *conform.Scenario, _ args) error {
			return expect(s, conform.ScriptStep{Kind: "waits", Text: otherSession})
		}},
		{Sentence: `the other session goes on`, run: func(s *conform.Scenario, _ args) error {
			return s.Perform(scenarios.Step{Op: "release", Event: otherSession})
		}},

		{Sentence: `another editor answers that with {text}, just before this one's answer arrives`, run: elsewhere("user", crossing)},
		{Sentence: `the policy decides that as {text}, just before the editor's answer arrives`, run: elsewhere("policy", crossing)},
		{Sentence: `the judge decides that as {text}, just before the editor's answer arrives`, run: elsewhere("llmJudge", crossing)},
		{Sentence: `the policy will decide that as {text}, while it is shown`, run: elsewhere("policy", shown)},
		{Sentence: `the judge will decide that as {text}, while it is shown`, run: elsewhere("llmJudge", shown)},
		{Sentence: `another editor will answer that with {text}, while it is shown`, run: elsewhere("user", shown)},
		{Sentence: `it is decided elsewhere`, run: func(s *conform.Scenario, _ args) error {
			return s.Perform(scenarios.Step{Op: "release", Event: shown})
		}},
		{Sentence: `Muse takes the answer about one part, and then says nothing of the next`, run: func(s *conform.Scenario, _ args) error {
			return expect(s, conform.ScriptStep{Kind: "gets stuck"})
		}},

		{Sentence: `Muse ends with the exit code {n} while that is asked about`, run: ends("asked")},
		{Sentence: `Muse ends with the exit code {n} when that was allowed, before it runs`, run: ends("granted")},
		{Sentence: `Muse ends with the exit code {n} while that runs`, run: ends("running")},
		{Sentence: `Muse thinks {text}, and keeps {text} to itself`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "thinks", Chunks: a[:1], Hidden: a[1]})
		}},
		{Sentence: `Muse says nothing any more`, run: func(s *conform.Scenario, _ args) error {
			return expect(s, conform.ScriptStep{Kind: "falls silent"})
		}},
		{Sentence: `Muse says {text}, and word of it gets lost`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "says", Chunks: a, Lost: true})
		}},
		{Sentence: `Muse says {text} and then {text}, and word of it gets lost`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "says", Chunks: a, Lost: true})
		}},
		{Sentence: `Muse will refuse {text} with the error -{n} when it is called for the first time`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "refuses", Text: strconv.Itoa(-a.number(1)), Call: a[0]})
		}},
	}
}
