package conform

import (
	"context"
	"time"

	"acp-conform/wire"
)

// hangUp is the editor that goes away: both its ends of the connection are closed at once. What the adapter still writes
// is lost. Then it waits until the adapter and its hosts have ended, so that what is looked at next is the end; that they
// do end is judged when the scenario is over.
func (s *Scenario) hangUp() {
	s.log.BeginRound()
	s.replies = nil
	s.leave()
	s.client.hangUp()
	s.awaitEnd(s.engine.Deadlines.StopEOF)
}

// tellToEnd tells the adapter to end while its client is there, and waits as hangUp does. An adapter that does not
// listen goes on until its stdin is closed, as at the end of every scenario.
func (s *Scenario) tellToEnd() {
	s.told = true
	s.log.BeginRound()
	s.leave()
	s.process.Terminate()
	s.listened = s.awaitEnd(s.engine.Deadlines.StopTerm)
}

// leave notes where in the log the end begins, however it does.
func (s *Scenario) leave() {
	if s.leftAt < 0 {
		s.leftAt = len(s.log.Records())
	}
}

// over says why no step can follow; it is empty while one can.
func (s *Scenario) over() string {
	switch {
	case s.hungUp:
		return "the editor has gone away"
	case s.told:
		return "the adapter was told to end"
	}
	return ""
}

// awaitEnd waits until the adapter and its hosts have ended. It reports whether the adapter has.
func (s *Scenario) awaitEnd(deadline time.Duration) bool {
	ctx, cancel := context.WithTimeout(s.ctx, deadline)
	defer cancel()
	select {
	case <-s.process.Done():
	case <-ctx.Done():
		return false
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
	return true
}
