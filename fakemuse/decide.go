package fakemuse

import "slices"

type amendment struct {
	Durability  string `json:"durability"`
	RulePreview string `json:"rulePreview"`
}

type stageEvidence struct {
	RequirementID requirementID   `json:"requirementId"`
	Position      int             `json:"position"`
	TotalStages   int             `json:"totalStages"`
	Argv          []string        `json:"argv"`
	Resolution    stageResolution `json:"resolution"`
}

type (
	approvalUpdatedParams struct {
		view
		ApprovalID     string          `json:"approvalId"`
		Current        requirementID   `json:"currentRequirementId"`
		Subject        subjectData     `json:"subject"`
		Choices        []Choice        `json:"availableChoices"`
		Change         approvalChange  `json:"change"`
		SubagentOrigin *SubagentOrigin `json:"subagentOrigin,omitempty"`
	}
	approvalChange struct {
		Kind          string         `json:"kind"`
		RequirementID *requirementID `json:"requirementId,omitempty"`
		ChoiceID      string         `json:"choiceId,omitempty"`
		Decision      string         `json:"decision,omitempty"`
		Reason        string         `json:"reason,omitempty"`
	}
	approvalResolvedParams struct {
		view
		ApprovalID         string          `json:"approvalId"`
		ItemID             string          `json:"itemId"`
		TurnID             string          `json:"turnId"`
		Decision           string          `json:"decision"`
		PolicyResult       string          `json:"policyResult"`
		Amendment          *amendment      `json:"amendment,omitempty"`
		ResolvedBy         string          `json:"resolvedBy"`
		DecidedByCommandID string          `json:"decidedByCommandId,omitempty"`
		DecidedAt          string          `json:"decidedAt,omitempty"`
		StageEvidence      []stageEvidence `json:"stageEvidence"`
		SubagentOrigin     *SubagentOrigin `json:"subagentOrigin,omitempty"`
	}
)

type decideResult struct {
	CommandID  string `json:"commandId"`
	Status     string `json:"status"`
	ApprovalID string `json:"approvalId"`
	Terminal   bool   `json:"terminal"`
}

// wish is a decision as a client asks for it.
type wish struct {
	requirement requirementID
	choice      string
	feedback    string
	hasFeedback bool
}

// decider is who decided: another client or this one (user, with the id of a command), the policy, or the judge.
type decider struct {
	by        string
	commandID string
	feedback  string
}

// approvalDecide takes a decision. One that comes for what was decided elsewhere a moment before crosses the news of
// that on the wire; which of them, the news or the refusal, is there first differs between hosts.
func (h *host) approvalDecide(c *call) reply {
	id := c.params.text("approvalId")
	w := wish{choice: c.params.text("choiceId")}
	requirement := c.params.object("requirementId")
	w.requirement = requirementID{ApprovalID: requirement.text("approvalId"), SourceIndex: requirement.number("sourceIndex")}
	c.params.adopt(requirement)
	w.feedback, w.hasFeedback = c.params.optional("feedback"), c.params.raw("feedback") != nil
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	a := c.session.approvals[id]
	if a == nil {
		e := failure(-32050, "approvalNotFound", "approval %s was not found", id)
		e.Data.ApprovalID = id
		return fails(e)
	}
	if a.resolution != nil || a.elsewhere || !a.spec.Elsewhere.crosses() {
		return h.take(c, a, w)
	}
	news := h.holding(a.decideElsewhere)
	r := h.take(c, a, w)
	r.before, r.after = news, func() { h.advance(a.turn) }
	return r
}

// take looks at a decision in the order of a real host: is it resolved already (before the choice is looked at), is it
// at another stage, is the choice offered (msp.md §7.5).
func (h *host) take(c *call, a *approval, w wish) reply {
	if r := a.resolution; r != nil {
		e := failure(-32051, "approvalAlreadyResolved", "approval %s is already resolved", a.id)
		e.Data.ApprovalID = a.id
		e.Data.Resolution = &resolutionData{Decision: r.decision, ResolvedBy: r.by, ViewCursor: r.cursor}
		return fails(e)
	}
	if current := a.requirement(); w.requirement != current {
		e := failure(-32053, "approvalRequirementStale", "approval %s is at another requirement", a.id)
		e.Data.ApprovalID, e.Data.Current = a.id, &current
		return fails(e)
	}
	at := slices.IndexFunc(a.choices(), func(o Choice) bool { return o.ChoiceID == w.choice })
	if at < 0 {
		e := failure(-32052, "approvalChoiceInvalid", "approval %s does not offer the choice %s", a.id, w.choice)
		e.Data.ApprovalID, e.Data.ChoiceID = a.id, w.choice
		return fails(e)
	}
	if f := a.spec.DecideFails; f != nil && (f.Choice == "" || f.Choice == w.choice) {
		return fails(f.error())
	}
	choice := a.choices()[at]
	if w.hasFeedback && !choice.AcceptsFeedback {
		return fails(invalidParams(c.method, "the choice does not accept `feedback`"))
	}
	terminal := !choice.Grants || a.undecided(a.current) == a.current
	result := decideResult{CommandID: c.commandID, Status: "accepted", ApprovalID: a.id, Terminal: terminal}
	return reply{result: result, late: a.spec.LateAck, after: func() {
		if a.spec.Stuck && !terminal {
			return
		}
		a.decide(choice, decider{by: "user", commandID: c.commandID, feedback: w.feedback}, terminal)
		if terminal {
			a.turn.host.advance(a.turn)
		}
	}}
}

// decide applies a decision: the next stage, or the end.
func (a *approval) decide(choice Choice, by decider, terminal bool) {
	at := a.requirement()
	change := approvalChange{Kind: "stageResolved", RequirementID: &at, ChoiceID: choice.ChoiceID, Decision: choice.Decision}
	if choice.Grants && len(a.subject.Stages) > 0 {
		a.subject.Stages = slices.Clone(a.subject.Stages)
		a.subject.Stages[a.current].Resolution = stageKind(choice, a.subject.Stages[a.current].Argv)
	}
	repeats := a.turn.session.server.variants.has(lastStageRepeated)
	if !terminal || choice.Grants && len(a.subject.Stages) > 0 && repeats {
		a.current = a.undecided(a.current)
		a.refresh()
		a.update(change)
	}
	if !terminal {
		return
	}
	r := resolution{decision: choice.Decision, by: by.by, commandID: by.commandID, grants: choice.Grants, feedback: by.feedback}
	if choice.Grants && choice.Scope != "once" {
		r.amendment = &amendment{Durability: choice.Scope, RulePreview: firstOf(choice.RulePreview, choice.Label)}
	}
	a.resolve(r)
}

// update says what has changed about an approval.
func (a *approval) update(change approvalChange) {
	s := a.turn.session
	v := s.next(s.freshIn(a.stream))
	s.publish("approval/updated", v, approvalUpdatedParams{
		view: v, ApprovalID: a.id, Current: a.requirement(), Subject: a.subject, Choices: a.choices(), Change: change,
		SubagentOrigin: a.spec.SubagentOrigin,
	})
}

// stageKind is how a granted stage shows (msp.md §7.4; the kinds of the wider scopes are inferred).
func stageKind(choice Choice, argv []string) stageResolution {
	switch choice.Scope {
	case "session":
		return stageResolution{Kind: "allowSession"}
	case "localPersistent":
		return stageResolution{Kind: "allowPrefix", ArgvPrefix: argv[:min(1, len(argv))]}
	}
	return stageResolution{Kind: "allowOnce"}
}

// resolve ends the approval and says so. The evidence lists the stages that were granted.
func (a *approval) resolve(r resolution) {
	s := a.turn.session
	v := s.next(s.freshIn(a.stream))
	r.cursor = v.ViewCursor
	a.resolution = &r
	p := approvalResolvedParams{
		view: v, ApprovalID: a.id, ItemID: a.item.ItemID, TurnID: a.turn.id, Decision: r.decision, PolicyResult: "deny",
		Amendment: r.amendment, ResolvedBy: r.by, DecidedByCommandID: r.commandID, StageEvidence: []stageEvidence{},
		SubagentOrigin: a.spec.SubagentOrigin,
	}
	if r.grants {
		p.PolicyResult = "allow"
	}
	if !s.server.variants.has(noDecidedAt) {
		p.DecidedAt = stamp(s.clock)
	}
	for _, stage := range a.subject.Stages {
		if stage.Resolution.Kind != unresolved {
			p.StageEvidence = append(p.StageEvidence, stageEvidence{
				RequirementID: stage.RequirementID, Position: stage.Position, TotalStages: stage.TotalStages, Argv: stage.Argv,
				Resolution: stage.Resolution,
			})
		}
	}
	s.publish("approval/resolved", v, p)
	s.attention()
}

// error is the failure as an answer.
func (f *AnswerFailure) error() *rpcError {
	e := failure(f.Code, f.Kind, "%s", f.Message)
	e.Data.Retryable, e.Data.more = &f.Retryable, f.Data
	return e
}
