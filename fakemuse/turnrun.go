package fakemuse

import (
	"errors"
	"fmt"
	"slices"
)

// run is the life of a turn, from turn/started to turn/completed. It runs as a coroutine; see turn.
func (t *turn) run() {
	s := t.session
	if t.stored {
		t.begun = s.clock
	} else {
		t.begin()
	}
	end := t.brokenServers()
	if end == nil {
		end = t.steps()
	}
	if errors.Is(end, errStopped) {
		return
	}
	var failed *turnFailure
	switch {
	case errors.Is(end, errCancelled):
		t.closeOpen(*t.cancelled)
		t.pauseGoal()
		reason := t.cancelled.reason
		if t.plan != nil {
			reason = firstOf(t.plan.CancelReason, reason)
		}
		t.complete("cancelled", reason, nil)
		if t.cancelled.retract {
			t.retract()
		}
	case errors.As(end, &failed):
		t.complete("failed", failed.Message, &turnError{Kind: failed.Kind, Message: failed.Message, Retryable: failed.Retryable})
	default:
		t.report("")
		t.complete("completed", "", nil)
	}
}

// begin shows that the turn runs, and what it was given. Both rest on one record, where turns have no stream of their
// own.
func (t *turn) begin() {
	s := t.session
	t.open = nil
	source := t.fresh()
	t.begun = s.clock
	s.statusChanged("running")
	v := s.next(source)
	s.publish("turn/started", v, turnStartedParams{view: v, TurnID: t.id, CommandID: t.commandID})
	if t.forGoal {
		return
	}
	i := t.newMessage(t.commandID, t.input)
	if s.server.variants.has(streamsByKind) {
		source = t.fresh()
	}
	if s.server.variants.has(messageIsRecord) {
		i.ItemID = source.First.ID
	}
	t.message = i.ItemID
	t.completed(i, source)
}

// stream is the stream of the turn's own records.
func (t *turn) stream() streamRef { return streamRef{Kind: "run", ID: t.id} }

// fresh is the source of an event that rests on one new record of the turn.
func (t *turn) fresh() *sourceRange { return t.session.freshIn(t.stream()) }

// turnFailure ends a turn as failed.
type turnFailure struct{ Failure }

func (f *turnFailure) Error() string { return f.Message }

// steps runs the steps of a turn's script.
func (t *turn) steps() error {
	s := t.session
	if t.plan == nil {
		s.server.problem(ProblemUnscripted, t.host.who(), "the script has no turn left for the input %q; %s", trimName(t.input.text), s.server.waitsFor())
		return &turnFailure{Failure{Kind: "modelError", Message: "the script has no turn for this input"}}
	}
	for i := range t.plan.Steps {
		if t.script >= 0 {
			s.server.progress[t.script].reached = i + 1
		}
		if err := t.step(&t.plan.Steps[i], i); err != nil {
			return err
		}
	}
	return nil
}

func (t *turn) step(step *Step, index int) error {
	switch {
	case len(step.Think) > 0:
		return t.say("reasoning", "summary.0", step.Think, step.Text)
	case len(step.Say) > 0:
		return t.say("agentMessage", "text", step.Say, step.Text)
	case step.Tool != nil:
		return t.tool(step.Tool, index)
	case len(step.Tools) > 0:
		return t.tools(step.Tools, index)
	case len(step.Lost) > 0:
		return t.lose(step.Lost, index)
	case step.Ask != nil:
		return t.ask(step.Ask, index)
	case step.Wait != "":
		return t.wait(step.Wait)
	case step.Hang:
		return t.parkForever()
	case step.Fail != nil:
		return &turnFailure{*step.Fail}
	case step.Exit != nil:
		t.host.leave = step.Exit
		return t.parkForever()
	case step.Silence:
		t.host.silent = true
		return t.parkForever()
	case step.Raw != nil:
		raw := *step.Raw
		t.host.whenOpen(func() { t.host.sendEntry(raw.Bytes, raw.Partial) })
	case step.Usage != nil:
		t.usage(*step.Usage, t.finishReason(index))
	case step.Retry != nil:
		t.retry(*step.Retry)
	case step.Show != nil:
		t.show(step.Show)
	case step.Event != nil:
		t.session.sendEvent(*step.Event)
	case step.Todos != nil:
		t.session.changeTodos(step.Todos)
	}
	return nil
}

func (t *turn) wait(event string) error {
	for !t.session.server.events[event] {
		t.waiting = event
		err := t.park()
		t.waiting = ""
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *turn) parkForever() error {
	for {
		if err := t.park(); err != nil {
			return err
		}
	}
}

// newMessage is what the user said, as an item.
func (t *turn) newMessage(commandID string, input turnInput) item {
	s := t.session
	i := item{
		ItemID: s.server.newID(), Kind: "userMessage", TurnID: &t.id, Revision: 1, Status: "completed", RecordedAt: stamp(s.clock),
		Text: &input.text, CommandID: commandID, DisplayText: input.display, Attachments: slices.Clone(input.attachments),
	}
	for n := range i.Attachments {
		i.Attachments[n].AttachmentID = fmt.Sprintf("%s/%d", i.ItemID, n+1)
	}
	return i
}

// completed shows an item's last revision.
func (t *turn) completed(i item, source *sourceRange) {
	s := t.session
	v := s.next(source)
	s.keep(i)
	s.publish("item/completed", v, itemParams{view: v, Item: i})
}

// complete ends the turn. Reason repeats the error's message where there is one (msp.md §6.4).
func (t *turn) complete(terminal, reason string, err *turnError) {
	s := t.session
	v := s.next(t.fresh())
	took := s.clock.Sub(t.begun).Milliseconds()
	p := turnCompletedParams{view: v, TurnID: t.id, Terminal: terminal, Reason: reason, Error: err, DurationMs: &took}
	if t.firstToken != nil {
		first := t.firstToken.Sub(t.begun).Milliseconds()
		p.TimeToFirstTokenMs = &first
	}
	if t.plan != nil {
		p.Usage = t.plan.Totals
		t.plan.Timings.apply(&p)
	}
	s.turnCount++
	s.updated = s.clock
	s.last, s.lastRaw = &lastTurn{TurnID: t.id, Terminal: terminal, Reason: reason, Error: err}, nil
	s.publish("turn/completed", v, p)
	s.turn = nil
	s.statusChanged("idle")
	s.branchChanged()
}

// apply leaves only the durations that a host tells.
func (timings *Timings) apply(p *turnCompletedParams) {
	if timings == nil {
		return
	}
	took := p.DurationMs
	if !timings.Duration {
		p.DurationMs = nil
	}
	switch {
	case !timings.FirstToken:
		p.TimeToFirstTokenMs = nil
	case p.TimeToFirstTokenMs == nil:
		p.TimeToFirstTokenMs = took
	}
}

// retract takes back what the user said (msp.md §6.1).
func (t *turn) retract() {
	s := t.session
	v := s.next(t.fresh())
	s.publish("turn/retracted", v, turnStartedParams{view: v, TurnID: t.id, CommandID: t.cancelled.commandID})
	i, there := s.item(t.message)
	if !there {
		return
	}
	i.Revision, i.Retracted, i.whole = i.Revision+1, true, nil
	s.keep(i)
	v = s.next(t.fresh())
	s.publish("item/updated", v, itemParams{view: v, Item: i})
}

func exitText(code int) string { return fmt.Sprintf("exit %d", code) }
