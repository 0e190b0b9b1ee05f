package otheradapter_test

import (
	"strings"
	"testing"

	"acp-conform/wire"
)

// sent are the params of the calls of a method that Muse got.
func (s *session) sent(method string) (calls []string) {
	for _, r := range s.log.Records() {
		if r.Frame.Method == method && r.Frame.Kind == wire.Request {
			calls = append(calls, string(r.Data))
		}
	}
	return calls
}

// rest reads up to the answer to the prompt and then ends the client.
func (s *session) rest() (lines []string) {
	s.t.Helper()
	for {
		line := s.hear("")
		lines = append(lines, line)
		if strings.Contains(line, `"id":3,`) {
			break
		}
	}
	s.in.Close()
	<-s.code
	return lines
}

const withForms = `{"elicitation":{"form":{}}}`

const threeQuestions = `{"turns":[{"steps":[{"ask":{"questions":[
	{"id":"q1","header":"File","question":"Which file?","selection":{"mode":"single"},"options":[{"label":"a"},{"label":"b"}]},
	{"id":"q2","header":"More","question":"Which more?","selection":{"mode":"multiple","maxSelections":2},"options":[{"label":"x"},{"label":"y"},{"label":"z"}]},
	{"id":"q3","header":"Why","question":"Say why.","selection":{"mode":"single"},"options":[]}]}},{"say":["Thanks."]}]}]}`

// What Muse wants of the user is asked in one form; what comes back is checked before Muse gets it.
func TestForms(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 501)
	accept := func(one, two, three string) string {
		return `"result":{"action":"accept","content":{"answer_1":` + one + `,"answer_2":` + two + `,"answer_3":` + three + `}}`
	}
	const no, unfit, silent = "userInput/cancel", "does not fit", "does not answer"
	for name, c := range map[string]struct{ answer, method, holds string }{
		"filled in": {accept(`"b"`, `["z","x"]`, `"so"`), "userInput/answer",
			`"answers":[{"questionId":"q1","selectedLabel":"b"},{"questionId":"q2","selectedLabels":["z","x"]},{"freeText":"so","questionId":"q3"}]`},
		"declined":              {`"result":{"action":"decline"}`, no, silent},
		"dismissed":             {`"result":{"action":"cancel"}`, no, silent},
		"not offered":           {accept(`"c"`, `["z"]`, `"so"`), no, unfit},
		"twice the same":        {accept(`"a"`, `["z","z"]`, `"so"`), no, unfit},
		"too many":              {accept(`"a"`, `["x","y","z"]`, `"so"`), no, unfit},
		"none":                  {accept(`"a"`, `[]`, `"so"`), no, unfit},
		"left out":              {accept(`"a"`, `["x"]`, `null`), no, unfit},
		"too long":              {accept(`"a"`, `["x"]`, `"`+long+`"`), no, unfit},
		"a number":              {accept(`1`, `["x"]`, `"so"`), no, unfit},
		"an error":              {`"error":{"code":-7,"message":"no"}`, no, silent},
		"a result and an error": {accept(`"b"`, `["z","x"]`, `"so"`) + `,"error":{"code":-7,"message":"no"}`, no, silent},
		"neither":               {`"result":{}`, no, silent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := beginAs(t, threeQuestions, withForms)
			form := s.hear("elicitation/create")
			for _, part := range []string{`"mode":"form"`, `"required":["answer_1","answer_2","answer_3"]`, `"maxItems":2`, `"maxLength":500`} {
				if !strings.Contains(form, part) {
					t.Errorf("%s is missing in %s", part, form)
				}
			}
			s.say(`{"jsonrpc":"2.0","id":"question-1",` + c.answer + `}`)
			lines := s.rest()
			calls := append(s.sent("userInput/answer"), s.sent("userInput/cancel")...)
			if len(calls) != 1 || !strings.Contains(calls[0], `"method":"`+c.method+`"`) || !strings.Contains(calls[0], c.holds) {
				t.Errorf("Muse was sent %q, want %s with %s", calls, c.method, c.holds)
			}
			if last := lines[len(lines)-1]; !strings.Contains(last, "end_turn") {
				t.Errorf("the prompt was answered with %s", last)
			}
		})
	}
}

// A client that shows no forms is never sent one; a form that is open when the turn is stopped is of no use any more.
func TestNoForm(t *testing.T) {
	t.Parallel()
	s := beginAs(t, threeQuestions, withForms)
	s.hear("elicitation/create")
	s.say(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"` + s.id + `"}}`)
	s.hear(`"stopReason":"cancelled"`)
	s.say(`{"jsonrpc":"2.0","id":"question-1","result":{"action":"accept","content":{"answer_1":"a","answer_2":["x"],"answer_3":"so"}}}`)
	s.in.Close()
	<-s.code
	if got := s.sent("userInput/answer"); len(got) > 0 {
		t.Errorf("an answer came after the turn was stopped: %q", got)
	}

	s = begin(t, `{"turns":[{"steps":[{"say":["Hello."]}]}]}`)
	s.rest()
	if got := s.sent("initialize"); len(got) != 1 || !strings.Contains(got[0], `"userInputDialogs":false`) {
		t.Errorf("Muse may ask a client that shows no forms: %q", got)
	}
}

// Approvals that belong to nobody are turned down without a question, and the turn goes on.
func TestNobodysApprovals(t *testing.T) {
	t.Parallel()
	script := `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"touch x"},"approval":{
		"subagentOrigin":{"subagentId":"s","childSessionId":"c","childRunId":"r"}}}},{"say":["On we go."]}]}]}`
	s := begin(t, script)
	lines := s.rest()
	decided := s.sent("approval/decide")
	if strings.Contains(strings.Join(lines, ""), "request_permission") || !strings.Contains(lines[len(lines)-1], "end_turn") {
		t.Errorf("the client got %q", lines)
	}
	if len(decided) != 1 || !strings.Contains(decided[0], `"choiceId":"abort"`) {
		t.Errorf("Muse was told %q", decided)
	}
}

// An answer that has both a result and an error grants nothing, and a policy that decides leaves the client unasked or
// its answer without use.
func TestAnswersOfNoUse(t *testing.T) {
	t.Parallel()
	const tool = `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"touch x"},"approval":%s}},{"say":["On we go."]}]}]}`
	s := begin(t, strings.Replace(tool, "%s", "{}", 1))
	s.hear("session/request_permission")
	s.say(`{"jsonrpc":"2.0","id":"question-1","result":{"outcome":{"outcome":"selected","optionId":"allow_once"}},"error":{"code":1,"message":"x"}}`)
	s.rest()
	if got := s.sent("approval/decide"); len(got) != 1 || strings.Contains(got[0], "allow") {
		t.Errorf("Muse was told %q", got)
	}

	s = begin(t, strings.Replace(tool, "%s", `{"elsewhere":{"decision":"denied","by":"policy","atOnce":true}}`, 1))
	lines := s.rest()
	if got := s.sent("approval/decide"); len(got) != 0 || !strings.Contains(lines[len(lines)-1], "end_turn") {
		t.Errorf("Muse was told %q, and the client %q", got, lines)
	}
}

// While the client is asked, Muse gives the ids of its choices other meanings. What the client chose is asked anew, and
// never sent under an id that means something else: not the contrary, and not the same for longer.
func TestChoicesOfAnotherMeaning(t *testing.T) {
	t.Parallel()
	const script = `{"variants":["approval-request"],"turns":[{"steps":[{"tools":[
		{"name":"bash","args":{"command":"touch x"},"approval":{
			"choices":[{"choiceId":"a","label":"Yes","decision":"approved","scope":"once"},{"choiceId":"b","label":"No","decision":"abort","scope":"once"}],
			"widened":{"choices":[%s]}}},
		{"name":"bash","args":{"command":"touch y"},"approval":{}}]},{"say":["On we go."]}]}]}`
	const no = `{"choiceId":"c","label":"Never mind","decision":"denied","scope":"once"}`
	for name, c := range map[string]struct{ now, picked string }{
		"the contrary":      {`{"choiceId":"b","label":"Go","decision":"approved","scope":"once"},` + no, "b"},
		"the other way":     {`{"choiceId":"a","label":"Stop","decision":"denied","scope":"once"},` + no, "a"},
		"for longer":        {`{"choiceId":"a","label":"Ever","decision":"approved","scope":"localPersistent"},` + no, "a"},
		"something unknown": {`{"choiceId":"b","label":"Hm","decision":"perhaps","scope":"once","grants":true},` + no, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, strings.Replace(script, "%s", c.now, 1))
			s.hear("question-2") // so what Muse changed behind the first one was read
			s.say(`{"jsonrpc":"2.0","id":"question-1","result":{"outcome":{"outcome":"selected","optionId":"` + c.picked + `"}}}`)
			if again := s.hear(`"question-3"`); !strings.Contains(again, "Never mind") {
				t.Errorf("the client was asked again with %s", again)
			}
			s.say(`{"jsonrpc":"2.0","id":"question-2","result":{"outcome":{"outcome":"cancelled"}}}`)
			s.say(`{"jsonrpc":"2.0","id":"question-3","result":{"outcome":{"outcome":"selected","optionId":"c"}}}`)
			s.rest()
			if got := strings.Join(s.sent("approval/decide"), "\n"); strings.Count(got, "choiceId") != 2 || strings.Contains(got, `"choiceId":"`+c.picked+`"`) {
				t.Errorf("Muse was told %s", got)
			}
		})
	}
}
