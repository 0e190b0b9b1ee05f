package reference

import (
	"errors"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// settled acts on the outcome of a question. The table is muse-adapter.md §6.3.
func (s *session) settled(k *ask) {
	k.over = true
	k.cancel()
	k.p.open = nil
	k.p.changed = now()
	s.setOpen(k.req, nil)
	s.dropAsk(k)
	if k == s.late {
		s.lateGrant(k)
		return
	}
	t := s.turn
	if t == nil || t.ended || t.cancelled || t.failure != nil {
		return
	}
	s.showPair(k)
	if k.got.trouble != noTrouble && k.outcome != approval.AllowedOnce && !s.a.fault(SilentRefusal) {
		s.cardOfApproval(k.p).denial = deniedText(k.why()) // also where Muse is told nothing
	}
	switch {
	case k.err != nil:
		s.fail(s.auditFailure(k.err))
	case s.grantsUnavailable(k):
	case k.p.resolved && !s.a.fault(DecidesResolved) || k.p.decided:
	case k.p.v.Current.SourceIndex != k.stage.SourceIndex && !s.a.fault(DecidesMovedStage):
		s.consider(k.p) // the host has moved on; what was answered is about something else
	case s.a.fault(AsksTwice) && !k.p.reasked && k.got.outcome != "":
		k.p.reasked, k.p.asked[k.stage.SourceIndex] = true, false
		s.consider(k.p)
	case k.oneShot:
		s.settleOneShot(k)
	default:
		s.settleChoice(k)
	}
	if s.a.fault(BlocksDialogs) {
		for _, p := range t.pendings {
			s.consider(p)
		}
	}
}

// settleOneShot acts on the outcome of a question with the two options of our own.
func (s *session) settleOneShot(k *ask) {
	switch {
	case k.got.trouble == clientEnded:
	case k.got.trouble == noChoice:
		s.fail(notEligible(k.got.wanted))
	case k.outcome != approval.AllowedOnce:
		s.deny(k.p, k.why())
	default:
		choice, ok := s.oneShotGrant(k.p.v.Choices)
		if !ok {
			s.fail(localFailure("noOnceChoice", "Muse offered no choice that approves once"))
			return
		}
		s.decide(k.p, k.stage, choice, true, "")
		if s.a.fault(EscalationStays) {
			_ = s.record(sandboxOption, sandboxModes()[2])
		}
	}
}

// settleChoice acts on the outcome of a question with the host's choices.
func (s *session) settleChoice(k *ask) {
	if s.misanswered(k) {
		return
	}
	switch k.got.trouble {
	case clientEnded:
		return
	case noChoice:
		s.fail(notEligible(k.got.wanted))
		return
	case notOffered:
		text := "permission response selected no option"
		if k.got.given != "" {
			text = "permission response selected unknown option: " + cut(k.got.given, longestTitle)
		}
		s.fail(localFailure("unknownOption", text))
		return
	case unreadable:
		s.fail(localFailure("unreadableAnswer", "permission response has no outcome that is known"))
		return
	case rpcError:
		f := localFailure("requestError", "the client refused the permission request")
		f.outcome, f.client = "failed", k.got.err
		if s.a.fault(ClientCodeLost) {
			f.client = nil
		}
		s.fail(f)
		return
	}
	offered, _ := choiceOf(k.choices, k.got.option)
	if k.got.option == "" || k.outcome != k.got.outcome || !denies(offered) && k.outcome != approval.AllowedOnce {
		// Dismissed, decided by the policy, nobody could answer, or the seam came to something else than the answer.
		s.deny(k.p, k.why())
		return
	}
	current, ok := choiceOf(k.p.v.Choices, k.got.option)
	if !ok || !s.sameMeaning(offered, current) {
		k.p.asked[k.stage.SourceIndex] = false // the host offers other choices by now: ask again, with those
		s.consider(k.p)
		return
	}
	switch {
	case !denies(current):
		s.decide(k.p, k.stage, current, true, "")
	case s.a.fault(LiesAboutDenied):
		if grant, ok := onceApproval(k.p.v.Choices); ok {
			c := s.cardOfApproval(k.p)
			c.forceFail, c.denial = true, deniedText(k.why())
			s.decide(k.p, k.stage, grant, true, "")
		}
	default:
		s.decide(k.p, k.stage, s.narrowed(current, k.p.v.Choices), false, k.why())
	}
}

func choiceOf(choices []muse.Choice, id string) (muse.Choice, bool) {
	for _, c := range choices {
		if c.ChoiceID == id {
			return c, true
		}
	}
	return muse.Choice{}, false
}

// deniedText is what the model reads about a denial (REQ-ASK-10).
func deniedText(reason string) string { return "Error: " + reason }

// deny denies the current stage, by the narrowest choice that does.
func (s *session) deny(p *pending, reason string) {
	choice, ok := s.misdeny(p.v.Choices)
	if !ok {
		s.fail(localFailure("noDenyChoice", "Muse offered no choice that denies"))
		return
	}
	s.decide(p, *p.v.Current, choice, false, reason)
}

type decideParams struct {
	CommandID     string        `json:"commandId"`
	SessionID     acp.SessionId `json:"sessionId"`
	ApprovalID    string        `json:"approvalId"`
	ChoiceID      string        `json:"choiceId"`
	RequirementID muse.Stage    `json:"requirementId"`
	Feedback      string        `json:"feedback,omitempty"`
}

// decide sends a decision, once, and acts on its acknowledgement. A denial's reason goes to the model with it, where
// the choice takes feedback.
func (s *session) decide(p *pending, stage muse.Stage, choice muse.Choice, grant bool, reason string) {
	c := s.cardOfApproval(p)
	params := decideParams{newCommandID(), s.id, p.v.ApprovalID, choice.ChoiceID, stage, ""}
	if !grant {
		c.denial = deniedText(reason)
		if choice.AcceptsFeedback {
			params.Feedback = c.denial
		}
	}
	if s.a.fault(DecidesWrongStage) {
		params.RequirementID.SourceIndex = 0
	}
	if grant {
		s.noteGrant(p, choice)
	} else {
		s.noteDenial(p)
	}
	p.granted = p.granted || grant
	t := s.turn
	err := s.sendDecision(params, func(r muse.Reply) {
		if s.turn == t && !t.ended && !t.cancelled {
			s.decided(p, c, grant, params, r)
		}
	})
	if err != nil {
		s.fail(localFailure("encode", "the decision cannot be written"))
	}
}

// sendDecision sends a decision; the fault decides-twice sends it again in the same write, so that the host cannot have
// said more in between.
func (s *session) sendDecision(params decideParams, then func(muse.Reply)) (err error) {
	if !s.a.fault(DecidesTwice) {
		return s.host.Request("approval/decide", params, then)
	}
	s.host.Together(func() {
		err = s.host.Request("approval/decide", params, then)
		params.CommandID = newCommandID()
		_ = s.host.Request("approval/decide", params, nil)
	})
	return err
}

// decided acts on the host's answer to a decision (muse-adapter.md §6.3, second table). A decision is sent once: also
// a host that says it is busy is not asked again.
func (s *session) decided(p *pending, c *card, grant bool, params decideParams, r muse.Reply) {
	p.changed = now()
	ack, err := r.Acked(params.CommandID)
	var refused *muse.Error
	switch {
	case err == nil:
		if ack.Terminal != nil && !*ack.Terminal {
			return // the next stage comes as an update
		}
		p.resolved = true
		if grant {
			s.progress(c)
		}
	case code(err) == muse.CodeStageStale && !s.a.fault(StaleFails):
		s.a.logf("a decision came too late for its stage")
		p.stale = p.stale || grant
		c.denial = ""
		s.consider(p)
	case code(err) == muse.CodeApprovalResolved && !s.a.fault(ResolvedFails) && errors.As(err, &refused) && refused.Kind == "approvalAlreadyResolved",
		s.a.fault(IgnoresRefusal):
		s.a.logf("a decision came after another one")
		c.denial = ""
		p.resolved = true
	case s.a.fault(RetriesDecide) && busyHost(err) && !p.retried:
		p.retried = true
		_ = s.host.Request("approval/decide", params, func(r muse.Reply) { s.decided(p, c, grant, params, r) })
	case errors.As(err, &refused):
		f := hostFailure(err, "")
		f.text = "Muse approval decision rejected (" + refused.Error() + ")"
		f.source, f.kind, f.outcome = "transport", "transportError", "unknown"
		s.fail(f)
	default:
		s.fail(lost(err.Error()))
	}
}

// auditFailure is the failure of a turn whose decisions cannot be recorded.
func (s *session) auditFailure(err error) *failure {
	s.a.logf("%v", err)
	return localFailure("auditLog", "the audit log of the session cannot be written")
}
