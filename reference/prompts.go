package reference

import (
	"encoding/json"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/rpc"
)

// prompt admits a prompt: after its checks the session is busy, and the turn starts when all lines of this read were
// admitted. Order of the checks: muse-adapter.md §3.3.
func (a *adapter) prompt(id, raw json.RawMessage) *rpc.Error {
	params, ok := object(raw)
	if !ok {
		return invalid("session/prompt needs an object")
	}
	s, bad := a.session(params["sessionId"])
	if _, named := text(params["sessionId"]); bad != nil && named && a.fault(AnyoneMayPrompt) {
		a.respond(id, acp.PromptResponse{StopReason: acp.StopReasonEndTurn})
		return nil
	}
	if bad != nil {
		if a.misclosed(ClosedTakesPrompts, id, params["sessionId"], acp.PromptResponse{StopReason: acp.StopReasonEndTurn}) {
			return nil
		}
		return bad
	}
	if s.busy() {
		if a.fault(AcceptsSecond) {
			a.respond(id, acp.PromptResponse{StopReason: acp.StopReasonEndTurn})
			return nil
		}
		return rpc.Errorf(rpc.InvalidRequest, "Invalid request: session %s already has a prompt in flight", s.id)
	}
	if params["prompt"] == nil && a.fault(EmptyPrompt) {
		a.respond(id, acp.PromptResponse{StopReason: acp.StopReasonEndTurn})
		return nil
	}
	if len(params["prompt"]) == 0 || params["prompt"][0] != '[' {
		return invalid("prompt must be an array")
	}
	blocks, ok := list(params["prompt"])
	if !ok {
		return invalid("prompt must be an array")
	}
	if blocks, bad = a.takesBlocks(blocks); bad != nil {
		return bad
	}
	input, err := convert(blocks)
	if err != nil {
		return invalid("%s", err)
	}
	t := newTurn(s, id, a.misheard(a.heard(input)))
	t.cancelled = s.takeCancel()
	s.begin(t)
	a.starts = append(a.starts, t)
	return nil
}

// startTurns starts what was admitted from the lines of one read.
func (a *adapter) startTurns() {
	for _, t := range a.starts {
		t.started = true
		t.session.inbox.post(startTurn{t})
	}
	a.starts, a.closes = nil, nil
}

// cancel applies session/cancel. An unknown session and an idle one are ignored (ACP-CAN-07, muse-adapter.md §7.7).
func (a *adapter) cancel(raw json.RawMessage) {
	params, ok := object(raw)
	if !ok {
		return
	}
	s, bad := a.session(params["sessionId"])
	if bad != nil {
		return
	}
	a.calls.giveUp(s)
	if a.fault(CancelStopsAll) {
		a.otherTurns(s)
	}
	t := s.running()
	s.cancelNext(t != nil)
	switch {
	case t == nil:
	case t.started:
		s.inbox.post(cancelTurn{t})
	case !a.fault(LoseEarlyCancel):
		t.cancelled = true // before the session's goroutine knows of the turn
	}
}
