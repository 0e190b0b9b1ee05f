package reference

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/muse"
)

// The params of session/request_permission, in the order of their members.
type (
	permissionParams struct {
		SessionID acp.SessionId  `json:"sessionId"`
		ToolCall  permissionCall `json:"toolCall"`
		Options   []option       `json:"options"`
		Meta      *approvalMeta  `json:"_meta,omitempty"`
	}
	permissionCall struct {
		ToolCallID acp.ToolCallId     `json:"toolCallId"`
		Title      string             `json:"title,omitempty"`
		Kind       acp.ToolKind       `json:"kind,omitempty"`
		Status     acp.ToolCallStatus `json:"status,omitempty"`
		RawInput   json.RawMessage    `json:"rawInput,omitempty"`
	}
	option struct {
		ID   string                   `json:"optionId"`
		Name string                   `json:"name"`
		Kind acp.PermissionOptionKind `json:"kind"`
		Meta *optionMeta              `json:"_meta,omitempty"`
	}
	optionMeta struct {
		Decision string `json:"museDecision,omitempty"`
		Scope    string `json:"museScope,omitempty"`
	}
	approvalMeta struct {
		ApprovalID    string      `json:"museApprovalId"`
		TurnID        string      `json:"museTurnId"`
		ItemID        string      `json:"museItemId"`
		RequirementID *muse.Stage `json:"museRequirementId"`
		TaskID        string      `json:"museTaskId,omitempty"`
		Observed      *observed   `json:"muse/approval,omitempty"`
	}
)

// grants reports whether selecting the option lets the action go ahead.
func (o option) grants() bool {
	return o.Kind == acp.PermissionOptionKindAllowOnce || o.Kind == acp.PermissionOptionKindAllowAlways
}

// oneShot is the question of a hook or an escalation: exactly these members and these two options (REQ-ACP-03,
// REQ-ACP-04, REQ-ACP-05).
func (s *session) oneShot(p *pending) permissionParams {
	return permissionParams{
		SessionID: s.id,
		ToolCall:  permissionCall{ToolCallID: s.calledBy(p)},
		Options: []option{
			{ID: "allow-once", Name: "Allow once", Kind: acp.PermissionOptionKindAllowOnce},
			{ID: "reject-once", Name: "Reject", Kind: acp.PermissionOptionKindRejectOnce},
		},
		Meta: s.oneShotMeta(p),
	}
}

// ownChoices is the question of an approval, with the host's own choices in their order (muse-adapter.md §6.2).
func (s *session) ownChoices(p *pending) permissionParams {
	raw := rawInput(p.v.RawArgs, s.a.fault(FloatNumbers))
	params := permissionParams{
		SessionID: s.id,
		ToolCall: permissionCall{
			ToolCallID: s.calledBy(p), Title: s.titled(p.v), Kind: kindOf(p.v.ToolName),
			Status: acp.ToolCallStatusPending, RawInput: raw,
		},
		Options: []option{},
		Meta: &approvalMeta{
			ApprovalID: p.v.ApprovalID, TurnID: p.v.TurnID, ItemID: p.v.ItemID, RequirementID: p.v.Current, TaskID: p.v.TaskID,
			Observed: s.observed(p),
		},
	}
	if params.ToolCall.Title == "" {
		members, _ := object(raw)
		if params.ToolCall.Title = cut(describes(members), longestTitle); params.ToolCall.Title == "" {
			params.ToolCall.Title = p.v.ToolName
		}
	}
	params.ToolCall.Title = s.mistitle(params.ToolCall.Title, raw)
	params.ToolCall.RawInput = s.misinput(raw, AsksAboutOther)
	for _, c := range p.v.Choices {
		params.Options = append(params.Options, option{
			ID: c.ChoiceID, Name: c.Label, Kind: optionKind(c), Meta: &optionMeta{c.Decision, c.Scope},
		})
	}
	s.misshow(params.Options, p.v.Choices)
	return params
}

// optionKind shows a host's choice as one of the four kinds (muse-adapter.md §6.2, §11.1 number 3): what is not known
// to deny may grant, and is shown so.
func optionKind(c muse.Choice) acp.PermissionOptionKind {
	lasting := c.Scope == "localPersistent"
	switch {
	case c.Decision == "deniedPolicyAmendment", denies(c) && lasting:
		return acp.PermissionOptionKindRejectAlways
	case denies(c):
		return acp.PermissionOptionKindRejectOnce
	case lasting || c.Scope == "session":
		return acp.PermissionOptionKindAllowAlways
	default:
		return acp.PermissionOptionKindAllowOnce
	}
}

// denies reports whether a choice is known to deny.
func denies(c muse.Choice) bool {
	return slices.Contains([]string{"denied", "abort", "timedOut", "deniedPolicyAmendment"}, c.Decision)
}

// onceApproval is the choice that a grant of one shot is sent as.
func onceApproval(choices []muse.Choice) (muse.Choice, bool) {
	i := slices.IndexFunc(choices, func(c muse.Choice) bool { return c.Decision == "approved" && c.Scope == "once" })
	if i < 0 {
		return muse.Choice{}, false
	}
	return choices[i], true
}

// narrowestDeny is the choice by which the adapter denies: the one that lasts shortest, of those whose decision it
// knows (muse-adapter.md §6.3). With lasting first, for the fault persistent-denial, it is the widest.
func narrowestDeny(choices []muse.Choice, lastingFirst bool) (muse.Choice, bool) {
	plain := func(c muse.Choice, scope string) bool {
		return (c.Decision == "abort" || c.Decision == "denied") && c.Scope == scope
	}
	ranks := []func(muse.Choice) bool{
		func(c muse.Choice) bool { return plain(c, "once") },
		func(c muse.Choice) bool { return plain(c, "session") },
		func(c muse.Choice) bool {
			return c.Decision == "abort" || c.Decision == "denied" || c.Decision == "deniedPolicyAmendment"
		},
	}
	if lastingFirst {
		ranks = append([]func(muse.Choice) bool{func(c muse.Choice) bool {
			return c.Decision == "deniedPolicyAmendment" || plain(c, "localPersistent")
		}}, ranks...)
	}
	for _, fits := range ranks {
		if i := slices.IndexFunc(choices, fits); i >= 0 {
			return choices[i], true
		}
	}
	return muse.Choice{}, false
}

// stagedTitle is the title of one stage of a compound action; empty where the host's evidence for it is not complete
// (muse-adapter.md §6.2).
func stagedTitle(v muse.Approval) string {
	if v.Subject == nil || v.Current == nil {
		return ""
	}
	open := 0
	var current *muse.SubjectStage
	for i, stage := range v.Subject.Stages {
		if k := stage.Resolution; k == nil || *k != "knownSafe" && *k != "known_safe" {
			open++
		}
		if stage.RequirementID != nil && *stage.RequirementID == *v.Current {
			current = &v.Subject.Stages[i]
		}
	}
	if open < 2 || current == nil {
		return ""
	}
	position, ok1 := jsonNumber(current.Position)
	total, ok2 := jsonNumber(current.TotalStages)
	var argv []string
	if !ok1 || !ok2 || total < 2 || position > total || json.Unmarshal(current.Argv, &argv) != nil || len(argv) == 0 {
		return ""
	}
	plain := regexp.MustCompile(`^[\w./:@%+=,-]+$`)
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = word
		if !plain.MatchString(word) {
			words[i] = quote(word)
		}
	}
	return cut(fmt.Sprintf("Stage %d of %d: %s", position, total, strings.Join(words, " ")), longestTitle)
}
