package fakemuse

import "strings"

type turnStartResult struct {
	CommandID      string `json:"commandId"`
	Status         string `json:"status"`
	TurnID         string `json:"turnId"`
	StartedNewTurn bool   `json:"startedNewTurn"`
	Disposition    string `json:"disposition"`
}

// turnResult is the answer to the other commands about a turn.
type turnResult struct {
	CommandID string `json:"commandId"`
	Status    string `json:"status"`
	TurnID    string `json:"turnId"`
}

// turnStart begins a turn, or does with it what the client wants while another one runs (msp.md §6.1, §6.6).
func (h *host) turnStart(c *call) reply {
	input := readInput(c.params)
	busy := firstOf(c.params.choice("ifBusy", []string{"queue", "steer", "replace"}), "queue")
	c.params.choice("reasoningEffort", h.server.efforts())
	c.params.texts("workspaceRoots")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	t := h.newTurn(s, c.commandID, c.commandID, input)
	result := turnStartResult{CommandID: c.commandID, Status: "accepted", TurnID: t.id, StartedNewTurn: true, Disposition: "started"}
	switch {
	case s.turn == nil:
		h.launch(t)
		return reply{result: result, before: s.branchChanged, late: t.plan != nil && t.plan.LateAck, after: func() { h.advance(t) }}
	case busy == "steer":
		running := s.turn
		result.TurnID, result.StartedNewTurn, result.Disposition = running.id, false, "steered"
		return reply{result: result, after: func() { running.steer(c.commandID, input) }}
	case busy == "replace":
		running := s.turn
		s.queue = append([]*turn{t}, s.queue...)
		return reply{result: result, after: func() {
			h.stopTurn(running, cancelCause{reason: "replaced by a new turn", by: "user", commandID: c.commandID})
		}}
	}
	s.queue = append(s.queue, t)
	result.StartedNewTurn, result.Disposition = false, "queued"
	return reply{result: result}
}

// readInput reads the parts of a submission.
func readInput(p *params) turnInput {
	in := turnInput{display: p.optional("displayText")}
	var texts []string
	for _, part := range p.list("input") {
		kind := part.text("type")
		switch kind {
		case "text":
			texts = append(texts, part.text("text"))
		case "image", "video":
			if part.optional("uploadId") == "" {
				part.text("base64Data")
			}
			media := part.text("mediaType")
			if kind == "image" {
				in.attachments = append(in.attachments, attachment{Type: kind, MediaType: media})
			}
		case "skill":
			part.text("selector")
			part.optional("arguments")
		default:
			part.variant(kind, []string{"text", "image", "skill", "video"})
		}
		p.adopt(part)
	}
	in.text = strings.Join(texts, "\n")
	return in
}

// turnSteer puts something into the running turn.
func (h *host) turnSteer(c *call) reply {
	expected, input := c.params.text("expectedTurnId"), readInput(c.params)
	c.params.choice("reasoningEffort", h.server.efforts())
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	t := c.session.turn
	switch {
	case t == nil:
		return fails(rejected(c.method, c.commandID, "missing_run"))
	case t.id != expected:
		return fails(rejected(c.method, c.commandID, "invalid_target"))
	}
	return reply{result: turnResult{c.commandID, "accepted", t.id}, after: func() { t.steer(c.commandID, input) }}
}

// steer shows what was put into a turn.
func (t *turn) steer(commandID string, input turnInput) {
	i := t.newMessage(commandID, input)
	i.Steered = true
	t.completed(i, t.fresh())
}

// turnUnqueue takes a queued turn back; it never ends, for it never began (msp.md §6.6).
func (h *host) turnUnqueue(c *call) reply {
	id := c.params.text("turnId")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	for n, t := range s.queue {
		if t.id != id {
			continue
		}
		s.queue = append(s.queue[:n:n], s.queue[n+1:]...)
		s.unqueued[id] = true
		return reply{result: turnResult{c.commandID, "accepted", id}, before: func() {
			v := s.next(s.fresh())
			s.publish("turn/unqueued", v, turnStartedParams{view: v, TurnID: id, CommandID: t.commandID})
		}}
	}
	switch {
	case s.unqueued[id]:
		return fails(rejected(c.method, c.commandID, "already_applied"))
	case s.turn != nil && s.turn.id == id:
		return fails(rejected(c.method, c.commandID, "run_active"))
	}
	return fails(rejected(c.method, c.commandID, "invalid_target"))
}

// turnCancel serves turn/cancel and turn/interrupt; both end in the terminal "cancelled" (msp.md §6.5).
func (h *host) turnCancel(c *call) reply {
	id, retract := c.params.optional("turnId"), false
	if c.method == "turn/interrupt" {
		retract = c.params.flag("retract", false)
	}
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	t := c.session.turn
	switch {
	case t == nil:
		return fails(rejected(c.method, c.commandID, "missing_run"))
	case id != "" && id != t.id:
		return fails(rejected(c.method, c.commandID, "invalid_target"))
	}
	return reply{result: turnResult{c.commandID, "accepted", t.id}, after: func() {
		h.stopTurn(t, cancelCause{reason: "cancelled during model step", by: "user", commandID: c.commandID, retract: retract})
	}}
}

// stopTurn cancels a turn. Commands that run for it are killed, and the turn ends when they are gone; what was asked
// beside them is over at once, so that nothing is granted in between.
func (h *host) stopTurn(t *turn, cause cancelCause) {
	if t.cancelled != nil {
		return
	}
	t.cancelled = &cause
	t.interrupted()
	if t.killShells() {
		for _, c := range t.openCalls() {
			c.abort(cause)
		}
		return
	}
	h.advance(t)
}

// failLaunch ends a queued turn that could not begin: it has no turn/started, and its command is rejected from now on
// (msp.md §6.4).
func (t *turn) failLaunch() {
	s, failed := t.session, t.plan.LaunchFails
	e := &rpcError{Code: -32030, Message: failed.Message}
	e.Data = errorData{Kind: "commandRejected", CommandID: t.commandID, Reason: "deferred_start_failed"}
	if answered, there := s.commands[t.commandID]; there {
		answered.result, answered.err = nil, e
		s.commands[t.commandID] = answered
	}
	if t.script >= 0 {
		s.server.progress[t.script].reached = len(t.plan.Steps)
	}
	cause := &turnError{Kind: firstOf(failed.Kind, "launchError"), Message: failed.Message, Retryable: failed.Retryable}
	v := s.next(t.fresh())
	s.last = &lastTurn{TurnID: t.id, Terminal: "failed", Reason: failed.Message, Error: cause}
	s.publish("turn/completed", v, turnCompletedParams{view: v, TurnID: t.id, Terminal: "failed", Reason: failed.Message, Error: cause})
}
