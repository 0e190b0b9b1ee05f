package conform

import (
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// promptLong sends a prompt of which the script only says how its text is made.
func (s *Scenario) promptLong(step scenarios.Step) error {
	text, err := wire.LongText(step.Long.Repeat, step.Long.Bytes)
	if err != nil {
		return s.Harness("%s: %v", compact(step), err)
	}
	s.prompt(step, []scenarios.Prompt{{Text: text}})
	return nil
}
