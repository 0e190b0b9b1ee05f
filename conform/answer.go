package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding %T: %w", v, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Answer tells how the editor will answer the next question that no earlier answer is for.
func (s *Scenario) Answer(a scenarios.Answer) error {
	if err := s.script.tellAnswer(a); err != nil {
		return s.Harness("%v", err)
	}
	return nil
}

// request answers one request of the adapter, or leaves it open as scripted.
func (s *Scenario) request(r wire.Record) {
	if r.Frame.Method != methodPermission {
		s.send(errorFrame(r.Frame.ID, -32601, "the editor has no such method"))
		return
	}
	q := &question{seq: r.Seq, session: r.Session, id: r.Frame.ID, frame: r.Frame}
	s.questions = append(s.questions, q)
	answer, index, scripted := s.script.nextAnswer()
	switch {
	case !scripted:
		if s.script.strict {
			s.Check("the script answers every question", nil, false, s.place(r.Seq, "", "no question, or a scripted answer for it", short(r.Frame.Params)),
				"the editor was asked a question that the script has no answer for")
		}
		s.settleQuestion(q, scenarios.Answer{Cancelled: true})
	case answer.Withhold:
		q.withheld = true
	default:
		s.settleQuestion(q, answer)
		if !reflect.DeepEqual(q.answer, answer) && s.script.strict {
			s.Check("the scripted answer is possible", nil, false, s.place(q.seq, "/params/options", compact(answer), short(wire.Lookup(r.Frame.Params, "options"))),
				"permissionAnswers[%d] of %s names an option that was not offered", index, s.script.file)
		}
	}
}

// settleQuestion sends the answer in a round of its own. An answer that names no offered option is sent as cancelled.
func (s *Scenario) settleQuestion(q *question, a scenarios.Answer) {
	if a.Result != nil || a.Error != nil {
		q.answer = a
		s.asScripted[s.reply(q, a.Result, a.Error)] = true
		return
	}
	outcome := map[string]any{"outcome": "cancelled"}
	if id, ok := optionID(q.frame.Params, a); ok {
		outcome = nil
		q.answer = a
		s.reply(q, json.RawMessage(text(struct {
			Outcome any `json:"outcome"`
		}{struct {
			Outcome  string `json:"outcome"`
			OptionID string `json:"optionId"`
		}{"selected", id}})), nil)
		return
	}
	q.answer = scenarios.Answer{Cancelled: true}
	s.reply(q, json.RawMessage(text(map[string]any{"outcome": outcome})), nil)
}

// reply sends a result, or an error where there is no result. It gives the place of the answer in the log.
func (s *Scenario) reply(q *question, result, failure json.RawMessage) int {
	q.answered, q.withheld = true, false
	q.marks = s.world.files()
	member := `"result":` + string(result)
	if result == nil {
		member = `"error":` + string(failure)
	}
	return s.send([]byte(`{"jsonrpc":"2.0","id":` + string(q.id) + `,` + member + `}`))
}

func errorFrame(id json.RawMessage, code int, message string) []byte {
	return []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, text(message)))
}

// option is one choice that the adapter offers.
type option struct {
	ID   string `json:"optionId"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

func optionsOf(params json.RawMessage) []option {
	var p struct {
		Options []option `json:"options"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil
	}
	return p.Options
}

// optionID gives the option that a scripted answer picks.
func optionID(params json.RawMessage, a scenarios.Answer) (string, bool) {
	if a.OptionID != "" {
		return a.OptionID, true
	}
	options := optionsOf(params)
	i := slices.IndexFunc(options, func(o option) bool {
		return a.Kind != "" && o.Kind == a.Kind || a.Name != "" && o.Name == a.Name
	})
	if i < 0 {
		return "", false
	}
	return options[i].ID, true
}

// answerOpen answers the oldest question of the session that was left open, and waits for what follows from it: the
// end of the turn, or the next question that is left open. When no turn runs any more, nothing may follow and nothing is waited for.
func (s *Scenario) answerOpen(step scenarios.Step, session string) error {
	i := slices.IndexFunc(s.questions, func(q *question) bool { return q.withheld && q.session == session })
	if i < 0 {
		s.giveUp(fmt.Errorf("session %d has no open question to answer", slices.Index(s.sessions, session)+1))
		return nil
	}
	q := s.questions[i]
	var running bool
	s.log.Look(func(v wire.View) { running = s.running(v, session) })
	s.settleQuestion(q, *step.Answer)
	if !running {
		return nil
	}
	asked := len(s.questions)
	others := slices.ContainsFunc(s.questions, func(o *question) bool { return o.withheld && o.session == session })
	call := wire.LookupString(q.frame.Params, "toolCall", "toolCallId")
	from := len(s.log.Records()) - 1
	s.settle("nothing followed the answer", s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		// A further question that is answered as scripted is not what the step waits for.
		if !s.running(v, session) || slices.ContainsFunc(s.questions[asked:], func(o *question) bool { return o.withheld && o.session == session }) {
			return true
		}
		// While another question keeps the turn from going on, the end of this tool call is all that can follow.
		return others && slices.ContainsFunc(v.Records()[from:], func(r wire.Record) bool {
			u := toolUpdateOf(r)
			return u != nil && r.Session == session && u.ID == call && u.closed()
		})
	})
	return nil
}
