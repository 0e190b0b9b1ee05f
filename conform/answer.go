package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
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
		s.replyTo(q, json.RawMessage(`{"outcome":{"outcome":"cancelled"}}`), nil, false)
	}
	s.Check("the scripted answer is possible", nil, false, s.place(q.seq, pointer, a.text, short(q.frame.Params)), "%s %s", a.name, why)
}

func (s *Scenario) settlePermission(q *question, p scenarios.Answer, a *answer) {
	if p.Result != nil || p.Error != nil {
		q.answer = p
		s.replyTo(q, p.Result, p.Error, true)
		return
	}
	q.answer = scenarios.Answer{Cancelled: true}
	if p.Cancelled {
		s.replyTo(q, json.RawMessage(`{"outcome":{"outcome":"cancelled"}}`), nil, false)
		return
	}
	id, ok := optionID(q.frame.Params, p)
	if !ok {
		s.impossible(q, a, "/params/options", "names an option that was not offered")
		return
	}
	q.answer = p
	s.replyTo(q, json.RawMessage(text(struct {
		Outcome any `json:"outcome"`
	}{struct {
		Outcome  string `json:"outcome"`
		OptionID string `json:"optionId"`
	}{"selected", id}})), nil, false)
}

// replyTo queues a result, or an error where there is no result.
func (s *Scenario) replyTo(q *question, result, failure json.RawMessage, raw bool) {
	member := `"result":` + string(result)
	switch {
	case result == nil:
		member = `"error":` + string(failure)
	case failure != nil:
		member += `,"error":` + string(failure)
	}
	s.queue(reply{frame: []byte(`{"jsonrpc":"2.0","id":` + string(q.id) + `,` + member + `}`), raw: raw})
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
