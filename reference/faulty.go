package reference

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// linger is for the fault stays-after-end: with two sessions the adapter waits on after stdin has ended.
func (a *adapter) linger(ctx context.Context) {
	if a.fault(StaysAfterEnd) && len(a.order) > 1 {
		<-ctx.Done()
	}
}

// lastWords is for the fault last-line-cut: a message without its LF is the last that the client gets.
func (a *adapter) lastWords(stdout io.Writer) {
	if a.fault(LastLineCut) {
		_, _ = io.WriteString(stdout, `{"jsonrpc":"2.0","method":"_reference/end"}`)
	}
}

// serve are the arguments with which a host is started.
func (a *adapter) serve() []string {
	if a.fault(ServesWithArgument) {
		return []string{"serve", "--trust-workspace"}
	}
	return []string{"serve"}
}

func now() time.Time { return time.Now() }

// shortcut is for the faults that decide without asking, or before the answer. It reports whether the question is
// not to be asked.
func (s *session) shortcut(k *ask) bool {
	s.denyFirst(k)
	grant, ok := onceApproval(k.p.v.Choices)
	switch {
	case !ok:
		return false
	case s.carriesOver(k.p):
		s.decide(k.p, k.stage, grant, true, "")
		return true
	case s.a.fault(RemembersGrant) && s.allowed[k.p.v.ToolName], s.unasked(k.p):
		s.decide(k.p, k.stage, grant, true, "")
		return true
	case s.a.fault(DecideBeforeAnswer) && !k.p.decided:
		k.p.decided, k.p.hooking = true, true // no further question until all stages are decided
		s.decide(k.p, k.stage, grant, true, "")
		for t, at := s.turn, k.stage; !k.p.resolved && !t.cancelled && t.failure == nil; {
			if now := *k.p.v.Current; now.SourceIndex != at.SourceIndex {
				at = now
				s.decide(k.p, at, grant, true, "")
			}
			s.step(time.Time{})
		}
		k.p.hooking = false
		s.deaf = s.turn.failure == nil // what comes of it is looked at when the client has answered
	}
	return false
}

// putOff keeps what the host did until the client has answered, for the fault decide-before-answer. Its requests get
// their receipts at once.
func (s *session) putOff(e muse.Event) {
	if e.Gone == nil && e.Message.Kind == rpc.Request && s.host.Answer(e.Message.ID, nil) == nil {
		e.Message.Kind = rpc.Notification
	}
	s.unheard = append(s.unheard, e)
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
