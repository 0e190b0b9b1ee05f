package reference

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"acp-conform/reference/hook"
	"acp-conform/reference/muse"
)

// pending is one approval of the running turn, as the host has published it so far.
type pending struct {
	v        muse.Approval
	call     string       // the tool call, as the client knows it
	asked    map[int]bool // stages that were asked about
	looked   bool         // hooks and escalation were looked at, which is done once per approval
	hooking  bool         // its hooks run, or wait for those of others
	open     *ask
	resolved bool
	put      bool // somebody was asked
	granted  bool // a stage of it, for the fault grants-later-stages
	stale    bool // a grant of a stage, for the fault stale-grant-carries-over
	decided  bool // a decision was sent for the fault decide-before-answer
	first    bool // for the fault keeps-first-choices
	reasked  bool // for the fault asks-twice
	retried  bool // for the fault retries-decide

	firstStages []observedStage // for the fault shows-first-stages
	updated     bool            // the host has sent an approval/updated
	changed     time.Time       // last change of what the host published or accepted
}

type hookResult = hook.Result

// approvalRequested takes an approval: the notification and the request for it make one (muse-adapter.md §6.1). One that
// nobody can decide, for what Muse left out of it, fails the turn: it would wait for ever.
func (s *session) approvalRequested(v muse.Approval, lacks string) {
	t := s.turn
	if t.ended || t.cancelled || t.failure != nil || s.nobodys[v.ApprovalID] { // denied before the turn began, perhaps
		return
	}
	strange := v.SessionID != "" && !s.mine(v.SessionID)
	if strange && !s.a.fault(AsksForStrangers) {
		s.denyForeign(v)
		return
	}
	if !strange && v.TurnID != "" && !t.owns(v.TurnID) && !nobodys(v) { // a subagent's turn is its own
		return
	}
	p := t.approvals[v.ApprovalID]
	if p == nil && lacks != "" {
		s.fail(remoteFailure("malformedApproval", "Muse asked for an approval without a valid "+lacks))
		return
	}
	if p == nil {
		p = &pending{v: v, call: t.callOf(v), asked: map[int]bool{}, changed: time.Now(), first: s.a.fault(FirstChoices)}
		t.approvals[v.ApprovalID] = p
		t.pendings = append(t.pendings, p)
	} else {
		if v.Current != nil && v.Current.SourceIndex != p.v.Current.SourceIndex && p.asked[v.Current.SourceIndex] {
			return // what was published earlier, once more
		}
		p.merge(v)
	}
	s.consider(p)
}

// approvalUpdated takes what changed about an approval; members that are missing keep their last value.
func (s *session) approvalUpdated(v muse.Approval) {
	t := s.turn
	p := t.approvals[v.ApprovalID]
	if p == nil || !s.mine(v.SessionID) || t.ended || t.cancelled || t.failure != nil {
		return
	}
	p.updated = true
	p.merge(v)
	s.consider(p)
}

func (p *pending) merge(v muse.Approval) {
	if v.Current != nil {
		p.v.Current = v.Current
	}
	if v.Choices != nil && !p.first {
		p.v.Choices = v.Choices
	}
	if v.Subject != nil {
		p.v.Subject = v.Subject
	}
	if v.SubagentOrigin != nil {
		p.v.SubagentOrigin = v.SubagentOrigin
	}
	if v.JudgeEscalated != nil {
		p.v.JudgeEscalated = v.JudgeEscalated
	}
	if v.ProtectedWrite != nil {
		p.v.ProtectedWrite = v.ProtectedWrite
	}
	p.changed = time.Now()
}

// approvalResolved ends an approval. A question that is open is withdrawn: it stays open at the client, which is told
// nothing (REQ-ACP-15), and its answer decides nothing.
func (s *session) approvalResolved(r muse.Resolved) {
	if !s.mine(r.SessionID) {
		return
	}
	if p := s.turn.approvals[r.ApprovalID]; p != nil {
		p.resolved = true
		s.withdrawAsk(p)
	}
	s.observeFinal(r)
}

// consider asks about an approval's current stage, unless that was done or cannot be done now. Which asker it is:
// approval-seam.md §0.2.
func (s *session) consider(p *pending) {
	stage := p.v.Current.SourceIndex
	switch {
	case p.resolved || p.open != nil || p.hooking || p.asked[stage]:
		return
	case s.gap != nil || s.catching:
		return // looked at again when all that was missing is there
	case s.a.fault(BlocksDialogs) && len(s.asks) > 0:
		return // answered looks again
	}
	p.asked[stage] = true
	c := s.card(p.callID(), p.v.ToolName)
	if !c.announced {
		c.describe(muse.Item{Kind: muse.KindToolCall, Args: p.v.RawArgs}, s.a.fault(FloatNumbers))
		s.announce(c)
	}
	if s.a.fault(StatusInAsk) {
		s.progress(c)
	}
	switch {
	case nobodys(p.v) && !s.adopts():
		s.askStranger(p)
	case p.looked && !s.looksAgain(p):
		s.askApproval(p)
	default:
		p.looked = true
		s.runHooks(p)
	}
}

// nobodys reports whether an approval is the work of somebody whom no client session owns (REQ-ACP-19).
func nobodys(v muse.Approval) bool {
	return len(v.SubagentOrigin) > 0 && !bytes.Equal(v.SubagentOrigin, []byte("null"))
}

// callID is the id of the tool call that an approval is about.
func (p *pending) callID() string { return p.call }

// callOf is the tool call of an approval. Where it names none, it is that of its item: it is shown once.
func (t *turn) callOf(v muse.Approval) string {
	if v.ToolCallID != "" {
		return v.ToolCallID
	}
	if it := t.items[v.ItemID]; it != nil && it.card != nil {
		return it.card.id
	}
	return v.ItemID
}

func (s *session) cardOfApproval(p *pending) *card { return s.card(p.callID(), p.v.ToolName) }

type hookData struct {
	CallID   string `json:"callId"`
	Event    string `json:"event"`
	Decision string `json:"decision,omitempty"`
}

// runHooks runs the hooks for an approval, after those of approvals before it.
func (s *session) runHooks(p *pending) {
	if len(s.a.o.Hooks) == 0 {
		s.hooksSaid(p, hook.Result{})
		return
	}
	p.hooking = true
	s.hooking = append(s.hooking, p)
	if len(s.hooking) == 1 {
		s.nextHooks()
	}
}

// nextHooks runs the hooks for the first approval that waits for them, in a goroutine of its own.
func (s *session) nextHooks() {
	p := s.hooking[0]
	ctx, cancel := context.WithCancel(context.Background())
	s.stopRun = cancel // before anything can fail: the end of the turn stops what waits here, run or not
	if err := s.agent.Append("hook/invoked", hookData{CallID: p.callID(), Event: hook.Event}); err != nil {
		s.fail(s.auditFailure(err))
		return
	}
	runner := hook.Runner{Env: s.a.o.Env, Dir: s.cwd, Limit: s.a.o.Deadlines.Hook}
	input := hook.Input{
		SessionID: string(s.id), Cwd: s.cwd, ToolName: p.v.ToolName, ToolUseID: p.callID(),
		ToolInput: rawInput(p.v.RawArgs, false),
	}
	s.a.running.Go(func() {
		defer cancel()
		var results []hook.Result
		for _, command := range s.a.o.Hooks {
			results = append(results, s.a.mishear(runner.Run(ctx, command, input)))
		}
		s.inbox.post(hooksRan{p, s.a.mismerge(results)})
	})
}

// hooksRan goes on with an approval whose hooks have run.
func (s *session) hooksRan(p *pending, r hookResult) {
	t := s.turn
	if len(s.hooking) == 0 || s.hooking[0] != p {
		return // of a turn that is over
	}
	s.hooking = s.hooking[1:]
	p.hooking = false
	if t.ended || t.cancelled || t.failure != nil {
		return
	}
	p.changed = time.Now()
	data := hookData{CallID: p.callID(), Event: hook.Event, Decision: r.Decision.String()}
	if err := s.agent.Append("hook/result", data); err != nil {
		s.fail(s.auditFailure(err))
		return
	}
	if !p.resolved {
		p.asked[p.v.Current.SourceIndex] = true // the host may have gone on meanwhile
		s.hooksSaid(p, r)
	}
	if len(s.hooking) > 0 {
		s.nextHooks()
	}
}

// hooksSaid takes the first asker that applies: the hooks, an escalation, the approval itself.
func (s *session) hooksSaid(p *pending, r hookResult) {
	r, settled := s.hookFault(p, s.a.unheard(r))
	if settled {
		return
	}
	switch r.Decision {
	case hook.Deny:
		reason := r.Reason
		if reason == "" {
			reason = fmt.Sprintf("tool %q was denied by a hook", p.v.ToolName)
		}
		s.deny(p, reason)
	case hook.Ask:
		s.askHook(p, r.Reason)
	default:
		esc, wrong, found := s.misescalate(p)
		switch {
		case !found:
			s.askApproval(p)
		case wrong != "" && !s.a.fault(AsksNarrow):
			s.recordNarrow(p)
			s.deny(p, wrong)
		default:
			s.askEscalation(p, esc)
		}
	}
}

// endHooks gives up on hooks that run.
func (s *session) endHooks() {
	if len(s.hooking) > 0 {
		s.hooking = nil
		s.stopRun()
	}
}

// stallsAt is when the turn stalls: an approval or user input is open, nobody is asked about it, and it has not changed
// for the deadline (muse-adapter.md §6.7). The zero time is never.
func (s *session) stallsAt() time.Time {
	if s.gap != nil {
		return s.gap.by
	}
	var at time.Time
	for _, p := range s.turn.pendings {
		if s.stands(p) {
			at = earliest(at, p.changed.Add(s.a.o.Deadlines.Stall))
		}
	}
	for _, f := range s.turn.formOrder {
		if f.waits() {
			at = earliest(at, f.changed.Add(s.a.o.Deadlines.Stall))
		}
	}
	return s.never(at)
}

func (p *pending) waits() bool { return !p.resolved && p.open == nil && !p.hooking }

// evidence says what the host has told of an approval that does not move (muse-adapter.md §6.7).
func (p *pending) evidence() string {
	words := fmt.Sprintf("requirement %d", p.v.Current.SourceIndex)
	var kinds []string
	if p.v.Subject != nil {
		for _, stage := range p.v.Subject.Stages {
			if stage.Resolution != nil {
				kinds = append(kinds, *stage.Resolution)
			}
			position, ok := jsonNumber(stage.Position)
			total, too := jsonNumber(stage.TotalStages)
			if ok && too && stage.RequirementID != nil && *stage.RequirementID == *p.v.Current {
				words += fmt.Sprintf(" (stage %d of %d)", position, total)
			}
		}
	}
	if len(kinds) == 0 {
		kinds = []string{"unreported"}
	}
	frame := "approval/requested"
	if p.updated {
		frame = "approval/updated"
	}
	return words + "; stages " + strings.Join(kinds, ", ") + "; last host frame " + frame
}

// stalled is the failure of a turn that stalled.
func (s *session) stalled() *failure {
	if s.gap != nil {
		return late("gap fill failed: Muse did not answer in time")
	}
	long := s.a.o.Deadlines.Stall
	for _, p := range s.turn.pendings {
		if s.stands(p) && !time.Now().Before(p.changed.Add(long)) {
			return stall("approvalStalled", fmt.Sprintf("Muse approval %s is still pending at %s", p.v.ApprovalID, p.evidence()), long)
		}
	}
	for _, f := range s.turn.formOrder {
		if f.waits() && !time.Now().Before(f.changed.Add(long)) {
			return stall("userInputStalled", fmt.Sprintf("Muse user input %s is still pending", f.v.UserInputID), long)
		}
	}
	return late("the turn did not move in time")
}

// stall is the failure of a turn that waits for something that does not move. The host may still run it, so it is
// cancelled there (muse-adapter.md §6.7).
func stall(kind, text string, long time.Duration) *failure {
	f := localFailure(kind, fmt.Sprintf("%s; no host progress for %gs", text, long.Seconds()))
	f.cancels = true
	return f
}

// jsonNumber reads a whole number of at least 1.
func jsonNumber(raw json.RawMessage) (int, bool) {
	n, ok := integer(raw)
	if !ok || !n.IsInt64() || n.Int64() < 1 || n.Int64() > 1<<30 {
		return 0, false
	}
	return int(n.Int64()), true
}
