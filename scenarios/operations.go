package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"acp-conform/internal/strictjson"
)

// Operation says which members a step of this name takes.
type Operation struct {
	Name     string
	Required []string
	Optional []string
}

// Operations lists all operations.
//
//   - initialize, newSession, newSessionExpectError, prompt, promptExpectError, promptAndCancel, cancel, setConfigOption
//     and setConfigOptionExpectError are those of the format's origin, state E (approval-seam.md §6.2). Its cancel and
//     its promptAndCancel wait for the response; the latter cancels after the first text that is shown.
//   - promptLong is a prompt with a text that is told, not written out.
//   - prompts sends several prompts in one write and waits as prompt does, for all of them. With "unread" the client reads
//     nothing until the host has nothing more to say.
//   - promptAndCancelInOneWrite sends a prompt and its cancel in one write and waits for the response, again and again.
//   - answer settles a question of a session that was left open, answerForm a form.
//   - think lets real time pass, in seconds, while the user does nothing. It is for what an adapter must not do by a clock
//     of its own, and proves that for so long; that nothing more comes, the next answer and the end prove.
//   - release lets an event happen that the host's script waits for, and waits for the end of the turn.
//   - terminate tells the adapter to end, as SIGTERM does, while its client is there. No step can follow.
//   - line sends raw bytes and waits for one answer that has no other request, if an answer is due.
//   - pieces sends lines of requests in pieces, each once all that ended in those before it is answered, the last one byte
//     by byte, and waits for the answers.
//   - request sends a request of any method with any params and waits for its answer, whatever that is. {{session}} in
//     the params is the id of the session, the newest where none is named.
func Operations() []Operation {
	return []Operation{
		{Name: "initialize", Optional: []string{"terminalOutput", "forms", "meta", "capabilities"}},
		{Name: "newSession"},
		{Name: "newSessionExpectError", Optional: []string{"additionalDirectories"}},
		{Name: "promptExpectError", Required: []string{"text"}},
		{Name: "promptAndCancel", Required: []string{"text"}},
		{Name: "setConfigOption", Required: []string{"configId", "value"}, Optional: []string{"session"}},
		{Name: "setConfigOptionExpectError", Required: []string{"configId", "value"}, Optional: []string{"session"}},
		{Name: "prompt", Required: []string{"text"}, Optional: []string{"session", "until", "said", "method"}},
		{Name: "promptLong", Required: []string{"long"}},
		{Name: "prompts", Required: []string{"prompts"}, Optional: []string{"until", "said", "unread"}},
		{Name: "promptAndCancelInOneWrite", Required: []string{"text"}, Optional: []string{"session", "times"}},
		{Name: "cancel", Optional: []string{"session", "times"}},
		{Name: "answer", Required: []string{"answer"}, Optional: []string{"session", "about"}},
		{Name: "answerForm", Required: []string{"formAnswer"}, Optional: []string{"session", "about"}},
		{Name: "release", Required: []string{"event"}, Optional: []string{"session"}},
		{Name: "think", Required: []string{"seconds"}},
		{Name: "terminate"},
		{Name: "pieces", Required: []string{"line"}},
		{Name: "line", Required: []string{"line"}},
		{Name: "request", Required: []string{"method"}, Optional: []string{"params", "session"}},
	}
}

// longestThought bounds a "think" in seconds: a suite that sleeps is not played.
const longestThought = 5

// laterOperations are those of the origin's later state (H), which wait for things that this client cannot see.
var laterOperations = []string{"promptContent", "promptAndWaitForAgentMessage", "waitForFile", "waitForTurnStart", "waitForTurnEnd",
	"waitForSubagentTurnEnd", "waitForGoalPhase", "waitForInboxMessage", "waitForTitleAfterTurnEnd", "waitForEventAfterTurnEnd"}

// laterMember is what that state adds to operations that both have; laterMemberOf are these.
const laterMember = "waitForFile"

var laterMemberOf = []string{"promptAndCancel", "cancel"}

// known reports whether there is an operation of this name. Where not, the error says what was probably meant, or that
// the step is one of the later state, whatever its members are.
func known[V any](op string, members map[string]V) error {
	var names []string
	for _, o := range Operations() {
		names = append(names, o.Name)
	}
	played := "is not played; what is played: " + strings.Join(names, ", ")
	if _, later := members[laterMember]; later && slices.Contains(laterMemberOf, op) {
		return fmt.Errorf("the operation %q with %q belongs to a later state of the format (H), which %s", op, laterMember, played)
	}
	switch {
	case slices.Contains(names, op):
		return nil
	case slices.Contains(laterOperations, op):
		return fmt.Errorf("the operation %q belongs to a later state of the format (H), which %s", op, played)
	}
	err := fmt.Sprintf("unknown operation %q", op)
	if meant := strictjson.Nearest(op, names); meant != "" {
		err += fmt.Sprintf("; did you mean %q?", meant)
	}
	return errors.New(err)
}

// check looks at the members of a step whose operation is known.
func (s Step) check() error {
	for _, op := range Operations() {
		if op.Name == s.Op {
			return s.checkMembers(op)
		}
	}
	return nil
}

func (s Step) checkMembers(op Operation) error {
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		set := !v.Field(i).IsZero()
		switch {
		case name == "op":
		case slices.Contains(op.Required, name) && !set:
			return fmt.Errorf("it needs %q", name)
		case set && !slices.Contains(op.Required, name) && !slices.Contains(op.Optional, name):
			return fmt.Errorf("it takes no %q", name)
		}
	}
	switch {
	case s.Seconds < 0 || s.Seconds > longestThought:
		return fmt.Errorf("a user thinks for 1 to %d seconds", longestThought)
	case s.Session < 0 || s.Times < 0 || slices.ContainsFunc(s.Prompts, func(p Prompt) bool { return p.Session < 0 }):
		return errors.New("a count is negative")
	case s.Long != nil && (s.Long.Repeat == "" || s.Long.Bytes < 1):
		return errors.New(`"long" needs "repeat", a text, and "bytes", how long it becomes`)
	case s.Prompts != nil && len(s.Prompts) == 0, slices.ContainsFunc(s.Prompts, func(p Prompt) bool { return p.Text == "" }):
		return errors.New(`"prompts" holds at least one prompt, and each has a "text"`)
	case !slices.Contains([]string{"", "response", "asked", "said", "thought", "called"}, s.Until):
		return fmt.Errorf(`"until" is %q; it can be "response", "asked", "said", "thought" or "called"`, s.Until)
	case s.Op == "prompt" && (s.Until == "called") != (s.Method != nil):
		return errors.New(`"method" goes with "until": "called"`)
	case (s.Until == "said" || s.Until == "thought") != (s.Said != ""):
		return errors.New(`"said" goes with "until": "said" or "thought"`)
	case s.Answer != nil:
		if err := s.Answer.check(); err != nil {
			return err
		}
		if s.Answer.Withhold || s.Answer.After != nil {
			return errors.New(`an "answer" step answers at once`)
		}
	case s.FormAnswer != nil:
		if err := s.FormAnswer.check(); err != nil {
			return err
		}
		if s.FormAnswer.Withhold || s.FormAnswer.After != nil {
			return errors.New(`an "answerForm" step answers at once`)
		}
	case s.Capabilities != nil && (s.Terminal || s.Forms || s.Meta != nil):
		return errors.New(`"capabilities" are all of them, so they go with no other member`)
	case s.Meta != nil && !bytes.HasPrefix(s.Meta, []byte("{")):
		return errors.New(`"meta" is an object`)
	}
	return nil
}
