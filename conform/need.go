package conform

import (
	"encoding/json"
	"fmt"
	"strings"

	"acp-conform/wire"
)

// Needs makes the scenario one for adapters that offer a capability, named by its path below agentCapabilities, such
// as "sessionCapabilities.close". For one that does not offer it the scenario is not applicable, and the answer to
// initialize is the evidence. It must come before the first step; an error is a harness error.
func (s *Scenario) Needs(capability string) error {
	if s.process != nil || !s.script.first() {
		return s.Harness("what the adapter must be able to do, %s, must stand before the first step", capability)
	}
	s.needs = append(s.needs, capability)
	return nil
}

// lacks says what the scenario needs and the adapter does not offer. null offers nothing.
func (s *Scenario) lacks() string {
	for _, capability := range s.needs {
		path := append([]string{"agentCapabilities"}, strings.Split(capability, ".")...)
		if v := wire.Lookup(s.initialized, path...); v == nil || string(v) == "null" || string(v) == "false" {
			return fmt.Sprintf("its answer to initialize does not offer %s: %s", capability, short(agentCapabilities(s.initialized)))
		}
	}
	return ""
}

// Excuse adds a reason for which the scenario may turn out not to apply to the adapter, one that only its end can show:
// evidence is asked once everything has ended, and gives an empty text where the scenario applies. What an oracle
// finds counts even so.
func (s *Scenario) Excuse(evidence func() string) { s.excuses = append(s.excuses, evidence) }

// ScriptedAnswers is how many questions the script has an answer for.
func (s *Scenario) ScriptedAnswers() int { return len(s.script.told.PermissionAnswers) }

// takeExcuses looks for a reason why the scenario does not apply.
func (s *Scenario) takeExcuses() {
	for _, evidence := range s.excuses {
		if why := evidence(); why != "" && s.inapplicable == "" && s.harness == nil {
			s.inapplicable = why
		}
	}
}

func agentCapabilities(initialized json.RawMessage) json.RawMessage {
	if v := wire.Lookup(initialized, "agentCapabilities"); v != nil {
		return v
	}
	return initialized
}
