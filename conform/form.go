package conform

import (
	"encoding/json"
	"fmt"
	"slices"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// methodForm is the request that shows a form.
const methodForm = "elicitation/create"

// showsForms reports whether the client advertised that it shows forms. One that did not has no such method.
func (s *Scenario) showsForms() bool {
	for _, r := range s.log.Records() {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Method == methodInitialize {
			return advertises(r.Frame.Params, "form")
		}
	}
	return false
}

// advertises reports whether capabilities offer a mode of elicitation: its member is an object (ACP-ELIC-01).
func advertises(initialize json.RawMessage, mode string) bool {
	raw := wire.Lookup(initialize, "clientCapabilities", "elicitation", mode)
	return len(raw) > 0 && raw[0] == '{'
}

// Field is one field of a form, as the adapter asked for it.
type Field struct {
	Name        string
	Title       string
	Description string
	Several     bool     // it takes several texts
	Choices     []string // what can be chosen; nil where anything can be written
	Required    bool
}

// called reports whether a word means the field.
func (f Field) called(word string) bool {
	return word == f.Name || word == f.Title || word == f.Description
}

type form struct {
	Message string
	Fields  []Field
}

// property is what of a property's schema says how a field is shown.
type property struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Enum        []string `json:"enum"`
	OneOf       []named  `json:"oneOf"`
	Items       struct {
		Enum  []string `json:"enum"`
		AnyOf []named  `json:"anyOf"`
	} `json:"items"`
}

type named struct {
	Const string `json:"const"`
}

func formOf(params json.RawMessage) form {
	f := form{Message: wire.LookupString(params, "message")}
	var required []string
	json.Unmarshal(wire.Lookup(params, "requestedSchema", "required"), &required)
	members, err := wire.Members(wire.Lookup(params, "requestedSchema", "properties"))
	if err != nil {
		return f
	}
	for _, m := range members {
		var p property
		json.Unmarshal(m.Value, &p)
		field := Field{Name: m.Name, Title: p.Title, Description: p.Description, Several: p.Type == "array", Required: slices.Contains(required, m.Name)}
		field.Choices = append(append([]string(nil), p.Enum...), p.Items.Enum...)
		for _, n := range append(p.OneOf, p.Items.AnyOf...) {
			field.Choices = append(field.Choices, n.Const)
		}
		f.Fields = append(f.Fields, field)
	}
	return f
}

// settleForm answers a form.
func (s *Scenario) settleForm(q *question, a scenarios.FormAnswer, scripted *answer) {
	switch {
	case a.Result != nil || a.Error != nil:
		s.replyTo(q, a.Result, a.Error, true)
	case a.Declined:
		s.replyTo(q, json.RawMessage(`{"action":"decline"}`), nil, false)
	case a.Cancelled:
		s.replyTo(q, json.RawMessage(`{"action":"cancel"}`), nil, false)
	case a.Content != nil:
		s.replyTo(q, json.RawMessage(`{"action":"accept","content":`+string(a.Content)+`}`), nil, true)
	default:
		content, missing := fill(formOf(q.frame.Params), a.Fill)
		if missing != "" {
			s.impossible(q, scripted, "/params/requestedSchema", fmt.Sprintf("fills in the field %q, which the form does not have", missing))
			return
		}
		s.replyTo(q, json.RawMessage(`{"action":"accept","content":`+content+`}`), nil, false)
	}
}

// fill makes the content of a form. It gives the first field that the form does not have.
func fill(f form, fields []scenarios.Field) (content, missing string) {
	for i, field := range fields {
		at := slices.IndexFunc(f.Fields, func(x Field) bool { return x.called(field.Field) })
		if at < 0 {
			return "", field.Field
		}
		if i > 0 {
			content += ","
		}
		content += text(f.Fields[at].Name) + ":" + string(field.Value)
	}
	return "{" + content + "}", ""
}

// Form is a form that the adapter asked the client to show.
type Form struct {
	Seq      int
	Session  int // counted from 1; 0 for a session that the client does not know
	Message  string
	Fields   []Field
	Params   json.RawMessage
	Answered bool
}

// Forms lists the forms in the order of the log, those included that the editor had no method for.
func (s *Scenario) Forms() []Form {
	var list []Form
	records := s.log.Records()
	for _, r := range records {
		if r.Lane != wire.Client || r.Dir != wire.FromAdapter || r.Frame.Kind != wire.Request || r.Frame.Method != methodForm {
			continue
		}
		f := formOf(r.Frame.Params)
		out := Form{Seq: r.Seq, Session: s.number(r.Session), Message: f.Message, Fields: f.Fields, Params: r.Frame.Params}
		_, out.Answered = answerTo(records, r.Seq)
		list = append(list, out)
	}
	return list
}
