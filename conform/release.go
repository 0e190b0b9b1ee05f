package conform

import (
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// release lets an event happen that the host's script waits for, in a round of its own, and waits for the end of the
// session's turn.
func (s *Scenario) release(step scenarios.Step, session string) error {
	s.log.BeginRound()
	if err := s.host.Release(step.Event); err != nil {
		return s.Harness("%v", err)
	}
	s.settle("the turn did not go on when its host did", s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		return !s.running(v, session)
	})
	return nil
}
