package conform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// question is one request of the adapter to its client that a person would answer: for permission, or a form.
type question struct {
	seq      int
	session  string
	id       json.RawMessage
	frame    wire.Frame
	form     bool
	answered bool
	withheld bool    // left open until a step answers it
	delayed  *answer // sent once its event has happened
	answer   scenarios.Answer
	// marks are the workspace's files at the moment before the answer was sent.
	marks map[string]bool
}

// open reports whether a step may answer the question.
func (q *question) open() bool { return q.withheld && !q.answered }

// answer is one scripted answer to a question, whatever the question is.
type answer struct {
	name       string // such as "permissionAnswers[0] of approval/input.json"
	text       string // as it is scripted
	permission *scenarios.Answer
	form       *scenarios.FormAnswer
}

func (a *answer) withhold() bool {
	return a.permission != nil && a.permission.Withhold || a.form != nil && a.form.Withhold
}

func (a *answer) disconnect() bool {
	return a.permission != nil && a.permission.Disconnect || a.form != nil && a.form.Disconnect
}

func (a *answer) after() *scenarios.Event {
	if a.permission != nil {
		return a.permission.After
	}
	return a.form.After
}

// dismissal answers what no answer is scripted for.
func dismissal(form bool) *answer {
	if form {
		return &answer{form: &scenarios.FormAnswer{Cancelled: true}}
	}
	return &answer{permission: &scenarios.Answer{Cancelled: true}}
}

// request takes one request of the adapter and answers it, or leaves it open, as scripted.
func (s *Scenario) request(r wire.Record) {
	form := r.Frame.Method == methodForm && s.showsForms()
	if r.Frame.Method != methodPermission && !form {
		s.queue(reply{frame: errorFrame(r.Frame.ID, -32601, "the editor has no such method")})
		return
	}
	q := &question{seq: r.Seq, session: r.Session, id: r.Frame.ID, frame: r.Frame, form: form}
	s.questions = append(s.questions, q)
	a, scripted := s.script.nextAnswer(form)
	if !scripted {
		if s.script.strict {
			s.Check(questionsAnswered, nil, false, s.place(r.Seq, "", "no question, or a scripted answer for it", short(r.Frame.Params)),
				"the editor was asked a question that the script has no answer for")
		}
		s.settleQuestion(q, dismissal(form))
		return
	}
	s.holdTo(q, a)
	switch {
	case a.withhold():
		q.withheld = true
	case a.after() != nil:
		q.delayed = a
	default:
		s.settleQuestion(q, a)
	}
}

// holdTo checks that the question is the one that the answer is meant for.
func (s *Scenario) holdTo(q *question, a *answer) {
	const name = "the question is the expected one"
	differs := func(pointer, what, want, got string) {
		s.Check(name, nil, false, s.place(q.seq, pointer, want, got), "%s expects another question: its %s is %s, not %s", a.name, what, got, want)
	}
	session := func(want int) {
		if got := s.number(q.session); want > 0 && want != got {
			differs("/params/sessionId", "session", fmt.Sprint(want), fmt.Sprint(got))
		}
	}
	switch {
	case a.permission != nil && a.permission.Expect != nil:
		e := a.permission.Expect
		session(e.Session)
		call := s.callOf(q)
		if e.ToolCall != "" && !call.is(e.ToolCall) {
			differs("/params/toolCall", "tool call", fmt.Sprintf("%q", e.ToolCall), call.String())
		}
		if e.Title != "" && e.Title != call.title {
			differs("/params/toolCall", "title", fmt.Sprintf("%q", e.Title), fmt.Sprintf("%q", call.title))
		}
		var kinds []string
		for _, o := range optionsOf(q.frame.Params) {
			kinds = append(kinds, o.Kind)
		}
		if e.Kinds != nil && !slices.Equal(e.Kinds, kinds) {
			differs("/params/options", "kinds of options", fmt.Sprintf("%q", e.Kinds), fmt.Sprintf("%q", kinds))
		}
	case a.form != nil && a.form.Expect != nil:
		e := a.form.Expect
		session(e.Session)
		f := formOf(q.frame.Params)
		if !strings.Contains(f.Message, e.Message) {
			differs("/params/message", "message", fmt.Sprintf("%q", e.Message), fmt.Sprintf("%q", f.Message))
		}
		var names []string
		for _, field := range f.Fields {
			names = append(names, field.Name)
		}
		if e.Fields != nil && !slices.Equal(e.Fields, names) {
			differs("/params/requestedSchema", "fields", fmt.Sprintf("%q", e.Fields), fmt.Sprintf("%q", names))
		}
	}
}

// calledTool is the tool call that a question is about, as the editor knows it.
type calledTool struct {
	id, title string
	input     json.RawMessage
}

func (c calledTool) String() string { return fmt.Sprintf("%q with the input %s", c.id, c.input) }

// is reports whether the text is the call's id or stands in a text of its input, whatever escapes that was written with.
func (c calledTool) is(text string) bool {
	v, ok := valueOf(c.input)
	return c.id == text || ok && holds(v, text)
}

func holds(v any, text string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, text)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return holds(e, text) })
	case map[string]any:
		for _, e := range v {
			if holds(e, text) {
				return true
			}
		}
	}
	return false
}

// callOf gives the tool call that a question is about: what the question says of it, else what was announced.
func (s *Scenario) callOf(q *question) calledTool {
	call := wire.Lookup(q.frame.Params, "toolCall")
	c := calledTool{id: wire.LookupString(call, "toolCallId"), title: wire.LookupString(call, "title"), input: wire.Lookup(call, "rawInput")}
	for _, r := range s.log.Records() {
		u := toolUpdateOf(r)
		if u == nil || r.Session != q.session || u.ID != c.id {
			continue
		}
		if c.title == "" {
			c.title = u.Title
		}
		if c.input == nil {
			c.input = u.RawInput
		}
	}
	return c
}

// about reports whether a question is about this text.
func (s *Scenario) about(q *question, text string) bool {
	if q.form {
		return strings.Contains(formOf(q.frame.Params).Message, text)
	}
	return s.callOf(q).is(text)
}
