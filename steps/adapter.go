package steps

import (
	"fmt"
	"strings"

	"acp-conform/conform"
)

// adapterSwitches are the sentences about how the adapter is started. They stand before the first step. Where the
// adapter is one of the user's own, a scenario that needs a switch is not applicable, and how long to wait is left to it.
func adapterSwitches() []Definition {
	tune := func(flag string) func(*conform.Scenario, args) error {
		return func(s *conform.Scenario, a args) error { return s.Tune(fmt.Sprintf("--%s=%dms", flag, a.number(0))) }
	}
	return []Definition{
		{Sentence: `the adapter was started with {text}`, opening: switchOpening, run: func(s *conform.Scenario, a args) error {
			return s.Switch(a[0])
		}},
		{Sentence: `an adapter that gives Muse {n} ms to stop after a cancel`, run: tune("cancel-deadline")},
		{Sentence: `an adapter that gives an approval {n} ms to move while nobody is asked`, run: tune("stall-deadline")},
		{Sentence: `an adapter that gives a hook {n} ms to answer`, run: tune("hook-deadline")},
	}
}

// switchOpening is the word by which a switch is known in the name of an opening; empty for a switch that changes
// nothing before the first turn.
func switchOpening(a args) string {
	name, value, _ := strings.Cut(strings.TrimLeft(a[0], "-"), "=")
	switch name {
	case "no-approvals":
		return name
	case "approval-policy", "sandbox-mode", "privileged", "model", "provider":
		return name + "-" + value
	}
	return ""
}
