package fakemuse

import (
	"errors"
	"fmt"
)

// toolCall is a tool call in progress.
type toolCall struct {
	item     item
	first    record // the record with which it began
	approval *approval
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
	t.usage("tool_calls")
	callID := spec.CallID
	if callID == "" {
		callID = fmt.Sprintf("call_%d_%d", t.script+1, index+1)
	}
	t.startTool(spec.Name, callID, spec.Args)
	end, err := t.decided(spec)
	if err == nil && end == nil {
		var done outcome
		done, err = t.act(spec)
		end = &done
	}
	if err != nil {
		return err // the open call is closed with the turn
	}
	if spec.Output != nil && end.status == "completed" {
		end.output, end.truncated = *spec.Output, false
	}
	if end.status == "completed" && end.output != "" {
		v := t.session.next(nil)
		t.session.publish("item/delta", v, deltaParams{view: v, ItemID: t.open.item.ItemID, Field: "output", Delta: end.output})
	}
	t.endTool(*end)
	return nil
}

// startRecords is how many records the beginning of a tool call takes in a real host's log (msp.md §6.3).
const startRecords = 7

func (t *turn) startTool(name, callID, args string) {
	s := t.session
	first, last := s.records(startRecords)
	i := item{
		ItemID: s.server.newID(), Kind: "toolCall", TurnID: &t.id, Revision: 1, Status: "inProgress", RecordedAt: stamp(s.clock),
		Tool: name, CallID: callID, Args: &args,
	}
	t.open = &toolCall{item: i, first: first}
	v := s.next(s.source(first, last))
	s.keep(i)
	s.publish("item/started", v, itemParams{view: v, Item: i})
}

// endTool shows the last revision of the open tool call.
func (t *turn) endTool(end outcome) {
	s := t.session
	i := t.open.item
	i.Revision++
	i.Status, i.FailureReason, i.VisibleOutput, i.Truncated = end.status, end.reason, &end.output, end.truncated
	i.RecordedAt = stamp(s.clock)
	first := t.open.first
	_, last := s.records(1)
	t.open = nil
	t.completed(i, s.source(first, last))
}

// decided waits for the approval of the open tool call. It gives an outcome when the tool must not run.
func (t *turn) decided(spec *Tool) (*outcome, error) {
	s := t.session
	if spec.Approval == nil || s.mode.Mode == "allowAll" {
		return nil, nil
	}
	a := t.openApproval(spec)
	if s.mode.Mode == "denyUnmatched" {
		a.resolve(resolution{decision: "denied", by: "policy"})
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

// refusal is how the tool call of a denied approval ends. A text that came with the denial is what the model reads
// (approval-seam.md §0.2).
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
	return &outcome{status: "rejected", reason: reason, output: firstOf(a.resolution.feedback, "tool denied: "+reason)}
}

// closeOpen closes what a cancelled turn leaves open: its approval, then its tool call (msp.md §6.5).
func (t *turn) closeOpen(cause cancelCause) {
	if t.open == nil {
		return
	}
	if a := t.open.approval; a != nil && a.resolution == nil {
		a.resolve(resolution{decision: "abort", by: cause.by, commandID: cause.commandID})
	}
	t.endTool(outcome{status: "cancelled", reason: cause.itemReason})
}

// act does what the tool does. The disable flags are the host's own: no decision of a client passes them.
func (t *turn) act(spec *Tool) (outcome, error) {
	flags := t.host.flags
	writes := spec.Name == "write_file" || spec.Name == "edit_file"
	switch {
	case flags.DisableWrite && writes:
		return toolFailed("tool policy denied filesystem write"), nil
	case flags.DisableShell && spec.Name == "bash":
		return toolFailed("tool policy denied shell execution"), nil
	case spec.Fails != "":
		return toolFailed("%s", spec.Fails), nil
	case spec.Name == "bash":
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

// settleOrphan ends the turn that a lost host left behind, when its session is loaded again.
func (s *session) settleOrphan() {
	t := s.turn
	if t == nil {
		return
	}
	const reason = "resume_reconcile:orphaned_by_process_loss"
	t.host = s.host
	t.closeOpen(cancelCause{by: "policy", itemReason: reason})
	t.complete("cancelled", reason, nil)
}
