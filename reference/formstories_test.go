//go:build unix

package reference_test

import (
	"strings"

	"acp-conform/reference"
)

// formStories are the stories of the faults that ask for the user's input otherwise, or answer for the user.
func formStories() []story {
	asked := func(fault reference.Fault, questions string, shows func(form string) bool) story {
		return story{"input:" + questions, []reference.Fault{fault}, nil, func(w *world) []string {
			w.hello = withForms
			return oneTurn("", `{"action":"decline"}`)(w)
		}, func(_ *world, lines []string) bool {
			for _, line := range lines {
				if strings.Contains(line, "elicitation/create") {
					return shows(line)
				}
			}
			return false
		}}
	}
	lacks := func(text string) func(string) bool {
		return func(form string) bool { return !strings.Contains(form, text) }
	}
	return []story{
		asked("form-without-mode", "1", lacks(`"mode":"form"`)),
		asked("nested-form", "1", func(form string) bool { return strings.Contains(form, `"q1":{"type":"object"`) }),
		asked("form-choices-reversed", "1", lacks(`"red","blue"`)),
		asked("optional-fields", "1", lacks(`"required":["q1"]`)),
		{"input:1", []reference.Fault{reference.FormInvented}, nil, oneTurn("", `{"action":"decline"}`), sends("userInput/answer")},
		{"input:1", []reference.Fault{reference.FormErrorAnswers}, nil, func(w *world) []string {
			w.hello = withForms
			w.ready(1).send(w.prompt(2, 0))
			w.until("elicitation/create")
			w.send(`{"jsonrpc":"2.0","id":0,"error":{"code":-7,"message":"no"}}`)
			return append(w.until(`"id":2`), w.close()...)
		}, sends("userInput/answer")},
	}
}
