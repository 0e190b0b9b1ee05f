package steps

import (
	"strings"
	"unicode/utf16"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// longPattern is what the long texts of the sentences are made of, see wire.LongText: characters of one to four bytes,
// and no space, at which adapters like to cut.
const longPattern = "#·é€😀/"

// leastShown is how much of a text that is longer must be shown at the least, in bytes: less than a limit in characters
// leaves, and more than any buffer that a reader of lines begins with.
const leastShown = 65536

// cutHere is what the reference adapter says where it leaves text out (muse-adapter.md §7.1).
const cutHere = "\n[Public text truncated by adapter.]"

// longTexts are the sentences about texts that nobody wants to read.
func longTexts() []Definition {
	ids, output := []string{"ACP-TRN-08"}, []string{"ACP-TRN-08", "ACP-TOOL-14"}
	return []Definition{
		{Sentence: `Muse says a text of {n} bytes`, run: withLong(0, func(s *conform.Scenario, _ args, long string) error {
			return expect(s, conform.ScriptStep{Kind: "says", Chunks: []string{long}})
		})},
		{Sentence: `Muse wants to run {text} and does not ask, and it writes a text of {n} bytes`, run: withLong(1, func(s *conform.Scenario, a args, long string) error {
			return expect(s, conform.ScriptStep{Kind: "uses", Tool: bash, Command: a[0], Text: wire.Brief(long)})
		})},
		{Sentence: `the user sends a text of {n} bytes`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "promptLong", Long: &scenarios.Long{Repeat: longPattern, Bytes: a.number(0)}})
		}},
		{Sentence: `Muse heard a text of {n} bytes, or the prompt was refused`, IDs: ids, run: withLong(0, longHeard)},
		{Sentence: `the user was shown a text of {n} bytes, and {text}`, IDs: []string{"ACP-TRN-08", "ACP-PR-08"}, run: withLong(0, func(s *conform.Scenario, a args, long string) error {
			compareLong(s, "a long text is shown whole", []string{"ACP-TRN-08", "ACP-PR-08"}, long+a[1], s.Shown(0, "agent_message_chunk"), false)
			return nil
		})},
		{Sentence: `the user was shown a text of {n} bytes, or its beginning`, IDs: ids, run: withLong(0, func(s *conform.Scenario, _ args, long string) error {
			compareLong(s, "a long text is shown", ids, long, s.Shown(0, "agent_message_chunk"), true)
			return nil
		})},
		{Sentence: `of the text of {n} bytes the user was shown {n} UTF-16 units, and that it was cut`, IDs: []string{"MUSE-TURN-23"}, run: withLong(0, longCut)},
		{Sentence: `the tool call of {text} showed a text of {n} bytes`, IDs: output, run: withLong(1, longOutput(false))},
		{Sentence: `the tool call of {text} showed a text of {n} bytes, or its beginning`, IDs: output, run: withLong(1, longOutput(true))},
		{Sentence: `the adapter went on: the next turn ended with {text}`, IDs: ids, run: wentOnAfter},
	}
}

// withLong gives a sentence the text of so many bytes as its argument i says.
func withLong(i int, run func(s *conform.Scenario, a args, long string) error) func(*conform.Scenario, args) error {
	return func(s *conform.Scenario, a args) error {
		long, err := wire.LongText(longPattern, a.number(i))
		if err != nil {
			return s.Harness("%v", err)
		}
		return run(s, a, long)
	}
}

// compareLong compares texts and names the first byte that differs. With less, what is shown may end early, and say so.
func compareLong(s *conform.Scenario, name string, ids []string, want, got string, less bool) {
	n := 0
	for n < len(want) && n < len(got) && want[n] == got[n] {
		n++
	}
	ok := got == want || less && n >= leastShown
	s.Check(name, ids, ok, &conform.Place{Lane: "client", Offset: -1, Expected: wire.Brief(want), Actual: wire.Brief(got)},
		"%d bytes came, and byte %d is the first that differs", len(got), n+1)
}

func longHeard(s *conform.Scenario, a args, long string) error {
	const name = "a long prompt reaches Muse, or is refused"
	ids := []string{"ACP-TRN-08"}
	outcomes := s.Outcomes(0)
	if len(outcomes) > 0 && outcomes[0].Code != 0 {
		s.Check(name, ids, true, nil, "")
		return nil
	}
	var heard string
	if turns := s.Facts().Turns; len(turns) > 0 {
		heard = strings.Join(turns[0].Texts, "")
	}
	compareLong(s, name, ids, long, heard, false)
	return nil
}

// longCut looks for the beginning of a text, in whole characters and as long as can be, with the note behind it.
func longCut(s *conform.Scenario, a args, long string) error {
	if s.Broken() != nil {
		return nil
	}
	units, end := 0, len(long)
	for i, r := range long {
		if units += utf16.RuneLen(r); units > a.number(1) {
			end = i
			break
		}
	}
	compareLong(s, "of a long message a stated part is passed on", []string{"MUSE-TURN-23"}, long[:end]+cutHere+"That is all.", s.Shown(0, "agent_message_chunk"), false)
	return nil
}

func longOutput(less bool) func(*conform.Scenario, args, string) error {
	return func(s *conform.Scenario, a args, long string) error {
		const name = "a long output is shown"
		for _, c := range s.ToolCalls() {
			if isAbout(s, c, a[0]) {
				compareLong(s, name, []string{"ACP-TRN-08", "ACP-TOOL-14"}, long, c.Text, less)
				return nil
			}
		}
		s.Check(name, []string{"ACP-TRN-08", "ACP-TOOL-14"}, false, nil, "no tool call was announced whose rawInput or title holds %q", a[0])
		return nil
	}
}

// wentOnAfter looks whether there was a second turn, and how it ended. That there was none is a finding: to die of a long
// text is what this is about.
func wentOnAfter(s *conform.Scenario, a args) error {
	outcomes := s.Outcomes(0)
	o := last(outcomes)
	s.Check("the adapter goes on behind a long text", []string{"ACP-TRN-08"}, len(outcomes) == 2 && o.StopReason == a[0], s.At(o.Seq, "", "stop reason "+a[0], describe(o)),
		"%d turns were played, and the last one came to: %s", len(outcomes), describe(o))
	return nil
}
