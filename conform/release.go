package conform

import (
	"fmt"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// release lets an event happen that the host's script waits for, in a round of its own, and waits for the end of the
// session's turn.
func (s *Scenario) release(step scenarios.Step, session string) error {
	s.log.BeginRound()
	if err := s.host.Release(step.Event); err != nil {
		// What the adapter did has taken the host past it.
		s.giveUp(fmt.Errorf("what was to happen at the host cannot happen any more: %w", err))
		return nil
	}
	s.settle("the turn did not go on when its host did", s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		return !s.running(v, session)
	})
	return nil
}
