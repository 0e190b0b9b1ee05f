package conform

import (
	"errors"
	"fmt"
	"strings"
)

// Switchable is an adapter that can be started with further flags, such as the reference adapter. Scenarios that need
// a switch are not applicable to any other one: whether it has such a switch, nobody can know.
type Switchable interface {
	Adapter
	// With gives the same adapter with these flags behind its own, so that they override them. The error says which
	// flag it does not take.
	With(flags []string) (Adapter, error)
}

// workspacePlaceholder stands for the scenario's working directory in flags.
const workspacePlaceholder = "{{workspace}}"

// Switch has the adapter started with one more flag, in which {{workspace}} stands for the working directory. For an
// adapter that takes none the scenario is not applicable. It must come before the first step; an error is a harness
// error.
func (s *Scenario) Switch(flag string) error {
	if err := s.mayStillSwitch(flag); err != nil {
		return err
	}
	if _, ok := s.engine.Adapter.(Switchable); !ok {
		if s.inapplicable == "" {
			s.inapplicable = fmt.Sprintf("it needs the switch %s, which only the reference adapter has", flag)
		}
		return nil
	}
	return s.addSwitch(flag)
}

// Tune has the adapter started with one more flag that only changes how long it waits. An adapter that takes no flags
// is started as it is. It must come before the first step; an error is a harness error.
func (s *Scenario) Tune(flag string) error {
	if err := s.mayStillSwitch(flag); err != nil {
		return err
	}
	if _, ok := s.engine.Adapter.(Switchable); !ok {
		return nil
	}
	return s.addSwitch(flag)
}

func (s *Scenario) mayStillSwitch(flag string) error {
	if s.process != nil || !s.script.first() {
		return s.Harness("the switch %s comes too late: what the adapter is started with must stand before the first step", flag)
	}
	return nil
}

func (s *Scenario) addSwitch(flag string) error {
	s.switches = append(s.switches, strings.ReplaceAll(flag, workspacePlaceholder, s.world.workspace))
	if _, err := s.adapter(); err != nil {
		return s.Harness("the switch %s: %v", flag, err)
	}
	return nil
}

// adapter is the engine's adapter with the switches of the scenario.
func (s *Scenario) adapter() (Adapter, error) {
	if len(s.switches) == 0 {
		return s.engine.Adapter, nil
	}
	return s.engine.Adapter.(Switchable).With(s.switches)
}

// errInapplicable is what a scenario that does not apply to the adapter is broken by, for checks that ask.
var errInapplicable = errors.New("the scenario does not apply to this adapter")
