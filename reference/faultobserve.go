package reference

import (
	"encoding/json"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/rpc"
)

// The faults of approval metadata.
const (
	LooseOptIn         Fault = "opts-in-loosely"
	UnaskedObservation Fault = "sends-unasked-observation"
	UnaskedFinal       Fault = "sends-unasked-final"
	FinalMissing       Fault = "final-missing"
	FinalTwice         Fault = "final-twice"
	FinalAfterResponse Fault = "final-behind-response"
	FinalAfterCancel   Fault = "final-after-cancel"
	FinalOnlyAsked     Fault = "final-only-when-asked"
	FinalApproved      Fault = "final-says-approved"
	InventsFacts       Fault = "invents-approval-facts"
	RenamesKinds       Fault = "renames-unknown-kinds"
	FirstStagesStay    Fault = "shows-first-stages"
	ObservesOneShot    Fault = "observes-one-shot-question"
	MetaSettles        Fault = "metadata-settles"
	PromptMetaSettles  Fault = "prompt-metadata-settles"
)

func observeFaults() []FaultInfo {
	return []FaultInfo{
		{LooseOptIn, "Any value of muse/approval but null opts in."},
		{UnaskedObservation, "Questions about approvals have observation metadata though the client did not opt in."},
		{UnaskedFinal, "Final decisions are published to a client that did not opt in."},
		{FinalMissing, "No final decision is published."},
		{FinalTwice, "Every final decision is published twice."},
		{FinalAfterResponse, "The final decisions of a turn are published behind its response."},
		{FinalAfterCancel, "Final decisions are also published once the turn is cancelled."},
		{FinalOnlyAsked, "No final decision is published for an approval that nobody was asked about."},
		{FinalApproved, "Every final decision is said to be approved by the user."},
		{InventsFacts, "What the host did not say about an approval is told as false."},
		{RenamesKinds, "Kinds of resolution that are not known are told as unresolved."},
		{FirstStagesStay, "Every question shows the stages as they were first published."},
		{ObservesOneShot, "The question of a hook or an escalation has observation metadata."},
		{MetaSettles, "An answer without a grant, whose metadata says approved, grants."},
		{PromptMetaSettles, "When a prompt comes whose metadata says approved, the questions that are open count as granted, whatever is answered."},
	}
}

// misobserve changes the metadata of a question.
func (s *session) misobserve(p *pending, o *observed) *observed {
	no := json.RawMessage("false")
	switch {
	case s.a.fault(InventsFacts):
		if o.JudgeEscalated == nil {
			o.JudgeEscalated = no
		}
		if o.ProtectedWrite == nil {
			o.ProtectedWrite = no
		}
	case s.a.fault(FirstStagesStay) && p.firstStages != nil:
		o.Stages = p.firstStages
	}
	p.firstStages = o.Stages
	return o
}

// kindShown is the kind of a resolution as the client sees it.
func (s *session) kindShown(kind *string) *string {
	unresolved := "unresolved"
	if kind == nil || !s.a.fault(RenamesKinds) {
		return kind
	}
	switch *kind {
	case "unresolved", "allowOnce", "knownSafe", "known_safe":
		return kind
	default:
		return &unresolved
	}
}

// withholds reports whether a fault keeps a final decision back.
func (s *session) withholds(p *pending) bool {
	return s.a.fault(FinalMissing) || s.a.fault(FinalOnlyAsked) && (p == nil || !p.put)
}

// misreport changes a final decision.
func (s *session) misreport(f finalDecision) finalDecision {
	if s.a.fault(FinalApproved) {
		f.Decision, f.ResolvedBy = "approved", "user"
	}
	return f
}

// publish sends a final decision.
func (s *session) publish(u infoUpdate) {
	if s.a.fault(FinalAfterResponse) {
		s.finals = append(s.finals, u)
		return
	}
	s.update(u)
	if s.a.fault(FinalTwice) {
		s.update(u)
	}
}

// publishLate is for the fault final-behind-response.
func (s *session) publishLate() {
	for _, u := range s.finals {
		s.update(u)
	}
	s.finals = nil
}

// oneShotMeta is the metadata of a question that has none, but for the fault observes-one-shot-question.
func (s *session) oneShotMeta(p *pending) *approvalMeta {
	if !s.a.fault(ObservesOneShot) {
		return nil
	}
	return &approvalMeta{ApprovalID: p.v.ApprovalID, TurnID: p.v.TurnID, ItemID: p.v.ItemID, RequirementID: p.v.Current, Observed: s.observed(p)}
}

// saysApproved reports whether metadata claims that an approval was given.
func saysApproved(raw json.RawMessage) bool {
	members, _ := object(raw)
	meta, _ := object(members["_meta"])
	claim, _ := object(meta[approvalKey])
	decision, _ := text(claim["decision"])
	return decision == "approved"
}

// metaSettles is for the fault metadata-settles.
func (a *adapter) metaSettles(r reply, got answer) bool {
	if !a.fault(MetaSettles) || got.outcome == approval.AllowedOnce {
		return false
	}
	result, _ := object(r.result)
	return saysApproved(r.result) || saysApproved(result["outcome"])
}

// promptSettles is for the fault prompt-metadata-settles. It is called for every request.
func (a *adapter) promptSettles(m rpc.Message) {
	if a.fault(PromptMetaSettles) && m.Method == acp.AgentMethodSessionPrompt && saysApproved(m.Params) {
		a.settleOpen(option.grants)
	}
}
