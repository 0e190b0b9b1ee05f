package reference

import (
	"context"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// automatic is the front answerer: in an automatic mode it answers the questions of its own sessions that are about a
// tool call, each stage for itself, with a choice of the host that holds once (muse-adapter.md §6.3). It knows no other: without one the
// question is not answered, and the turn ends. The policy stands before it, so under never it is not even called
// (approval-seam.md §0.2).
func (a *adapter) automatic(_ context.Context, req *approval.Request, next approval.Next) (approval.Outcome, error) {
	owner, ok := req.Agent.(*agent)
	if !ok || owner.s.a != a || req.CallID == "" && !a.fault(ModeWithoutCall) {
		return next()
	}
	k := owner.s.openAsk(req)
	if k == nil {
		return next()
	}
	pick, outcome := onceApproval, approval.AllowedOnce
	switch owner.s.currentMode() {
	case modeBypass:
	case modeReject:
		pick, outcome = onceDenial, approval.Rejected
	default:
		return next()
	}
	if a.fault(AutomaticAsks) || a.fault(GrantsFirstStage) && k.stage.SourceIndex > 0 {
		return next()
	}
	pick, outcome = a.mispick(pick, outcome)
	choice, ok := pick(k.p.v.Choices)
	if !ok {
		return a.noEligible(k, outcome, next)
	}
	k.got = answer{outcome: outcome, option: choice.ChoiceID}
	return outcome, nil
}

// onceDenial is the choice by which an automatic mode denies.
func onceDenial(choices []muse.Choice) (muse.Choice, bool) {
	choice, ok := narrowestDeny(choices, false)
	return choice, ok && choice.Scope == "once" && choice.Decision != "deniedPolicyAmendment"
}

// notEligible is the failure of a turn whose question an automatic mode cannot answer.
func notEligible(wanted approval.Outcome) *failure {
	text := "Automatic reject unavailable: Muse offered no eligible once choice; the turn was stopped"
	if wanted == approval.AllowedOnce {
		text = "Automatic approve unavailable: Muse offered no eligible once choice; the turn was stopped without granting permission"
	}
	f := localFailure("automaticUnavailable", text)
	f.cancels = true // so that what the text says is true
	return f
}
