package conform

import (
	"fmt"
	"slices"

	"acp-conform/wire"
	"acp-conform/wire/schema"
)

// Check records that something was looked at. Of the ids only those that the scenario's tags name are decided; a check
// without any still decides the scenario. Of an adapter that is not the reference, requirements alone are judged: a
// check that could decide some, but decides none of this scenario's, is left out.
func (s *Scenario) Check(name string, ids []string, ok bool, place *Place, format string, args ...any) {
	var decided []string
	inside := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return s.engine.Outside[id] })
	for _, id := range inside {
		if slices.Contains(s.Requirements, id) {
			decided = append(decided, id)
		}
	}
	if len(ids) > 0 && len(decided) == 0 && s.engine.Outside != nil {
		return
	}
	s.record(Check{Name: name, IDs: decided, OK: ok, Message: fmt.Sprintf(format, args...), Place: place})
}

// oracle records what an always-on oracle found. It decides its ids in every scenario.
func (s *Scenario) oracle(name string, ids []string, ok bool, place *Place, format string, args ...any) {
	s.record(Check{Name: name, IDs: ids, OK: ok, Message: fmt.Sprintf(format, args...), Place: place})
}

// mostAlike is how many failures of one check are kept: what fails without end tells nothing new.
const mostAlike = 3

func (s *Scenario) record(c Check) {
	if c.OK {
		c.Message, c.Place = "", nil
	}
	alike := 0
	for _, k := range s.checks {
		if !k.OK && !c.OK && k.Name == c.Name && slices.Equal(k.IDs, c.IDs) {
			alike++
		}
	}
	if alike >= mostAlike {
		return
	}
	s.checks = append(s.checks, c)
}

// place points into a frame of the log.
func (s *Scenario) place(seq int, pointer, expected, actual string) *Place {
	p := &Place{Frame: seq + 1, Pointer: pointer, Offset: -1, Expected: expected, Actual: actual}
	s.log.Look(func(v wire.View) {
		if r := v.Records(); seq >= 0 && seq < len(r) {
			p.Lane = r[seq].Lane.String()
			if pointer != "" {
				p.Offset = schema.PointerOffset(r[seq].Data, pointer)
			}
		}
	})
	return p
}

// At points at a frame, for the checks of steps.
func (s *Scenario) At(seq int, pointer, expected, actual string) *Place {
	return s.place(seq, pointer, expected, actual)
}

// Broken says why the scenario could not be driven to its end; nil when it was.
func (s *Scenario) Broken() error {
	if s.inapplicable != "" {
		return errInapplicable
	}
	return s.broken
}
