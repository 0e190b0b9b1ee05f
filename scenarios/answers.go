package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"acp-conform/internal/strictjson"
)

// Answer is what the client answers to one session/request_permission. Exactly one of the members before OtherID is set.
type Answer struct {
	// Kind picks the first offered option of this kind: allow_once, allow_always, reject_once or reject_always.
	Kind string `json:"kind,omitempty"`
	// Name picks the offered option with this name.
	Name string `json:"name,omitempty"`
	// OptionID is answered as it stands, offered or not.
	OptionID string `json:"optionId,omitempty"`
	// Cancelled dismisses the question.
	Cancelled bool `json:"cancelled,omitempty"`
	// Withhold leaves the question open until an "answer" step, or for ever.
	Withhold bool `json:"withhold,omitempty"`
	// Disconnect closes the client's ends of the connection while the question is open. No step can follow.
	Disconnect bool `json:"disconnect,omitempty"`
	// Result and Error are answered as they stand, whatever they are.
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
	// Body is answered as it stands, in place of the result or the error: members of the response such as "result":{},
	// for what no member of this file can hold, such as an object that has a member twice.
	Body string `json:"body,omitempty"`
	// OtherID sends the answer under the id of the question in the other type of JSON: "7" for 7, and 7 for "7". So it is
	// the answer to nothing, and Then holds the one to the question.
	OtherID bool `json:"otherId,omitempty"`
	// Then is sent right behind it, in the same write, and answers the same question: only the first answer counts.
	Then *Answer `json:"then,omitempty"`
	// After puts the answer off until something has happened.
	After *Event `json:"after,omitempty"`
	// Expect says which question this is meant to be the answer to; any other one fails the run.
	Expect *Expectation `json:"expect,omitempty"`
}

// FormAnswer is what the client answers to one elicitation/create. Exactly one of the members before After is set.
type FormAnswer struct {
	// Fill sends the form with these fields.
	Fill []Field `json:"fill,omitempty"`
	// Content sends the form with this content, as it stands.
	Content json.RawMessage `json:"content,omitempty"`
	// Declined says no to the form; Cancelled dismisses it.
	Declined  bool `json:"declined,omitempty"`
	Cancelled bool `json:"cancelled,omitempty"`
	// Withhold, Disconnect, Result, Error, After and Expect are those of an Answer.
	Withhold   bool             `json:"withhold,omitempty"`
	Disconnect bool             `json:"disconnect,omitempty"`
	Result     json.RawMessage  `json:"result,omitempty"`
	Error      json.RawMessage  `json:"error,omitempty"`
	After      *Event           `json:"after,omitempty"`
	Expect     *FormExpectation `json:"expect,omitempty"`
}

// Field is one field of a form.
type Field struct {
	// Field is the field's name in the form, its title or its description.
	Field string `json:"field"`
	// Value is a text; several texts for a field that takes several.
	Value json.RawMessage `json:"value"`
}

// Event is something that an answer waits for. Each of them is told by the log: the adapter has done it, and does
// nothing more until it is answered, if the script is right. Exactly one member is set.
type Event struct {
	// Asked is how many questions and forms the client has been asked in all.
	Asked int `json:"asked,omitempty"`
	// Shown is the text that the user has been shown in the question's session since its prompt.
	Shown string `json:"shown,omitempty"`
	// Called is a method that the adapter has called of its host since the prompt.
	Called string `json:"called,omitempty"`
	// Closed: a tool call whose input holds this text has ended, as the client was shown.
	Closed string `json:"closed,omitempty"`
	// Ended: every prompt of the question's session has its response.
	Ended bool `json:"ended,omitempty"`
}

// Expectation is what a question is held to before it is answered. Members that are absent are not looked at.
type Expectation struct {
	// Session counts the sessions of the connection from 1.
	Session int `json:"session,omitempty"`
	// ToolCall is the id of the tool call, or a part of its input such as the command.
	ToolCall string `json:"toolCall,omitempty"`
	// Title is the title of the tool call, in the question or as it was announced.
	Title string `json:"title,omitempty"`
	// Kinds are the kinds of the options, in their order.
	Kinds []string `json:"kinds,omitempty"`
}

// FormExpectation is what a form is held to before it is answered. Members that are absent are not looked at.
type FormExpectation struct {
	Session int `json:"session,omitempty"`
	// Message is a part of the form's message.
	Message string `json:"message,omitempty"`
	// Fields are the names of its fields, in their order.
	Fields []string `json:"fields,omitempty"`
}

// optionKinds are the kinds of permission options in ACP v1.
var optionKinds = []string{"allow_once", "allow_always", "reject_once", "reject_always"}

// behind are the members of an answer that go with any other.
var behind = []string{"After", "Expect", "OtherID", "Then"}

// oneMember checks that exactly one member is set, those that go with any other left out.
func oneMember(what string, answer any, apart ...string) error {
	var set int
	var names []string
	v := reflect.ValueOf(answer)
	for i := range v.NumField() {
		if slices.Contains(apart, v.Type().Field(i).Name) {
			continue
		}
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		names = append(names, name)
		if !v.Field(i).IsZero() {
			set++
		}
	}
	if set == 1 {
		return nil
	}
	last := len(names) - 1
	return fmt.Errorf("%s has exactly one of %s and %s", what, strings.Join(names[:last], ", "), names[last])
}

func (a Answer) check() error {
	one := a
	if a.Result != nil {
		one.Error = nil // an answer that is both breaks JSON-RPC, which is the point of it
	}
	if err := oneMember("an answer", one, behind...); err != nil {
		return err
	}
	if a.Kind != "" {
		if err := checkKind(a.Kind); err != nil {
			return err
		}
	}
	if err := a.checkThen(); err != nil {
		return err
	}
	if err := checkAfter(a.After, a.Withhold); err != nil {
		return err
	}
	if e := a.Expect; e != nil {
		if reflect.ValueOf(*e).IsZero() || e.Session < 0 {
			return errors.New(`"expect" holds at least one of session, toolCall, title and kinds, and the session counts from 1`)
		}
		for _, k := range e.Kinds {
			if err := checkKind(k); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkThen checks an answer of several responses.
func (a Answer) checkThen() error {
	switch {
	case a.Then == nil && a.OtherID:
		return errors.New(`what "otherId" sends answers nothing: it needs a "then"`)
	case a.Then == nil:
		return nil
	case a.Withhold || a.Disconnect:
		return errors.New(`"then" goes with an answer that is sent`)
	case a.Then.Withhold || a.Then.Disconnect || a.Then.After != nil || a.Then.Expect != nil:
		return errors.New(`"then" is sent at once, to the same question`)
	}
	return a.Then.check()
}

func checkKind(kind string) error {
	if slices.Contains(optionKinds, kind) {
		return nil
	}
	err := fmt.Sprintf("unknown kind %q", kind)
	if meant := strictjson.Nearest(kind, optionKinds); meant != "" {
		err += fmt.Sprintf("; did you mean %q?", meant)
	}
	return errors.New(err)
}

func (a FormAnswer) check() error {
	if err := oneMember("the answer to a form", a, behind...); err != nil {
		return err
	}
	for _, f := range a.Fill {
		if f.Field == "" || len(f.Value) == 0 {
			return errors.New(`each field of "fill" has a "field" and a "value"`)
		}
	}
	if a.Content != nil && !bytes.HasPrefix(a.Content, []byte("{")) {
		return errors.New(`"content" is an object; any other answer goes into "result"`)
	}
	if e := a.Expect; e != nil && (reflect.ValueOf(*e).IsZero() || e.Session < 0) {
		return errors.New(`"expect" holds at least one of session, message and fields, and the session counts from 1`)
	}
	return checkAfter(a.After, a.Withhold)
}

func checkAfter(e *Event, withhold bool) error {
	switch {
	case e == nil:
		return nil
	case withhold:
		return errors.New(`what is withheld waits for nothing: "after" does not go with "withhold"`)
	case e.Asked < 0:
		return errors.New("a count is negative")
	}
	return oneMember(`"after"`, *e)
}
