package fakemuse

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// question is one question to the user. It stays in its session after it was settled.
type question struct {
	id      string
	turn    *turn
	spec    *Ask
	item    item
	cursor  int
	params  json.RawMessage // of userInput/requested and, the first time, of the request
	again   json.RawMessage // of the request when it is made again
	engaged bool            // the user is at it: it does not expire
	settled *settlement
}

// settlement is how a question ended.
type settlement struct {
	outcome   string // answered, cancelled, interrupted, clarified, timedOut, aborted
	answers   []json.RawMessage
	clarified json.RawMessage
	reason    *string
	commandID *string
	output    string
	cursor    string
}

type questionParams struct {
	SessionID   string       `json:"sessionId"`
	UserInputID string       `json:"userInputId"`
	TurnID      string       `json:"turnId"`
	ItemID      string       `json:"itemId"`
	ToolCallID  string       `json:"toolCallId"`
	ToolName    string       `json:"toolName"`
	ViewCursor  string       `json:"viewCursor"`
	SourceRange *sourceRange `json:"sourceRange,omitempty"`
	Questions   []Question   `json:"questions"`
	AutoMs      int          `json:"autoResolutionMs,omitempty"`
}

type settledParams struct {
	view
	UserInputID string            `json:"userInputId"`
	Outcome     string            `json:"outcome"`
	Answers     []json.RawMessage `json:"answers"`
	Clarified   json.RawMessage   `json:"clarification"`
	Reason      *string           `json:"reason"`
	CommandID   *string           `json:"decidedByCommandId"`
	DecidedAt   *string           `json:"decidedAt,omitempty"`
}

const askTool = "request_user_input"

// ask asks the user, by a tool call that ends when the question is settled (msp.md §6.7).
func (t *turn) ask(spec *Ask, index int) error {
	if t.open == nil {
		args := spec.Args
		if args == "" {
			args = string(encode(struct {
				Questions []Question `json:"questions"`
			}{spec.Questions}))
		}
		t.report("tool_calls")
		t.startTool(firstOf(spec.Name, askTool), t.callID(spec.CallID, index), args, nil)
		if !t.host.dialogs {
			t.open.end(toolFailed("the client cannot ask the user"))
			return nil
		}
		t.openQuestion(spec)
	}
	q := t.open.question
	for q.settled == nil {
		if spec.Expires != "" && !q.engaged {
			if t.session.server.events[spec.Expires] {
				q.settle(settlement{outcome: "timedOut"})
				break
			}
			t.waiting = spec.Expires
		}
		err := t.park()
		t.waiting = ""
		if err != nil {
			return err
		}
	}
	end := q.end()
	if spec.Output != nil {
		end.output = *spec.Output
	}
	t.open.end(end)
	return nil
}

// newQuestion makes the question of the open tool call.
func (t *turn) newQuestion(spec *Ask, id string) *question {
	s := t.session
	q := &question{id: id, turn: t, spec: spec, item: t.open.item}
	t.open.question = q
	s.inputs[q.id] = q
	s.questions = append(s.questions, q)
	return q
}

func (t *turn) openQuestion(spec *Ask) {
	s := t.session
	q := t.newQuestion(spec, t.open.item.ItemID)
	v := s.next(t.fresh())
	q.present(v, s.cursor)
	s.events = append(s.events, event{cursor: q.cursor, method: "userInput/requested", params: q.params, durable: true})
	s.attention()
	if s.server.variants.has(inputNotifiedFirst) {
		s.deliver("userInput/requested", q.params)
		t.host.sendRequest("userInput/request", q.id, q.params)
		return
	}
	t.host.sendRequest("userInput/request", q.id, q.params)
	s.deliver("userInput/requested", q.params)
}

// present makes the params of a question that was opened at a place of the view. When it is asked again, that is no
// event, so it has no source.
func (q *question) present(v view, cursor int) {
	q.cursor = cursor
	p := questionParams{
		SessionID: v.SessionID, UserInputID: q.id, TurnID: q.turn.id, ItemID: q.item.ItemID, ToolCallID: q.item.CallID,
		ToolName: q.item.Tool, ViewCursor: v.ViewCursor, SourceRange: v.SourceRange, Questions: q.spec.Questions,
		AutoMs: q.spec.AutoResolutionMs,
	}
	q.params = encode(p)
	p.SourceRange = nil
	q.again = encode(p)
}

// end is how the tool call of a settled question ends.
func (q *question) end() outcome {
	switch s := q.settled; s.outcome {
	case "answered", "clarified":
		return outcome{status: "completed", output: s.output}
	case "timedOut":
		return outcome{status: "timedOut", reason: "the user did not answer in time", output: `{"status":"timed_out"}`}
	case "cancelled":
		reason := "cancelled"
		if s.reason != nil {
			reason = *s.reason
		}
		return outcome{status: "cancelled", reason: reason, output: "User declined to answer: " + reason}
	default:
		return outcome{status: "cancelled", reason: s.outcome}
	}
}

// settle ends a question and says so.
func (q *question) settle(end settlement) {
	s := q.turn.session
	v := s.next(q.turn.fresh())
	end.cursor = v.ViewCursor
	q.settled = &end
	p := settledParams{
		view: v, UserInputID: q.id, Outcome: end.outcome, Answers: end.answers, Clarified: end.clarified, Reason: end.reason,
		CommandID: end.commandID,
	}
	if p.Answers == nil {
		p.Answers = []json.RawMessage{}
	}
	if !s.server.variants.has(noDecidedAt) {
		at := stamp(s.clock)
		p.DecidedAt = &at
	}
	s.publish("userInput/settled", v, p)
	s.attention()
}

// check says what is wrong with answers; "" when nothing is. It also gives what the model reads.
func (q *question) check(answers []*params, partly bool) (problem, output string) {
	type shown struct {
		ID     string   `json:"id"`
		Label  string   `json:"selected_label,omitempty"`
		Labels []string `json:"selected_labels,omitempty"`
		Text   string   `json:"free_text,omitempty"`
		Note   string   `json:"note,omitempty"`
	}
	list := []shown{}
	seen := map[string]bool{}
	for _, a := range answers {
		s := shown{
			ID: a.text("questionId"), Label: a.optional("selectedLabel"), Labels: a.texts("selectedLabels"),
			Text: a.optional("freeText"), Note: a.optional("note"),
		}
		if problem := q.checkAnswer(s.ID, s.Label, s.Labels, s.Text, s.Note); problem != "" {
			return problem, ""
		}
		if seen[s.ID] {
			return fmt.Sprintf("question %s is answered twice", s.ID), ""
		}
		seen[s.ID] = true
		list = append(list, s)
	}
	for _, asked := range q.spec.Questions {
		if !seen[asked.ID] && !partly {
			return fmt.Sprintf("question %s is not answered", asked.ID), ""
		}
	}
	return "", string(encode(struct {
		Status  string  `json:"status"`
		Answers []shown `json:"answers"`
	}{"answered", list}))
}

// answerLimit is the longest free text or note, in characters (msp.md §6.7).
const answerLimit = 500

func (q *question) checkAnswer(id, label string, labels []string, text, note string) string {
	for _, asked := range q.spec.Questions {
		if asked.ID != id {
			continue
		}
		offered := map[string]bool{}
		for _, o := range asked.Options {
			offered[o.Label] = true
		}
		chosen := labels
		if label != "" {
			chosen = append([]string{label}, labels...)
		}
		for _, l := range chosen {
			if !offered[l] {
				return fmt.Sprintf("question %s does not offer %q", id, l)
			}
		}
		most, least := 1, 0
		if asked.Selection.Mode == "multiple" {
			most = len(asked.Options)
		}
		if asked.Selection.MaxSelections != nil {
			most = min(most, *asked.Selection.MaxSelections)
		}
		if asked.Selection.MinSelections != nil {
			least = *asked.Selection.MinSelections
		}
		switch {
		case len(chosen) > most || text == "" && len(chosen) < least:
			return fmt.Sprintf("question %s takes %d to %d selections", id, least, most)
		case len(chosen) == 0 && text == "":
			return fmt.Sprintf("question %s has no answer", id)
		case utf8.RuneCountInString(text) > answerLimit || utf8.RuneCountInString(note) > answerLimit:
			return fmt.Sprintf("the answer to question %s is longer than %d characters", id, answerLimit)
		}
		return ""
	}
	return fmt.Sprintf("there is no question %s", id)
}
