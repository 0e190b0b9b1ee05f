package reference

import (
	"bytes"
	"slices"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// The faults of answers and of what is decided by them.
const (
	GrantsRejection      Fault = "grants-rejection"
	GrantOnCancelled     Fault = "grant-on-cancelled-with-option"
	GrantOnEmpty         Fault = "grant-on-empty-result"
	GrantOnBroken        Fault = "grant-on-result-with-error"
	GrantOnNoOption      Fault = "grant-on-selected-nothing"
	GrantOnName          Fault = "grant-on-option-name"
	GrantOnCase          Fault = "grant-on-other-case"
	GrantOnSpaces        Fault = "grant-on-spaced-option"
	GrantsOnCancel       Fault = "grants-on-cancel"
	DecidesMovedStage    Fault = "answer-decides-next-stage"
	SendsOutdated        Fault = "sends-outdated-choice"
	DecidesResolved      Fault = "decides-what-is-resolved"
	KeepsResolved        Fault = "keeps-resolved-question"
	GrantsLaterStages    Fault = "grants-later-stages"
	StaleCarriesOver     Fault = "stale-grant-carries-over"
	ResolvedFails        Fault = "resolved-decision-fails"
	ShowsUnknownAsReject Fault = "shows-unknown-as-rejection"
	PicksUnknown         Fault = "denies-with-unknown-decision"
	BadAnswerDenies      Fault = "bad-answer-denies"
	ClientCodeLost       Fault = "client-error-code-lost"
	OneShotLasts         Fault = "one-shot-grant-lasts"
	OneShotWithoutOnce   Fault = "one-shot-grant-without-once"
	DenialShowsReason    Fault = "denial-shows-reason"
	OneDenialText        Fault = "one-text-for-all-denials"
	AsksForStrangers     Fault = "asks-for-other-sessions"
	AsksWithoutCall      Fault = "asks-without-call"
	DismissalRepeats     Fault = "dismissal-repeats-answer"
	DeniesWithRest       Fault = "denies-with-what-is-left"
)

func answerFaults() []FaultInfo {
	return []FaultInfo{
		{GrantsRejection, "A selected rejection is taken as the first allowing option."},
		{GrantOnCancelled, "A dismissal that names an allowing option grants."},
		{GrantOnEmpty, "A result without an outcome that can be read is taken as the first allowing option."},
		{GrantOnBroken, "A response with both a result and an error counts by its result."},
		{GrantOnNoOption, "A selection without an option id is taken as the first allowing option."},
		{GrantOnName, "The name of an option is taken for its id."},
		{GrantOnCase, "An option id is matched without regard to upper and lower case."},
		{GrantOnSpaces, "An option id is matched without the spaces around it."},
		{GrantsOnCancel, "A cancel sends a grant of what is being asked, and no cancel."},
		{DecidesMovedStage, "An answer about a stage that is over decides the next one."},
		{SendsOutdated, "A choice that the host does not offer any more is sent."},
		{DecidesResolved, "An answer is sent though the host has resolved the approval."},
		{KeepsResolved, "A question stays open when the host has resolved its approval, and is logged when it is answered."},
		{GrantsLaterStages, "Once a stage is granted, the later ones are granted without a question."},
		{StaleCarriesOver, "A grant that came too late for its stage is sent for the next one."},
		{ResolvedFails, "A decision that came after another one fails the turn."},
		{ShowsUnknownAsReject, "A choice with a decision that is not known is shown as a rejection."},
		{PicksUnknown, "What is denied is denied with the first choice whose decision is not known, where there is one."},
		{DeniesWithRest, "Where no choice denies, what is denied is denied with the last one."},
		{BadAnswerDenies, "An answer that is none denies, and the turn goes on."},
		{ClientCodeLost, "The client's error does not become the prompt's."},
		{OneShotLasts, "An allow-once for a hook's question or an escalation is sent as a choice that lasts, where there is one."},
		{OneShotWithoutOnce, "Where no choice holds once, an allow-once is sent as one that lasts."},
		{DenialShowsReason, "A denial tells the model the asker's reason."},
		{OneDenialText, "The model is told the same of a rejection, a dismissal and a question that nobody could answer."},
		{AsksForStrangers, "An approval of a session that the adapter does not have is put to the client."},
		{AsksWithoutCall, "The client is asked about an approval that names no tool call."},
		{DismissalRepeats, "A dismissed question is settled as the question before it was, if that was allowed."},
	}
}

// misgrants reports which option a faulty reading of an answer grants.
func (a *adapter) misgrants(r reply, got answer, offered []option) (string, bool) {
	first := slices.IndexFunc(offered, option.grants)
	matches := func(same func(option) bool) (string, bool) {
		i := slices.IndexFunc(offered, func(o option) bool { return o.grants() && same(o) })
		if i < 0 {
			return "", false
		}
		return offered[i].ID, true
	}
	given := func(o option) bool { return bytes.Contains(r.result, []byte(quote(o.ID))) }
	whole := r
	whole.broken, whole.err = false, nil
	result, _ := object(r.result)
	outcome, _ := object(result["outcome"])
	if id, grants := a.elsewhere(r, got, offered); grants {
		return id, true
	}
	switch {
	case first < 0:
		return "", false
	case a.fault(GrantsRejection) && got.outcome == approval.Rejected && got.trouble == noTrouble,
		a.fault(GrantOnNoOption) && got.trouble == notOffered && got.given == "",
		a.overreads(r, got, offered),
		a.fault(GrantOnEmpty) && got.trouble == unreadable && !r.broken && len(result) < 2 && len(outcome) == 0:
		return offered[first].ID, true
	case a.fault(GrantOnCancelled) && got.outcome == approval.Cancelled, a.fault(GrantOnMention) && got.option != "":
		return matches(given)
	case a.fault(GrantOnBroken) && r.broken && readAnswer(whole, offered).outcome == approval.AllowedOnce:
		return matches(given)
	case a.fault(GrantOnName) && got.trouble == notOffered:
		return matches(func(o option) bool { return o.Name == got.given })
	case a.fault(GrantOnKind) && got.trouble == notOffered:
		return matches(func(o option) bool { return string(o.Kind) == got.given })
	case a.fault(GrantOnSpaces) && got.trouble == notOffered:
		return matches(func(o option) bool { return o.ID == strings.TrimSpace(got.given) })
	case a.fault(GrantOnCase) && got.trouble == notOffered:
		return matches(func(o option) bool { return strings.EqualFold(o.ID, got.given) })
	}
	return "", false
}

// repeats is for the fault dismissal-repeats-answer.
func (s *session) repeats(k *ask) {
	if i := slices.IndexFunc(k.params.Options, option.grants); i >= 0 && s.granted && k.got.outcome == approval.Cancelled {
		k.got = answer{outcome: approval.AllowedOnce, option: k.params.Options[i].ID}
	}
	s.granted = k.got.outcome == approval.AllowedOnce
}

// why is what the model is told about a question that was not granted.
func (k *ask) why() string {
	switch {
	case k.s.a.fault(DenialShowsReason) && k.req.Reason != "":
		return k.req.Reason
	case k.s.a.fault(OneDenialText):
		return k.denial(approval.Unavailable)
	}
	return k.denial(k.outcome)
}

// carriesOver is for the faults that grant a stage because an earlier one was granted.
func (s *session) carriesOver(p *pending) bool {
	return p.granted && s.a.fault(GrantsLaterStages) || p.stale && s.a.fault(StaleCarriesOver)
}

// misdeny is the narrowest denial, but for the faults that deny otherwise.
func (s *session) misdeny(choices []muse.Choice) (muse.Choice, bool) {
	i := slices.IndexFunc(choices, func(c muse.Choice) bool { return !denies(c) && !approves(c) })
	if i >= 0 && s.a.fault(PicksUnknown) {
		return choices[i], true
	}
	choice, ok := narrowestDeny(choices, s.a.fault(PersistentDenial))
	if !ok && len(choices) > 0 && s.a.fault(DeniesWithRest) {
		return choices[len(choices)-1], true
	}
	return choice, ok
}

// misanswered settles a question about a choice of the host in the way of a fault. It reports false when there is none
// to which that applies.
func (s *session) misanswered(k *ask) bool {
	switch k.got.trouble {
	case notOffered, unreadable, rpcError:
		if s.a.fault(BadAnswerDenies) {
			s.deny(k.p, k.why())
			return true
		}
	}
	offered, ok := choiceOf(k.choices, k.got.option)
	if !ok || denies(offered) {
		return false
	}
	switch {
	case s.a.fault(DecidesMovedStage):
		s.decide(k.p, *k.p.v.Current, offered, true, "")
	case s.a.fault(SendsOutdated):
		s.decide(k.p, k.stage, offered, true, "")
	default:
		return false
	}
	return true
}

// approves reports whether a choice is known to approve.
func approves(c muse.Choice) bool { return strings.HasPrefix(c.Decision, "approved") }

// oneShotGrant is the choice that a grant of one shot is sent as, with the faults that send one that lasts.
func (s *session) oneShotGrant(choices []muse.Choice) (muse.Choice, bool) {
	once, ok := onceApproval(choices)
	lasting, found := lastingApproval(choices)
	if found && (s.a.fault(OneShotLasts) || !ok && s.a.fault(OneShotWithoutOnce)) {
		return lasting, true
	}
	return once, ok
}

// calledBy is the tool call that a question names.
func (s *session) calledBy(p *pending) acp.ToolCallId {
	if s.a.fault(AsksWithoutCall) {
		return acp.ToolCallId(p.callID())
	}
	return acp.ToolCallId(p.v.ToolCallID)
}

// misshow is for the fault shows-unknown-as-rejection.
func (s *session) misshow(options []option, choices []muse.Choice) {
	for i, c := range choices {
		if s.a.fault(ShowsUnknownAsReject) && !denies(c) && !approves(c) {
			options[i].Kind = "reject_once"
		}
	}
}
