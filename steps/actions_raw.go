package steps

import (
	"bytes"
	"encoding/json"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// rawActions are what an editor does that is out of the ordinary: requests and answers given byte for byte, and a user
// who stops a turn at an odd moment.
func rawActions() []Definition {
	return []Definition{
		{Sentence: `the editor asks for a session in the folder {text}`, run: func(s *conform.Scenario, a args) error {
			params, err := json.Marshal(struct {
				Cwd     string `json:"cwd"`
				Servers []any  `json:"mcpServers"`
			}{a[0], []any{}})
			if err != nil {
				return s.Harness("the folder %q cannot be written: %v", a[0], err)
			}
			return call(s, "session/new", string(params))
		}},
		{Sentence: `the editor calls {text} without parameters`, run: func(s *conform.Scenario, a args) error {
			return call(s, a[0], "")
		}},
		{Sentence: `the editor calls {text} with: {rest}`, run: func(s *conform.Scenario, a args) error {
			return call(s, a[0], a[1])
		}},
		{Sentence: `the user sends {text} and has been shown the thought {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "prompt", Text: a[0], Until: "thought", Said: a[1]})
		}},
		{Sentence: `the user sends {text} and Muse has been called with {text}`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "prompt", Text: a[0], Until: "called", Method: &a[1]})
		}},
		{Sentence: `the user stops the turn {n} times in one write`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "cancel", Times: a.number(0)})
		}},
		{Sentence: `the user stops the session, though no turn runs`, run: func(s *conform.Scenario, _ args) error {
			return s.Perform(scenarios.Step{Op: "cancel"})
		}},
		{Sentence: `the editor will answer with the result and the error: {rest}`, run: func(s *conform.Scenario, a args) error {
			return answerRaw(s, a[0], func(raw json.RawMessage) scenarios.Answer {
				return scenarios.Answer{Result: wire.Lookup(raw, "result"), Error: wire.Lookup(raw, "error")}
			})
		}},
	}
}

// call sends a request as the sentence has it.
func call(s *conform.Scenario, method, params string) error {
	step := scenarios.Step{Op: "request", Method: &method}
	if params != "" {
		raw, err := compactJSON(params)
		if err != nil {
			return s.Harness("the parameters %s are not JSON: %v", params, err)
		}
		step.Params = raw
	}
	return s.Perform(step)
}

func answerRaw(s *conform.Scenario, text string, answer func(json.RawMessage) scenarios.Answer) error {
	raw, err := compactJSON(text)
	if err != nil {
		return s.Harness("the answer %s is not JSON: %v", text, err)
	}
	return s.Answer(answer(raw))
}

// compactJSON takes the white space out, as writing the script does.
func compactJSON(text string) (json.RawMessage, error) {
	var b bytes.Buffer
	err := json.Compact(&b, []byte(text))
	return b.Bytes(), err
}
