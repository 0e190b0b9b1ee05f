package muse

import "encoding/json"

// Stage names one requirement of an approval.
type Stage struct {
	ApprovalID  string `json:"approvalId"`
	SourceIndex int    `json:"sourceIndex"`
}

// Choice is one answer that the host offers for an approval.
type Choice struct {
	ChoiceID        string `json:"choiceId"`
	Label           string `json:"label"`
	Decision        string `json:"decision"`
	Scope           string `json:"scope"`
	AcceptsFeedback bool   `json:"acceptsFeedback"`
}

// Subject is what an approval is about. It is shown to users and observers and decides nothing, so whatever of it
// cannot be read counts as not there.
type Subject struct {
	Kind   *string
	Stages []SubjectStage // nil when the host gave none
}

// UnmarshalJSON reads what can be read; it does not fail.
func (s *Subject) UnmarshalJSON(data []byte) error {
	*s = Subject{Kind: text(member(data, "kind")), Stages: Stages(member(data, "stages"))}
	return nil
}

// SubjectStage is one part of a compound action, as far as the host told it. The numbers are as they came.
type SubjectStage struct {
	RequirementID *Stage
	Position      json.RawMessage
	TotalStages   json.RawMessage
	Argv          json.RawMessage
	Resolution    *string // its kind
}

// Stages reads a list of stages, of a subject or of the evidence for a decision; nil when there is no list.
func Stages(raw json.RawMessage) []SubjectStage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || list == nil {
		return nil
	}
	stages := make([]SubjectStage, len(list))
	for i, one := range list {
		stages[i] = SubjectStage{
			RequirementID: stage(member(one, "requirementId")), Position: number(member(one, "position")),
			TotalStages: number(member(one, "totalStages")), Argv: member(one, "argv"),
			Resolution: text(member(member(one, "resolution"), "kind")),
		}
	}
	return stages
}

func member(raw json.RawMessage, name string) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members[name]
}

func text(raw json.RawMessage) *string {
	var s *string
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return s
}

func number(raw json.RawMessage) json.RawMessage {
	var n *json.Number
	if len(raw) > 0 && raw[0] == '"' || json.Unmarshal(raw, &n) != nil || n == nil {
		return nil
	}
	return raw
}

func stage(raw json.RawMessage) *Stage {
	var s *Stage
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return s
}

// Approval are the params of approval/requested, approval/request and approval/updated; members that are absent are
// nil, and empty strings.
type Approval struct {
	SessionID      string          `json:"sessionId"`
	ApprovalID     string          `json:"approvalId"`
	TurnID         string          `json:"turnId"`
	TaskID         string          `json:"taskId"`
	ItemID         string          `json:"itemId"`
	ToolCallID     string          `json:"toolCallId"`
	ToolName       string          `json:"toolName"`
	RawArgs        string          `json:"rawArgs"`
	Current        *Stage          `json:"currentRequirementId"`
	Choices        []Choice        `json:"availableChoices"`
	Subject        *Subject        `json:"subject"`
	SubagentOrigin json.RawMessage `json:"subagentOrigin"`
	JudgeEscalated json.RawMessage `json:"judgeEscalated"`
	ProtectedWrite json.RawMessage `json:"protectedWrite"`
}

// Resolved are the params of approval/resolved.
type Resolved struct {
	SessionID  string          `json:"sessionId"`
	ApprovalID string          `json:"approvalId"`
	TurnID     string          `json:"turnId"`
	Decision   string          `json:"decision"`
	ResolvedBy string          `json:"resolvedBy"`
	Evidence   json.RawMessage `json:"stageEvidence"`
}
