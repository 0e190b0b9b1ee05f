package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"acp-conform/wire"
)

// settle waits until done holds and everything is quiet. Questions of the adapter that come up meanwhile are answered
// as scripted, those of one instant in one round. The error says why the scenario cannot go on; it is kept in s.broken.
func (s *Scenario) settle(what string, deadline time.Duration, flag string, done func(wire.View) bool) error {
	if s.broken != nil {
		return s.broken
	}
	if s.hungUp {
		return errHungUp
	}
	ctx, cancel := context.WithTimeoutCause(s.ctx, deadline, fmt.Errorf("%s within %s (%s)", what, deadline, flag))
	defer cancel()
	for {
		var finished, gone bool
		err := s.log.Wait(ctx, func(v wire.View) bool {
			gone = v.Full() != "" || s.client.trouble() != nil || echoes(v.Records())
			quiet := s.quiet(v)
			due := quiet && s.hasDue(v)
			finished = quiet && !due && done(v)
			return finished || gone || due || quiet && s.hasNewRequest(v)
		})
		switch {
		case err != nil:
			return s.giveUp(fmt.Errorf("%w%s%s", err, s.unsettled(), s.astray()))
		case finished:
			// A question that came with the awaited frame is looked at now, so that it is known to be open.
			return s.answerAll()
		case gone:
			return s.giveUp(s.gone(what))
		case ctx.Err() != nil:
			// An adapter that asks without end gives a new request each time that the last one is answered.
			return s.giveUp(fmt.Errorf("%w%s%s", context.Cause(ctx), s.unsettled(), s.astray()))
		case len(s.asked) > mostRequests:
			return s.giveUp(fmt.Errorf("the adapter sent more than %d requests to the editor: %s", mostRequests, what))
		}
		if err := s.answerAll(); err != nil {
			return err
		}
	}
}

// errHungUp says that the editor has gone away, so that nothing can be waited for.
var errHungUp = errors.New("the editor has gone away")

// answerAll looks at the adapter's new requests and at the answers whose event has come, and sends all that is to be
// answered now.
func (s *Scenario) answerAll() error {
	// Both look at the log of one instant: a question that comes in between must not miss the write of the one before it.
	records := s.log.Records()
	s.takeRequests(records)
	s.answerDue(records)
	if s.hungUp {
		s.hangUp()
		return errHungUp
	}
	s.sendReplies()
	return nil
}

// mostRequests is how many requests of the adapter to the editor a scenario takes: a hundred times what any script has.
const mostRequests = 1000

func (s *Scenario) giveUp(err error) error {
	if s.broken == nil {
		s.broken = err
	}
	return s.broken
}

// gone says why nothing more can come.
func (s *Scenario) gone(what string) error {
	if full := s.log.Full(); full != "" {
		return fmt.Errorf("%s, which is over the harness's limit", full)
	}
	if echoes(s.log.Records()) {
		return fmt.Errorf("%s: %w", what, errEcho)
	}
	err := s.client.trouble()
	if errors.Is(err, errStdoutEnded) || errors.Is(err, errStdinClosed) {
		// An ending process closes its pipes a moment before it can be waited for.
		timer := time.NewTimer(s.engine.Deadlines.StopKill)
		defer timer.Stop()
		select {
		case <-s.process.Done():
			return fmt.Errorf("the adapter ended (%s): %s%s", s.process.Ending().Text, what, s.astray())
		case <-timer.C:
		}
	}
	return fmt.Errorf("%w: %s", err, what)
}

// quiet reports whether nobody is at work and nobody owes an answer, except for running prompts, questions of the
// adapter, and what the host's script leaves open on purpose.
func (s *Scenario) quiet(v wire.View) bool {
	if !v.Idle() {
		return false
	}
	quiet := true
	v.EachOpen(func(q wire.OpenRequest) bool {
		quiet = s.mayStayOpen(q)
		return quiet
	})
	return quiet
}

func (s *Scenario) mayStayOpen(q wire.OpenRequest) bool {
	switch {
	case q.LeftOpen:
		return true
	case q.Lane != wire.Client:
		// The host claims to be at work until a request is answered. What it has not answered by then, its script leaves
		// open, or the host is gone.
		return q.Dir == wire.FromAdapter
	case q.Dir == wire.ToAdapter:
		return q.Method == methodPrompt
	}
	return true // it is answered, or left open, by takeRequests
}

func (s *Scenario) hasNewRequest(v wire.View) bool {
	fresh := false
	v.EachOpen(func(q wire.OpenRequest) bool {
		fresh = q.Lane == wire.Client && q.Dir == wire.FromAdapter && !s.asked[q.Seq]
		return !fresh
	})
	return fresh
}

// unsettled names what is still open, for the message of a deadline.
func (s *Scenario) unsettled() string {
	var open []string
	s.log.Look(func(v wire.View) {
		for _, q := range v.Open() {
			if !s.mayStayOpen(q) && q.Lane != wire.Client {
				open = append(open, fmt.Sprintf("%s on %s", q.Method, q.Lane))
			}
		}
		open = append(open, s.stillDelayed()...)
		if !v.Idle() {
			open = append(open, "the host's script is still at work")
		}
	})
	if len(open) == 0 {
		return ""
	}
	return "; still open: " + strings.Join(open, ", ")
}

// astray tells of a response that the adapter gave to nothing while the client waits for one: what is missing may be
// there, under an id that is not the request's.
func (s *Scenario) astray() (told string) {
	s.log.Look(func(v wire.View) {
		records := v.Records()
		for _, q := range v.Open() {
			if q.Lane != wire.Client || q.Dir != wire.ToAdapter || q.LeftOpen {
				continue
			}
			for _, r := range records[q.Seq+1:] {
				if r.Lane == wire.Client && r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Response && r.Answers < 0 {
					told = fmt.Sprintf("; it sent a response with the id %s, and the id of %s is %s", short(r.Frame.ID), q.Method, records[q.Seq].Frame.ID)
					return
				}
			}
		}
	})
	return told
}

// takeRequests looks at the adapter's new requests, session by session and in their order, and answers them as
// scripted.
func (s *Scenario) takeRequests(records []wire.Record) {
	var fresh []wire.Record
	s.log.Look(func(v wire.View) {
		v.EachOpen(func(q wire.OpenRequest) bool {
			if q.Lane == wire.Client && q.Dir == wire.FromAdapter && q.Seq < len(records) && !s.asked[q.Seq] {
				fresh = append(fresh, records[q.Seq])
			}
			return true
		})
	})
	slices.SortFunc(fresh, func(a, b wire.Record) int {
		if x, y := slices.Index(s.sessions, a.Session), slices.Index(s.sessions, b.Session); x != y {
			return x - y
		}
		return a.Seq - b.Seq
	})
	for _, r := range fresh {
		s.asked[r.Seq] = true
		s.request(r)
	}
}
