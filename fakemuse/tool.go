package fakemuse

import (
	"errors"
	"fmt"
	"slices"
)

// toolCall is a tool call in progress.
type toolCall struct {
	turn     *turn
	item     item
	first    record    // the record with which it began
	stream   streamRef // in which its records are
	approval *approval
	question *question
	spec     *Tool
	// The ids of its approval and its task, where they are not those of the item.
	approvalID, taskID string
	call               item // what is asked about, where it is not the item

	yield func(struct{}) bool // gives way to the turn; nil for a call that is the turn's only one
}

// subject is the item that an approval is about.
func (c *toolCall) subject() item {
	if c.call.Tool != "" {
		return c.call
	}
	return c.item
}

// outcome is how a tool call ended.
type outcome struct {
	status    string
	reason    string // why it did not complete
	output    string
	truncated bool
}

func toolFailed(format string, args ...any) outcome {
	reason := fmt.Sprintf(format, args...)
	return outcome{status: "failed", reason: reason, output: "tool failed: " + reason}
}

// tool runs one tool call: shown, asked for, done, shown (msp.md §6.3, §7.3).
func (t *turn) tool(spec *Tool, index int) error {
	if t.open == nil {
		t.report("tool_calls")
		t.startTool(spec.Name, t.callID(spec.CallID, index), spec.Args, spec)
	}
	t.open.spec = spec
	return t.open.run()
}

// run asks for the call, does it and shows its end. After an error the call is still open: it is closed with the turn.
func (c *toolCall) run() error {
	end, err := c.decided()
	if err == nil && end == nil {
		end, err = c.do()
	}
	if err != nil {
		return err
	}
	c.end(*end)
	return nil
}

// park gives way until the turn goes on. It says whether the call may go on.
func (c *toolCall) park() error {
	if c.yield == nil {
		return c.turn.park()
	}
	if !c.yield(struct{}{}) {
		return errStopped
	}
	if c.turn.cancelled != nil {
		return errCancelled
	}
	return nil
}

func (c *toolCall) parkForever() error {
	for {
		if err := c.park(); err != nil {
			return err
		}
	}
}

func (t *turn) callID(given string, index int) string {
	return firstOf(given, fmt.Sprintf("call_%d_%d", t.script+1, index+1))
}

// do does what a granted tool does, and shows its output as it comes.
func (c *toolCall) do() (*outcome, error) {
	spec := c.spec
	for _, delta := range spec.Deltas {
		c.output(delta)
	}
	if spec.Hang {
		return nil, c.parkForever()
	}
	if c.exits(exitRunning) && !c.runsCommand() {
		return nil, c.exit()
	}
	end, err := c.act()
	if err != nil {
		return nil, err
	}
	if spec.Output != nil && end.status == "completed" {
		end.output, end.truncated = *spec.Output, false
	}
	end = spec.Ends.apply(end)
	if spec.Deltas == nil && end.status == "completed" && end.output != "" {
		c.output(end.output)
	}
	if spec.Patch != nil {
		c.patched(*spec.Patch)
	}
	return &end, nil
}

// apply puts what a script says about the end of a tool call in place of what happened.
func (e *ToolEnd) apply(end outcome) outcome {
	if e == nil {
		return end
	}
	end.status, end.reason = firstOf(e.Status, end.status), firstOf(e.Reason, end.reason)
	if e.Output != nil {
		end.output, end.truncated = *e.Output, false
	}
	return end
}

// output shows a piece of the call's output.
func (c *toolCall) output(text string) {
	s := c.turn.session
	v := s.next(nil)
	s.publish("item/delta", v, deltaParams{view: v, ItemID: c.item.ItemID, Field: "output", Delta: piece(text)})
}

// startRecords is how many records the beginning of a tool call takes in a real host's log (msp.md §6.3).
const startRecords = 7

// startTool shows a call that begins, and makes it the open one.
func (t *turn) startTool(name, callID, args string, spec *Tool) {
	s := t.session
	call := &toolCall{turn: t, spec: spec, stream: s.stream()}
	n := startRecords
	if s.server.variants.has(streamsByKind) {
		n = 1
		if spec == nil { // a question
			call.stream = t.stream()
		}
	}
	first, last := s.records(n)
	call.first = first
	call.item = item{
		ItemID: s.server.newID(), Kind: "toolCall", TurnID: &t.id, Revision: 1, Status: "inProgress", RecordedAt: stamp(s.clock),
		Tool: name, CallID: callID, Args: &args,
	}
	if t.asks(spec) && s.server.variants.has(ownApprovalIDs) {
		call.approvalID, call.taskID = s.server.newID(), s.server.newID()
		call.item.ApprovalID = call.approvalID
	}
	t.open = call
	v := s.next(&sourceRange{Stream: call.stream, First: first, Last: last})
	s.keep(call.item)
	s.publish("item/started", v, itemParams{view: v, Item: call.item})
}

// asks says whether a tool call is asked for before it runs.
func (t *turn) asks(spec *Tool) bool {
	return spec != nil && spec.Approval != nil && t.session.mode.Mode != "allowAll"
}

// end shows the last revision of the call.
func (c *toolCall) end(end outcome) {
	t, s := c.turn, c.turn.session
	i := c.item
	i.Revision++
	i.Status, i.FailureReason, i.VisibleOutput, i.Truncated, i.whole = end.status, end.reason, &end.output, nil, nil
	if end.truncated || s.server.variants.has(truncatedShown) && i.Kind == "toolCall" {
		i.Truncated = &end.truncated
	}
	if c.spec != nil && c.spec.Stored {
		i.OutputRef = s.store(i.ItemID, "toolOutput", []byte(end.output))
	}
	i.RecordedAt = stamp(s.clock)
	first := c.first
	_, last := s.records(1)
	if s.server.variants.has(streamsByKind) {
		first = last
	}
	t.closed(c)
	if i.Kind == "userShell" {
		i.FailureReason = ""
		took := s.clock.Sub(t.begun).Milliseconds()
		i.DurationMs = &took
	}
	t.completed(i, &sourceRange{Stream: c.stream, First: first, Last: last})
}

// closed takes a call out of those that are open.
func (t *turn) closed(c *toolCall) {
	if t.open == c {
		t.open = nil
	}
	t.parallel = slices.DeleteFunc(t.parallel, func(other *toolCall) bool { return other == c })
}

// openCalls are the tool calls in progress, in the order in which they began.
func (t *turn) openCalls() []*toolCall {
	if t.open != nil {
		return []*toolCall{t.open}
	}
	return slices.Clone(t.parallel)
}

// patched shows what the call changed in files.
func (c *toolCall) patched(p Patch) {
	s := c.turn.session
	i := &c.item
	i.Revision++
	i.whole = nil
	i.PatchSummary = &patchSummary{Files: p.Files, Added: p.Added, Removed: p.Removed}
	i.PatchRef = s.store(i.ItemID, "patch", []byte(p.Text))
	i.RecordedAt = stamp(s.clock)
	source := s.fresh()
	source.Stream = c.stream
	v := s.next(source)
	s.keep(*i)
	s.publish("item/updated", v, itemParams{view: v, Item: *i})
}

// decided waits for the call's approval. It gives an outcome when the tool must not run.
func (c *toolCall) decided() (*outcome, error) {
	s := c.turn.session
	a := c.approval
	if a == nil {
		if !c.turn.asks(c.spec) {
			return nil, nil
		}
		a = c.openApproval()
		if s.mode.Mode == "denyUnmatched" {
			a.resolve(resolution{decision: "denied", by: "policy"})
		}
	}
	if a.resolution == nil && c.exits(exitAsked) {
		return nil, c.exitAcknowledged()
	}
	for {
		if a.resolution == nil {
			a.happen()
		}
		if a.resolution != nil {
			break
		}
		if err := c.park(); err != nil {
			return nil, err
		}
	}
	if a.resolution.grants && c.exits(exitGranted) {
		return nil, c.exit()
	}
	if a.resolution.grants {
		return nil, nil
	}
	return a.refusal(), nil
}

// refusal is how the tool call of a denied approval ends. A text that came with the denial is shown as what the
// model reads (approval-seam.md §0.2), unless the host hides it.
func (a *approval) refusal() *outcome {
	reason := "approval denied"
	switch {
	case a.resolution.by == "policy":
		reason = "deny_unmatched: no policy rule allows this action"
	case a.resolution.decision == "abort":
		reason = "approval aborted"
	case a.resolution.decision == "timedOut":
		reason = "approval timed out"
	}
	end := &outcome{status: "rejected", reason: reason, output: "tool denied: " + reason}
	if text := a.resolution.feedback; text != "" && !a.turn.session.server.variants.has(feedbackHidden) {
		end.output = text
	}
	return end
}

// closeOpen closes what a cancelled turn leaves open: its approval or question, then its tool call or text (msp.md
// §6.5).
func (t *turn) closeOpen(cause cancelCause) {
	if t.text != nil {
		t.endText("cancelled", Text{})
	}
	for _, c := range t.openCalls() {
		c.abort(cause)
		if q := c.question; q != nil && q.settled == nil {
			q.settle(settlement{outcome: "aborted"})
		}
		end := outcome{status: "cancelled", reason: cause.itemReason}
		if c.spec != nil {
			end = c.spec.Ends.apply(end)
			end.status = "cancelled"
		}
		c.end(end)
	}
}

// abort ends the approval of a call that is cancelled.
func (c *toolCall) abort(cause cancelCause) {
	if a := c.approval; a != nil && a.resolution == nil {
		a.resolve(resolution{decision: "abort", by: cause.by, commandID: cause.commandID})
	}
}

// act does what the tool does. The disable flags are the host's own: no decision of a client passes them.
func (c *toolCall) act() (outcome, error) {
	t, spec, flags := c.turn, c.spec, c.turn.host.flags
	writes := spec.Name == "write_file" || spec.Name == "edit_file"
	switch {
	case flags.DisableWrite && writes:
		return toolFailed("tool policy denied filesystem write"), nil
	case flags.DisableShell && c.runsCommand():
		return toolFailed("tool policy denied shell execution"), nil
	case spec.Fails != "":
		return toolFailed("%s", spec.Fails), nil
	case spec.Ends != nil:
		return outcome{status: "completed"}, nil
	case c.runsCommand():
		return c.bash()
	case writes || spec.Name == "read_file":
		return t.file(spec), nil
	}
	return outcome{status: "completed"}, nil
}

// workspace is the folder in which the turn's tools act, or why there is none.
func (t *turn) workspace() (string, error) {
	s := t.session
	if s.workspace == "" {
		return "", errors.New("the session has no workspace")
	}
	if !s.server.inside(s.workspace) {
		s.server.problem(ProblemOutside, t.host.who(), "a tool would act in %s, outside the scenario's folder", s.workspace)
		return "", errors.New("environment failure: the workspace is not available")
	}
	return s.workspace, nil
}

// settleOrphans ends what a lost host left behind, when its session is loaded again.
func (s *session) settleOrphans() {
	const reason = "resume_reconcile:orphaned_by_process_loss"
	cause := cancelCause{by: "policy", itemReason: reason}
	for _, t := range s.asides {
		t.host = s.host
		t.closeOpen(cause)
	}
	s.asides = nil
	if t := s.turn; t != nil && !t.stored {
		t.host = s.host
		t.closeOpen(cause)
		t.complete("cancelled", reason, nil)
	}
}
