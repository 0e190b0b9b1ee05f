package fakemuse

import (
	"errors"
	"fmt"
)

// toolCall is a tool call in progress.
type toolCall struct {
	item     item
	first    record    // the record with which it began
	stream   streamRef // in which its records are
	approval *approval
	question *question
	spec     *Tool
	// The ids of its approval and its task, where they are not those of the item.
	approvalID, taskID string
	call               item // what is asked about, where it is not the item
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
	end, err := t.decided(spec)
	if err == nil && end == nil {
		end, err = t.doTool(spec)
	}
	if err != nil {
		return err // the open call is closed with the turn
	}
	t.endTool(*end)
	return nil
}

func (t *turn) callID(given string, index int) string {
	return firstOf(given, fmt.Sprintf("call_%d_%d", t.script+1, index+1))
}

// doTool does what a granted tool does, and shows its output as it comes.
func (t *turn) doTool(spec *Tool) (*outcome, error) {
	for _, delta := range spec.Deltas {
		t.delta("output", delta)
	}
	if spec.Hang {
		return nil, t.parkForever()
	}
	end, err := t.act(spec)
	if err != nil {
		return nil, err
	}
	if spec.Output != nil && end.status == "completed" {
		end.output, end.truncated = *spec.Output, false
	}
	end = spec.Ends.apply(end)
	if spec.Deltas == nil && end.status == "completed" && end.output != "" {
		t.delta("output", end.output)
	}
	if spec.Patch != nil {
		t.patched(*spec.Patch)
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

func (t *turn) delta(field, text string) {
	v := t.session.next(nil)
	t.session.publish("item/delta", v, deltaParams{view: v, ItemID: t.open.item.ItemID, Field: field, Delta: text})
}

// startRecords is how many records the beginning of a tool call takes in a real host's log (msp.md §6.3).
const startRecords = 7

func (t *turn) startTool(name, callID, args string, spec *Tool) {
	s := t.session
	call := &toolCall{spec: spec, stream: s.stream()}
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

// endTool shows the last revision of the open tool call.
func (t *turn) endTool(end outcome) {
	s, call := t.session, t.open
	i := call.item
	i.Revision++
	i.Status, i.FailureReason, i.VisibleOutput, i.Truncated, i.whole = end.status, end.reason, &end.output, nil, nil
	if end.truncated || s.server.variants.has(truncatedShown) && i.Kind == "toolCall" {
		i.Truncated = &end.truncated
	}
	if call.spec != nil && call.spec.Stored {
		i.OutputRef = s.store(i.ItemID, "toolOutput", []byte(end.output))
	}
	i.RecordedAt = stamp(s.clock)
	first := call.first
	_, last := s.records(1)
	if s.server.variants.has(streamsByKind) {
		first = last
	}
	t.open = nil
	if i.Kind == "userShell" {
		i.FailureReason = ""
		took := s.clock.Sub(t.begun).Milliseconds()
		i.DurationMs = &took
	}
	t.completed(i, &sourceRange{Stream: call.stream, First: first, Last: last})
}

// patched shows what the open tool call changed in files.
func (t *turn) patched(p Patch) {
	s := t.session
	i := &t.open.item
	i.Revision++
	i.whole = nil
	i.PatchSummary = &patchSummary{Files: p.Files, Added: p.Added, Removed: p.Removed}
	i.PatchRef = s.store(i.ItemID, "patch", []byte(p.Text))
	i.RecordedAt = stamp(s.clock)
	source := s.fresh()
	source.Stream = t.open.stream
	v := s.next(source)
	s.keep(*i)
	s.publish("item/updated", v, itemParams{view: v, Item: *i})
}

// decided waits for the approval of the open tool call. It gives an outcome when the tool must not run.
func (t *turn) decided(spec *Tool) (*outcome, error) {
	s := t.session
	a := t.open.approval
	if a == nil {
		if !t.asks(spec) {
			return nil, nil
		}
		a = t.openApproval(spec)
		if s.mode.Mode == "denyUnmatched" {
			a.resolve(resolution{decision: "denied", by: "policy"})
		}
	}
	for a.resolution == nil {
		if err := t.park(); err != nil {
			return nil, err
		}
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
	if t.open == nil {
		return
	}
	if a := t.open.approval; a != nil && a.resolution == nil {
		a.resolve(resolution{decision: "abort", by: cause.by, commandID: cause.commandID})
	}
	if q := t.open.question; q != nil && q.settled == nil {
		q.settle(settlement{outcome: "aborted"})
	}
	end := outcome{status: "cancelled", reason: cause.itemReason}
	if t.open.spec != nil {
		end = t.open.spec.Ends.apply(end)
		end.status = "cancelled"
	}
	t.endTool(end)
}

// act does what the tool does. The disable flags are the host's own: no decision of a client passes them.
func (t *turn) act(spec *Tool) (outcome, error) {
	flags := t.host.flags
	writes := spec.Name == "write_file" || spec.Name == "edit_file"
	switch {
	case flags.DisableWrite && writes:
		return toolFailed("tool policy denied filesystem write"), nil
	case flags.DisableShell && (spec.Name == "bash" || spec.Name == "shell" && t.aside != nil):
		return toolFailed("tool policy denied shell execution"), nil
	case spec.Fails != "":
		return toolFailed("%s", spec.Fails), nil
	case spec.Ends != nil:
		return outcome{status: "completed"}, nil
	case spec.Name == "bash" || spec.Name == "shell" && t.aside != nil:
		return t.bash(spec)
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
