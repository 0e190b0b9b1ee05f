package conform

import (
	"encoding/json"
	"reflect"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// Profile changes what the editor says of itself in initialize. It must come before the first step; an error is a harness
// error.
func (s *Scenario) Profile(change func(initialize *scenarios.Step)) error {
	if s.process != nil || !s.script.first() {
		return s.Harness("what the editor is able to do must stand before the first step")
	}
	change(&s.hello)
	s.hello.Op = methodInitialize
	return nil
}

// Lenient says that the editor dismisses a question for which nobody told it an answer, and that answers may be left over:
// the script is not strict. It must come before the first step.
func (s *Scenario) Lenient() error {
	if s.process != nil || !s.script.first() {
		return s.Harness("that the editor dismisses what nobody told it about must stand before the first step")
	}
	if err := s.script.tellLenient(); err != nil {
		return s.Harness("%v", err)
	}
	return nil
}

// profile is the step that opens the connection.
func (s *Scenario) profile() scenarios.Step {
	s.hello.Op = methodInitialize
	return s.hello
}

// checkProfile finds a first step that forgets what a sentence says of the editor.
func (s *Scenario) checkProfile(step scenarios.Step) error {
	if s.hello.Op != "" && !reflect.DeepEqual(step, s.hello) {
		return s.Harness("the editor is able to do %s, but the connection is opened with %s", compact(s.hello), compact(step))
	}
	return nil
}

// sentAsScripted marks the last request of a method as one whose bytes the script gives.
func (s *Scenario) sentAsScripted(method string) {
	for _, r := range s.log.Records() {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Method == method {
			s.asScripted[r.Seq] = true
		}
	}
}

// capabilities are those that a step gives the client.
func capabilities(step scenarios.Step) any {
	if step.Capabilities != nil {
		return step.Capabilities
	}
	members := map[string]any{}
	meta := map[string]json.RawMessage{}
	if step.Meta != nil && json.Unmarshal(step.Meta, &meta) != nil {
		return members // decoding the script has said so
	}
	if step.Terminal {
		meta["terminal_output"] = json.RawMessage("true")
	}
	if len(meta) > 0 {
		members["_meta"] = meta
	}
	if step.Forms {
		members["elicitation"] = map[string]any{"form": struct{}{}}
	}
	return members
}
