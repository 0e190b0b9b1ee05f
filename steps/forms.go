package steps

import (
	"encoding/json"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
)

// editorProfile are the sentences about what the editor says of itself when the connection is opened. They stand before
// the first step.
func editorProfile() []Definition {
	profile := func(change func(step *scenarios.Step, a args) error) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			var broken error
			err := s.Profile(func(step *scenarios.Step) { broken = change(step, a) })
			if broken != nil {
				return s.Harness("what the editor says of itself is not JSON: %v", broken)
			}
			return err
		}
	}
	named := func(word string) func(args) string { return func(args) string { return word } }
	return []Definition{
		{Sentence: `an editor that shows forms`, opening: named("forms"), run: profile(func(step *scenarios.Step, _ args) error {
			step.Forms = true
			return nil
		})},
		{Sentence: `an editor that understands Muse's approvals`, opening: named("muse-approval"), run: profile(func(step *scenarios.Step, _ args) error {
			step.Meta = json.RawMessage(`{"muse/approval":1}`)
			return nil
		})},
		{Sentence: `an editor whose metadata is: {rest}`, opening: rawOpening, run: profile(func(step *scenarios.Step, a args) (err error) {
			step.Meta, err = compactJSON(a[0])
			return err
		})},
		{Sentence: `an editor with the capabilities: {rest}`, opening: rawOpening, run: profile(func(step *scenarios.Step, a args) (err error) {
			step.Capabilities, err = compactJSON(a[0])
			return err
		})},
	}
}

// rawOpening names an opening by the letters and digits of what stands in the sentence.
func rawOpening(a args) string {
	words := strings.FieldsFunc(a[0], func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
	return strings.Join(append([]string{"editor"}, words...), "-")
}

// formScript are the sentences about how the editor answers forms. Fields are named by their name in the form, their
// title or their description.
func formScript() []Definition {
	will := func(make func(a args) scenarios.FormAnswer) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error { return s.AnswerForm(make(a)) }
	}
	does := func(make func(a args) scenarios.FormAnswer) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			answer := make(a)
			return s.Perform(scenarios.Step{Op: "answerForm", FormAnswer: &answer})
		}
	}
	raw := func(make func(json.RawMessage) scenarios.FormAnswer) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			text, err := compactJSON(a[0])
			if err != nil {
				return s.Harness("the answer %s is not JSON: %v", a[0], err)
			}
			return s.AnswerForm(make(text))
		}
	}
	fill := func(a args) scenarios.FormAnswer {
		var answer scenarios.FormAnswer
		for i := 0; i+1 < len(a); i += 2 {
			answer.Fill = append(answer.Fill, scenarios.Field{Field: a[i], Value: quoted(a[i+1])})
		}
		return answer
	}
	decline := func(args) scenarios.FormAnswer { return scenarios.FormAnswer{Declined: true} }
	dismiss := func(args) scenarios.FormAnswer { return scenarios.FormAnswer{Cancelled: true} }
	return []Definition{
		{Sentence: `the editor will fill in {text} with {text}`, run: will(fill)},
		{Sentence: `the editor will fill in {text} with {text}, and {text} with {text}`, run: will(fill)},
		{Sentence: `the editor will choose {text} for {text}`, run: will(func(a args) scenarios.FormAnswer {
			return scenarios.FormAnswer{Fill: []scenarios.Field{{Field: a[1], Value: quoted(strings.Split(a[0], " | "))}}}
		})},
		{Sentence: `the editor will decline the form`, run: will(decline)},
		{Sentence: `the editor will dismiss the form`, run: will(dismiss)},
		{Sentence: `the editor will leave the form open`, run: will(func(args) scenarios.FormAnswer { return scenarios.FormAnswer{Withhold: true} })},
		{Sentence: `the editor will send the form with: {rest}`, run: raw(func(r json.RawMessage) scenarios.FormAnswer { return scenarios.FormAnswer{Content: r} })},
		{Sentence: `the editor will answer the form with the result: {rest}`, run: raw(func(r json.RawMessage) scenarios.FormAnswer { return scenarios.FormAnswer{Result: r} })},
		{Sentence: `the editor will answer the form with the error: {rest}`, run: raw(func(r json.RawMessage) scenarios.FormAnswer { return scenarios.FormAnswer{Error: r} })},
		{Sentence: `the editor fills in {text} of the open form with {text}`, run: does(fill)},
		{Sentence: `the editor declines the open form`, run: does(decline)},
		{Sentence: `the editor dismisses the open form`, run: does(dismiss)},
		{Sentence: `the user sends {text} and the editor is shown a form`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "prompt", Text: a[0], Until: "asked"})
		}},
	}
}

// quoted is a value as JSON, without the escaping that is meant for HTML.
func quoted(v any) json.RawMessage {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return json.RawMessage("null") // texts can always be written
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}

// museInput are the sentences about a Muse that asks its user.
func museInput() []Definition {
	asks := func(mode string) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error {
			q := conform.ScriptQuestion{Text: a[0], Several: mode == "multiple"}
			if len(a) > 1 {
				q.Choices = strings.Split(a[1], " | ")
			}
			return expect(s, conform.ScriptStep{Kind: "asks", Questions: []conform.ScriptQuestion{q}})
		}
	}
	return []Definition{
		{Sentence: `Muse asks the user {text}, with the choices {text}`, run: asks("single")},
		{Sentence: `Muse asks the user {text}, with the choices {text}, of which several may be taken`, run: asks("multiple")},
		{Sentence: `Muse asks the user {text}, to be answered in words`, run: asks("")},
		{Sentence: `Muse asks the user {text}, with the choices {text}, and {text}, to be answered in words`, run: func(s *conform.Scenario, a args) error {
			return expect(s, conform.ScriptStep{Kind: "asks", Questions: []conform.ScriptQuestion{{Text: a[0], Choices: strings.Split(a[1], " | ")}, {Text: a[2]}}})
		}},
	}
}
