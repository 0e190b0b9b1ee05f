package steps

import (
	"encoding/json"

	"acp-conform/conform"
	"acp-conform/scenarios"
)

// The methods by which an editor closes a session and takes it up again.
const (
	methodClose  = "session/close"
	methodResume = "session/resume"
)

// closeSteps are about an editor that closes sessions and resumes them.
func closeSteps() []Definition {
	needs := func(capabilities ...string) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, _ args) error {
			for _, c := range capabilities {
				if err := s.Needs("sessionCapabilities." + c); err != nil {
					return err
				}
			}
			return nil
		}
	}
	return []Definition{
		{Sentence: `an adapter that closes sessions`, run: needs("close")},
		{Sentence: `an adapter that closes and resumes sessions`, run: needs("close", "resume")},
		{Sentence: `an adapter that resumes sessions`, run: needs("resume")},
		{Sentence: `the editor closes the session`, run: func(s *conform.Scenario, _ args) error {
			return onSession(s, methodClose, 0, `{"sessionId":"{{session}}"}`)
		}},
		{Sentence: `the editor closes session {n}`, run: func(s *conform.Scenario, a args) error {
			return onSession(s, methodClose, a.number(0), `{"sessionId":"{{session}}"}`)
		}},
		{Sentence: `the editor resumes the session`, run: func(s *conform.Scenario, _ args) error {
			return onSession(s, methodResume, 0, resumeParams("{{workspace}}"))
		}},
		{Sentence: `the editor resumes session {n}`, run: func(s *conform.Scenario, a args) error {
			return onSession(s, methodResume, a.number(0), resumeParams("{{workspace}}"))
		}},
		{Sentence: `the editor resumes the session in the folder {text}`, run: func(s *conform.Scenario, a args) error {
			return onSession(s, methodResume, 0, resumeParams(a[0]))
		}},
		{Sentence: `in session {n}, the user sends {text} and the editor is asked`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "prompt", Session: a.number(0), Text: a[1], Until: "asked"})
		}},
		{Sentence: `in session {n}, the user sends {text} and the editor is shown a form`, run: func(s *conform.Scenario, a args) error {
			return s.Perform(scenarios.Step{Op: "prompt", Session: a.number(0), Text: a[1], Until: "asked"})
		}},
		{Sentence: `the editor fills in {text} of the open form of session {n} with {text}`, run: func(s *conform.Scenario, a args) error {
			answer := scenarios.FormAnswer{Fill: []scenarios.Field{{Field: a[0], Value: quoted(a[2])}}}
			return s.Perform(scenarios.Step{Op: "answerForm", Session: a.number(1), FormAnswer: &answer})
		}},
	}
}

func resumeParams(folder string) string {
	return `{"sessionId":"{{session}}","cwd":` + string(quoted(folder)) + `,"mcpServers":[]}`
}

// onSession sends a request about session n, 0 for the newest.
func onSession(s *conform.Scenario, method string, n int, params string) error {
	return s.Perform(scenarios.Step{Op: "request", Method: &method, Session: n, Params: json.RawMessage(params)})
}
