package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

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

// Answer tells how the editor will answer the next request for permission that no earlier answer is for.
func (s *Scenario) Answer(a scenarios.Answer) error {
	if err := s.script.tellAnswer(a); err != nil {
		return s.Harness("%v", err)
	}
	return nil
}

// AnswerForm tells how the editor will answer the next form that no earlier answer is for.
func (s *Scenario) AnswerForm(a scenarios.FormAnswer) error {
	if err := s.script.tellFormAnswer(a); err != nil {
		return s.Harness("%v", err)
	}
	return nil
}

// reply is one answer that waits to be sent.
type reply struct {
	frame []byte
	raw   bool // the script gives its bytes
}

// queue lets an answer wait for those that are sent with it.
func (s *Scenario) queue(r reply) { s.replies = append(s.replies, r) }

// sendReplies sends all answers that wait, in one write and one round: an adapter that takes the first one must not
// decide by its speed in which round the others are.
func (s *Scenario) sendReplies() {
	if len(s.replies) == 0 {
		return
	}
	var frames [][]byte
	for _, r := range s.replies {
		frames = append(frames, r.frame)
	}
	s.send(frames...)
	records := s.log.Records()
	for _, r := range s.replies {
		if !r.raw {
			continue
		}
		for i := len(records) - 1; i >= 0; i-- {
			if records[i].Lane == wire.Client && records[i].Dir == wire.ToAdapter && bytes.Equal(records[i].Data, r.frame) {
				s.asScripted[i] = true
				break
			}
		}
	}
	s.replies = nil
}

// settleQuestion answers a question. An answer that names what was not offered is sent as a dismissal, and fails the run,
// strict or not.
func (s *Scenario) settleQuestion(q *question, a *answer) {
	q.answered, q.withheld, q.delayed = true, false, nil
	q.marks = s.world.files()
	switch {
	case a.disconnect():
		s.hungUp = true
	case q.form != (a.form != nil):
		s.impossible(q, a, "", "is no answer to this question")
	case q.form:
		s.settleForm(q, *a.form, a)
	default:
		s.settlePermission(q, *a.permission, a)
	}
}

// impossible sends a dismissal in place of an answer that cannot be given, and fails the run: whoever wrote it meant
// another question, which leniency about what nobody wrote does not excuse (REQ-SNAP-04).
func (s *Scenario) impossible(q *question, a *answer, pointer, why string) {
	if q.form {
		s.replyTo(q, json.RawMessage(`{"action":"cancel"}`), nil, false)
	} else {
		s.replyTo(q, dismissed(), nil, false)
	}
	s.Check(answerPossible, nil, false, s.place(q.seq, pointer, a.text, short(q.frame.Params)), "%s %s", a.name, why)
}

// settlePermission sends what is scripted for a permission. Of several answers the first one to the question counts.
func (s *Scenario) settlePermission(q *question, p scenarios.Answer, a *answer) {
	counted := false
	for each := &p; each != nil; each = each.Then {
		if !s.respond(q, *each, counted, a) {
			return
		}
		counted = counted || !each.OtherID
	}
}

// respond sends one answer to a permission, or one that looks like it. It reports whether the answer could be given.
func (s *Scenario) respond(q *question, p scenarios.Answer, counted bool, a *answer) bool {
	id := q.id
	if p.OtherID {
		id = otherType(id)
	}
	counts := !counted && !p.OtherID
	if counts {
		q.answer = scenarios.Answer{Cancelled: true}
	}
	switch {
	case p.Body != "":
		s.queue(reply{frame: response(id, p.Body), raw: true})
		p = scenarios.Answer{Result: wire.Lookup([]byte("{"+p.Body+"}"), "result")} // of equal members the last, as most readers have it
	case p.Result != nil || p.Error != nil:
		s.queue(reply{frame: response(id, outcomeOf(p.Result, p.Error)), raw: true})
	case p.Cancelled:
		s.queue(reply{frame: response(id, outcomeOf(dismissed(), nil)), raw: !counts})
		return true
	default:
		option, ok := optionID(q.frame.Params, p)
		if !ok {
			s.impossible(q, a, "/params/options", "names an option that was not offered")
			return false
		}
		result := json.RawMessage(text(struct {
			Outcome any `json:"outcome"`
		}{struct {
			Outcome  string `json:"outcome"`
			OptionID string `json:"optionId"`
		}{"selected", option}}))
		s.queue(reply{frame: response(id, outcomeOf(result, nil)), raw: !counts})
	}
	if counts {
		q.answer = p
	}
	return true
}

// otherType gives an id in the other type of JSON, where it can be written so: the text "7" for the number 7, and the
// number for the text. Of any other text it is the text in quotes, which is an id that nobody gave.
func otherType(id json.RawMessage) json.RawMessage {
	var name string
	var n int64
	if json.Unmarshal(id, &name) == nil && json.Unmarshal([]byte(name), &n) == nil && strconv.FormatInt(n, 10) == name {
		return json.RawMessage(name)
	}
	return json.RawMessage(text(string(id)))
}

func dismissed() json.RawMessage { return json.RawMessage(`{"outcome":{"outcome":"cancelled"}}`) }

// replyTo queues a result, or an error where there is no result.
func (s *Scenario) replyTo(q *question, result, failure json.RawMessage, raw bool) {
	s.queue(reply{frame: response(q.id, outcomeOf(result, failure)), raw: raw})
}

// outcomeOf are the members of a response that say what came of the request.
func outcomeOf(result, failure json.RawMessage) string {
	switch {
	case result == nil:
		return `"error":` + string(failure)
	case failure != nil:
		return `"result":` + string(result) + `,"error":` + string(failure)
	}
	return `"result":` + string(result)
}

func response(id json.RawMessage, outcome string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":` + string(id) + `,` + outcome + `}`)
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

func short(b json.RawMessage) string {
	const most = 200
	if len(b) > most {
		return string(b[:most]) + "…"
	}
	return string(b)
}
