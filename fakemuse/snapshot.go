package fakemuse

import "encoding/json"

// snapshot is a session's view as one state (msp.md §5.2).
type snapshot struct {
	SchemaVersion int             `json:"schemaVersion"`
	ViewCursor    string          `json:"viewCursor"`
	State         snapshotState   `json:"state"`
	Anchor        *snapshotAnchor `json:"anchor,omitempty"`
}

type snapshotAnchor struct {
	BoundaryCursor    string `json:"boundaryCursor"`
	SummarizedThrough string `json:"summarizedThrough"`
}

type snapshotState struct {
	Items             []item            `json:"items"`
	ActiveTurn        *turnRef          `json:"activeTurn"`
	QueuedTurns       []turnRef         `json:"queuedTurns"`
	PendingApprovals  []openPointer     `json:"pendingApprovals"`
	PendingUserInputs []openPointer     `json:"pendingUserInputs"`
	ApprovalMode      approvalModeState `json:"approvalMode"`
	EffectiveModel    *effectiveModel   `json:"effectiveModel"`
	Goal              *Goal             `json:"goal"`
	TodoList          *todoState        `json:"todoList"`
	Branch            *branchState      `json:"branch"`
	TokenUsage        cumulativeUsage   `json:"tokenUsage"`
	TurnCount         int               `json:"turnCount"`
	Name              string            `json:"name,omitempty"`
	Effort            *effortState      `json:"reasoningEffort,omitempty"`
}

type turnRef struct {
	TurnID      string `json:"turnId"`
	CommandID   string `json:"commandId"`
	DisplayText string `json:"displayText,omitempty"`
}

type openPointer struct {
	ApprovalID  string `json:"approvalId,omitempty"`
	UserInputID string `json:"userInputId,omitempty"`
	ItemID      string `json:"itemId"`
	ViewCursor  string `json:"viewCursor"`
}

type effectiveModel struct {
	ModelID    string  `json:"modelId"`
	ProviderID *string `json:"providerId"`
	Source     string  `json:"source"`
}

type todoState struct {
	Items      []Todo `json:"items"`
	Revision   int    `json:"revision"`
	SourceTool string `json:"sourceTool"`
}

type branchState struct {
	Workspace string  `json:"workspaceRoot"`
	Branch    *string `json:"branch"`
	VCS       string  `json:"vcs,omitempty"`
}

type effortState struct {
	Effort string `json:"reasoningEffort"`
	Source string `json:"source"`
}

func (s *session) snapshot() *snapshot {
	state := snapshotState{
		Items: s.allItems(), QueuedTurns: []turnRef{}, PendingApprovals: []openPointer{}, PendingUserInputs: []openPointer{},
		ApprovalMode: s.mode, Goal: s.goal, TokenUsage: s.total, TurnCount: s.turnCount, Name: s.name,
	}
	if s.turn != nil {
		state.ActiveTurn = &turnRef{TurnID: s.turn.id, CommandID: s.turn.commandID, DisplayText: s.turn.input.display}
	}
	for _, t := range s.queue {
		state.QueuedTurns = append(state.QueuedTurns, turnRef{TurnID: t.id, CommandID: t.commandID, DisplayText: t.input.display})
	}
	for _, a := range s.pending() {
		state.PendingApprovals = append(state.PendingApprovals, openPointer{
			ApprovalID: a.id, ItemID: a.item.ItemID, ViewCursor: s.cursorText(a.cursor),
		})
	}
	for _, q := range s.openQuestions() {
		state.PendingUserInputs = append(state.PendingUserInputs, openPointer{
			UserInputID: q.id, ItemID: q.item.ItemID, ViewCursor: s.cursorText(q.cursor),
		})
	}
	if s.model != "" {
		state.EffectiveModel = &effectiveModel{ModelID: s.model, ProviderID: orNull(s.provider), Source: firstOf(s.modelSource, "default")}
	}
	if s.todos != nil {
		state.TodoList = &todoState{Items: s.todos, Revision: s.todoChanges, SourceTool: "write_todos"}
	}
	if b := s.server.options.Script.Branch; b != nil {
		state.Branch = &branchState{Workspace: s.workspace, Branch: orNull(b.Branch), VCS: b.VCS}
	}
	if s.effort != "" {
		state.Effort = &effortState{Effort: s.effort, Source: "user"}
	}
	return &snapshot{SchemaVersion: 1, ViewCursor: s.cursorText(s.cursor), State: state}
}

// anchored is a snapshot that leaves out what a compaction summed up.
func (s *session) anchored() sessionPast {
	shot := s.snapshot()
	if s.boundary == 0 {
		return sessionPast{Mode: "snapshot", Snapshot: shot}
	}
	shot.Anchor = &snapshotAnchor{BoundaryCursor: s.cursorText(s.boundary), SummarizedThrough: s.through}
	behind := map[string]bool{}
	for _, e := range s.events {
		if e.cursor >= s.boundary {
			behind[lookText(e.params, "item", "itemId")] = true
		}
	}
	items := []item{}
	for _, i := range shot.State.Items {
		if behind[i.ItemID] {
			items = append(items, i)
		}
	}
	shot.State.Items = items
	return sessionPast{Mode: "anchoredSnapshot", Snapshot: shot}
}

type compactResult struct {
	CommandID string `json:"commandId"`
	Status    string `json:"status"`
	Reason    string `json:"reason,omitempty"`
}

// compact sums up what was said, if anything was.
func (h *host) compact(c *call) reply {
	c.params.optional("turnId")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	switch {
	case s.turn != nil:
		return fails(rejected(c.method, c.commandID, "turn_in_progress"))
	case len(s.items) == 0 || s.boundary == s.cursor:
		return reply{result: compactResult{c.commandID, "noop", "nothing_to_compact"}}
	}
	return reply{result: compactResult{CommandID: c.commandID, Status: "accepted"}, after: func() {
		s.through = s.cursorText(s.cursor)
		i := item{
			ItemID: s.server.newID(), Kind: "compaction", Revision: 1, Status: "completed", RecordedAt: stamp(s.clock),
			CommandID: c.commandID, Trigger: "manual", Outcome: "compacted", Through: s.through,
		}
		v := s.next(s.fresh())
		s.boundary = s.cursor
		s.keep(i)
		s.publish("item/completed", v, itemParams{view: v, Item: i})
	}}
}

type forkOrigin struct {
	SessionID   string `json:"sessionId"`
	CutCursor   string `json:"cutCursor"`
	CutExplicit *bool  `json:"cutExplicit,omitempty"`
	CommandID   string `json:"commandId"`
}

// sessionFork makes a copy of a session up to the end of a turn: one of its own, or a chat beside it (msp.md §5.2).
func (h *host) sessionFork(c *call) reply {
	commandID, id := c.params.text("commandId"), c.params.text("sessionId")
	exclude := c.params.flag("excludeItems", false)
	lastTurn := ""
	cut := c.params.optionalObject("cutPoint")
	if cut != nil {
		lastTurn = cut.text("lastTurnId")
		c.params.adopt(cut)
	}
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s, err := h.known(id)
	if err != nil {
		return fails(err)
	}
	c.commandID = commandID
	return h.once(h.server.openings, c, func() reply {
		at := s.cursor
		if lastTurn != "" {
			if at = s.endOf(lastTurn); at == 0 {
				e := failure(-32023, "forkBoundaryInvalid", "turn %s of session %s has not ended", lastTurn, s.id)
				e.Data.LastTurnID = lastTurn
				return fails(e)
			}
		}
		origin := forkOrigin{SessionID: s.id, CutCursor: s.cursorText(at), CommandID: commandID}
		explicit := lastTurn != ""
		if c.method == "session/fork" {
			origin.CutExplicit = &explicit
		}
		fork := h.fork(s, at, encode(origin), c.method == "session/sideChat", commandID)
		past := fork.inline()
		if exclude {
			past = excluded()
		}
		fork.notify("session/started", encode(startedParams{Session: fork.data()}))
		return reply{result: fork.attach(past)}
	})
}

// endOf gives the cursor at which a turn ended, 0 if it has not.
func (s *session) endOf(turnID string) int {
	for _, e := range s.events {
		if e.method == "turn/completed" && lookText(e.params, "turnId") == turnID {
			return e.cursor
		}
	}
	return 0
}

func (h *host) fork(s *session, at int, origin json.RawMessage, side bool, commandID string) *session {
	fork := h.server.newSession(h.server.newID())
	fork.host, fork.openedBy, fork.home, fork.workspace = h, commandID, h.home(), s.workspace
	fork.provider, fork.model, fork.modelSource, fork.effort = s.provider, s.model, s.modelSource, s.effort
	fork.mode, fork.durable, fork.clock = approvalModeState{Mode: s.mode.Mode, Source: "replay"}, true, s.clock
	fork.created, fork.updated = s.clock, s.clock
	if side {
		fork.sideFrom = origin
	} else {
		fork.forkedFrom = origin
	}
	kept := map[string]bool{}
	for _, e := range s.events {
		if e.cursor <= at && e.durable {
			kept[lookText(e.params, "item", "itemId")] = true
			if e.method == "turn/completed" {
				fork.turnCount++
			}
		}
	}
	for _, i := range s.items {
		// What a script stored without events belongs to the past, too.
		if kept[i.ItemID] || !s.shown(i.ItemID) {
			fork.keep(*i)
		}
	}
	h.server.stored[fork.id] = fork
	return fork
}

// shown says whether an item came with an event of the session's view.
func (s *session) shown(itemID string) bool {
	for _, e := range s.events {
		if lookText(e.params, "item", "itemId") == itemID {
			return true
		}
	}
	return false
}
