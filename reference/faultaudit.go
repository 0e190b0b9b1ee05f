package reference

import (
	"errors"
	"sync"

	"acp-conform/reference/approval"
)

// The faults of the audit log, and of what a switch of the policy does to a question that is open.
const (
	DropsAsked        Fault = "drops-asked"
	DecidedFirst      Fault = "logs-decided-first"
	DecidedTwice      Fault = "logs-decided-twice"
	DecidedLate       Fault = "logs-decided-behind-result"
	DecidedAfterTurn  Fault = "logs-decided-behind-turn"
	OtherOutcome      Fault = "logs-other-outcome"
	EmptyOptionals    Fault = "logs-empty-members"
	NeverUnrecorded   Fault = "never-unrecorded"
	NeverAsCancelled  Fault = "never-logged-as-cancelled"
	LogsUserText      Fault = "logs-user-text"
	CancelAsCompleted Fault = "logs-cancelled-as-completed"
	HooksUnlogged     Fault = "hooks-unlogged"
	ReasonUnlogged    Fault = "reason-unlogged"
	SwitchWaits       Fault = "switch-waits-for-turn"
	SwitchSettles     Fault = "switch-settles-open-question"
	LostAsCancelled   Fault = "logs-lost-editor-as-cancelled"
	WithdrawnAsLost   Fault = "logs-withdrawn-as-unavailable"
)

func auditFaults() []FaultInfo {
	return []FaultInfo{
		{DropsAsked, "That a question was asked is not written to the audit log."},
		{DecidedFirst, "A decision is logged in front of its question."},
		{DecidedTwice, "Every decision is logged twice."},
		{DecidedLate, "A decision is logged behind the result of its call."},
		{DecidedAfterTurn, "A decision is logged behind the end of its turn."},
		{OtherOutcome, "A grant is logged as \"allowed\"."},
		{EmptyOptionals, "A question without a reason is logged with an empty one."},
		{NeverUnrecorded, "What the policy rejects is not written to the audit log."},
		{NeverAsCancelled, "What the policy rejects is logged as cancelled."},
		{LogsUserText, "What the user wrote is written to the audit log."},
		{CancelAsCompleted, "A turn that the client cancelled is logged as completed."},
		{HooksUnlogged, "Hooks are not written to the audit log."},
		{ReasonUnlogged, "The asker's reason is not written to the audit log."},
		{SwitchWaits, "A policy that is set during a turn is recorded in the next one."},
		{SwitchSettles, "A switch to never rejects the questions that are open."},
		{LostAsCancelled, "A question whose client is gone is logged as cancelled."},
		{WithdrawnAsLost, "A question that the host has settled by then is logged as unavailable."},
	}
}

// keptBack are events that a fault writes later.
type keptBack struct {
	mu     sync.Mutex
	events []keptEvent
}

type keptEvent struct {
	eventType string
	data      any
}

// misappend appends as the faults do. It reports false when none of them has to do with the event.
func (g *agent) misappend(eventType string, data any) (bool, error) {
	a := g.s.a
	g.kept.mu.Lock()
	defer g.kept.mu.Unlock()
	switch d := data.(type) {
	case approval.AskedData:
		return g.misappendAsked(d)
	case approval.DecidedData:
		return g.misappendDecided(d)
	case toolResultData:
		if a.fault(DropsResult) {
			return true, nil
		}
		if a.fault(DecidedLate) {
			return true, g.appendThenKept(eventType, data, true)
		}
	case turnEnd:
		if a.fault(CancelAsCompleted) && d.Kind == "aborted" {
			d.Kind, d.Reason = "completed", ""
		}
		return true, g.appendThenKept(eventType, d, a.fault(DecidedAfterTurn) || a.fault(DecidedLate))
	case hookData:
		return a.fault(HooksUnlogged), nil
	}
	return false, nil
}

func (g *agent) misappendAsked(d approval.AskedData) (bool, error) {
	a := g.s.a
	switch {
	case a.fault(DropsAsked), a.fault(NeverUnrecorded) && g.s.rejectsAll():
		return true, nil
	case a.fault(DecidedFirst):
		g.kept.events = append(g.kept.events, keptEvent{approval.EventAsked, d})
		return true, nil
	case a.fault(EmptyOptionals):
		return true, g.Log.Append(approval.EventAsked, struct {
			ID       string `json:"id"`
			ToolName string `json:"toolName"`
			CallID   string `json:"callId"`
			Reason   string `json:"reason"`
		}{d.ID, d.ToolName, d.CallID, d.Reason})
	case a.fault(LogsArguments):
		return true, g.Log.Append(approval.EventAsked, g.knows(d))
	case a.fault(ReasonUnlogged) && d.Reason != "":
		d.Reason = ""
		return true, g.Log.Append(approval.EventAsked, d)
	}
	return false, nil
}

func (g *agent) misappendDecided(d approval.DecidedData) (bool, error) {
	a := g.s.a
	switch {
	case a.fault(NeverUnrecorded) && g.s.rejectsAll():
		return true, nil
	case a.fault(NeverAsCancelled) && g.s.rejectsAll():
		d.Outcome = approval.Cancelled
		return true, g.Log.Append(approval.EventDecided, d)
	case a.fault(OtherOutcome) && d.Outcome == approval.AllowedOnce:
		d.Outcome = "allowed"
		return true, g.Log.Append(approval.EventDecided, d)
	case a.fault(DecidedFirst):
		return true, g.appendThenKept(approval.EventDecided, d, true)
	case a.fault(DecidedTwice):
		return false, g.Log.Append(approval.EventDecided, d)
	case a.fault(DecidedLate), a.fault(DecidedAfterTurn):
		g.kept.events = append(g.kept.events, keptEvent{approval.EventDecided, d})
		return true, nil
	}
	return false, nil
}

// appendThenKept appends an event, and behind it what was kept back, when that is due.
func (g *agent) appendThenKept(eventType string, data any, due bool) error {
	err := g.Log.Append(eventType, data)
	if !due {
		return err
	}
	kept := g.kept.events
	g.kept.events = nil
	for _, e := range kept {
		if err == nil {
			err = g.Log.Append(e.eventType, e.data)
		}
	}
	return err
}

// rejectsAll reports whether the session's policy is never.
func (s *session) rejectsAll() bool { return s.a.service().Policy(s.agent) == approval.Never }

// startOf is what is logged of a turn's start.
func (s *session) startOf(t *turn) any {
	if !s.a.fault(LogsUserText) || len(t.input) == 0 {
		return turnStart{s.turns}
	}
	return struct {
		turnStart
		Text string `json:"text"`
	}{turnStart{s.turns}, t.input[0].Text}
}

// grantCancelled is for the fault grants-on-cancel.
func (s *session) grantCancelled(err error) {
	if !errors.Is(err, errCancelled) || !s.a.fault(GrantsOnCancel) {
		return
	}
	for _, k := range s.asks {
		if choice, ok := onceApproval(k.p.v.Choices); ok {
			s.decide(k.p, k.stage, choice, true, "")
		}
	}
}

// switchSettles is for the fault switch-settles-open-question.
func (a *adapter) switchSettles(changed, value string) {
	if a.fault(SwitchSettles) && changed == approvalOption && value == string(approval.Never) {
		a.settleOpen(func(o option) bool { return !o.grants() })
	}
}
