package reference

import (
	"encoding/json"
	"errors"
	"slices"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/audit"
	"acp-conform/reference/muse"
)

// The faults of closing and resuming sessions.
const (
	CloseLeavesPrompt  Fault = "close-leaves-prompt-open"
	CloseLeavesHost    Fault = "close-leaves-host"
	CloseKeepsDialogs  Fault = "close-keeps-dialogs"
	CloseEndsAll       Fault = "close-ends-all-sessions"
	CloseAnswersNull   Fault = "close-answers-null"
	UpdateBehindClose  Fault = "update-behind-close"
	ClosedTakesPrompts Fault = "closed-session-takes-prompts"
	CloseOfNothingOK   Fault = "close-of-nothing-succeeds"
	StaleReplyTaken    Fault = "stale-reply-answers-another"
	ResumeReplays      Fault = "resume-replays-history"
	ResumeAnswersNull  Fault = "resume-answers-null"
	ResumeAnyFolder    Fault = "resume-accepts-another-folder"
	ResumeInvents      Fault = "resume-invents-sessions"
	ResumeStartsNew    Fault = "resume-starts-new-session"
	ResumeWhileRunning Fault = "resume-while-running"
	ResumeRestarts     Fault = "resume-restarts-open-session"
	ResumeLosesPolicy  Fault = "resume-loses-policy"
	ResumeLosesMode    Fault = "resume-loses-mode"
	ResumeForgetsTold  Fault = "resume-forgets-told"
)

func sessionFaults() []FaultInfo {
	return []FaultInfo{
		{CloseLeavesPrompt, "The prompt that runs when its session is closed is never answered."},
		{CloseLeavesHost, "The host of a closed session stays until the adapter ends."},
		{CloseKeepsDialogs, "The host of a closed session is kept, and what the client allows or fills in later is sent to it."},
		{CloseEndsAll, "To close one session closes all."},
		{CloseAnswersNull, "A close is answered with null."},
		{UpdateBehindClose, "An empty piece of text comes behind the answer to a close."},
		{ClosedTakesPrompts, "A prompt for a closed session is answered with end_turn."},
		{CloseOfNothingOK, "A close of a session that is not there succeeds, a second one too."},
		{StaleReplyTaken, "An answer to nothing is kept, and taken in place of the answer that comes next, of whatever session."},
		{ResumeReplays, "A piece of text comes before the answer to a resume."},
		{ResumeAnswersNull, "A resume is answered with null."},
		{ResumeAnyFolder, "A session is resumed in another folder than its own."},
		{ResumeInvents, "A resume of a session that is not there makes it."},
		{ResumeStartsNew, "A session that was resumed is begun anew at the host."},
		{ResumeWhileRunning, "A session whose turn runs can be resumed."},
		{ResumeRestarts, "To resume a session that is open puts its mode back."},
		{ResumeLosesPolicy, "A resumed session has an audit log of its own, so that the one before it counts for nothing."},
		{ResumeLosesMode, "A session that was closed is resumed in the default mode."},
		{ResumeForgetsTold, "A resumed session counts as told ask, whatever its model was told."},
	}
}

// misclosed is for the faults of requests about sessions that are not there. It reports whether the request was answered.
func (a *adapter) misclosed(f Fault, request, session json.RawMessage, result any) bool {
	id, _ := text(session)
	a.mu.Lock()
	_, closed := a.modeOfClosed[acp.SessionId(id)]
	a.mu.Unlock()
	if !a.fault(f) || !closed && f != CloseOfNothingOK {
		return false
	}
	a.respond(request, result)
	return true
}

// closesToo are the other sessions that a close ends.
func (a *adapter) closesToo() []*session {
	if !a.fault(CloseEndsAll) {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.order)
}

// keepDialogs is for the fault close-keeps-dialogs: the turn is over for the client, and goes on at the host.
func (s *session) keepDialogs(closing json.RawMessage) bool {
	t := s.turn
	if !s.a.fault(CloseKeepsDialogs) || t == nil {
		return false
	}
	s.lateClose = closing
	t.cancelled = true
	return true
}

// keepsDialogs reports whether a question or a form of the turn that ends stays open, for that fault.
func (s *session) keepsDialogs(err error) bool {
	if s.lateClose == nil || !errors.Is(err, errCancelled) {
		return false
	}
	for _, f := range s.turn.formOrder {
		if f.open {
			s.lateForm = f
		}
	}
	if len(s.asks) > 0 {
		s.late, s.asks = s.asks[0], s.asks[1:]
	}
	return true
}

// closedLate answers the close of a session that goes on in secret. It stays where the end of the adapter finds it.
func (s *session) closedLate() {
	if id := s.lateClose; id != nil {
		s.lateClose = nil
		if err := s.agent.Close(); err != nil { // so that the session can be resumed beside it
			s.a.logf("close the audit log: %v", err)
		}
		s.a.left(s, id)
		s.a.mu.Lock()
		s.a.order = append(s.a.order, s)
		s.a.mu.Unlock()
	}
}

// lateFormAnswer sends what the client filled in when its session was closed.
func (s *session) lateFormAnswer(f *form, r reply) bool {
	if f != s.lateForm || s.host == nil {
		return false
	}
	s.lateForm = nil
	if answers, declined, trouble := readForm(r, f.v.Questions); trouble == nil && !declined {
		id := newCommandID()
		_ = s.host.Request("userInput/answer", inputAnswerParams{id, s.id, f.v.UserInputID, answers}, nil)
	}
	return true
}

// abandon is for the fault close-leaves-host: the host is ended with the adapter. It reports whether it was left.
func (s *session) abandon() bool {
	if s.closed == nil || s.host == nil || !s.a.fault(CloseLeavesHost) {
		return false
	}
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	s.a.abandoned = append(s.a.abandoned, s.host)
	return true
}

func (a *adapter) endAbandoned() {
	for _, h := range a.abandoned {
		h.Close(a.o.Deadlines.Stop, a.o.Deadlines.Term)
	}
}

// closeAnswer answers a close.
func (a *adapter) closeAnswer(s *session, request json.RawMessage) {
	if a.fault(CloseAnswersNull) {
		a.respond(request, nil)
		return
	}
	if !a.fault(UpdateBehindClose) {
		a.respond(request, acp.CloseSessionResponse{})
		return
	}
	a.out.Together(func() { // so that the client cannot have said more in between
		a.respond(request, acp.CloseSessionResponse{})
		s.notify(chunkUpdate{"agent_message_chunk", textBlock{"text", ""}})
	})
}

// inPlace is for the fault stale-reply-answers-another: an answer to nothing is kept, and taken for the next one. It begins
// with that one, so that it does not matter how soon that comes.
func (a *adapter) inPlace(toNothing bool, r reply) reply {
	switch {
	case !a.fault(StaleReplyTaken):
	case toNothing:
		a.stale = &r
	case a.stale != nil:
		r, a.stale = *a.stale, nil
	}
	return r
}

// resumedLog is the audit log of a session that is resumed.
func (a *adapter) resumedLog(id acp.SessionId) (*audit.Log, error) {
	file := a.auditFile(id)
	if a.fault(ResumeLosesPolicy) {
		file += ".resumed"
	}
	return audit.Open(file, a.logs)
}

// misrecall changes what a session recalls.
func (s *session) misrecall(cold bool) {
	switch {
	case cold && s.a.fault(ResumeForgetsTold):
		s.told = approval.Ask
	case cold && s.a.fault(ResumeLosesMode), !cold && s.a.fault(ResumeRestarts):
		s.mu.Lock()
		s.mode = modeDefault
		s.mu.Unlock()
	}
	s.anew = cold && s.a.fault(ResumeStartsNew)
}

func (a *adapter) resumeAnswer(s *session, cold bool) any {
	s.misrecall(cold)
	if a.fault(ResumeReplays) {
		s.notify(chunkUpdate{"agent_message_chunk", textBlock{"text", "This was said before."}})
	}
	if a.fault(ResumeAnswersNull) {
		return nil
	}
	return resumeResult{s.modeState(), s.configOptions()}
}

// beginsAnew is for the fault resume-starts-new-session: the host has not heard of the session.
func (s *session) beginsAnew(r muse.Reply) muse.Reply {
	if s.anew {
		r.Err = &muse.Error{Code: muse.CodeSessionNotFound}
	}
	return r
}
