package reference

import (
	"encoding/json"
	"fmt"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// hostEvent handles one thing that the session's host did.
func (s *session) hostEvent(e muse.Event) {
	if e.Gone != nil {
		s.hostGone(*e.Gone)
		return
	}
	switch m := e.Message; m.Kind {
	case rpc.Response:
		s.host.Take(m)
	case rpc.Request:
		s.hostRequest(m)
	case rpc.Notification:
		s.hostNotification(m)
	}
}

// hostGone is the end of a host that nobody ended.
func (s *session) hostGone(gone muse.Gone) {
	s.a.logf("the host of session %s ended: exited %t, code %d, stderr %q", s.id, gone.Exited, gone.Code, gone.Stderr)
	switch {
	case gone.Code == muse.ExitNoSurface || strings.Contains(gone.Stderr, "experimental SDK tier is disabled"):
		s.fail(remoteFailure("environmentError", "Muse does not serve: its SDK tier is disabled"))
	case gone.Exited && gone.Code >= 0:
		s.fail(lost(fmt.Sprintf("the Muse host exited with code %d", gone.Code)))
	case gone.Exited:
		s.fail(lost("the Muse host was ended by a signal"))
	default:
		s.fail(lost("the Muse host closed its output"))
	}
	s.retire()
}

// hostRequest answers a request of the host at once: receipts for approvals and user input, which are handled as
// their notifications are, and an error for anything else (muse-adapter.md §6.1).
func (s *session) hostRequest(m rpc.Message) {
	var bad *rpc.Error
	known := m.Method == approvalRequest || m.Method == "userInput/request"
	if !known {
		bad = rpc.Errorf(rpc.MethodNotFound, "method not found")
		bad.Data = map[string]string{"kind": "methodNotFound"}
	}
	if err := s.host.Answer(m.ID, bad); err != nil {
		s.a.logf("%v", err)
	}
	if known {
		s.hostNotification(m)
	}
}

// hostNotification handles a view event. Events of other sessions, those that are not known and those between two turns
// are ignored, except that an approval of another session, or of a subagent, is nobody's and is denied at any time.
func (s *session) hostNotification(m rpc.Message) {
	t := s.turn
	switch {
	case t == nil && asksForApproval(m.Method):
		s.denyBetweenTurns(readApproval(m.Params))
		return
	case t == nil:
		return
	case s.gap != nil && !s.gap.replaying:
		s.gap.held = append(s.gap.held, m)
		return
	}
	switch m.Method {
	case "turn/started":
		if p := decode[muse.TurnStarted](m.Params); s.mine(p.SessionID) && t.commandID != "" && p.CommandID == t.commandID {
			t.turnID = p.TurnID
		}
	case "turn/completed":
		if p := decode[muse.TurnCompleted](m.Params); s.mine(p.SessionID) && t.owns(p.TurnID) && t.terminal == nil {
			t.terminal = &p
		}
	case "turn/unqueued":
		if p := decode[muse.TurnStarted](m.Params); s.mine(p.SessionID) && t.owns(p.TurnID) {
			s.fail(remoteFailure("unqueued", "Muse took the turn back before it ran"))
		}
	case "item/started", "item/updated", "item/completed":
		if p := decode[muse.ItemParams](m.Params); s.mine(p.SessionID) && (p.Item.TurnID == nil || t.owns(*p.Item.TurnID)) {
			s.item(p.Item)
		}
	case "item/delta":
		if p := decode[muse.DeltaParams](m.Params); s.mine(p.SessionID) {
			s.delta(p)
		} else if s.a.fault(ShowsStrangers) {
			s.say(p.Delta.Text())
		}
	case approvalRequested, approvalRequest:
		s.approvalRequested(readApproval(m.Params))
	case "approval/updated":
		s.approvalUpdated(decode[muse.Approval](m.Params))
	case "approval/resolved":
		s.approvalResolved(decode[muse.Resolved](m.Params))
	case "userInput/requested", "userInput/request":
		s.userInput(decode[muse.UserInput](m.Params))
	case "userInput/settled":
		s.inputSettled(decode[muse.Settled](m.Params))
	case "view/gap":
		s.fillGap(decode[muse.Gap](m.Params))
	}
}

func (s *session) mine(id string) bool { return acp.SessionId(id) == s.id }

// owns reports whether something of that turn id belongs to this turn. Before its id is known, only what carries the
// command's own id does (a host derives the one from the other).
func (t *turn) owns(id string) bool {
	if t.turnID != "" {
		return id == t.turnID
	}
	return t.commandID != "" && id == t.commandID
}

// decode reads params. What cannot be read is the zero value, which belongs to no session.
func decode[T any](raw json.RawMessage) T {
	var v T
	if json.Unmarshal(raw, &v) != nil {
		var zero T
		return zero
	}
	return v
}
