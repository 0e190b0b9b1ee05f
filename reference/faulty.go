package reference

import (
	"context"
	"errors"
	"slices"
	"time"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

func now() time.Time { return time.Now() }

// shortcut is for the faults that decide without asking, or before the answer. It reports whether the question is
// not to be asked.
func (s *session) shortcut(k *ask) bool {
	grant, ok := onceApproval(k.p.v.Choices)
	switch {
	case !ok:
		return false
	case s.a.fault(RemembersGrant) && s.allowed[k.p.v.ToolName]:
		s.decide(k.p, k.stage, grant, true, "")
		return true
	case s.a.fault(DecideBeforeAnswer) && !k.p.decided:
		k.p.decided = true
		s.decide(k.p, k.stage, grant, true, "")
	}
	return false
}

// bypass is for the fault policy-bypass: the client is asked, whatever the policy.
func (a *adapter) bypass(ctx context.Context, req *approval.Request) (approval.Outcome, error) {
	return a.answer(ctx, req, func() (approval.Outcome, error) { return approval.Unavailable, nil })
}

// keepForLateAnswer is for the fault late-answer-grants: the host goes on with the turn, and so does the question.
func (s *session) keepForLateAnswer(err error) bool {
	if !s.a.fault(LateAnswerGrants) || !errors.Is(err, errCancelled) || s.closing || len(s.asks) == 0 {
		return false
	}
	s.late, s.asks = s.asks[0], s.asks[1:]
	return true
}

// lateGrant sends what the client allowed after its cancel.
func (s *session) lateGrant(k *ask) {
	s.late = nil
	i := slices.IndexFunc(k.p.v.Choices, func(c muse.Choice) bool { return !denies(c) })
	if k.outcome != approval.AllowedOnce || s.host == nil || i < 0 {
		return
	}
	params := decideParams{newCommandID(), s.id, k.p.v.ApprovalID, k.p.v.Choices[i].ChoiceID, k.stage, ""}
	_ = s.host.Request("approval/decide", params, nil)
}
