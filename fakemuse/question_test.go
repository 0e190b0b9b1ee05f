package fakemuse

import (
	"fmt"
	"strings"
	"testing"

	"acp-conform/wire"
)

const askScript = `{"turns":[{"steps":[
	{"ask":{"questions":[{"id":"q1","header":"File","question":"Which?","selection":{"mode":"single"},"options":[{"label":"a"},{"label":"b"}]}],"expires":"time is up"}},
	{"say":"Thanks."}]}]}`

// inSession gives params with a command id and the usual session.
func (c *client) inSession(members string) string {
	if members != "" {
		members = "," + members
	}
	return fmt.Sprintf(`{"commandId":%q,"sessionId":%q%s}`, c.command(), sessionOne, members)
}

// questioned starts a turn that asks, and gives the id of the question.
func questioned(t *testing.T, script string, change ...func(*Options)) (*scene, *client, string) {
	t.Helper()
	s := newScene(t, script, change...)
	c := s.open()
	c.session()
	c.prompt("go")
	id := wire.LookupString(c.until("userInput/request").Params, "userInputId")
	c.until("userInput/requested")
	return s, c, id
}

func TestQuestionEndings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, method, params       string
		outcome, status, output    string
		terminal                   string
		release, secondIsUnsettled bool
	}{
		{name: "answered", method: "userInput/answer", params: `"answers":[{"questionId":"q1","selectedLabel":"a","note":"n"}]`,
			outcome: "answered", status: "completed", output: `{"status":"answered","answers":[{"id":"q1","selected_label":"a","note":"n"}]}`, terminal: "completed"},
		{name: "free text", method: "userInput/answer", params: `"answers":[{"questionId":"q1","freeText":"c"}]`,
			outcome: "answered", status: "completed", output: `{"status":"answered","answers":[{"id":"q1","free_text":"c"}]}`, terminal: "completed"},
		{name: "cancelled", method: "userInput/cancel", params: `"reason":"client declined"`,
			outcome: "cancelled", status: "cancelled", output: "User declined to answer: client declined", terminal: "completed"},
		{name: "clarified", method: "userInput/clarify", params: `"clarification":{"content":"what files?","format":"text"}`,
			outcome: "clarified", status: "completed", output: `{"status":"clarified","clarification":"what files?"}`, terminal: "completed"},
		{name: "interrupted", method: "userInput/interrupt", params: ``,
			outcome: "interrupted", status: "cancelled", terminal: "cancelled"},
		{name: "turn cancelled", method: "turn/cancel", params: ``, outcome: "aborted", status: "cancelled", terminal: "cancelled"},
		{name: "timed out", release: true, outcome: "timedOut", status: "timedOut", output: `{"status":"timed_out"}`, terminal: "completed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, c, id := questioned(t, askScript)
			c.bad("userInput/answer", c.inSession(`"userInputId":"nobody","answers":[]`), -32055, "userInputNotFound")
			if tt.release {
				s.Release("time is up")
			} else {
				c.send(tt.method, c.inSession(strings.Trim(fmt.Sprintf(`"userInputId":%q,%s`, id, tt.params), ",")))
			}
			settled := c.until("userInput/settled").Params
			if got := wire.LookupString(settled, "outcome"); got != tt.outcome {
				t.Errorf("outcome %q, want %q", got, tt.outcome)
			}
			item := c.until("item/completed").Params
			if got := wire.LookupString(item, "item", "status"); got != tt.status {
				t.Errorf("status %q, want %q", got, tt.status)
			}
			if got := wire.LookupString(item, "item", "visibleOutput"); got != tt.output {
				t.Errorf("output %q, want %q", got, tt.output)
			}
			if got := c.terminal(); got != tt.terminal {
				t.Errorf("terminal %q, want %q", got, tt.terminal)
			}
			e := c.bad("userInput/cancel", c.inSession(fmt.Sprintf(`"userInputId":%q`, id)), -32056, "userInputAlreadySettled")
			if got := wire.LookupString(e, "data", "settlement", "outcome"); got != tt.outcome {
				t.Errorf("settlement %q", got)
			}
			s.noProblems()
		})
	}
}

func TestQuestionAnswersAreChecked(t *testing.T) {
	t.Parallel()
	s, c, id := questioned(t, strings.Replace(askScript, `"steps":[`, `"steps":[{"usage":{"inputTokens":1,"outputTokens":1,"cachedTokens":0,"reasoningTokens":0}},`, 1))
	for _, answers := range []string{
		`[]`, `[{"questionId":"q2","selectedLabel":"a"}]`, `[{"questionId":"q1","selectedLabel":"c"}]`, `[{"questionId":"q1"}]`,
		`[{"questionId":"q1","selectedLabels":["a","b"]}]`, `[{"questionId":"q1","selectedLabel":"a"},{"questionId":"q1","selectedLabel":"a"}]`,
		`[{"questionId":"q1","freeText":"` + strings.Repeat("x", 501) + `"}]`,
	} {
		c.bad("userInput/answer", c.inSession(fmt.Sprintf(`"userInputId":%q,"answers":%s`, id, answers)), -32057, "userInputAnswerInvalid")
	}
	c.bad("userInput/answer", c.inSession(fmt.Sprintf(`"userInputId":%q`, id)), -32602, "invalidParams")
	list := c.ok("approval/listPending", fmt.Sprintf(`{"sessionId":%q}`, sessionOne))
	if !strings.Contains(string(wire.Lookup(list, "userInputs")), id) {
		t.Errorf("pending: %s", list)
	}
	// Who is engaged is not timed out.
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"userInput/engaged","params":{"sessionId":%q,"userInputId":%q}}`, sessionOne, id))
	c.ok("model/list", `{}`)
	s.Release("time is up")
	c.ok("userInput/answer", c.inSession(fmt.Sprintf(`"userInputId":%q,"answers":[{"questionId":"q1","selectedLabel":"b"}]`, id)))
	if got := c.terminal(); got != "completed" {
		t.Errorf("terminal %q", got)
	}
}

// A client that cannot show questions is not asked.
func TestNoDialogs(t *testing.T) {
	t.Parallel()
	s := newScene(t, askScript)
	c := s.serve()
	c.ok("initialize", `{"clientInfo":{"name":"test","version":"1"},"capabilities":{"userInputDialogs":false}}`)
	c.write(`{"jsonrpc":"2.0","method":"initialized"}`)
	c.session()
	c.prompt("go")
	if got := c.terminal(); got != "completed" {
		t.Errorf("terminal %q", got)
	}
	for _, m := range c.methods() {
		if strings.Contains(m, "userInput") {
			t.Errorf("the client was asked: %s", m)
		}
	}
}
