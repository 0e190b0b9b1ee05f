package fakemuse

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"acp-conform/wire"
)

// openStore makes the sessions that a script says are stored already.
func (s *Server) openStore() error {
	for i := range s.options.Script.Sessions {
		stored := &s.options.Script.Sessions[i]
		session, err := s.restore(stored)
		if err != nil {
			return fmt.Errorf("storing the session of line %d: %w", stored.Line, err)
		}
		s.stored[session.id] = session
		if s.options.MuseHome != "" {
			session.home = filepath.ToSlash(s.options.MuseHome)
			session.writeLog()
		}
	}
	return nil
}

// adopt gives a new host the stored sessions that have no folder yet, and the first host those that it has loaded.
func (s *Server) adopt(h *host) {
	for i := range s.options.Script.Sessions {
		spec := &s.options.Script.Sessions[i]
		session := s.stored[spec.SessionID]
		if session == nil {
			continue
		}
		if session.home == "" {
			session.home = h.home()
			session.writeLog()
		}
		if spec.Loaded && s.hosts == 1 {
			session.host = h
			session.resumeTurn()
		}
	}
}

func (s *Server) restore(spec *Stored) (*session, error) {
	session := s.newSession(spec.SessionID)
	session.durable = true
	session.provider, session.model = s.defaultRoute("", "")
	if spec.Provider != nil {
		session.provider = *spec.Provider
	}
	if spec.Model != nil {
		session.model = *spec.Model
	}
	if spec.Workspace != nil {
		session.workspace = *spec.Workspace
		if base := s.options.Workspace; base != "" && !filepath.IsAbs(session.workspace) {
			session.workspace = filepath.Join(base, session.workspace)
		}
	}
	session.mode = approvalModeState{Mode: firstOf(spec.Mode, defaultMode), Source: "replay"}
	session.name, session.effort, session.turnCount = spec.Name, spec.Effort, spec.TurnCount
	if !spec.CreatedAt.IsZero() {
		session.created = spec.CreatedAt
	}
	session.updated = session.created
	if !spec.UpdatedAt.IsZero() {
		session.updated = spec.UpdatedAt
	}
	session.clock = session.updated
	session.total, session.goal, session.todos = spec.Total, spec.Goal, spec.Todos
	session.lastRaw, session.forkedFrom, session.more = spec.LastTurn, spec.Forked, spec.More
	session.earliest, session.ahead = spec.Earliest, spec.Head
	for _, e := range spec.Events {
		if err := session.restoreEvent(e); err != nil {
			return nil, err
		}
	}
	session.cursor = max(spec.Cursor, session.cursor)
	if spec.Items != nil {
		session.items = nil
	}
	for _, raw := range spec.Items {
		var i item
		if err := json.Unmarshal(raw, &i); err != nil {
			return nil, fmt.Errorf("reading an item: %w", err)
		}
		session.keep(i)
	}
	if spec.Turn != nil {
		session.restoreTurn(spec.Turn)
	}
	return session, nil
}

// restoreEvent puts one event into the session's view, with the source that it has by its kind.
func (s *session) restoreEvent(e StoredEvent) error {
	s.cursor = e.Cursor
	stream := s.stream()
	turn := firstOf(lookText(e.Params, "turnId"), lookText(e.Params, "item", "turnId"))
	tool := lookText(e.Params, "item", "tool")
	switch {
	case turn != "" && (!strings.HasPrefix(e.Method, "item/") || tool == "" || tool == askTool):
		stream = streamRef{Kind: "run", ID: turn}
	}
	source := s.freshIn(stream)
	params := withMembers(e.Params, map[string]any{
		"sessionId": s.id, "viewCursor": s.cursorText(e.Cursor), "sourceRange": source,
	})
	s.events = append(s.events, event{cursor: e.Cursor, method: e.Method, params: params, durable: true, dropped: e.Dropped})
	if raw := wire.Lookup(params, "item"); raw != nil && e.Method != "item/delta" {
		var i item
		if err := json.Unmarshal(raw, &i); err != nil {
			return fmt.Errorf("reading the item of the event with cursor %d: %w", e.Cursor, err)
		}
		s.keep(i)
	}
	return nil
}

// restoreTurn makes the turn that is under way in a stored session.
func (s *session) restoreTurn(spec *StoredTurn) {
	s.server.order++
	t := &turn{
		session: s, id: spec.TurnID, commandID: spec.CommandID, plan: &spec.Plan, script: -1, order: s.server.order,
		stored: !spec.Orphan, input: turnInput{text: spec.Text}, begun: s.clock,
	}
	s.turn = t
	open := spec.Open
	if open == nil {
		return
	}
	first := spec.Plan.Steps[0]
	i, there := s.item(open.ItemID)
	if !there {
		i = item{ItemID: open.ItemID, TurnID: &t.id, Revision: 1, Status: "inProgress", RecordedAt: stamp(s.clock), ApprovalID: open.ApprovalID}
	}
	if first.Tool == nil && first.Ask == nil {
		i.Kind = "agentMessage"
		if len(first.Think) > 0 {
			i.Kind = "reasoning"
		}
		i.RecordedAt = ""
		t.text = &openText{item: i, so: open.Text}
		return
	}
	call := &toolCall{turn: t, item: i, first: recordAt(max(1, s.sequence)), stream: s.stream(), spec: first.Tool}
	call.approvalID, call.taskID = open.ApprovalID, open.TaskID
	if first.Ask != nil && s.server.variants.has(streamsByKind) {
		call.stream = t.stream()
	}
	call.item.Kind = "toolCall"
	t.open = call
	v := view{SessionID: s.id, ViewCursor: s.cursorText(open.Cursor)}
	switch {
	case first.Ask != nil:
		call.fill(firstOf(first.Ask.Name, askTool), first.Ask.CallID, first.Ask.Args)
		q := t.newQuestion(first.Ask, firstOf(open.UserInputID, open.ItemID))
		q.present(v, open.Cursor)
	case first.Tool.Approval != nil:
		call.fill(first.Tool.Name, first.Tool.CallID, first.Tool.Args)
		a := call.newApproval()
		v.SourceRange = s.freshIn(a.stream)
		a.opening, a.cursor = v, open.Cursor
		a.refresh()
	default:
		call.fill(first.Tool.Name, first.Tool.CallID, first.Tool.Args)
	}
}

// fill says what a stored tool call is, where its item does not.
func (c *toolCall) fill(name, callID, args string) {
	c.item.Tool, c.item.CallID = firstOf(c.item.Tool, name), firstOf(c.item.CallID, callID)
	if c.item.Args == nil {
		c.item.Args = &args
	}
}

// resumeTurn lets the stored turn go on, once its session is loaded.
func (s *session) resumeTurn() {
	t := s.turn
	if t == nil || !t.stored || t.next != nil {
		return
	}
	t.host = s.host
	t.start(t.run)
}

// store keeps an output for item/readOutput.
func (s *session) store(itemID, kind string, bytes []byte) *outputRef {
	id := s.server.newID()
	s.outputs[id] = output{itemID: itemID, bytes: bytes}
	return &outputRef{
		ID: id, Kind: kind, URI: "muse://output/" + id, ByteLen: len(bytes), MediaType: "text/plain", Availability: "available",
	}
}
