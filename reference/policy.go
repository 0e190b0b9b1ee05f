package reference

import (
	"fmt"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// neverSentence is what the model is told while the policy is never (approval-seam.md §4.3, N).
const neverSentence = "Approval prompts are disabled in this session: actions that require approval are rejected " +
	"automatically — do not request sandbox escalation (do not set `sandbox_permissions`)."

// eventContext is the audit log's event for what the adapter tells the model.
const eventContext = "context/message"

type noticeData struct {
	Source noticeSource `json:"source"`
	Text   string       `json:"text"`
}

type noticeSource struct {
	Kind   string `json:"kind"`
	Plugin string `json:"plugin"`
}

// preface is what the adapter puts before the user's parts: while the policy is never, the sentence that says so,
// and behind it one notice when the policy is not what the model was told last. Under ask nothing is added
// (REQ-POL-10, REQ-POL-11, REQ-POL-13). A new session counts as told ask; what a turn tells counts as told when the
// host has accepted the turn.
func (s *session) preface(t *turn) []muse.InputPart {
	if s.a.service() == nil {
		return nil
	}
	var parts []muse.InputPart
	t.telling = s.a.service().Policy(s.agent)
	if t.telling == approval.Never && !s.a.fault(OmitsNever) || s.a.fault(AlwaysNever) {
		parts = append(parts, muse.TextPart(neverSentence))
	}
	if t.telling == s.told || s.a.fault(OmitsNotice) {
		return parts
	}
	notice := fmt.Sprintf("The approval policy changed from %q to %q (changed by %s).", s.told, t.telling, s.whoSwitched())
	if err := s.agent.Append(eventContext, noticeData{noticeSource{"plugin", "user-approval"}, notice}); err != nil {
		s.a.logf("a notice was not logged: %v", err)
	}
	if s.a.fault(RepeatsNotice) {
		t.telling = s.told
	}
	return append(parts, muse.TextPart(notice))
}

// whoSwitched says who changed the policy: the user, when the session's log has a switch since the model was told
// last, else whoever set the adapter up (REQ-POL-12).
func (s *session) whoSwitched() string {
	const user, operator = "the user", "the operator/config"
	if s.a.fault(BlamesOperator) {
		return operator
	}
	events := s.agent.Events()
	for i := len(events) - 1; i >= 0; i-- {
		switch events[i].Type {
		case approval.EventPolicy:
			return user
		case eventContext:
			return operator
		}
	}
	return operator
}
