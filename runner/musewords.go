package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/wire"
)

// inWords says what a step of a script is, in the words of sentences. A tool may take several.
func inWords(turn fakemuse.Turn, s fakemuse.Step) []conform.ScriptStep {
	switch {
	case s.Tool != nil:
		return toolInWords(s.Tool)
	case s.Ask != nil && s.Ask.Stuck:
		return []conform.ScriptStep{askInWords(s.Ask), {Kind: "gets stuck"}}
	case s.Tools != nil:
		var steps []conform.ScriptStep
		for i := range s.Tools {
			words := toolInWords(&s.Tools[i])
			words[0].Beside = i > 0
			steps = append(steps, words...)
		}
		return steps
	case s.Lost != nil:
		var steps []conform.ScriptStep
		for _, step := range s.Lost {
			for _, words := range inWords(turn, step) {
				words.Lost = true
				steps = append(steps, words)
			}
		}
		return steps
	}
	return []conform.ScriptStep{inOneWord(turn, s)}
}

func inOneWord(turn fakemuse.Turn, s fakemuse.Step) conform.ScriptStep {
	switch {
	case s.Think != nil:
		return conform.ScriptStep{Kind: "thinks", Chunks: s.Think}
	case s.Say != nil && s.Text.Hang:
		return conform.ScriptStep{Kind: "breaks off", Chunks: s.Say}
	case s.Say != nil:
		return conform.ScriptStep{Kind: "says", Chunks: s.Say, Repeats: turn.Repeat}
	case s.Wait != "":
		return conform.ScriptStep{Kind: "waits", Text: s.Wait}
	case s.Hang:
		return conform.ScriptStep{Kind: "hangs", Repeats: turn.Repeat}
	case s.Fail != nil:
		return conform.ScriptStep{Kind: "fails", Text: s.Fail.Message, Cause: s.Fail.Kind}
	case s.Exit != nil:
		return conform.ScriptStep{Kind: "exits", Text: strconv.Itoa(*s.Exit)}
	case s.Raw != nil:
		return conform.ScriptStep{Kind: "noise", Text: string(s.Raw.Bytes)}
	case wire.LookupString(s.Show, "kind") == "reasoning":
		var shown struct{ Summary []string }
		if json.Unmarshal(s.Show, &shown) == nil {
			return conform.ScriptStep{Kind: "thinks", Chunks: shown.Summary, Hidden: wire.LookupString(s.Show, "text")}
		}
	case s.Silence:
		return conform.ScriptStep{Kind: "falls silent"}
	case s.Ask != nil:
		return askInWords(s.Ask)
	}
	return conform.ScriptStep{Kind: "something that no sentence tells"}
}

// toolInWords tells the use of a tool, and what happens to it.
func toolInWords(t *fakemuse.Tool) []conform.ScriptStep {
	args := json.RawMessage(t.Args)
	step := conform.ScriptStep{Kind: "uses", Tool: t.Name, Command: wire.LookupString(args, "command"), Asks: t.Approval != nil,
		Rights: wire.LookupString(args, "sandbox_permissions"), Reason: wire.LookupString(args, "justification")}
	if step.Tool != "bash" {
		step.Command, step.Input = "", compact(args)
	}
	if t.Output != nil && len(*t.Output) > wire.ShortString {
		step.Text = wire.Brief(*t.Output)
	}
	steps := []conform.ScriptStep{step}
	if t.Approval != nil {
		steps = approvalInWords(step, t.Approval)
	}
	if t.Exit != nil {
		steps = append(steps, conform.ScriptStep{Kind: "exits", Text: strconv.Itoa(t.Exit.Code), When: t.Exit.At})
	}
	return steps
}

func approvalInWords(step conform.ScriptStep, a *fakemuse.Approval) []conform.ScriptStep {
	step.Choices = labels(a.Choices)
	if f := a.DecideFails; f != nil {
		step.Refused = f.Code
	}
	for _, stage := range a.Stages {
		command := strings.Join(stage.Argv, " ")
		if stage.Known != "" {
			command += " (" + stage.Known + ")"
		}
		step.Stages = append(step.Stages, command)
	}
	if a.SubagentOrigin != nil {
		step.Origin = "a subagent"
	}
	if a.NoCall {
		step.Origin = "no tool call"
	}
	steps := []conform.ScriptStep{step}
	if a.JudgeEscalated {
		steps = append(steps, conform.ScriptStep{Kind: "is marked", Text: "judgeEscalated"})
	}
	if a.ProtectedWrite {
		steps = append(steps, conform.ScriptStep{Kind: "is marked", Text: "protectedWrite"})
	}
	for i, stage := range a.Stages {
		if stage.Instead != nil {
			steps = append(steps, conform.ScriptStep{Kind: "shows a part otherwise", Text: fmt.Sprintf("%d: %s", i+1, compact(stage.Instead))})
		}
	}
	if w := a.Widened; w != nil {
		kind := "offers instead"
		if turnsRound(a.Choices, w.Choices) {
			kind = "turns round"
		}
		steps = append(steps, conform.ScriptStep{Kind: kind, Choices: labels(w.Choices), Text: w.ChoiceSet, When: firstWord(w.Wait, "at once")})
	}
	if e := a.Elsewhere; e != nil {
		answer := e.Decision
		for _, c := range append(usualChoices(), a.Choices...) {
			if c.ChoiceID == e.Choice {
				answer = c.Label
			}
		}
		when := firstWord(e.Wait, "with the answer")
		if e.AtOnce {
			when = "at once"
		}
		steps = append(steps, conform.ScriptStep{Kind: "is answered elsewhere", Text: firstWord(answer, e.Choice), By: e.By, When: when})
	}
	if a.Stuck {
		steps = append(steps, conform.ScriptStep{Kind: "gets stuck"})
	}
	return steps
}

// briefly gives texts as a message can show them.
func briefly(texts []string) []string {
	var list []string
	for _, t := range texts {
		list = append(list, wire.Brief(t))
	}
	return list
}

// turnsRound reports whether the same ids, in the same order, stand for other decisions.
func turnsRound(before, after []fakemuse.Choice) bool {
	if len(before) == 0 || len(before) != len(after) {
		return false
	}
	for i, c := range before {
		if after[i].ChoiceID != c.ChoiceID || after[i].Decision == c.Decision {
			return false
		}
	}
	return true
}

// foreignInWords tells what goes on in a session that is there already. That it waits for its cue is told when the cue
// is given.
func foreignInWords(s fakemuse.Stored) []scriptStep {
	if s.Turn == nil {
		return nil
	}
	var steps []scriptStep
	for _, step := range s.Turn.Plan.Steps {
		if step.Wait != "" {
			continue
		}
		for _, words := range inWords(s.Turn.Plan, step) {
			words.Origin = "another session"
			steps = append(steps, scriptStep{line: step.Line, step: words})
		}
	}
	return steps
}

// compact takes the white space out of a value of a script, which is JSON.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// usualChoices are those that a Muse offers about everything.
func usualChoices() []fakemuse.Choice {
	return []fakemuse.Choice{{ChoiceID: "allow_once", Label: "Allow once"}, {ChoiceID: "abort", Label: "Reject"}}
}

func labels(choices []fakemuse.Choice) []string {
	var list []string
	for _, c := range choices {
		list = append(list, c.Label)
	}
	return list
}

func firstWord(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// sentence puts a step into words, to compare and to show.
func sentence(s conform.ScriptStep) string {
	if s.Call != "" {
		at := s.Call
		s.Call = ""
		return fmt.Sprintf("at the first call of %s %s", at, sentence(s))
	}
	if s.Lost {
		s.Lost = false
		return sentence(s) + ", and word of it gets lost"
	}
	switch s.Kind {
	case "exits":
		return strings.TrimSpace(fmt.Sprintf("exits %q %s", s.Text, s.When))
	case "is answered elsewhere":
		return fmt.Sprintf("is answered elsewhere %q, by %s, %s", s.Text, s.By, s.When)
	case "offers instead", "turns round":
		return fmt.Sprintf("%s %q %s, %s", s.Kind, s.Choices, s.Text, s.When)
	case "hears", "waits", "noise", "refuses", "shows a part otherwise", "is marked":
		return fmt.Sprintf("%s %q", s.Kind, s.Text)
	case "asks":
		return asksSentence(s.Questions)
	case "fails":
		return fmt.Sprintf("fails with %q, as %q", s.Text, s.Cause)
	case "thinks", "says", "breaks off":
		if s.Hidden != "" {
			return fmt.Sprintf("thinks %q, and keeps %q to itself", s.Chunks, s.Hidden)
		}
		return fmt.Sprintf("%s %q", s.Kind, briefly(s.Chunks))
	case "uses":
		words := fmt.Sprintf("uses %s for %q", s.Tool, s.Command)
		if s.Input != "" {
			words = fmt.Sprintf("uses %s with %s", s.Tool, s.Input)
		}
		if s.Text != "" {
			words += fmt.Sprintf(", which writes %q", s.Text)
		}
		if s.Beside {
			words = "at the same time " + words
		}
		if s.Rights != "" || s.Reason != "" {
			words += fmt.Sprintf(" with the rights %q because %q", s.Rights, s.Reason)
		}
		if s.Asks {
			words += " and asks first"
		}
		if s.Origin != "" {
			words += ", for " + s.Origin
		}
		if s.Refused != 0 {
			words += fmt.Sprintf(", and refuses the decision with %d", s.Refused)
		}
		if s.Stages != nil {
			words += fmt.Sprintf(", in the stages %q", s.Stages)
		}
		if s.Choices != nil {
			words += fmt.Sprintf(", offering %q", s.Choices)
		}
		return words
	}
	if s.Repeats {
		return s.Kind + ", in every turn"
	}
	return s.Kind
}
