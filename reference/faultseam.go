package reference

import (
	"fmt"
	"slices"

	"acp-conform/reference/approval"
	"acp-conform/reference/hook"
	"acp-conform/reference/muse"
)

// The faults of the approval seam, of the policy and of forms.
const (
	GrantOnDeadClient   Fault = "grant-on-dead-client"
	GrantOnEarlier      Fault = "grant-on-earlier-option"
	FrontBypass         Fault = "policy-bypass-in-front"
	PairsElsewhere      Fault = "pairs-across-sessions"
	SharesPairID        Fault = "reuses-pair-id"
	LogsUnknownOutcome  Fault = "logs-unknown-outcome"
	StaleFails          Fault = "stale-decision-fails"
	RetriesDecide       Fault = "retries-decide"
	IgnoresRefusal      Fault = "ignores-refused-decision"
	HookAllowGrants     Fault = "hook-allow-grants"
	IgnoresHookDenial   Fault = "ignores-hook-denial"
	FailedHookDenies    Fault = "failed-hook-denies"
	AsksNarrow          Fault = "asks-for-narrow-escalation"
	EscalationStays     Fault = "escalation-stays"
	AsksForSubagents    Fault = "asks-for-subagents"
	OmitsNever          Fault = "omits-never-sentence"
	AlwaysNever         Fault = "says-never-under-ask"
	OmitsNotice         Fault = "omits-notice"
	RepeatsNotice       Fault = "repeats-notice"
	BlamesOperator      Fault = "notice-blames-operator"
	RecordsNoChange     Fault = "records-unchanged-policy"
	SwitchesAtOnce      Fault = "switches-between-turns"
	EchoesConfig        Fault = "config-without-effect"
	LeaksPolicy         Fault = "policy-of-all-sessions"
	AcceptsUnknownValue Fault = "accepts-unknown-value"
	PartialConfig       Fault = "answers-one-option"
	FormUnasked         Fault = "form-without-capability"
	FormDismissed       Fault = "declined-form-answers"
	FormUnchecked       Fault = "form-answers-unchecked"
	LateFormAnswer      Fault = "late-form-answer"
	FormTwice           Fault = "form-asked-twice"
	DeclineEndsTurn     Fault = "declined-form-fails-turn"
	FormErrorAnswers    Fault = "form-error-answers"
	FormInvented        Fault = "answers-without-form"
	IgnoresGap          Fault = "ignores-gap"
)

func seamFaults() []FaultInfo {
	return []FaultInfo{
		{GrantOnDeadClient, "When the client is gone, what it was being asked is granted."},
		{GrantOnEarlier, "An option that allowed in an earlier question, and was not offered in this one, grants."},
		{FrontBypass, "An answerer in front of the policy grants under never."},
		{PairsElsewhere, "What was decided about a question is logged with the first session, whatever session asked."},
		{SharesPairID, "All questions are logged under the same id."},
		{LogsUnknownOutcome, "A rejection is logged under a word that is no outcome."},
		{StaleFails, "A decision that came too late for its stage fails the turn."},
		{RetriesDecide, "A decision that the host refuses because it is busy is sent again."},
		{IgnoresRefusal, "A decision that the host refuses is passed over."},
		{HookAllowGrants, "What a hook allows is granted without a question."},
		{IgnoresHookDenial, "What a hook denies is put to the client."},
		{FailedHookDenies, "A hook that decides nothing denies."},
		{AsksNarrow, "An escalation that is not valid, or not wider, is put to the client."},
		{EscalationStays, "A granted escalation widens the session's sandbox mode for good."},
		{AsksForSubagents, "An approval of a subagent is put to the client."},
		{OmitsNever, "Under the policy never the model is not told so."},
		{AlwaysNever, "Under the policy ask the model is told that prompts are disabled."},
		{OmitsNotice, "The model is not told of a change of the policy."},
		{RepeatsNotice, "The model is told of a change of the policy in every turn."},
		{BlamesOperator, "A change that the user made is told as the operator's."},
		{RecordsNoChange, "A policy that is set to what it is, or back, is recorded."},
		{SwitchesAtOnce, "A policy that is set between turns is recorded outside of one."},
		{EchoesConfig, "An option that was set is answered with its new value, and nothing else happens."},
		{LeaksPolicy, "A policy that was set for one session counts for all."},
		{AcceptsUnknownValue, "A value that an option does not have is accepted."},
		{PartialConfig, "The answer to a set option names that option only."},
		{FormUnasked, "A form is sent to a client that shows none."},
		{FormDismissed, "A declined form is answered with the first option of each question."},
		{FormUnchecked, "An answer that does not fit its form is replaced by the first option of each question."},
		{LateFormAnswer, "An answer to a form of a cancelled turn is sent in a later one."},
		{FormTwice, "The host's notification and its request for user input make two forms, one behind the other."},
		{DeclineEndsTurn, "A declined form fails the turn."},
		{FormErrorAnswers, "An error in place of the answer to a form is taken for the first option of each question."},
		{FormInvented, "Where the client shows no forms, each question is answered with its first option."},
		{IgnoresGap, "Events that the host did not deliver are not fetched."},
	}
}

// settleOpen settles all open questions with their first option that fits, whatever is answered to them. What follows
// from that begins with the answer, so that it does not depend on how fast the client is.
func (a *adapter) settleOpen(fits func(option) bool) {
	a.calls.mu.Lock()
	defer a.calls.mu.Unlock()
	for _, q := range a.calls.open {
		if k, ok := q.(*ask); ok {
			k.settled = firstOption(k.params.Options, fits)
		}
	}
}

// anyway is the answer that counts for one that came.
func (k *ask) anyway(r reply) reply {
	if k.settled == nil {
		return r
	}
	return selects(*k.settled)
}

// firstOption is the first option that fits, or nil.
func firstOption(offered []option, fits func(option) bool) *option {
	i := slices.IndexFunc(offered, fits)
	if i < 0 {
		return nil
	}
	return &offered[i]
}

// selects is the answer that chooses an option.
func selects(o option) reply {
	return reply{result: fmt.Appendf(nil, `{"outcome":{"outcome":"selected","optionId":%s}}`, quote(o.ID))}
}

// remember is for the faults grant-on-earlier-option and dismissal-repeats-answer.
func (s *session) remember(k *ask) {
	if s.a.fault(DismissalRepeats) {
		s.repeats(k)
	}
	if !s.a.fault(GrantOnEarlier) {
		return
	}
	i := slices.IndexFunc(k.params.Options, option.grants)
	if k.got.trouble == notOffered && s.earlier[k.got.given] && i >= 0 {
		k.got = answer{outcome: approval.AllowedOnce, option: k.params.Options[i].ID}
	}
	for _, o := range k.params.Options {
		s.earlier[o.ID] = s.earlier[o.ID] || o.grants()
	}
}

// front is for the fault policy-bypass-in-front: the pair is written, and the policy is not looked at.
func (s *session) front(k *ask) (approval.Outcome, error) {
	if i := slices.IndexFunc(k.params.Options, option.grants); i >= 0 {
		k.got = answer{outcome: approval.AllowedOnce, option: k.params.Options[i].ID}
	}
	const id = "front"
	asked := approval.AskedData{ID: id, ToolName: k.req.ToolName, CallID: k.req.CallID, Reason: k.req.Reason}
	if err := s.agent.Append(approval.EventAsked, asked); err != nil {
		return "", err
	}
	return approval.AllowedOnce, s.agent.Append(approval.EventDecided, approval.DecidedData{ID: id, Outcome: approval.AllowedOnce})
}

// pairIDs makes the ids of questions; nil leaves that to the seam.
func (o Options) pairIDs() func() string {
	if o.Fault != SharesPairID {
		return nil
	}
	return func() string { return "question" }
}

// hookFault changes what the hooks said.
func (s *session) hookFault(p *pending, r hookResult) (hookResult, bool) {
	grant, ok := onceApproval(p.v.Choices)
	switch {
	case s.a.fault(HookAllowGrants) && r.Decision == hook.Allow && ok:
		s.decide(p, *p.v.Current, grant, true, "")
		return r, true
	case s.a.fault(HookAllowEnds) && r.Decision == hook.Allow:
		s.askApproval(p)
		return r, true
	case s.a.fault(EscalationBeforeHook) && r.Decision == hook.Ask:
		if _, _, found := s.misescalate(p); found {
			r.Decision = hook.None
		}
	case s.a.fault(IgnoresHookDenial) && r.Decision == hook.Deny:
		r.Decision = hook.None
	case s.a.fault(FailedHookDenies) && r.Decision == hook.None && len(s.a.o.Hooks) > 0:
		r.Decision = hook.Deny
	}
	return r, false
}

// policyLogs are the logs that a switch of a session's policy goes to.
func (a *adapter) policyLogs(s *session) []approval.Agent {
	if !a.fault(LeaksPolicy) {
		return []approval.Agent{s.agent}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []approval.Agent
	for _, other := range a.order {
		all = append(all, other.agent)
	}
	return all
}

// configAnswer is the answer to a set option.
func (a *adapter) configAnswer(s *session, option, value string) configResult {
	all := s.configOptions()
	if a.fault(PartialConfig) {
		all = slices.DeleteFunc(all, func(o configOption) bool { return o.ID != option })
	}
	for i := range all {
		if a.fault(EchoesConfig) && all[i].ID == option {
			all[i].CurrentValue = value
		}
	}
	return configResult{all}
}

// firstOptions are for the faults that answer for the user.
func firstOptions(questions []muse.Question) []muse.InputAnswer {
	var answers []muse.InputAnswer
	for _, q := range questions {
		a, words := muse.InputAnswer{QuestionID: q.ID}, ""
		switch labels := labelsOf(q); {
		case len(labels) == 0:
			a.FreeText = &words
		case q.Selection.Mode == muse.Multiple:
			a.SelectedLabels = labels[:1]
		default:
			a.SelectedLabel = &labels[0]
		}
		answers = append(answers, a)
	}
	return answers
}

// grantAll is for the faults grant-on-dead-client and grant-when-told-to-end.
func (s *session) grantAll(closed bool) {
	faulty := closed && s.a.fault(GrantOnDeadClient) || !closed && s.closing && s.closed == nil && s.a.fault(GrantWhenTold)
	for _, k := range s.asks {
		if grant, ok := onceApproval(k.p.v.Choices); ok && faulty {
			s.decide(k.p, k.stage, grant, true, "")
			if !closed {
				s.progress(s.cardOfApproval(k.p)) // the host has no time to say it, or just enough
			}
		}
	}
}

// busyHost reports whether a refusal only says that the host is busy.
func busyHost(err error) bool {
	const overloaded, backpressured = -32001, -32031
	return code(err) == overloaded || code(err) == backpressured
}
