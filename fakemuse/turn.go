package fakemuse

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// turn is one turn of a session. Its script runs as a coroutine: it goes on in whoever calls host.advance, and comes
// back when it parks. So everything that a turn does happens under the server's lock and under the claim of whoever
// let it go on; a parked turn needs no claim. A shell line of the user is an aside: it runs like a turn, beside them.
type turn struct {
	host      *host
	session   *session
	id        string
	commandID string
	input     turnInput
	plan      *Turn // what it does; nil when the script has nothing for it
	script    int   // index of its scripted turn; -1 when there is none
	order     int   // turns are numbered by the server in the order of their beginning
	aside     *Shell
	forGoal   bool
	stored    bool // it was under way when its session was loaded

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	begun      time.Time
	firstToken *time.Time
	calls      int // model calls so far
	spoken     int // characters that the model said since the last usage report
	cancelled  *cancelCause
	waiting    string      // the event at which it is parked
	open       *toolCall   // the tool call that is in progress, where it is the only one
	parallel   []*toolCall // those that are in progress side by side
	text       *openText   // the text that is in progress
	message    string      // the id of its user message
	shells     []*shellRun // the commands that run for it, in the order of their beginning
}

// cancelCause is why a turn is cancelled.
type cancelCause struct {
	reason     string
	itemReason string // what the cancelled tool call says; empty for a plain cancel
	by         string // who resolves a pending approval then: user or policy
	commandID  string
	retract    bool
}

// turnInput is what the client submitted.
type turnInput struct {
	text        string
	display     string
	attachments []attachment
}

// errStopped unwinds the coroutine of a turn whose host is gone: it says nothing more.
var errStopped = errors.New("the host is gone")

// errCancelled unwinds the coroutine of a cancelled turn to its end.
var errCancelled = errors.New("the turn is cancelled")

func sortTurns(turns []*turn) {
	slices.SortFunc(turns, func(a, b *turn) int { return a.order - b.order })
}

// newTurn makes a turn that is yet to be launched.
func (h *host) newTurn(s *session, id, commandID string, input turnInput) *turn {
	h.server.order++
	return &turn{host: h, session: s, id: id, commandID: commandID, input: input, script: -1, order: h.server.order}
}

// launch makes a turn the session's running one. Its script begins with the first advance.
func (h *host) launch(t *turn) {
	s := t.session
	s.turn = t
	s.durable = true
	if t.plan == nil {
		h.server.plan(t)
	}
	t.start(t.run)
	s.writeLog()
}

// start makes a function the coroutine of a turn.
func (t *turn) start(run func()) {
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		run()
	})
	t.session.server.turns[t] = true
}

// plan gives a turn the first unused turn of the script that fits it, if there is one.
func (s *Server) plan(t *turn) {
	for i := range s.options.Script.Turns {
		plan := &s.options.Script.Turns[i]
		if s.progress[i].taken && !plan.Repeat {
			continue
		}
		if t.forGoal && plan.Goal != nil && strings.Contains(t.session.goal.Objective, *plan.Goal) ||
			!t.forGoal && plan.Goal == nil && strings.Contains(t.input.text, plan.Prompt) {
			s.progress[i].taken = true
			t.plan, t.script = plan, i
			return
		}
	}
}

// waits says what a scripted turn waits for.
func (p *Turn) waits() string {
	switch {
	case p.Goal != nil:
		return fmt.Sprintf("a goal with %q", trimName(*p.Goal))
	case p.Prompt == "":
		return "any prompt"
	}
	return fmt.Sprintf("a prompt with %q", trimName(p.Prompt))
}

// waitsFor says what the turns wait for that are left in the script. The lock is held.
func (s *Server) waitsFor() string {
	var left []string
	for i := range s.options.Script.Turns {
		plan := &s.options.Script.Turns[i]
		if waits := plan.waits(); (!s.progress[i].taken || plan.Repeat) && !slices.Contains(left, waits) {
			left = append(left, waits)
		}
	}
	switch {
	case len(s.options.Script.Turns) == 0:
		return "it has none"
	case len(left) == 0:
		return "all of them were begun before"
	}
	return "it waits for " + strings.Join(left, ", or for ")
}

// advance lets a turn go on until it parks or ends. When it ends, what follows it begins.
func (h *host) advance(t *turn) {
	for t != nil && !h.ended {
		if _, parked := t.next(); parked {
			break
		}
		delete(h.server.turns, t)
		s := t.session
		if t.aside != nil {
			s.asides = slices.DeleteFunc(s.asides, func(other *turn) bool { return other == t })
			break
		}
		s.turn = nil
		t = h.following(s)
	}
	if h.leave != nil {
		h.finish(exitText(*h.leave), *h.leave)
		return
	}
	h.exitIfDrained()
}

// following launches what comes behind a turn: the next one of the queue, or one of its own for a goal.
func (h *host) following(s *session) *turn {
	if h.leave != nil || h.draining != nil {
		return nil
	}
	for len(s.queue) > 0 {
		t := s.queue[0]
		s.queue = s.queue[1:]
		h.server.plan(t)
		if t.plan != nil && t.plan.LaunchFails != nil {
			t.failLaunch()
			continue
		}
		h.launch(t)
		return t
	}
	return h.goalTurn(s, h.server.newID())
}

// park gives way until someone calls advance. It says whether the turn may go on.
func (t *turn) park() error {
	if !t.yield(struct{}{}) {
		return errStopped
	}
	if t.cancelled != nil {
		return errCancelled
	}
	return nil
}

// abandon lets go of a turn whose host is gone. The turn stays the session's, as an orphan.
func (t *turn) abandon() {
	t.interrupted()
	t.killShells()
	delete(t.host.server.turns, t)
	t.stored = false
	t.stop()
}

// interrupted notes that a turn was cut short from outside.
func (t *turn) interrupted() {
	if t.script >= 0 {
		t.host.server.progress[t.script].interrupted = true
	}
}
