package reference

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/audit"
	"acp-conform/reference/muse"
)

// session is one conversation. Its goroutine (run) owns everything below the line; the others only post to its inbox
// and ask whether it is busy.
type session struct {
	a     *adapter
	id    acp.SessionId
	cwd   string
	inbox *inbox
	agent *agent
	knobs knobs

	// Of the goroutine that reads the client.
	cancels int  // since the last prompt
	spoilt  bool // the next turn begins cancelled, for the faults that let a cancel stay

	mu       sync.Mutex
	current  *turn                      // the prompt that is not answered yet
	openAsks map[*approval.Request]*ask // for the answerers
	mode     string

	behindTurn func() // for the fault option-ends-turn

	// -- of the session's goroutine --
	host     *muse.Host
	turn     *turn // the turn that runs; nil between turns
	turns    int
	closing  bool            // it ends: its client is gone, the adapter is told to end, or it is closed
	closed   json.RawMessage // the request that closed it, which is answered last
	asks     []*ask
	hooking  []*pending // approvals whose hooks run or wait, in order
	stopRun  func()     // ends the hooks that run
	gap      *gap       // a hole in what the host delivered, while it is filled
	catching bool       // what has waited behind a hole is being handled
	told     approval.Policy
	nobodys  map[string]bool  // approvals of strangers that were denied, by the host that runs
	allowed  map[string]bool  // for the fault remembers-once-grant
	earlier  map[string]bool  // for the fault grant-on-earlier-option
	held     []byte           // for the fault drop-updates-after-response
	unsent   []muse.InputPart // for the fault sends-unsent-later
	finals   []infoUpdate     // for the fault final-behind-response
	late     *ask             // for the fault late-answer-grants
	kept     *reply           // for the fault late-answer-counts-for-next
	deaf     bool             // for the fault decide-before-answer: the host's events wait
	anew     bool             // for the fault resume-starts-new-session
	unheard  []muse.Event
	granted  bool // for the fault dismissal-repeats-answer: the last answer granted

	lateClose json.RawMessage // for the fault close-keeps-dialogs
	lateForm  *form           // for the same
}

// agent is the session as the approval seam knows it: its log, told apart by identity.
type agent struct {
	*audit.Log
	s    *session
	kept keptBack // for the faults that log in another order
}

// Append adds an event to the session's log.
func (g *agent) Append(eventType string, data any) error {
	if g.s.unlogged(data) {
		return nil
	}
	if done, err := g.misappend(eventType, data); done || err != nil {
		return err
	}
	d, ok := data.(approval.DecidedData)
	if rejects := ok && d.Outcome == approval.Rejected; rejects && g.s.a.fault(DropsPair) {
		return nil
	} else if rejects && g.s.a.fault(LogsUnknownOutcome) {
		data = approval.DecidedData{ID: d.ID, Outcome: "denied"}
	} else if ok && g.s.a.fault(PairsElsewhere) {
		g.s.a.mu.Lock()
		defer g.s.a.mu.Unlock()
		g = g.s.a.order[0].agent
	}
	return g.Log.Append(eventType, data)
}

// stranger is somebody else's work that is logged with the session, such as a subagent's. No answerer knows it
// (REQ-ACP-19).
type stranger struct{ *audit.Log }

func newSession(a *adapter, id acp.SessionId, cwd string, log *audit.Log) *session {
	s := &session{
		a: a, id: id, cwd: cwd, inbox: newInbox(), told: approval.Ask, mode: modeDefault,
		openAsks: map[*approval.Request]*ask{}, allowed: map[string]bool{}, earlier: map[string]bool{},
		knobs: knobs{waiting: map[string]string{}},
	}
	s.agent = &agent{Log: log, s: s}
	return s
}

func (s *session) busy() bool { return s.running() != nil }

func (s *session) running() *turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// begin makes the session busy with a turn.
func (s *session) begin(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = t
}

// run handles the session's events until the client is gone or the session is closed.
func (s *session) run() {
	if s.a.fault(EarlyHost) {
		_ = s.startHost(&turn{})
		s.retire()
	}
	for !s.closing {
		event := s.inbox.next(time.Time{})
		if start, ok := event.(startTurn); ok {
			s.runTurn(start.turn)
			s.closedLate()
			continue
		}
		s.handle(event)
	}
	// A prompt may have been admitted just before; it is answered too.
	for event := s.inbox.pop(); event != nil; event = s.inbox.pop() {
		if start, ok := event.(startTurn); ok {
			start.turn.cancelled = true
			s.runTurn(start.turn)
		}
	}
	if !s.a.fault(KeepsHost) && !s.abandon() {
		s.retire()
	}
	if err := s.agent.Close(); err != nil {
		s.a.logf("close the audit log: %v", err)
	}
	if s.closed != nil {
		s.a.left(s, s.closed)
	}
}

// step handles the next event. It reports false when the deadline came first.
func (s *session) step(deadline time.Time) bool {
	if len(s.unheard) > 0 && !s.deaf {
		e := s.unheard[0]
		s.unheard = s.unheard[1:]
		s.handle(e)
		return true
	}
	event := s.inbox.next(deadline)
	if event == nil {
		return false
	}
	s.handle(event)
	return true
}

func (s *session) handle(event any) {
	switch e := event.(type) {
	case muse.Event:
		if s.deaf {
			s.putOff(e)
		} else if e.Host == s.host {
			s.hostEvent(e)
		}
	case cancelTurn:
		if e.turn == s.turn {
			s.turn.cancelled = true
		}
		s.deaf = false
	case clientReply:
		s.answered(e.ask, e.reply)
		s.deaf = false
	case formReply:
		s.formAnswered(e.form, e.reply)
		s.deaf = false
	case hooksRan:
		s.hooksRan(e.approval, e.result)
	case clientGone:
		s.end(!e.told)
	case closeSession:
		if s.keepDialogs(e.id) {
			break
		}
		s.closed = e.id
		s.end(false)
	}
}

// end lets the session end once its turn has; gone says that the client is not there any more.
func (s *session) end(gone bool) {
	s.closing = true
	s.endAsks(gone)
	s.deaf = false
	if s.turn != nil {
		s.turn.cancelled = true
	}
}

// retire ends the host and waits until it has exited.
func (s *session) retire() {
	if s.host == nil {
		return
	}
	host := s.host
	s.host, s.nobodys = nil, nil
	host.Close(s.a.o.Deadlines.Stop, s.a.o.Deadlines.Term)
}

// dropAsk takes a question off the list of open ones.
func (s *session) dropAsk(k *ask) {
	s.asks = slices.DeleteFunc(s.asks, func(other *ask) bool { return other == k })
}
