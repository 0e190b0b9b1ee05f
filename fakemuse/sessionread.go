package fakemuse

import (
	"encoding/json"
	"strconv"
	"strings"
)

// attachResult is the answer to session/resume and session/read.
type attachResult struct {
	Session         sessionData `json:"session"`
	ViewCursor      string      `json:"viewCursor"`
	History         sessionPast `json:"history"`
	PendingRequests []any       `json:"pendingRequests"`
	LastTurn        *lastTurn   `json:"lastTurn,omitempty"`
}

// sessionPast is what a client gets of what happened before it came. Items is null unless the mode is inline.
type sessionPast struct {
	Mode       string    `json:"mode"`
	Items      []item    `json:"items"`
	Snapshot   *struct{} `json:"snapshot"`
	NoneReason string    `json:"noneReason,omitempty"`
}

type pendingPointer struct {
	Kind       string `json:"kind"`
	ApprovalID string `json:"approvalId"`
	ViewCursor string `json:"viewCursor"`
}

func (s *session) attach(past sessionPast) attachResult {
	result := attachResult{
		Session: s.data(), ViewCursor: s.cursorText(s.cursor), History: past, PendingRequests: []any{}, LastTurn: s.last,
	}
	for _, a := range s.pending() {
		if s.server.variants.has(pendingFull) {
			result.PendingRequests = append(result.PendingRequests, a.params)
			continue
		}
		result.PendingRequests = append(result.PendingRequests, pendingPointer{
			Kind: "approval", ApprovalID: a.id, ViewCursor: s.cursorText(a.cursor),
		})
	}
	return result
}

func (s *session) inline() sessionPast {
	items := make([]item, 0, len(s.items))
	for _, i := range s.items {
		items = append(items, *i)
	}
	return sessionPast{Mode: "inline", Items: items}
}

func excluded() sessionPast { return sessionPast{Mode: "none", NoneReason: "excluded"} }

// sessionRead looks at a session without loading it (msp.md §5.2).
func (h *host) sessionRead(c *call) reply {
	id := c.params.text("sessionId")
	exclude := c.params.flag("excludeItems", true)
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := h.server.stored[id]
	if s == nil || s.host != h && !s.durable {
		return fails(sessionNotFound(id))
	}
	past := excluded()
	if !exclude {
		past = s.inline()
	}
	return reply{result: s.attach(past)}
}

// resumeInput is what session/resume says.
type resumeInput struct {
	commandID, sessionID, cursor string
	exclude                      bool
}

// sessionResume loads a stored session. A turn that its last host left behind is settled first, and its events come
// before the answer; requests that are pending are asked again behind it (msp.md §5.2).
func (h *host) sessionResume(c *call) reply {
	in := resumeInput{
		commandID: c.params.text("commandId"), sessionID: c.params.text("sessionId"),
		cursor: c.params.optional("cursor"), exclude: c.params.flag("excludeItems", false),
	}
	c.params.choice("history", []string{"auto", "inline", "snapshot", "anchored"})
	config := c.params.optionalObject("config")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	if err := h.checkConfig(config); err != nil {
		return fails(err)
	}
	s := h.server.stored[in.sessionID]
	switch {
	case s == nil, s.host != h && !s.durable:
		return fails(sessionNotFound(in.sessionID))
	case s.host != nil && s.host != h:
		return fails(sessionInUse(in.sessionID))
	}
	c.commandID = in.commandID
	if s.host != h {
		// A resume loads the session, so an answer given by an earlier host will not do.
		delete(s.commands, c.commandID)
	}
	return h.once(s.commands, c, func() reply { return h.resume(s, in) })
}

func (h *host) resume(s *session, in resumeInput) reply {
	after := 0
	if in.cursor != "" {
		var known bool
		if after, known = s.position(in.cursor); !known {
			e := failure(-32011, "notFound", "unknown cursor anchor")
			e.Data.Reason, e.Data.SessionID = "missingAnchor", s.id
			return fails(e)
		}
	}
	if s.host == nil {
		s.host = h
		s.mode = approvalModeState{Mode: s.mode.Mode, Source: "replay"}
		s.settleOrphan()
	}
	past := s.inline()
	switch {
	case in.cursor != "":
		past = sessionPast{Mode: "none", NoneReason: "cursorSuffix"}
	case in.exclude:
		past = excluded()
	}
	return reply{result: s.attach(past), after: func() {
		if in.cursor != "" {
			s.replay(after)
		}
		for _, a := range s.pending() {
			h.ask(a)
		}
	}}
}

// position reads a cursor of this session.
func (s *session) position(cursor string) (int, bool) {
	n, ours := strings.CutPrefix(cursor, "v:"+s.id+":")
	if !ours {
		return 0, false
	}
	at, err := strconv.Atoi(n)
	return at, err == nil && at >= 0 && at <= s.cursor && strconv.Itoa(at) == n
}

// replay sends the durable events behind a position again, as they were.
func (s *session) replay(after int) {
	for _, e := range s.events {
		if e.cursor > after && e.durable {
			s.notify(e.method, e.params)
		}
	}
}

// approvalListPending gives everything that is open, in the order of opening.
func (h *host) approvalListPending(c *call) reply {
	approvals := []json.RawMessage{}
	for _, a := range c.session.pending() {
		approvals = append(approvals, a.params)
	}
	return reply{result: struct {
		Approvals  []json.RawMessage `json:"approvals"`
		UserInputs []struct{}        `json:"userInputs"`
	}{approvals, []struct{}{}}}
}
