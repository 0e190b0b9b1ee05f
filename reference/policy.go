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

// seamSource is who gives notices of the policy, in the log.
func seamSource() noticeSource { return noticeSource{"plugin", "user-approval"} }

// preface is what the adapter puts before the user's parts: while the policy is never, the sentence that says so,
// and behind it one notice when the policy is not what the model was told last. Under ask nothing is added
// (REQ-POL-10, REQ-POL-11, REQ-POL-13). A new session counts as told ask; what a turn tells counts as told when the
// host has accepted the turn.
func (s *session) preface(t *turn) []muse.InputPart {
	seam := s.a.service()
	if seam == nil {
		t.telling = s.told // as before; when the seam comes back, that is what the model knows
		return nil
	}
	var parts []muse.InputPart
	t.telling = seam.Policy(s.agent)
	if t.telling == approval.Never && !s.a.fault(OmitsNever) || s.a.fault(AlwaysNever) {
		parts = append(parts, muse.TextPart(neverSentence))
	}
	if t.telling == s.told || s.a.fault(OmitsNotice) {
		return parts
	}
	text := notice(s.told, t.telling, s.whoSwitched())
	if err := s.agent.Append(eventContext, noticeData{seamSource(), text}); err != nil {
		s.a.logf("a notice was not logged: %v", err)
	}
	if s.a.fault(RepeatsNotice) {
		t.telling = s.told
	}
	return append(parts, muse.TextPart(text))
}

// Who changes a policy, as the notice says it.
const (
	byUser     = "the user"
	byOperator = "the operator/config"
)

func notice(from, to approval.Policy, who string) string {
	return fmt.Sprintf("The approval policy changed from %q to %q (changed by %s).", from, to, who)
}

// whoSwitched says who changed the policy: the user, when the session's log has a switch since the model was told
// last, else whoever set the adapter up (REQ-POL-12).
func (s *session) whoSwitched() string {
	if s.a.fault(BlamesOperator) {
		return byOperator
	}
	events := s.agent.Events()
	_, at := toldAt(events)
	for _, e := range events[at+1:] {
		if e.Type == approval.EventPolicy {
			return byUser
		}
	}
	return byOperator
}

// toldAt reads from a session's log which policy the model was told last, and where that stands in it: by the last
// notice whose turn the host has taken. Other text is no notice, whatever it says. A session without one counts as
// told ask, at -1 (REQ-POL-11).
func toldAt(events []approval.Event) (policy approval.Policy, at int) {
	policy, at = approval.Ask, -1
	before, beforeAt := policy, at
	for i, e := range events {
		switch e.Type {
		case approval.TurnStart:
			before, beforeAt = policy, at
		case eventContext:
			if to, ok := noticed(decode[noticeData](e.Data)); ok {
				policy, at = to, i
			}
		case approval.TurnEnd:
			if decode[turnEnd](e.Data).Untaken {
				policy, at = before, beforeAt
			}
		}
	}
	return policy, at
}

// noticed gives the policy to which a notice of the seam says that it changed.
func noticed(d noticeData) (approval.Policy, bool) {
	if d.Source != seamSource() {
		return "", false
	}
	for _, from := range approval.Policies() {
		for _, to := range approval.Policies() {
			if d.Text == notice(from, to, byUser) || d.Text == notice(from, to, byOperator) {
				return to, true
			}
		}
	}
	return "", false
}
