package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/rpc"
)

// resumeResult is the answer to session/resume, in the order of its members.
type resumeResult struct {
	Modes         modeState      `json:"modes"`
	ConfigOptions []configOption `json:"configOptions"`
}

// resumeSession is session/resume (muse-adapter.md §2.5): a session that is open stays as it is; one that is not is
// opened from what is on disk, Muse's log for where it belongs and the audit log for its options. Nothing of its history
// is sent, and no host is started: the next prompt resumes the session there.
func (a *adapter) resumeSession(raw json.RawMessage) (any, *rpc.Error) {
	params, ok := object(raw)
	if !ok {
		return nil, invalid("session/resume needs an object")
	}
	name, ok := text(params["sessionId"])
	if !ok {
		return nil, invalid("sessionId must be a string")
	}
	id := acp.SessionId(name)
	cwd, bad := a.place(params)
	if bad != nil {
		return nil, bad
	}
	a.mu.Lock()
	s, leaving := a.sessions[id], a.leaving[id] || slices.Contains(a.closes, id)
	a.mu.Unlock()
	cold := s == nil
	switch {
	case leaving, s != nil && s.busy() && !a.fault(ResumeWhileRunning):
		return nil, rpc.Errorf(rpc.InvalidRequest, "Invalid request: session %s has a prompt turn or binding operation in progress", id)
	case s != nil && s.cwd != cwd:
		return nil, elsewhere(id, s.cwd)
	case s == nil:
		if s, bad = a.reopen(id, cwd); bad != nil {
			return nil, bad
		}
	}
	return a.resumeAnswer(s, cold), nil
}

func elsewhere(id acp.SessionId, workspace string) *rpc.Error {
	return invalid("session %s belongs to %s; resume it from that directory or start a new session", id, workspace)
}

// reopen makes a session from what is on disk.
func (a *adapter) reopen(id acp.SessionId, cwd string) (*session, *rpc.Error) {
	workspace, ok := a.storedWorkspace(string(id))
	if !ok && a.fault(ResumeInvents) {
		workspace, ok = cwd, true
	}
	if !ok {
		return nil, invalid("session %s was not found in the session store of Muse", id)
	}
	real, err := filepath.EvalSymlinks(workspace)
	switch {
	case err != nil:
		return nil, invalid("the stored workspace directory is not available: %s; start a new session", workspace)
	case real != cwd && !a.fault(ResumeAnyFolder):
		return nil, elsewhere(id, real)
	}
	log, err := a.resumedLog(id)
	if err != nil {
		return nil, a.noLog(err)
	}
	s := newSession(a, id, cwd, log)
	if err := s.recall(); err != nil {
		a.logf("%v", errors.Join(err, log.Close()))
		return nil, rpc.Errorf(rpc.InternalError, "Internal error: the audit log of the session cannot be written")
	}
	if bad := a.register(s); bad != nil {
		if err := log.Close(); err != nil {
			a.logf("close the audit log: %v", err)
		}
		return nil, bad
	}
	return s, nil
}

// recall sets a session to what its log says: how many turns there were, and what the model was told last (REQ-POL-01,
// REQ-POL-09, REQ-POL-11). The mode is not in the log; it is kept while the process lives.
func (s *session) recall() error {
	if err := s.endLost(); err != nil {
		return fmt.Errorf("end what a crash left open in the audit log: %w", err)
	}
	events := s.agent.Events()
	for _, e := range events {
		if e.Type == approval.TurnStart {
			s.turns++
		}
	}
	s.told, _ = toldAt(events)
	s.a.mu.Lock()
	mode := s.a.modeOfClosed[s.id]
	s.a.mu.Unlock()
	if slices.ContainsFunc(s.a.modes(), func(m modeInfo) bool { return m.ID == mode }) {
		s.mode = mode
	}
	return nil
}

// endLost ends the turn that was open when the adapter was lost, and before it what was asked then: nobody will decide
// that any more. Without it a switch of an option would be recorded at once, in a turn that is not there.
func (s *session) endLost() error {
	events := s.agent.Events()
	if !approval.OpenTurn(events) {
		return nil
	}
	var open []string
	for _, e := range events {
		switch e.Type {
		case approval.EventAsked:
			open = append(open, decode[approval.AskedData](e.Data).ID)
		case approval.EventDecided:
			id := decode[approval.DecidedData](e.Data).ID
			open = slices.DeleteFunc(open, func(other string) bool { return other == id })
		}
	}
	for _, id := range open {
		if err := s.agent.Append(approval.EventDecided, approval.DecidedData{ID: id, Outcome: approval.Cancelled}); err != nil {
			return err
		}
	}
	turns := 0
	for _, e := range events {
		if e.Type == approval.TurnStart {
			turns++
		}
	}
	return s.agent.Append(approval.TurnEnd, turnEnd{Turn: turns, Kind: "aborted", Reason: "lost", Untaken: true})
}
