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
		Kind          string        `json:"kind"`
		RequirementID requirementID `json:"requirementId"`
		ChoiceID      string        `json:"choiceId"`
		Decision      string        `json:"decision"`
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

// approvalDecide takes a decision. What can be wrong with it is looked at in the order of a real host: unknown, then
// resolved already (before the choice is looked at), then the wrong stage, then a choice that is not offered
// (msp.md §7.5).
func (h *host) approvalDecide(c *call) reply {
	id, choiceID := c.params.text("approvalId"), c.params.text("choiceId")
	requirement := c.params.object("requirementId")
	wanted := requirementID{ApprovalID: requirement.text("approvalId"), SourceIndex: requirement.number("sourceIndex")}
	c.params.adopt(requirement)
	feedback, hasFeedback := c.params.optional("feedback"), c.params.raw("feedback") != nil
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	a := c.session.approvals[id]
	if a == nil {
		e := failure(-32050, "approvalNotFound", "approval %s was not found", id)
		e.Data.ApprovalID = id
		return fails(e)
	}
	if r := a.resolution; r != nil {
		e := failure(-32051, "approvalAlreadyResolved", "approval %s is already resolved", id)
		e.Data.ApprovalID = id
		e.Data.Resolution = &resolutionData{Decision: r.decision, ResolvedBy: r.by, ViewCursor: r.cursor}
		return fails(e)
	}
	if current := a.requirement(); wanted != current {
		e := failure(-32053, "approvalRequirementStale", "approval %s is at another requirement", id)
		e.Data.ApprovalID, e.Data.Current = id, &current
		return fails(e)
	}
	at := slices.IndexFunc(a.choices(), func(o Choice) bool { return o.ChoiceID == choiceID })
	if at < 0 {
		e := failure(-32052, "approvalChoiceInvalid", "approval %s does not offer the choice %s", id, choiceID)
		e.Data.ApprovalID, e.Data.ChoiceID = id, choiceID
		return fails(e)
	}
	if f := a.spec.DecideFails; f != nil && (f.Choice == "" || f.Choice == choiceID) {
		return fails(f.error())
	}
	choice := a.choices()[at]
	if hasFeedback && !choice.AcceptsFeedback {
		return fails(invalidParams(c.method, "the choice does not accept `feedback`"))
	}
	terminal := !choice.Grants || a.undecided(a.current) == a.current
	result := decideResult{CommandID: c.commandID, Status: "accepted", ApprovalID: id, Terminal: terminal}
	return reply{result: result, late: a.spec.LateAck, after: func() {
		a.decide(choice, c.commandID, feedback, terminal)
		if terminal {
			a.turn.host.advance(a.turn)
		}
	}}
}

// decide applies an admitted decision: the next stage, or the end.
func (a *approval) decide(choice Choice, commandID, feedback string, terminal bool) {
	s := a.turn.session
	at := a.requirement()
	change := approvalChange{Kind: "stageResolved", RequirementID: at, ChoiceID: choice.ChoiceID, Decision: choice.Decision}
	if choice.Grants && len(a.subject.Stages) > 0 {
		a.subject.Stages = slices.Clone(a.subject.Stages)
		a.subject.Stages[a.current].Resolution = stageKind(choice, a.subject.Stages[a.current].Argv)
	}
	if !terminal || choice.Grants && len(a.subject.Stages) > 0 && s.server.variants.has(lastStageRepeated) {
		a.current = a.undecided(a.current)
		a.refresh()
		v := s.next(s.freshIn(a.stream))
		s.publish("approval/updated", v, approvalUpdatedParams{
			view: v, ApprovalID: a.id, Current: a.requirement(), Subject: a.subject, Choices: a.choices(), Change: change,
			SubagentOrigin: a.spec.SubagentOrigin,
		})
	}
	if !terminal {
		return
	}
	r := resolution{decision: choice.Decision, by: "user", commandID: commandID, grants: choice.Grants, feedback: feedback}
	if choice.Grants && choice.Scope != "once" {
		r.amendment = &amendment{Durability: choice.Scope, RulePreview: firstOf(choice.RulePreview, choice.Label)}
	}
	a.resolve(r)
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
