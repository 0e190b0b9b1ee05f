package fakemuse

import (
	"encoding/json"
)

// attachResult is the answer to session/resume, session/read and session/fork.
type attachResult struct {
	Session         sessionData     `json:"session"`
	ViewCursor      string          `json:"viewCursor"`
	History         sessionPast     `json:"history"`
	PendingRequests []any           `json:"pendingRequests"`
	LastTurn        json.RawMessage `json:"lastTurn,omitempty"`
}

// sessionPast is what a client gets of what happened before it came. Items is null unless the mode is inline.
type sessionPast struct {
	Mode       string    `json:"mode"`
	Items      []item    `json:"items"`
	Snapshot   *snapshot `json:"snapshot"`
	NoneReason string    `json:"noneReason,omitempty"`
}

type pendingPointer struct {
	Kind        string `json:"kind"`
	ApprovalID  string `json:"approvalId,omitempty"`
	UserInputID string `json:"userInputId,omitempty"`
	ViewCursor  string `json:"viewCursor"`
}

func (s *session) attach(past sessionPast) attachResult {
	result := attachResult{
		Session: s.data(), ViewCursor: s.cursorText(s.cursor), History: past, PendingRequests: []any{}, LastTurn: s.lastRaw,
	}
	if s.last != nil && s.lastRaw == nil {
		result.LastTurn = encode(s.last)
	}
	if s.server.variants.has(noLastTurn) {
		result.LastTurn = nil
	}
	full := s.server.variants.has(pendingFull)
	for _, a := range s.pending() {
		if full {
			result.PendingRequests = append(result.PendingRequests, a.params)
			continue
		}
		result.PendingRequests = append(result.PendingRequests, pendingPointer{
			Kind: "approval", ApprovalID: a.id, ViewCursor: s.cursorText(a.cursor),
		})
	}
	for _, q := range s.openQuestions() {
		if full {
			result.PendingRequests = append(result.PendingRequests, q.params)
			continue
		}
		result.PendingRequests = append(result.PendingRequests, pendingPointer{
			Kind: "userInput", UserInputID: q.id, ViewCursor: s.cursorText(q.cursor),
		})
	}
	return result
}

// openQuestions lists the questions that are open, in the order of their opening.
func (s *session) openQuestions() []*question {
	var open []*question
	for _, q := range s.questions {
		if q.settled == nil {
			open = append(open, q)
		}
	}
	return open
}

func (s *session) inline() sessionPast { return sessionPast{Mode: "inline", Items: s.allItems()} }

func (s *session) allItems() []item {
	items := make([]item, 0, len(s.items))
	for _, i := range s.items {
		items = append(items, *i)
	}
	return items
}

func excluded() sessionPast { return sessionPast{Mode: "none", NoneReason: "excluded"} }

// known gives a session that can be looked at without loading it.
func (h *host) known(id string) (*session, *rpcError) {
	s := h.server.stored[id]
	if s == nil || s.host != h && !s.durable {
		return nil, sessionNotFound(id)
	}
	return s, nil
}

// sessionRead looks at a session without loading it (msp.md §5.2).
func (h *host) sessionRead(c *call) reply {
	id := c.params.text("sessionId")
	exclude := c.params.flag("excludeItems", true)
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s, err := h.known(id)
	if err != nil {
		return fails(err)
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
	history                      string
	servers                      map[string]bool
}

// sessionResume loads a stored session. A turn that its last host left behind is settled first, and its events come
// before the answer; requests that are pending are asked again behind it (msp.md §5.2).
func (h *host) sessionResume(c *call) reply {
	in := resumeInput{
		commandID: c.params.text("commandId"), sessionID: c.params.text("sessionId"),
		cursor: c.params.optional("cursor"), exclude: c.params.flag("excludeItems", false),
	}
	in.history = c.params.choice("history", []string{"auto", "inline", "snapshot", "anchored"})
	config := c.params.optionalObject("config")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	var err *rpcError
	if in.servers, err = h.clientServers(c.method, config); err != nil {
		return fails(err)
	}
	s, err := h.known(in.sessionID)
	switch {
	case err != nil:
		return fails(err)
	case s.host != nil && s.host != h:
		return fails(sessionInUse(in.sessionID))
	}
	if len(in.servers) > 0 && s.forkedFrom != nil {
		return fails(rejected(c.method, in.commandID, "session_configuration_conflict"))
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
		var err *rpcError
		if after, err = s.anchor(in.cursor); err != nil {
			return fails(err)
		}
	}
	if err := h.refusedByProfile(); err != nil {
		return fails(err)
	}
	again := s.host == h
	if !again {
		s.host = h
		s.mode = approvalModeState{Mode: s.mode.Mode, Source: "replay"}
		s.settleOrphans()
	}
	if in.servers != nil {
		s.servers = in.servers
	}
	result := s.attach(s.past(in))
	if again && h.server.variants.has(resumeLoadedFresh) {
		result.ViewCursor = s.cursorText(1)
		result.History = sessionPast{Mode: "inline", Items: []item{}}
	}
	return reply{result: result, after: func() {
		s.unsubscribed = false
		if in.cursor != "" {
			s.replay(after)
		}
		for _, a := range s.pending() {
			h.ask(a)
		}
		for _, q := range s.openQuestions() {
			h.sendRequest("userInput/request", q.id, q.again)
		}
		if t := s.turn; t != nil && t.stored && t.next == nil {
			s.resumeTurn()
			h.advance(t)
		}
	}}
}

// past is the history that a resume asks for.
func (s *session) past(in resumeInput) sessionPast {
	switch {
	case in.cursor != "" && s.server.variants.has(noSuffixReason):
		return sessionPast{Mode: "none"}
	case in.cursor != "":
		return sessionPast{Mode: "none", NoneReason: "cursorSuffix"}
	case in.exclude:
		return excluded()
	case in.history == "snapshot":
		return sessionPast{Mode: "snapshot", Snapshot: s.snapshot()}
	case in.history == "anchored":
		return s.anchored()
	}
	return s.inline()
}

// approvalListPending gives everything that is open, in the order of opening.
func (h *host) approvalListPending(c *call) reply {
	approvals, inputs := []json.RawMessage{}, []json.RawMessage{}
	for _, a := range c.session.pending() {
		approvals = append(approvals, a.params)
	}
	for _, q := range c.session.openQuestions() {
		inputs = append(inputs, q.params)
	}
	return reply{result: struct {
		Approvals  []json.RawMessage `json:"approvals"`
		UserInputs []json.RawMessage `json:"userInputs"`
	}{approvals, inputs}}
}
