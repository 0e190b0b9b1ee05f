package reference

import (
	"fmt"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// neverSentence is what the model is told while the policy is never (approval-seam.md §4.3, N).
const neverSentence = "Approval prompts are disabled in this session: actions that require approval are rejected " +
	"automatically — do not request sandbox escalation (do not set `sandbox_permissions`)."

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
// (REQ-POL-10, REQ-POL-11, REQ-POL-13). A new session counts as told ask.
func (s *session) preface() []muse.InputPart {
	if s.a.seam == nil {
		return nil
	}
	var parts []muse.InputPart
	policy := s.a.seam.Policy(s.agent)
	if policy == approval.Never {
		parts = append(parts, muse.TextPart(neverSentence))
	}
	if policy != s.told {
		notice := fmt.Sprintf("The approval policy changed from %q to %q (changed by %s).", s.told, policy, s.whoSwitched())
		data := noticeData{noticeSource{"plugin", "user-approval"}, notice}
		if err := s.agent.Append("context/message", data); err != nil {
			s.a.logf("a notice was not logged: %v", err)
		}
		parts = append(parts, muse.TextPart(notice))
		s.told = policy
	}
	return parts
}

// whoSwitched says who changed the policy: the user, when the session's log has a switch since the model was told
// last, else whoever set the adapter up (REQ-POL-12).
func (s *session) whoSwitched() string {
	events := s.agent.Events()
	for i := len(events) - 1; i >= 0; i-- {
		switch events[i].Type {
		case approval.EventPolicy:
			return "the user"
		case "context/message":
			return "the operator/config"
		}
	}
	return "the operator/config"
}
