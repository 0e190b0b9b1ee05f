package reference

import (
	"encoding/json"

	"acp-conform/reference/approval"
	"acp-conform/reference/hook"
)

// The faults of an adapter without the seam, and of what the seam must not know, show or assume.
const (
	OptionWithoutSeam  Fault = "policy-option-without-seam"
	OptionUnknownMode  Fault = "sandbox-option-without-mode"
	ModeOptionLast     Fault = "mode-option-last"
	ReasonNotTold      Fault = "reason-not-told-without-seam"
	LogsWithoutSeam    Fault = "logs-without-seam"
	GrantsWithoutSeam  Fault = "grants-without-seam"
	NeverByDefault     Fault = "never-by-default"
	ShowsPair          Fault = "shows-pair"
	LogsArguments      Fault = "logs-arguments"
	OneShotForAll      Fault = "two-options-for-every-call"
	IgnoresHookAsk     Fault = "ignores-hook-ask"
	GrantsOnAutoReject Fault = "unavailable-grants"
)

func absentFaults() []FaultInfo {
	return []FaultInfo{
		{OptionWithoutSeam, "Without the seam the option of the policy is advertised all the same."},
		{OptionUnknownMode, "Without a sandbox mode the option of it is advertised all the same."},
		{ModeOptionLast, "The option of the modes stands last."},
		{ReasonNotTold, "Without the seam the model is not told the asker's reason."},
		{LogsWithoutSeam, "Without the seam what it would have recorded is written to the audit log."},
		{GrantsWithoutSeam, "Without the seam whatever is asked is granted."},
		{NeverByDefault, "Without a configured policy it is never."},
		{ShowsPair, "The client is shown each decision of the audit log, as a thought."},
		{LogsArguments, "The arguments of the call are written to the audit log with the question."},
		{OneShotForAll, "Every call is asked about with the two options of a hook or an escalation."},
		{IgnoresHookAsk, "What a hook asks for is not asked."},
		{GrantsOnAutoReject, "What nobody can answer is granted."},
	}
}

// policy is the configured policy, but for the fault never-by-default.
func (o Options) policy() approval.Policy {
	if o.Fault == NeverByDefault && o.ApprovalPolicy == string(approval.Ask) {
		return approval.Never
	}
	return approval.Policy(o.ApprovalPolicy)
}

// misoffers reports whether a fault advertises an option that means nothing here.
func (s *session) misoffers(option string) bool {
	return option == approvalOption && s.a.fault(OptionWithoutSeam) || option == sandboxOption && s.a.fault(OptionUnknownMode)
}

// misorder is for the fault mode-option-last.
func (s *session) misorder(options []configOption) []configOption {
	if s.a.fault(ModeOptionLast) {
		return append(options[1:], options[0])
	}
	return options
}

// withoutSeam is for the faults of what is asked without the seam. It reports whether nothing more is to be done.
func (s *session) withoutSeam(p *pending, m matter) bool {
	switch grant, ok := onceApproval(p.v.Choices); {
	case s.a.fault(GrantsWithoutSeam) && ok:
		s.decide(p, *p.v.Current, grant, true, "")
		return true
	case s.a.fault(ReasonNotTold) && m.reason != "":
		m.reason = ""
		s.deny(p, m.withoutService())
		return true
	case s.a.fault(LogsWithoutSeam):
		id := newCommandID()
		_ = s.agent.Append(approval.EventAsked, approval.AskedData{ID: id, ToolName: m.tool, CallID: p.v.ToolCallID, Reason: m.reason})
		_ = s.agent.Append(approval.EventDecided, approval.DecidedData{ID: id, Outcome: approval.Unavailable})
	}
	return false
}

// showPair is for the fault shows-pair.
func (s *session) showPair(k *ask) {
	if s.a.fault(ShowsPair) {
		s.think("approval/decided " + string(k.outcome))
	}
}

// knows makes the data of a question hold what the seam must not know.
func (g *agent) knows(d approval.AskedData) any {
	k := g.s.askedAs(d.CallID)
	if k == nil {
		return d
	}
	return struct {
		approval.AskedData
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}{d, rawInput(k.p.v.RawArgs, false)}
}

// askedAs finds an open question by its call.
func (s *session) askedAs(call string) *ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	for req, k := range s.openAsks {
		if req.CallID == call {
			return k
		}
	}
	return nil
}

// unheard is for the fault ignores-hook-ask.
func (a *adapter) unheard(r hookResult) hookResult {
	if a.fault(IgnoresHookAsk) && r.Decision == hook.Ask {
		return hook.Result{}
	}
	return r
}

// grantsUnavailable is for the fault unavailable-grants.
func (s *session) grantsUnavailable(k *ask) bool {
	grant, ok := onceApproval(k.p.v.Choices)
	if !ok || k.outcome != approval.Unavailable || k.got.trouble == clientEnded || !s.a.fault(GrantsOnAutoReject) {
		return false
	}
	s.decide(k.p, k.stage, grant, true, "")
	return true
}
