package conform

import (
	"context"

	"acp-conform/wire"
)

// hangUp is the editor that goes away: both its ends of the connection are closed at once. What the adapter still writes
// is lost. Then it waits until the adapter and its hosts have ended, so that what is looked at next is the end; that they
// do end is judged when the scenario is over.
func (s *Scenario) hangUp() {
	s.log.BeginRound()
	s.replies = nil
	s.client.hangUp()
	ctx, cancel := context.WithTimeout(s.ctx, s.engine.Deadlines.StopEOF)
	defer cancel()
	select {
	case <-s.process.Done():
	case <-ctx.Done():
		return
	}
	// The error is that of the deadline; the end of the scenario says what is left.
	_ = s.log.Wait(ctx, func(v wire.View) bool {
		hosts := map[wire.Lane]bool{}
		for _, r := range v.Records() {
			switch r.Dir {
			case wire.Start:
				hosts[r.Lane] = true
			case wire.Exit:
				delete(hosts, r.Lane)
			}
		}
		return len(hosts) == 0 && v.Idle()
	})
}
