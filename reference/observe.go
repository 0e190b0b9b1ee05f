package reference

import (
	"encoding/json"
	"math/big"

	"acp-conform/reference/muse"
)

// approvalKey is the key of _meta under which a client asks to observe approvals, and gets what it observes. What is
// observed decides nothing, in either direction: the adapter reads no such metadata after the handshake.
const approvalKey = "muse/approval"

type (
	// observed is what a client sees of an approval that it is asked about, as far as the host told it
	// (muse-adapter.md §6.2).
	observed struct {
		JudgeEscalated json.RawMessage `json:"judgeEscalated,omitempty"`
		ProtectedWrite json.RawMessage `json:"protectedWrite,omitempty"`
		SubjectKind    *string         `json:"subjectKind,omitempty"`
		Stages         []observedStage `json:"stages,omitzero"`
	}
	observedStage struct {
		Position       json.RawMessage `json:"position,omitempty"`
		TotalStages    json.RawMessage `json:"totalStages,omitempty"`
		RequirementID  *muse.Stage     `json:"requirementId,omitempty"`
		ResolutionKind *string         `json:"resolutionKind,omitempty"`
	}
	// finalDecision is what a client sees of the end of an approval (§6.5).
	finalDecision struct {
		ApprovalID string          `json:"approvalId"`
		TurnID     string          `json:"turnId,omitempty"`
		Decision   string          `json:"decision,omitempty"`
		ResolvedBy string          `json:"resolvedBy,omitempty"`
		Stages     []observedStage `json:"stages,omitzero"`
	}
	infoUpdate struct {
		SessionUpdate string   `json:"sessionUpdate"`
		Meta          infoMeta `json:"_meta"`
	}
	infoMeta struct {
		Approval finalDecision `json:"muse/approval"`
	}
)

// optedIn reports whether a client opted into an extension: by the number 1, however it is written, and nothing else
// (muse-adapter.md §1).
func (a *adapter) optedIn(capabilities json.RawMessage, key string) bool {
	members, _ := object(capabilities)
	meta, _ := object(members["_meta"])
	if a.fault(LooseOptIn) {
		return len(meta[key]) > 0 && string(meta[key]) != "null"
	}
	n, ok := integer(meta[key])
	return ok && n.Cmp(big.NewInt(1)) == 0
}

// observed is the metadata of a question about an approval; nil for a client that did not ask for it.
func (s *session) observed(p *pending) *observed {
	if !s.a.observes.Load() && !s.a.fault(UnaskedObservation) {
		return nil
	}
	o := &observed{JudgeEscalated: boolean(p.v.JudgeEscalated), ProtectedWrite: boolean(p.v.ProtectedWrite)}
	if p.v.Subject != nil {
		o.SubjectKind, o.Stages = p.v.Subject.Kind, s.project(p.v.Subject.Stages)
	}
	return s.misobserve(p, o)
}

// project shows stages to a client, the same way in questions and in final decisions. The words of the host are
// passed on unchanged, and the arguments of commands are not.
func (s *session) project(stages []muse.SubjectStage) []observedStage {
	if stages == nil {
		return nil
	}
	list := make([]observedStage, len(stages))
	for i, stage := range stages {
		list[i] = observedStage{stage.Position, stage.TotalStages, stage.RequirementID, s.kindShown(stage.Resolution)}
	}
	return list
}

func boolean(raw json.RawMessage) json.RawMessage {
	if string(raw) == "true" || string(raw) == "false" {
		return raw
	}
	return nil
}

// observeFinal publishes the end of an approval of the turn, once, whoever resolved it, to a client that observes
// approvals; nothing once the turn is cancelled or has failed.
func (s *session) observeFinal(r muse.Resolved) {
	t := s.turn
	p := t.approvals[r.ApprovalID]
	if r.TurnID == "" && p != nil {
		r.TurnID = p.v.TurnID
	}
	over := (t.ended || t.cancelled) && !s.a.fault(FinalAfterCancel) || t.failure != nil
	silent := !s.a.observes.Load() && !s.a.fault(UnaskedFinal) || s.withholds(p)
	if over || silent || r.ApprovalID == "" || !t.owns(r.TurnID) || t.finals[r.ApprovalID] {
		return
	}
	t.finals[r.ApprovalID] = true
	final := finalDecision{r.ApprovalID, r.TurnID, r.Decision, r.ResolvedBy, s.project(muse.Stages(r.Evidence))}
	s.publish(infoUpdate{"session_info_update", infoMeta{s.misreport(final)}})
}
