package reference

import (
	"encoding/json"
	"errors"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// turn is one prompt, from its admission to its response.
type turn struct {
	session *session
	id      json.RawMessage // of the request
	input   []muse.InputPart
	started bool // of the goroutine that reads the client

	cancelled bool // before the start: of the reading goroutine; then of the session's
	failure   *failure
	phase     phase

	commandID string
	turnID    string // known from the acknowledgement or from turn/started
	acked     bool
	terminal  *muse.TurnCompleted
	ended     bool // nothing new is asked any more

	items     map[string]*item
	cards     map[string]*card
	cardOrder []*card
	approvals map[string]*pending
	pendings  []*pending
	finals    map[string]bool // approvals whose end was published to a client that observes them
	forms     map[string]*form
	formOrder []*form
	telling   approval.Policy // the policy that the input of this turn states
}

// errCancelled is the end of a turn that the client cancelled.
var errCancelled = errors.New("cancelled")

func newTurn(s *session, id json.RawMessage, input []muse.InputPart) *turn {
	return &turn{
		session: s, id: id, input: input,
		items: map[string]*item{}, cards: map[string]*card{}, approvals: map[string]*pending{},
		finals: map[string]bool{}, forms: map[string]*form{},
	}
}

// interrupted says why a running turn must stop: a failure, or a cancel that came before one.
func (s *session) interrupted() error {
	switch t := s.turn; {
	case t.failure != nil:
		return t.failure
	case t.cancelled:
		return errCancelled
	default:
		return nil
	}
}

// fail ends the turn with a failure. The first counts, and none counts after a cancel (muse-adapter.md §7.7).
func (s *session) fail(f *failure) {
	if t := s.turn; t != nil && t.failure == nil && !t.cancelled && !t.ended {
		f.phase = t.phase
		t.failure = f
	}
}

// runTurn runs a turn and answers its prompt. A turn that was cancelled before it began starts nothing and leaves no
// trace in the log.
func (s *session) runTurn(t *turn) {
	s.turn = t
	if t.cancelled {
		s.finish(t, errCancelled)
		return
	}
	s.turns++
	if err := s.agent.Append(approval.TurnStart, s.startOf(t)); err != nil {
		s.finish(t, s.auditFailure(err))
		return
	}
	err := s.anchorKnobs()
	if err != nil {
		err = s.auditFailure(err)
	} else {
		err = s.drive(t)
	}
	if f := (*failure)(nil); errors.As(err, &f) && s.a.fault(ReplaysTurn) && t.terminal != nil && s.host != nil {
		t.failure, t.acked, t.terminal = nil, false, nil
		err = s.submit(t)
	}
	s.settleTurn(t, err)
	s.finish(t, err)
}

type turnStart struct {
	Turn int `json:"turn"`
}

type turnEnd struct {
	Turn   int    `json:"turn"`
	Kind   string `json:"kind"` // completed, aborted or failed
	Reason string `json:"reason,omitempty"`
	// Untaken says that the host has not accepted the turn, so that the model was told nothing with it.
	Untaken bool `json:"untaken,omitempty"`
}

// drive takes a turn from the host to its terminal. nil is a good end.
func (s *session) drive(t *turn) error {
	if err := s.prepare(t); err != nil {
		return err
	}
	if err := s.submit(t); err != nil {
		return err
	}
	if err := s.read(); err != nil {
		s.a.logf("the session could not be read after the turn: %v", err)
		s.retire()
		return nil
	}
	return s.gapClosed()
}

// submit sends the turn, once, and handles what comes until it is acknowledged and has ended.
func (s *session) submit(t *turn) error {
	t.phase = submitting
	t.commandID = newCommandID()
	params := struct {
		CommandID string           `json:"commandId"`
		SessionID acp.SessionId    `json:"sessionId"`
		Input     []muse.InputPart `json:"input"`
	}{t.commandID, s.id, append(append(s.preface(t), s.unsentInput()...), t.input...)}
	deadline := time.Now().Add(s.a.o.Deadlines.Submit)
	err := s.host.Request("turn/start", params, func(r muse.Reply) {
		ack, err := r.Acked(t.commandID)
		if err != nil {
			s.fail(hostFailure(err, "the turn"))
			return
		}
		t.acked = true
		t.phase = running
		s.told = t.telling
		if t.turnID == "" {
			t.turnID = ack.TurnID
		}
	})
	if err != nil {
		return localFailure("encode", "the turn cannot be written")
	}
	for t.terminal == nil || !t.acked {
		if err := s.interrupted(); err != nil {
			return err
		}
		until := s.stallsAt()
		if !t.acked {
			until = earliest(until, deadline)
		}
		if s.step(until) {
			continue
		}
		if !t.acked && !time.Now().Before(deadline) {
			s.fail(late("Muse did not acknowledge the turn in time"))
		} else {
			s.fail(s.stalled())
		}
	}
	return s.outcome(t)
}

// outcome reads the terminal of a turn (muse-adapter.md §7.5).
func (s *session) outcome(t *turn) error {
	if t.failure != nil {
		return t.failure
	}
	switch t.terminal.Terminal {
	case "completed":
		return nil
	case "cancelled":
		return errCancelled
	case "failed":
		f := terminalFailure(t.terminal)
		f.phase = t.phase
		return f
	default:
		f := remoteFailure("terminalUnknown", "Muse ended the turn in a way that is not known")
		f.phase = t.phase
		return f
	}
}

// settleTurn ends what is still open of a turn: first the questions, then, when the client cancelled it or it stalled,
// the turn at the host, whose last updates are still passed on, then the tools.
func (s *session) settleTurn(t *turn, err error) {
	if s.keepForLateAnswer(err) || s.keepsDialogs(err) {
		return
	}
	if errors.Is(err, errCancelled) && s.a.fault(DecidesOnCancel) {
		for _, k := range s.asks {
			s.deny(k.p, k.denial(approval.Cancelled))
		}
	}
	s.grantCancelled(err)
	t.ended = true
	s.endAsks(false)
	var f *failure
	failed := errors.As(err, &f)
	s.leaveGap(failed)
	if errors.Is(err, errCancelled) || failed && f.cancels && !s.a.fault(StallStays) {
		s.withdraw(t)
	}
	s.closeCards()
	end := turnEnd{Turn: s.turns, Kind: "completed", Untaken: !t.acked}
	switch {
	case failed:
		end.Kind, end.Reason = "failed", f.kind
	case err != nil && s.closed != nil:
		end.Kind, end.Reason = "aborted", "session/close"
	case err != nil && s.closing:
		end.Kind, end.Reason = "aborted", "disposed"
	case err != nil && !t.cancelled:
		end.Kind, end.Reason = "aborted", "host"
	case err != nil:
		end.Kind, end.Reason = "aborted", "session/cancel"
	}
	if err := s.agent.Append(approval.TurnEnd, end); err != nil {
		s.a.logf("the end of a turn was not logged: %v", err)
	}
}

// withdraw cancels an acknowledged turn at the host and waits for its end, for a bounded time. A host that refuses
// is closed at once, and so is one that has not acknowledged the turn (muse-adapter.md §6.4, §7.7).
func (s *session) withdraw(t *turn) {
	if !t.acked || t.terminal != nil || s.host == nil || s.oddCancel() {
		return
	}
	params := struct {
		CommandID string        `json:"commandId"`
		SessionID acp.SessionId `json:"sessionId"`
		TurnID    string        `json:"turnId"`
	}{newCommandID(), s.id, t.turnID}
	refused := false
	var err error
	if s.closing || !s.a.fault(GrantsOnCancel) { // with the fault the turn goes on, to its own end
		err = s.host.Request("turn/cancel", params, func(r muse.Reply) {
			_, err := r.Acked(params.CommandID)
			refused = err != nil
		})
	}
	deadline := s.patience()
	for err == nil && t.terminal == nil && !refused && s.host != nil && !s.impatient() && s.step(deadline) {
	}
}

// finish retires the host where it is not kept, and answers the prompt. Nothing of the turn comes after that.
func (s *session) finish(t *turn, err error) {
	cancelled := errors.Is(err, errCancelled)
	kept := s.late != nil || s.lateForm != nil || cancelled && s.a.fault(ReusesHost) || s.keeps(err)
	if (err != nil || s.a.fault(RestartsHost)) && !kept {
		s.retire()
	}
	s.keepUnsent(t)
	s.mourn(err)
	s.turn = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	if (!cancelled || !s.a.fault(BusyAfterCancel)) && (cancelled || !s.a.fault(BusyAfterTurn)) {
		s.current = nil
	}
	var f *failure
	switch {
	case errors.As(err, &f):
		if f.phase == "" {
			f.phase = t.phase
		}
		s.answerFailure(t, f)
	case err != nil:
		s.answerCancelled(t)
	default:
		s.answerPrompt(t, acp.StopReasonEndTurn)
	}
	if s.behindTurn != nil {
		s.behindTurn()
		s.behindTurn = nil
	}
	s.releaseHeld()
}

func (s *session) answerFailure(t *turn, f *failure) {
	switch {
	case s.a.crash():
	case s.a.fault(HidesFailure):
		s.answerPrompt(t, acp.StopReasonEndTurn)
	case f.stop != "":
		s.answerPrompt(t, f.stop)
	default:
		s.a.refuse(t.id, f.rpc(s.a.secrets))
	}
}

func (s *session) answerCancelled(t *turn) {
	switch {
	case s.closed != nil && s.a.fault(CloseLeavesPrompt):
	case s.a.fault(CancelEndsTurn):
		s.answerPrompt(t, acp.StopReasonEndTurn)
	case s.a.fault(CancelIsError):
		s.a.refuse(t.id, localFailure("cancelled", "the turn was cancelled").rpc(nil))
	default:
		s.answerPrompt(t, acp.StopReasonCancelled)
	}
}

func (s *session) answerPrompt(t *turn, stop acp.StopReason) {
	s.a.respond(t.id, acp.PromptResponse{StopReason: stop})
	if s.a.fault(DoubleResponse) {
		s.a.respond(t.id, acp.PromptResponse{StopReason: stop})
	}
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
