package reference

import (
	"encoding/json"
	"errors"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// The two forms in which a host publishes an approval.
const (
	approvalRequested = "approval/requested"
	approvalRequest   = "approval/request"
)

func asksForApproval(method string) bool {
	return method == approvalRequested || method == approvalRequest
}

// readApproval reads an approval. lacks names the first member without which nobody can decide it, where Muse left that
// out or made it something else; all that can be read is read.
func readApproval(raw json.RawMessage) (v muse.Approval, lacks string) {
	wrong := (*json.UnmarshalTypeError)(nil)
	switch err := json.Unmarshal(raw, &v); {
	case errors.As(err, &wrong) && wrong.Field != "":
		lacks = wrong.Field
	case err != nil:
		lacks = "object of members"
	}
	for _, member := range []struct {
		name  string
		there bool
	}{
		{"sessionId", v.SessionID != ""}, {"approvalId", v.ApprovalID != ""}, {"turnId", v.TurnID != ""},
		{"toolName", v.ToolName != ""}, {"currentRequirementId", v.Current != nil},
	} {
		if lacks == "" && !member.there {
			lacks = member.name
		}
	}
	return v, lacks
}

// denyBetweenTurns denies what is nobody's while no turn runs. What is the session's own is left alone: without an open
// turn it cannot be asked about, and the next turn is what settles it.
func (s *session) denyBetweenTurns(v muse.Approval, _ string) {
	if v.SessionID != "" && (!s.mine(v.SessionID) || nobodys(v)) {
		s.denyForeign(v)
	}
}

// denyForeign denies an approval of a session that is not bound to the host, or of a subagent between two turns, once,
// without a question or a record (REQ-ACP-19).
func (s *session) denyForeign(v muse.Approval) {
	choice, ok := narrowestDeny(v.Choices, false)
	switch {
	case s.nobodys[v.ApprovalID]:
		return
	case !ok || v.ApprovalID == "" || v.Current == nil:
		s.a.logf("an approval of session %q that is nobody's cannot be denied", v.SessionID)
		return
	}
	if s.nobodys == nil {
		s.nobodys = map[string]bool{}
	}
	s.nobodys[v.ApprovalID] = true
	params := decideParams{newCommandID(), acp.SessionId(v.SessionID), v.ApprovalID, choice.ChoiceID, *v.Current, ""}
	if choice.AcceptsFeedback {
		params.Feedback = deniedText(s.foreignReason(v))
	}
	if err := s.host.Request("approval/decide", params, nil); err != nil {
		s.a.logf("%v", err)
	}
}

// foreignReason is what the model of another session is told, or that of a subagent of this one.
func (s *session) foreignReason(v muse.Approval) string {
	esc, wrong, found := escalationOf(v.RawArgs, s.a.o.SandboxMode)
	m := matter{tool: v.ToolName}
	if found {
		m.mode = esc.mode
	}
	switch {
	case s.mine(v.SessionID) && s.a.service() != nil:
		return matter{tool: v.ToolName}.denied(approval.Unavailable) // as in a turn
	case wrong != "":
		return wrong
	case s.a.service() == nil:
		return m.withoutService()
	default:
		return m.withoutAgent()
	}
}
