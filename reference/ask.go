package reference

import (
	"context"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// ask is one question about one stage of an approval, from the seam's request to its outcome.
type ask struct {
	s       *session
	p       *pending
	seam    service
	stage   muse.Stage
	oneShot bool // the two options of a hook or an escalation, not the host's choices
	params  permissionParams
	choices []muse.Choice // the host's, as they were offered
	req     *approval.Request
	denial  func(approval.Outcome) string // what the model is told

	queued  chan struct{} // closed when the question is on its way to the client
	replies chan reply    // takes one
	done    chan struct{} // closed when the seam has decided
	cancel  func()

	// After done.
	outcome approval.Outcome
	err     error
	got     answer // zero when the client was not asked, or not heard

	givenUp bool    // under the lock of the calls: the client has cancelled its turn
	settled *option // under the lock of the calls: by a fault, whatever the client answers

	over bool // of the session's goroutine: nothing more becomes of it
}

// heard implements question.
func (k *ask) heard(r reply) { k.s.inbox.post(clientReply{k, k.anyway(r)}) }

// askApproval is asker (a): the approval itself, with the host's own choices.
func (s *session) askApproval(p *pending) {
	k := s.newAsk(p, matter{tool: p.v.ToolName})
	switch {
	case k == nil:
	case len(p.v.Choices) == 0:
		s.fail(localFailure("noChoices", "Muse asked for an approval without offering a choice"))
	case s.a.fault(OneShotForAll):
		k.params, k.oneShot = s.oneShot(p), true
		s.open(k)
	default:
		k.params, k.choices = s.ownChoices(p), p.v.Choices
		s.open(k)
	}
}

// askHook asks because a hook said so.
func (s *session) askHook(p *pending, reason string) {
	if k := s.newAsk(p, matter{tool: p.v.ToolName, reason: reason}); k != nil {
		s.askShown(k, HookOwnChoices)
		s.open(k)
	}
}

// askEscalation asks whether a call may run under a wider mode.
func (s *session) askEscalation(p *pending, esc escalation) {
	k := s.newAsk(p, matter{tool: p.v.ToolName, reason: esc.reason, mode: esc.mode})
	if k == nil {
		return
	}
	if choice, ok := onceApproval(p.v.Choices); ok && s.a.fault(EscalatesUnasked) {
		s.decide(p, *p.v.Current, choice, true, "")
		return
	}
	s.askShown(k, EscalationOwnChoices)
	if s.a.fault(EscalationExtraOption) {
		always := option{ID: "allow-always", Name: "Always allow", Kind: acp.PermissionOptionKindAllowAlways}
		k.params.Options = append(k.params.Options, always)
	}
	if s.a.fault(EscalationReason) {
		k.params.ToolCall.Title = esc.reason
	}
	s.open(k)
}

// askStranger asks for the work of somebody whom no answerer knows: it is recorded, and nobody is prompted.
func (s *session) askStranger(p *pending) {
	if k := s.newAsk(p, matter{tool: p.v.ToolName}); k != nil {
		k.req.Agent, k.oneShot = &stranger{s.agent.Log}, true
		s.open(k)
	}
}

// newAsk makes a question about the current stage. Where the seam is not there the stage is denied, and there is none.
func (s *session) newAsk(p *pending, m matter) *ask {
	seam := s.a.service()
	if seam == nil {
		if !s.withoutSeam(p, m) {
			s.deny(p, m.withoutService())
		}
		return nil
	}
	return &ask{
		s: s, p: p, seam: seam, stage: *p.v.Current, denial: m.denied,
		req:    &approval.Request{Agent: s.agent, ToolName: m.tool, CallID: p.v.ToolCallID, Reason: m.reason},
		queued: make(chan struct{}), replies: make(chan reply, 1), done: make(chan struct{}),
	}
}

// open puts a question to the seam and returns when it is on its way to the client or decided. So questions go out in
// the order in which they arose, and before anything that the session handles next.
func (s *session) open(k *ask) {
	if s.a.fault(ReordersOptions) {
		for i, j := 0, len(k.params.Options)-1; i < j; i, j = i+1, j-1 {
			k.params.Options[i], k.params.Options[j] = k.params.Options[j], k.params.Options[i]
		}
	}
	if s.shortcut(k) {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	k.cancel = cancel
	k.p.open = k
	s.asks = append(s.asks, k)
	s.setOpen(k.req, k)
	request := k.seam.Request
	switch {
	case s.a.fault(PolicyBypass):
		request = s.a.bypass
	case (s.a.fault(FrontBypass) || s.a.fault(AutomaticUnderNever) && s.currentMode() == modeBypass) && k.seam.Policy(s.agent) == approval.Never:
		request = func(context.Context, *approval.Request) (approval.Outcome, error) { return s.front(k) }
	}
	s.a.running.Go(func() {
		defer close(k.done)
		k.outcome, k.err = request(ctx, k.req)
	})
	if s.a.fault(OneDialogForAll) {
		return
	}
	select {
	case <-k.queued:
	case <-k.done:
		s.settled(k)
	}
}

// answer is the ACP answerer: it prompts the client for requests of its own sessions that are about a tool call, and
// delegates all others (REQ-ACP-01, REQ-ACP-02). It runs in the goroutine of the request.
func (a *adapter) answer(ctx context.Context, req *approval.Request, next approval.Next) (approval.Outcome, error) {
	owner, ok := req.Agent.(*agent)
	if !ok || owner.s.a != a || req.CallID == "" && !a.fault(AsksWithoutCall) {
		return next()
	}
	k := owner.s.openAsk(req)
	if k == nil {
		return next()
	}
	if a.fault(OneDialogForAll) {
		a.dialog.Lock()
		defer a.dialog.Unlock()
	}
	id := a.calls.register(k)
	defer a.forget(k)
	if a.fault(AsksWrongSession) {
		k.params.SessionID = a.otherSession(owner.s)
	}
	line, err := rpc.EncodeRequest(id, acp.ClientMethodSessionRequestPermission, k.params)
	if err != nil {
		return "", err
	}
	a.out.Send(line)
	k.p.put = true
	close(k.queued)
	defer a.hurry(k)()
	select {
	case r := <-k.replies:
		k.got = a.faulty(r, k.params.Options)
		owner.s.remember(k)
		return k.got.outcome, nil
	case <-ctx.Done():
		return approval.Cancelled, nil
	}
}

// otherSession is a session that is not s, for the fault asks-wrong-session.
func (a *adapter) otherSession(s *session) acp.SessionId {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, other := range a.order {
		if other != s {
			return other.id
		}
	}
	return "00000000-0000-7000-8000-000000000000"
}

// answered hands the client's answer to its question and waits for what the seam makes of it.
func (s *session) answered(k *ask, r reply) {
	if k.over {
		s.tooLate(k, r)
		return // the turn is over, or it was cancelled: too late
	}
	k.replies <- s.keptOr(r)
	<-k.done
	s.settled(k)
}

// withdrawAsk ends the open question of an approval that is over: the answer to it would come too late. So its pair
// stands in the log before the end of its call (REQ-AUD-01).
func (s *session) withdrawAsk(p *pending) {
	k := p.open
	if k == nil || k == s.late || s.a.fault(KeepsResolved) || s.a.fault(DecidesResolved) {
		return
	}
	k.over = true
	if s.a.fault(WithdrawnAsLost) {
		k.replies <- reply{closed: true}
		<-k.done
	}
	k.cancel()
	<-k.done
	s.setOpen(k.req, nil)
	s.dropAsk(k)
	p.open = nil
	p.changed = now()
}

// endAsks ends all open questions: because the client is gone (closed), which is an answer of a kind, or because the
// turn is over or the adapter is told to end, which withdraws them.
func (s *session) endAsks(closed bool) {
	s.endHooks()
	s.endForms()
	asks := s.asks
	s.grantAll(closed)
	if s.late != nil {
		asks, s.late = append(asks, s.late), nil
	}
	for _, k := range asks {
		k.over = true
		if closed && !s.a.fault(LostAsCancelled) {
			k.replies <- reply{closed: true}
		} else {
			k.cancel()
		}
		<-k.done
		k.cancel()
		s.setOpen(k.req, nil)
		k.p.open = nil
		if s.turn != nil {
			s.cardOfApproval(k.p).denial = deniedText(k.denial(k.outcome))
		}
	}
	s.asks = nil
}

// setOpen registers a question under its request, or takes it out.
func (s *session) setOpen(req *approval.Request, k *ask) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k == nil {
		delete(s.openAsks, req)
		return
	}
	s.openAsks[req] = k
}

func (s *session) openAsk(req *approval.Request) *ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.openAsks[req]
}
