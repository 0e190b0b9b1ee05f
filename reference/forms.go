package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// form is one request of the host for user input, shown to the client as a form (muse-adapter.md §8). The host's
// request and its notification make one.
type form struct {
	s       *session
	v       muse.UserInput
	open    bool      // the client is asked
	settled bool      // the host said so
	changed time.Time // last change of what the host published or accepted

	schema json.RawMessage // what the client is asked for
	again  bool            // by the fault form-asked-twice
	early  bool            // by the fault form-declined-before-answer
}

// heard implements question.
func (f *form) heard(r reply) { f.s.inbox.post(formReply{f, r}) }

// Why user input is cancelled, as the host is told.
const (
	reasonDeclined = "client declined"
	reasonInvalid  = "client input failed validation or delivery"
	reasonNoForms  = "client has no form elicitation support"
)

// maxFreeText is the most characters of an answer in free text (msp.md §6.7).
const maxFreeText = 500

// userInput asks the client what the host wants to know from the user. A client that shows no forms is not asked, and
// the turn fails; nothing ever counts as answered (ACP-ELIC-01, ACP-ELIC-02).
func (s *session) userInput(v muse.UserInput) {
	t := s.turn
	if t.ended || t.cancelled || t.failure != nil || !s.mine(v.SessionID) || !t.owns(v.TurnID) || v.UserInputID == "" {
		return
	}
	if t.forms[v.UserInputID] != nil {
		return
	}
	f := &form{s: s, v: v, changed: now()}
	t.formOrder = append(t.formOrder, f)
	t.forms[v.UserInputID] = f
	if !s.a.forms.Load() && s.a.fault(FormInvented) {
		id := newCommandID()
		s.inputCommand(f, "userInput/answer", id, inputAnswerParams{id, s.id, v.UserInputID, firstOptions(v.Questions)})
		return
	}
	if !s.a.forms.Load() && !s.a.fault(FormUnasked) {
		s.cancelInput(f, reasonNoForms)
		s.fail(localFailure("userInputUnsupported", "Muse requested user input but the client did not advertise form elicitation"))
		return
	}
	if s.a.fault(ShowsNoForm) {
		s.cancelInput(f, reasonDeclined)
		return
	}
	schema, err := formSchema(v.Questions)
	if err != nil {
		s.cancelInput(f, reasonInvalid)
		s.fail(localFailure("userInputInvalid", "Muse requested user input that cannot be shown: "+err.Error()))
		return
	}
	s.askForm(f, schema)
}

// askForm sends the form to the client.
func (s *session) askForm(f *form, schema json.RawMessage) {
	v := f.v
	s.declineFirst(f)
	f.open, f.schema = true, schema
	line, err := rpc.EncodeRequest(s.a.calls.register(f), acp.ClientMethodElicitationCreate, formParams{
		Mode: "form", SessionID: s.id, Message: formMessage(v), Schema: schema,
		Meta: formMeta{v.UserInputID, v.TurnID, v.ToolCallID, v.ToolName},
	})
	if err != nil {
		s.fail(localFailure("encode", "the form cannot be written"))
		return
	}
	s.a.out.Send(line)
}

// inputSettled takes that the host has what it wanted, or does not want it any more. A form that is open stays open at
// the client; its answer decides nothing.
func (s *session) inputSettled(v muse.Settled) {
	if f := s.turn.forms[v.UserInputID]; f != nil && s.mine(v.SessionID) {
		f.settled = true
		if s.a.fault(LateFormAnswer) {
			return
		}
		f.open = false
		s.a.calls.forget(f)
	}
}

// formAnswered takes the client's answer. One that comes too late is ignored (muse-adapter.md §8, last row).
func (s *session) formAnswered(f *form, r reply) {
	t := s.turn
	if s.lateFormAnswer(f, r) {
		return
	}
	if f.early || !f.open || t == nil || t.ended || t.cancelled || t.failure != nil {
		return
	}
	f.open, f.changed = false, now()
	if s.a.fault(FormTwice) && !f.again {
		f.again = true
		s.askForm(f, f.schema)
		return
	}
	answers, declined, trouble := readForm(r, f.v.Questions)
	if s.a.fault(FormDismissed) && declined || trouble != nil && (s.a.fault(FormUnchecked) && trouble.client == nil || s.a.fault(FormErrorAnswers) && trouble.client != nil) {
		answers, declined, trouble = firstOptions(f.v.Questions), false, nil
	}
	switch {
	case trouble != nil:
		s.cancelInput(f, reasonInvalid)
		s.fail(trouble)
	case declined:
		s.cancelInput(f, reasonDeclined)
		if s.a.fault(DeclineEndsTurn) {
			s.fail(localFailure("userInputDeclined", "the client declined the user input"))
		}
	default:
		id := newCommandID()
		s.inputCommand(f, "userInput/answer", id, inputAnswerParams{id, s.id, f.v.UserInputID, answers})
	}
}

func (s *session) cancelInput(f *form, reason string) {
	id := newCommandID()
	s.inputCommand(f, "userInput/cancel", id, inputCancelParams{id, s.id, f.v.UserInputID, reason})
}

// inputCommand sends a command about user input, once. That it was settled before is quiet; any other refusal fails
// the turn.
func (s *session) inputCommand(f *form, method, id string, params any) {
	t := s.turn
	err := s.host.Request(method, params, func(r muse.Reply) {
		if s.turn != t || t.ended || t.cancelled {
			return
		}
		f.changed = now()
		if _, err := r.Acked(id); code(err) == muse.CodeInputSettled {
			f.settled = true
		} else if err != nil {
			s.fail(hostFailure(err, "the answer to its request for user input"))
		}
	})
	if err != nil {
		s.fail(localFailure("encode", "the answer for Muse cannot be written"))
	}
}

// endForms gives up on the forms that are open: nothing is sent to the client, and what it answers is ignored.
func (s *session) endForms() {
	if s.turn == nil || s.a.fault(LateFormAnswer) {
		return
	}
	for _, f := range s.turn.formOrder {
		f.open = false
		s.a.calls.forget(f)
	}
}

func (f *form) waits() bool { return !f.settled && !f.open }

// The params of elicitation/create and of the commands about user input, in the order of their members.
type (
	formParams struct {
		Mode      string          `json:"mode"`
		SessionID acp.SessionId   `json:"sessionId"`
		Message   string          `json:"message"`
		Schema    json.RawMessage `json:"requestedSchema"`
		Meta      formMeta        `json:"_meta"`
	}
	formMeta struct {
		UserInputID string `json:"museUserInputId"`
		TurnID      string `json:"museTurnId"`
		ToolCallID  string `json:"museToolCallId"`
		ToolName    string `json:"museToolName"`
	}
	formProperty struct {
		Type        string     `json:"type"`
		Title       string     `json:"title,omitempty"`
		Description string     `json:"description,omitempty"`
		Enum        []string   `json:"enum,omitempty"`
		Items       *formItems `json:"items,omitempty"`
		MinItems    *int       `json:"minItems,omitempty"`
		MaxItems    *int       `json:"maxItems,omitempty"`
		MaxLength   int        `json:"maxLength,omitempty"`
	}
	formItems struct {
		Type string   `json:"type"`
		Enum []string `json:"enum"`
	}
	inputAnswerParams struct {
		CommandID   string             `json:"commandId"`
		SessionID   acp.SessionId      `json:"sessionId"`
		UserInputID string             `json:"userInputId"`
		Answers     []muse.InputAnswer `json:"answers"`
	}
	inputCancelParams struct {
		CommandID   string        `json:"commandId"`
		SessionID   acp.SessionId `json:"sessionId"`
		UserInputID string        `json:"userInputId"`
		Reason      string        `json:"reason"`
	}
)

func formMessage(v muse.UserInput) string {
	var questions []string
	for _, q := range v.Questions {
		if q.Question != "" {
			questions = append(questions, q.Question)
		}
	}
	if len(questions) == 0 {
		return "Muse requested input for " + v.ToolName
	}
	return strings.Join(questions, "\n")
}

// formSchema is the flat schema of one form with all questions, each of them required (ACP-ELIC-04).
func formSchema(questions []muse.Question) (json.RawMessage, error) {
	if len(questions) == 0 {
		return nil, errors.New("there is no question")
	}
	var ids []string
	var properties strings.Builder
	for _, q := range questions {
		if q.ID == "" || slices.Contains(ids, q.ID) {
			return nil, errors.New("a question has no id of its own")
		}
		ids = append(ids, q.ID)
		p := formProperty{Type: "string", Title: q.Header, Description: q.Question}
		labels := labelsOf(q)
		switch {
		case len(labels) == 0:
			p.MaxLength = maxFreeText
		case q.Selection.Mode == muse.Multiple:
			low, high := bounds(q)
			p.Type, p.Items, p.MinItems, p.MaxItems = "array", &formItems{"string", labels}, &low, &high
		default:
			p.Enum = labels
		}
		property, err := rpc.Encode(p)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		fmt.Fprintf(&properties, ",%s:%s", quote(q.ID), property[:len(property)-1])
	}
	required, err := rpc.Encode(ids)
	if err != nil {
		return nil, fmt.Errorf("the ids of the questions: %w", err)
	}
	return fmt.Appendf(nil, `{"type":"object","required":%s,"properties":{%s}}`, required[:len(required)-1], properties.String()[1:]), nil
}

func labelsOf(q muse.Question) []string {
	var labels []string
	for _, o := range q.Options {
		labels = append(labels, o.Label)
	}
	return labels
}

// bounds are how many options a question takes: by default from one to all.
func bounds(q muse.Question) (low, high int) {
	low, high = 1, len(q.Options)
	if q.Selection.Min != nil {
		low = *q.Selection.Min
	}
	if q.Selection.Max != nil {
		high = *q.Selection.Max
	}
	return low, high
}

// readForm decodes the answer to a form and checks it once more (ACP-ELIC-07, ACP-ELIC-09): answers, or that the user
// declined, or why it is neither.
func readForm(r reply, questions []muse.Question) (answers []muse.InputAnswer, declined bool, trouble *failure) {
	invalid := func(format string, args ...any) *failure {
		return localFailure("elicitationInvalid", fmt.Sprintf(format, args...))
	}
	switch {
	case r.broken:
		return nil, false, invalid("elicitation answer has both a result and an error")
	case r.err != nil:
		f := localFailure("requestError", "the client refused the elicitation")
		f.outcome, f.client = "failed", readClientError(r.err)
		return nil, false, f
	}
	result, _ := object(r.result)
	switch action, _ := text(result["action"]); action {
	case "decline", "cancel":
		return nil, true, nil
	case "accept":
	default:
		return nil, false, invalid("elicitation answer has no action that is known")
	}
	content, _ := object(result["content"])
	for _, q := range questions {
		raw := content[q.ID]
		if len(raw) == 0 || string(raw) == "null" {
			return nil, false, invalid("elicitation is missing required answer for %s", q.ID)
		}
		answer := muse.InputAnswer{QuestionID: q.ID}
		labels := labelsOf(q)
		switch {
		case len(labels) == 0:
			s, ok := text(raw)
			if !ok {
				return nil, false, invalid("elicitation answer is no text for %s", q.ID)
			}
			if utf8.RuneCountInString(s) > maxFreeText {
				return nil, false, invalid("elicitation answer exceeds %d characters for %s", maxFreeText, q.ID)
			}
			answer.FreeText = &s
		case q.Selection.Mode == muse.Multiple:
			if answer.SelectedLabels = selections(raw, labels); answer.SelectedLabels == nil {
				return nil, false, invalid("elicitation has invalid selections for %s", q.ID)
			}
			if low, high := bounds(q); len(answer.SelectedLabels) < low || len(answer.SelectedLabels) > high {
				return nil, false, invalid("elicitation has invalid selections for %s", q.ID)
			}
		default:
			s, ok := text(raw)
			if !ok || !slices.Contains(labels, s) {
				return nil, false, invalid("elicitation selected unknown option for %s", q.ID)
			}
			answer.SelectedLabel = &s
		}
		answers = append(answers, answer)
	}
	return answers, false, nil
}

// selections reads several labels: each one of those given, and none twice. Anything else is nil.
func selections(raw json.RawMessage, labels []string) []string {
	if raw[0] != '[' {
		return nil
	}
	items, ok := list(raw)
	if !ok {
		return nil
	}
	chosen := []string{}
	for _, item := range items {
		s, ok := text(item)
		if !ok || !slices.Contains(labels, s) || slices.Contains(chosen, s) {
			return nil
		}
		chosen = append(chosen, s)
	}
	return chosen
}
