package fakemuse

type goalResult struct {
	CommandID string `json:"commandId"`
	Status    string `json:"status"`
	TurnID    string `json:"turnId,omitempty"`
}

type goalParams struct {
	view
	Goal *Goal `json:"goal,omitempty"`
}

// goalChanged tells the goal; one that is gone is left out (msp.md §6.8).
func (s *session) goalChanged() {
	v := s.next(s.fresh())
	s.publish("session/goalChanged", v, goalParams{view: v, Goal: s.goal})
}

// goalTurn launches a turn of the host's own for an active goal, if the script has one for it.
func (h *host) goalTurn(s *session, commandID string) *turn {
	if s.goal == nil || s.goal.Status != "active" || s.turn != nil {
		return nil
	}
	t := h.newTurn(s, "", commandID, turnInput{text: s.goal.Objective})
	t.forGoal = true
	h.server.plan(t)
	if t.plan == nil {
		return nil
	}
	t.id = h.server.newID()
	h.launch(t)
	return t
}

// pauseGoal pauses the goal when its turn is cancelled; that comes before the end of the turn.
func (t *turn) pauseGoal() {
	if s := t.session; t.forGoal && s.goal != nil && s.goal.Status == "active" {
		s.setGoal("paused")
		s.goalChanged()
	}
}

func (s *session) setGoal(status string) {
	changed := *s.goal
	changed.Status = status
	s.goal = &changed
}

// wake changes the goal; an active one wakes a turn, or is put into the one that runs.
func (h *host) wake(c *call) reply {
	s := c.session
	result := goalResult{CommandID: c.commandID, Status: "accepted"}
	t := h.goalTurn(s, c.commandID)
	switch {
	case t != nil:
		result.TurnID = t.id
	case s.turn != nil && s.goal.Status == "active":
		result.TurnID = s.turn.id
	}
	return reply{result: result, after: func() {
		s.goalChanged()
		if t != nil {
			h.advance(t)
		}
	}}
}

// goalSet sets the goal.
func (h *host) goalSet(c *call) reply {
	objective := c.params.text("objective")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	c.session.goal = &Goal{Objective: objective, Status: "active"}
	c.session.durable = true
	return h.wake(c)
}

// withGoal refuses a command where there is no goal.
func (h *host) withGoal(c *call, run func() reply) reply {
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	if c.session.goal == nil {
		return fails(rejected(c.method, c.commandID, "missing_goal"))
	}
	return run()
}

func (h *host) goalEdit(c *call) reply {
	objective := c.params.text("objective")
	return h.withGoal(c, func() reply {
		changed := *c.session.goal
		changed.Objective = objective
		c.session.goal = &changed
		return h.wake(c)
	})
}

func (h *host) goalResume(c *call) reply {
	return h.withGoal(c, func() reply {
		c.session.setGoal("active")
		return h.wake(c)
	})
}

func (h *host) goalPause(c *call) reply {
	return h.withGoal(c, func() reply {
		c.session.setGoal("paused")
		return reply{result: goalResult{CommandID: c.commandID, Status: "accepted"}, after: c.session.goalChanged}
	})
}

func (h *host) goalClear(c *call) reply {
	return h.withGoal(c, func() reply {
		c.session.goal = nil
		return reply{result: goalResult{CommandID: c.commandID, Status: "accepted"}, after: c.session.goalChanged}
	})
}
