package fakemuse

import "encoding/json"

// inputResult is the answer to the commands that settle a question.
type inputResult struct {
	CommandID   string `json:"commandId"`
	Status      string `json:"status"`
	UserInputID string `json:"userInputId"`
}

// openInput finds the question that a command is about, and says why it cannot be settled.
func (h *host) openInput(c *call) (*question, *rpcError) {
	id := c.params.text("userInputId")
	if err := c.params.err(); err != nil {
		return nil, err
	}
	q := c.session.inputs[id]
	switch {
	case q == nil:
		e := failure(-32055, "userInputNotFound", "user input %s was not found", id)
		e.Data.UserInputID = id
		return nil, e
	case q.settled != nil:
		e := failure(-32056, "userInputAlreadySettled", "user input %s is already settled", id)
		e.Data.UserInputID = id
		e.Data.Settlement = &settlementData{Outcome: q.settled.outcome, ViewCursor: q.settled.cursor}
		return nil, e
	}
	return q, nil
}

// settleInput answers a command and settles the question behind the answer.
func (h *host) settleInput(c *call, q *question, end settlement) reply {
	end.commandID = &c.commandID
	return reply{result: inputResult{c.commandID, "accepted", q.id}, after: func() {
		q.settle(end)
		if end.outcome == "interrupted" {
			h.stopTurn(q.turn, cancelCause{reason: "interrupted at a question", by: "user", commandID: c.commandID})
			return
		}
		q.turn.host.advance(q.turn)
	}}
}

// answers reads and checks answers.
func (h *host) answers(c *call, q *question, partly bool) (raw []json.RawMessage, output string, err *rpcError) {
	var list []*params
	if !partly || c.params.raw("answers") != nil {
		list = c.params.list("answers")
		json.Unmarshal(c.params.members["answers"], &raw)
	}
	if err := c.params.err(); err != nil {
		return nil, "", err
	}
	problem, output := q.check(list, partly)
	for _, a := range list {
		c.params.adopt(a)
	}
	if err := c.params.err(); err != nil {
		return nil, "", err
	}
	if problem != "" {
		e := failure(-32057, "userInputAnswerInvalid", "the answer to user input %s is invalid: %s", q.id, problem)
		e.Data.UserInputID, e.Data.Reason = q.id, problem
		return nil, "", e
	}
	return raw, output, nil
}

// inputAnswer serves userInput/answer.
func (h *host) inputAnswer(c *call) reply {
	q, err := h.openInput(c)
	if err != nil {
		return fails(err)
	}
	raw, output, err := h.answers(c, q, false)
	if err != nil {
		return fails(err)
	}
	if q.spec.Stuck {
		return reply{result: inputResult{c.commandID, "accepted", q.id}}
	}
	return h.settleInput(c, q, settlement{outcome: "answered", answers: raw, output: output})
}

// inputCancel serves userInput/cancel: the turn goes on without an answer.
func (h *host) inputCancel(c *call) reply {
	reason := c.params.optional("reason")
	q, err := h.openInput(c)
	if err != nil {
		return fails(err)
	}
	return h.settleInput(c, q, settlement{outcome: "cancelled", reason: orNull(reason)})
}

// inputClarify serves userInput/clarify: the user asks back.
func (h *host) inputClarify(c *call) reply {
	clarification := c.params.object("clarification")
	content := clarification.text("content")
	clarification.text("format")
	c.params.adopt(clarification)
	q, err := h.openInput(c)
	if err != nil {
		return fails(err)
	}
	output := encode(struct {
		Status        string `json:"status"`
		Clarification string `json:"clarification"`
	}{"clarified", content})
	return h.settleInput(c, q, settlement{outcome: "clarified", clarified: c.params.members["clarification"], output: string(output)})
}

// inputInterrupt serves userInput/interrupt: the turn ends, too.
func (h *host) inputInterrupt(c *call) reply {
	q, err := h.openInput(c)
	if err != nil {
		return fails(err)
	}
	raw, _, err := h.answers(c, q, true)
	if err != nil {
		return fails(err)
	}
	return h.settleInput(c, q, settlement{outcome: "interrupted", answers: raw})
}

// inputEngaged takes the notification userInput/engaged: the question does not expire any more.
func (h *host) inputEngaged(p *params) {
	s := h.server.stored[p.optional("sessionId")]
	if s == nil || s.host != h {
		return
	}
	if q := s.inputs[p.optional("userInputId")]; q != nil {
		q.engaged = true
		if q.settled == nil && q.turn.waiting == q.spec.Expires {
			q.turn.waiting = ""
		}
	}
}
