package steps

import (
	"strconv"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// museTrouble are the sentences about a Muse that does more than to talk and to ask once: it acts without asking, asks
// in stages, fails, ends, or writes what is no message.
func museTrouble() []Definition {
	says := func(s *conform.Scenario, a args) error {
		var chunks []string
		for _, text := range a {
			plain, err := withEscapes(text)
			if err != nil {
				return s.Harness("the text %q has an escape that cannot be read: %v", text, err)
			}
			chunks = append(chunks, plain)
		}
		return expect(s, conform.ScriptStep{Kind: "says", Chunks: chunks})
	}
	return []Definition{
		{Sentence: `Muse wants to run {text} and does not ask`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "uses", Tool: bash, Command: a[0]})
		}},
		{Sentence: `Muse wants to run {text} and asks first, once for {text} and once for {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "uses", Tool: bash, Command: a[0], Asks: true, Stages: a[1:]})
		}},
		{Sentence: `Muse says, in escapes, {text}`, run: says},
		{Sentence: `Muse says, in escapes, {text} and then {text}`, run: says},
		{Sentence: `Muse says, in escapes, {text} and then {text} and then {text}`, run: says},
		{Sentence: `the turn fails at Muse as {text}, with the message {text}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "fails", Cause: a[0], Text: a[1]})
		}},
		{Sentence: `Muse wants to run {text} and asks first, but will refuse the decision with the error -{n}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "uses", Tool: bash, Command: a[0], Asks: true, Refused: -a.number(1)})
		}},
		{Sentence: `Muse says {text}, and never ends its sentence`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "breaks off", Chunks: a})
		}},
		{Sentence: `Muse will end with the exit code {n} when {text} is called for the first time`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "exits", Text: strconv.Itoa(a.number(0)), Call: a[1]})
		}},
		{Sentence: `Muse will say nothing any more when {text} is called for the first time`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "falls silent", Call: a[0]})
		}},
		{Sentence: `Muse takes the answer, and then says nothing more of it`, run: func(s *conform.Scenario, _ args) error {
			return expect(s, conform.ScriptStep{Kind: "gets stuck"})
		}},
		{Sentence: `Muse will not answer when {text} is called for the first time`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "waits", Call: a[0]})
		}},
		{Sentence: `Muse ends with the exit code {n}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "exits", Text: strconv.Itoa(a.number(0))})
		}},
		{Sentence: `Muse writes the line: {rest}`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "noise", Text: a[0]})
		}},
	}
}

// withEscapes reads the escapes of a JSON string, so that characters that nobody can see stand in a sentence by their
// number. A half of a character is kept as it is.
func withEscapes(text string) (string, error) {
	return wire.UnquoteText([]byte(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`))
}
