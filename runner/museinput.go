package runner

import (
	"encoding/json"
	"fmt"

	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/wire"
)

// askInWords says what a step asks the user, in the words of sentences.
func askInWords(a *fakemuse.Ask) conform.ScriptStep {
	step := conform.ScriptStep{Kind: "asks"}
	for _, q := range a.Questions {
		asked := conform.ScriptQuestion{Text: q.Question, Several: q.Selection.Mode == "multiple"}
		for _, o := range q.Options {
			asked.Choices = append(asked.Choices, o.Label)
		}
		step.Questions = append(step.Questions, asked)
	}
	return step
}

// asksSentence puts questions to the user into words, to compare and to show.
func asksSentence(questions []conform.ScriptQuestion) string {
	words := "asks the user"
	for i, q := range questions {
		if i > 0 {
			words += " and"
		}
		words += fmt.Sprintf(" %q", q.Text)
		if q.Choices != nil {
			words += fmt.Sprintf(", with the choices %q", q.Choices)
		}
		if q.Several {
			words += ", of which several may be taken"
		}
	}
	return words
}

// userInput reads what the adapter tells the host about a question to its user.
func (f *museFacts) userInput(r wire.Record, records []wire.Record) {
	input := conform.HostInput{Seq: r.Seq, Session: r.Session, Reason: wire.LookupString(r.Frame.Params, "reason"),
		Answers: wire.Lookup(r.Frame.Params, "answers")}
	var answers []struct {
		Label  string   `json:"selectedLabel"`
		Labels []string `json:"selectedLabels"`
		Text   string   `json:"freeText"`
	}
	json.Unmarshal(input.Answers, &answers)
	for _, a := range answers {
		for _, word := range append([]string{a.Label, a.Text}, a.Labels...) {
			if word != "" {
				input.Words = append(input.Words, word)
			}
		}
	}
	input.Cancelled = r.Frame.Method == "userInput/cancel"
	for _, later := range records[r.Seq:] {
		if later.Answers == r.Seq {
			input.Accepted = later.Frame.Result != nil
		}
	}
	f.facts.Inputs = append(f.facts.Inputs, input)
}
