package reference

import (
	"slices"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// The faults of modes.
const (
	ShowsBypass         Fault = "bypass-for-privileged"
	AnnouncesSameMode   Fault = "announces-same-mode"
	ChangesWhileAsking  Fault = "mode-changes-while-asking"
	ModeAnswersOpen     Fault = "mode-answers-open-question"
	ModeWithoutEffect   Fault = "mode-without-effect"
	NoModeUpdate        Fault = "no-mode-update"
	NoModeMirror        Fault = "no-mode-mirror"
	BypassPicksLasting  Fault = "bypass-picks-lasting-choice"
	AutomaticAsks       Fault = "automatic-mode-asks"
	AutomaticUnderNever Fault = "automatic-mode-under-never"
	AsksWithoutOnce     Fault = "automatic-mode-asks-without-once"
	ModeOfAll           Fault = "mode-of-all-sessions"
	BypassUnlogged      Fault = "automatic-mode-drops-pair"
	GrantsFirstStage    Fault = "bypass-first-stage-only"
	UnknownModeOK       Fault = "accepts-unknown-mode"
	RejectPicksLasting  Fault = "reject-picks-lasting-choice"
	RejectApproves      Fault = "reject-mode-approves"
)

func modeFaults() []FaultInfo {
	return []FaultInfo{
		{ShowsBypass, "A privileged user can choose to approve everything without a question."},
		{AnnouncesSameMode, "A mode that is set to what it is is announced."},
		{ChangesWhileAsking, "The mode can be changed while a question is open."},
		{ModeAnswersOpen, "A change of mode grants the questions that are open, whatever is answered to them."},
		{ModeWithoutEffect, "A mode is confirmed and announced, and nothing else happens."},
		{NoModeUpdate, "A change of mode is not announced as one."},
		{NoModeMirror, "A change of mode is not announced as a change of the config options."},
		{BypassPicksLasting, "The mode that approves picks a choice that lasts, where there is one."},
		{AutomaticAsks, "In an automatic mode the client is asked all the same."},
		{AutomaticUnderNever, "The mode that approves does so under the policy never too."},
		{AsksWithoutOnce, "Where an automatic mode has no choice that holds once, the client is asked."},
		{ModeOfAll, "A mode that was set for one session counts for all."},
		{BypassUnlogged, "What an automatic mode decides is not written to the audit log."},
		{GrantsFirstStage, "The mode that approves does so for the first stage of an approval only, and then asks."},
		{UnknownModeOK, "A mode that is not advertised is confirmed."},
		{RejectPicksLasting, "The mode that rejects picks a denial that lasts, where there is one."},
		{RejectApproves, "The mode that rejects approves."},
	}
}

// mispick changes how an automatic mode chooses.
func (a *adapter) mispick(pick func([]muse.Choice) (muse.Choice, bool), outcome approval.Outcome) (func([]muse.Choice) (muse.Choice, bool), approval.Outcome) {
	switch {
	case a.fault(BypassPicksLasting) && outcome == approval.AllowedOnce:
		return lastingApproval, outcome
	case a.fault(RejectPicksLasting) && outcome == approval.Rejected:
		return func(choices []muse.Choice) (muse.Choice, bool) { return narrowestDeny(choices, true) }, outcome
	case a.fault(RejectApproves):
		return onceApproval, approval.AllowedOnce
	}
	return pick, outcome
}

// modeOwners are the sessions whose mode a change of one's changes.
func (a *adapter) modeOwners(s *session) []*session {
	switch {
	case a.fault(ModeWithoutEffect):
		return nil
	case a.fault(ModeOfAll):
		a.mu.Lock()
		defer a.mu.Unlock()
		return slices.Clone(a.order)
	}
	return []*session{s}
}

// answersOpen is for the fault mode-answers-open-question.
func (a *adapter) answersOpen() bool {
	if !a.fault(ModeAnswersOpen) {
		return false
	}
	a.settleOpen(option.grants)
	return true
}

// unlogged is for the fault automatic-mode-drops-pair.
func (s *session) unlogged(data any) bool {
	switch data.(type) {
	case approval.AskedData, approval.DecidedData:
		return s.a.fault(BypassUnlogged) && s.currentMode() != modeDefault
	}
	return false
}

// lastingApproval is for the fault bypass-picks-lasting-choice.
func lastingApproval(choices []muse.Choice) (muse.Choice, bool) {
	i := slices.IndexFunc(choices, func(c muse.Choice) bool { return !denies(c) && c.Scope != "once" })
	if i < 0 {
		return onceApproval(choices)
	}
	return choices[i], true
}

// noEligible is what an automatic mode makes of a question that it cannot answer.
func (a *adapter) noEligible(k *ask, wanted approval.Outcome, next approval.Next) (approval.Outcome, error) {
	if a.fault(AsksWithoutOnce) {
		return next()
	}
	k.got = answer{outcome: approval.Unavailable, trouble: noChoice, wanted: wanted}
	return approval.Unavailable, nil
}
