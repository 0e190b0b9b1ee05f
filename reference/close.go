package reference

import (
	"encoding/json"
	"slices"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/rpc"
)

// closeSession is session/close (muse-adapter.md §2.5). The session leaves the table before anything else, so nothing
// that the client sends from here on reaches it. Its goroutine ends the turn and the host, and then answers.
func (a *adapter) closeSession(id, raw json.RawMessage) *rpc.Error {
	params, ok := object(raw)
	if !ok {
		return invalid("session/close needs an object")
	}
	s, bad := a.session(params["sessionId"])
	if bad != nil {
		if a.misclosed(CloseOfNothingOK, id, params["sessionId"], acp.CloseSessionResponse{}) {
			return nil
		}
		if a.fault(CloseOfNothingNull) {
			a.respond(id, nil)
			return nil
		}
		return bad
	}
	a.leave(s)
	a.closes = append(a.closes, s.id) // for what stands behind it in the same read its close still runs, however fast it is
	for _, other := range a.closesToo() {
		a.leave(other)
		other.inbox.post(closeSession{})
	}
	if t := s.running(); t != nil && !t.started { // it came in the same write: its prompt is answered, and nothing begins
		t.cancelled, t.started = true, true
		a.starts = slices.DeleteFunc(a.starts, func(other *turn) bool { return other == t })
		s.inbox.post(startTurn{t})
	}
	s.inbox.post(closeSession{id})
	return nil
}

// leave takes a session out of the table. Until its close is answered, it cannot be resumed either.
func (a *adapter) leave(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.sessions, s.id)
	a.order = slices.DeleteFunc(a.order, func(other *session) bool { return other == s })
	a.leaving[s.id] = true
}

// left answers the close of a session that has ended. Its mode is kept for as long as the process lives: no file says
// it.
func (a *adapter) left(s *session, closing json.RawMessage) {
	a.mu.Lock()
	delete(a.leaving, s.id)
	a.modeOfClosed[s.id] = s.currentMode()
	a.mu.Unlock()
	a.closeAnswer(s, closing)
}
