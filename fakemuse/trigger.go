package fakemuse

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"acp-conform/wire"
)

// triggered acts when the script has something for this call of a method. It gives the events that come behind the
// answer, and whether the call is done with.
func (h *host) triggered(frame wire.Frame) (behind []Event, handled bool) {
	s := h.server
	s.called[frame.Method]++
	for i, t := range s.options.Script.On {
		if t.Method != frame.Method || t.Call != 0 && t.Call != s.called[frame.Method] {
			continue
		}
		s.fired[i] = true
		switch {
		case t.Event != nil:
			behind = append(behind, *t.Event)
		case handled:
		case t.Exit != nil:
			h.finish(exitText(*t.Exit), *t.Exit)
			handled = true
		case t.Silence:
			h.silent, handled = true, true
		case t.Fails != nil:
			h.answerError(frame.ID, t.Fails.error())
			handled = true
		case t.Wait != "" && !s.events[t.Wait]:
			s.parked[t.Wait] = append(s.parked[t.Wait], func() {
				if h.ended {
					return
				}
				done := s.options.Log.Busy(h.who())
				defer done()
				h.respond(frame)
			})
			handled = true
		}
	}
	return behind, handled
}

// triggerEvent sends an event about the session that a request named.
func (h *host) triggerEvent(frame wire.Frame, e Event) {
	id := wire.LookupString(frame.Params, "sessionId")
	session := h.server.stored[id]
	if session == nil { // a session that was made by this request
		for _, s := range h.server.stored {
			if s.host == h && s.openedBy == wire.LookupString(frame.Params, "commandId") {
				session = s
			}
		}
	}
	if session != nil && session.host == h {
		session.sendEvent(e)
	} else if e.Bare {
		h.sendBare(e)
	}
}

// sendEvent sends a notification of the script's own.
func (s *session) sendEvent(e Event) {
	if e.Bare {
		s.host.sendBare(e)
		return
	}
	v := s.next(s.fresh())
	s.publish(e.Method, v, withMembers(e.Params, map[string]any{
		"sessionId": v.SessionID, "viewCursor": v.ViewCursor, "sourceRange": v.SourceRange,
	}))
}

func (h *host) sendBare(e Event) {
	params := e.Params
	if params == nil {
		params = json.RawMessage("{}")
	}
	frame := encode(notificationFrame{JSONRPC: "2.0", Method: e.Method, Params: params, Emitted: h.server.clockBase().UnixMilli()})
	if !h.muted[e.Method] {
		h.whenOpen(func() { h.send(frame) })
	}
}

type branchParams struct {
	view
	Workspace string `json:"workspaceRoot"`
	Branch    string `json:"branch,omitempty"`
	VCS       string `json:"vcs,omitempty"`
}

// branchChanged tells what version control says about the workspace, where there is any (msp.md §6.2).
func (s *session) branchChanged() {
	b := s.server.options.Script.Branch
	if b == nil {
		return
	}
	v := s.next(s.fresh())
	s.publish("session/branchChanged", v, branchParams{view: v, Workspace: s.workspace, Branch: b.Branch, VCS: b.VCS})
}

type todosParams struct {
	view
	Items      []Todo `json:"items"`
	Revision   int    `json:"revision"`
	SourceTool string `json:"sourceTool"`
}

func (s *session) changeTodos(todos []Todo) {
	s.todos = todos
	s.todoChanges++
	v := s.next(s.fresh())
	s.publish("session/todoListChanged", v, todosParams{view: v, Items: todos, Revision: s.todoChanges, SourceTool: "write_todos"})
}

type statusParams struct {
	SessionID  string   `json:"sessionId"`
	Status     string   `json:"status"`
	ViewCursor *string  `json:"viewCursor"`
	Attention  []string `json:"attention,omitempty"`
}

// statusChanged tells the session's status, where the host does.
func (s *session) statusChanged(status string) {
	if !s.server.variants.has(statusEvents) {
		return
	}
	v := s.next(nil)
	p := statusParams{SessionID: s.id, Status: status, ViewCursor: &v.ViewCursor}
	if len(s.pending()) > 0 {
		p.Attention = append(p.Attention, "approvalPending")
	}
	if len(s.openQuestions()) > 0 {
		p.Attention = append(p.Attention, "inputPending")
	}
	s.publish("session/statusChanged", v, p)
	if s.host != nil && slices.Contains(s.host.granted, "sessionListStream") {
		s.notify("session/listChanged", encode(startedParams{Session: s.row()}))
	}
}

// attention tells that something waits for the user, or does not any more.
func (s *session) attention() {
	if s.turn != nil {
		s.statusChanged("running")
	}
}

type closedParams struct {
	SessionID  string  `json:"sessionId"`
	Reason     string  `json:"reason"`
	ViewCursor *string `json:"viewCursor"`
}

// announceClose tells that sessions are unloaded, where the host does.
func (s *Server) announceClose(h *host) {
	if !s.variants.has(announceClose) {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(s.stored)) {
		if session := s.stored[id]; session.host == h {
			session.notify("session/closed", encode(closedParams{SessionID: id, Reason: "hostShutdown"}))
		}
	}
}

func sortedNames[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

func lookText(object json.RawMessage, path ...string) string {
	return strings.TrimSpace(wire.LookupString(object, path...))
}
