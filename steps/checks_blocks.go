package steps

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// blockChecks are about what a prompt is made of, and about a prompt that comes while another one runs.
func blockChecks() []Definition {
	always := func(s *conform.Scenario, a args) error {
		return expect(s, conform.ScriptStep{Kind: "says", Chunks: a, Repeats: true})
	}
	return []Definition{
		{Sentence: `whatever Muse hears, it says {text}`, run: always},
		{Sentence: `whatever else Muse hears, it says {text}`, run: always},
		{Sentence: `an adapter that takes embedded resources`, run: func(s *conform.Scenario, _ args) error {
			return s.Needs("promptCapabilities.embeddedContext")
		}},
		{Sentence: `in one write, {text} and {text} are sent, and the user has been shown {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "prompts", Until: "said", Said: a[2], Prompts: []scenarios.Prompt{{Text: a[0]}, {Text: a[1]}}})
		}},
		{Sentence: `both prompts were answered: the first was stopped, and the second was carried out or refused`, IDs: []string{"ACP-PR-13"}, run: bothAnswered},
		{Sentence: `prompt {n} reached Muse, in this order: {text}`, IDs: []string{"ACP-PR-06", "ACP-CONT-03", "ACP-CONT-06", "ACP-CONT-07"}, run: inOrder},
		{Sentence: `prompt {n} was refused with the error -{n}`, IDs: []string{"ACP-CONT-08"}, run: func(s *conform.Scenario, a args) error {
			if r, ok := nthPrompt(s, a.number(0), "ACP-CONT-08"); ok {
				code := string(wire.Lookup(r.Frame.Error, "code"))
				s.Check("a block that is unknown is refused", []string{"ACP-CONT-08"}, code == "-"+a[1], s.At(r.Seq, "/error/code", "-"+a[1], string(r.Data)), "the prompt was answered otherwise")
			}
			return nil
		}},
		{Sentence: `prompt {n} was refused, or Muse heard more than {text}`, IDs: []string{"ACP-CONT-04"}, run: notLost},
	}
}

// pathsIn lists the paths that an update of a tool call names: its places, and the files of its diffs.
func pathsIn(update json.RawMessage) (paths []string) {
	var call struct {
		Locations []struct{ Path string } `json:"locations"`
		Content   []struct{ Type, Path string }
	}
	if json.Unmarshal(update, &call) != nil {
		return nil
	}
	for _, l := range call.Locations {
		paths = append(paths, l.Path)
	}
	for _, c := range call.Content {
		if c.Type == "diff" {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// promptText joins the texts of a prompt.
func promptText(r wire.Record) string {
	var params struct {
		Prompt []struct{ Text string } `json:"prompt"`
	}
	if json.Unmarshal(r.Frame.Params, &params) != nil {
		return ""
	}
	var texts []string
	for _, b := range params.Prompt {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// nthPrompt gives the answer to the nth prompt of the conversation. That there is none is a finding.
func nthPrompt(s *conform.Scenario, n int, ids ...string) (wire.Record, bool) {
	if s.Broken() != nil {
		return wire.Record{}, false
	}
	answers := answersTo(s, "session/prompt")
	if n < 1 || n > len(answers) {
		s.Check(fmt.Sprintf("prompt %d is answered", n), ids, false, nil, "%d prompts were answered", len(answers))
		return wire.Record{}, false
	}
	return answers[n-1], true
}

// heardIn gives what Muse heard in the turn that an answered prompt began; not ok when it began none.
func heardIn(s *conform.Scenario, answer wire.Record) (string, bool) {
	for _, t := range s.Facts().Turns {
		if t.Seq > answer.Answers && t.Seq < answer.Seq {
			return strings.Join(t.Texts, "\n"), true
		}
	}
	return "", false
}

// inOrder looks for pieces in what a prompt became at Muse: each is there, behind the one before it.
func inOrder(s *conform.Scenario, a args) error {
	ids := []string{"ACP-PR-06", "ACP-CONT-03", "ACP-CONT-06", "ACP-CONT-07"}
	r, ok := nthPrompt(s, a.number(0), ids...)
	if !ok {
		return nil
	}
	const name = "the blocks of a prompt reach Muse, in their order"
	heard, began := heardIn(s, r)
	s.Check(name, ids, began && r.Frame.Error == nil, s.At(r.Seq, "", "a stop reason", string(r.Data)), "the prompt was not carried out")
	if !began {
		return nil
	}
	rest := heard
	for _, piece := range strings.Split(a[1], " | ") {
		i := strings.Index(rest, piece)
		if i < 0 && strings.Contains(heard, piece) {
			s.Check(name, []string{"ACP-CONT-07"}, false, &conform.Place{Lane: "muse 1", Offset: -1, Expected: a[1], Actual: heard}, "%q stands in another place", piece)
			return nil
		}
		s.Check(name, ids, i >= 0, &conform.Place{Lane: "muse 1", Offset: -1, Expected: a[1], Actual: heard}, "%q is missing", piece)
		if i < 0 {
			return nil
		}
		rest = rest[i+len(piece):]
	}
	return nil
}

// notLost looks at a prompt with a block of a kind that the adapter did not offer to take: it is refused, or the model is
// told that something was there. A kind that it offers is not looked at.
func notLost(s *conform.Scenario, a args) error {
	r, ok := nthPrompt(s, a.number(0), "ACP-CONT-04")
	if !ok {
		return nil
	}
	heard, _ := heardIn(s, r)
	_, hello := s.Initialized()
	offered := string(wire.Lookup(hello, "agentCapabilities", "promptCapabilities", "audio")) == "true"
	fine := offered || r.Frame.Error != nil || strings.TrimSpace(strings.Replace(heard, a[1], "", 1)) != ""
	s.Check("what cannot be taken is not passed over in silence", []string{"ACP-CONT-04"}, fine, s.At(r.Seq, "", "an error, or a word to the model", heard), "the prompt was carried out without the block")
	return nil
}

// bothAnswered looks at two prompts that came together. The first ran, so where it was not given up for the second the
// cancel ends it. The second may be queued, refused or put in place of the first, but where it ends well it was heard.
func bothAnswered(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "two prompts at once are both answered"
	ids := []string{"ACP-PR-13"}
	outcomes := s.Outcomes(0)
	if len(outcomes) < 2 {
		return s.Harness("there were %d prompts, not two", len(outcomes))
	}
	first, second := outcomes[0], outcomes[1]
	s.Check(name, ids, first.StopReason == "cancelled", s.At(first.Turn, "", "stop reason cancelled", describe(first)), "the first prompt came to: %s", describe(first))
	s.Check(name, ids, second.Answered, s.At(second.Turn, "", "an answer", describe(second)), "the second prompt was not answered")
	text := promptText(s.Records()[second.Turn])
	heard := slices.ContainsFunc(s.Facts().Turns, func(t conform.HostTurn) bool { return strings.Contains(strings.Join(t.Texts, "\n"), text) })
	s.Check(name, ids, second.StopReason != "end_turn" || heard, s.At(second.Turn, "", "a turn at Muse, or another answer", describe(second)), "the second prompt ended well, and Muse never heard it")
	return nil
}
