package fakemuse

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// run is the life of a turn, from turn/started to turn/completed. It runs as a coroutine; see turn.
func (t *turn) run() {
	s := t.session
	t.open = nil
	source := s.fresh()
	t.begun = s.clock
	v := s.next(source)
	s.publish("turn/started", v, turnStartedParams{view: v, TurnID: t.id, CommandID: t.commandID})
	t.userMessage(source)
	end := s.script(t)
	if errors.Is(end, errStopped) {
		return
	}
	var failed *turnFailure
	switch {
	case errors.Is(end, errCancelled):
		t.closeOpen(*t.cancelled)
		t.complete("cancelled", t.cancelled.reason, nil)
	case errors.As(end, &failed):
		t.complete("failed", failed.Message, &turnError{Kind: failed.Kind, Message: failed.Message, Retryable: failed.Retryable})
	default:
		t.usage("")
		t.complete("completed", "", nil)
	}
}

// turnFailure ends a turn as failed.
type turnFailure struct{ Failure }

func (f *turnFailure) Error() string { return f.Message }

// script runs the steps of a turn's script.
func (s *session) script(t *turn) error {
	if t.script < 0 {
		s.server.problem(ProblemUnscripted, t.host.who(), "the script has no turn left for the input %q", trimName(t.input.text))
		return &turnFailure{Failure{Kind: "modelError", Message: "the script has no turn for this input"}}
	}
	progress := &s.server.progress[t.script]
	for i := range s.server.options.Script.Turns[t.script].Steps {
		progress.reached = i + 1
		if err := t.step(&s.server.options.Script.Turns[t.script].Steps[i], i); err != nil {
			return err
		}
	}
	return nil
}

func (t *turn) step(step *Step, index int) error {
	switch {
	case len(step.Think) > 0:
		return t.stream("reasoning", "summary.0", step.Think)
	case len(step.Say) > 0:
		return t.stream("agentMessage", "text", step.Say)
	case step.Tool != nil:
		return t.tool(step.Tool, index)
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

// userMessage shows the input; it rests on the same record as turn/started.
func (t *turn) userMessage(source *sourceRange) {
	s := t.session
	i := item{
		ItemID: s.server.newID(), Kind: "userMessage", TurnID: &t.id, Revision: 1, Status: "completed", RecordedAt: stamp(s.clock),
		Text: &t.input.text, CommandID: t.commandID, DisplayText: t.input.display,
	}
	for n, a := range t.input.attachments {
		a.AttachmentID = fmt.Sprintf("%s/%d", i.ItemID, n+1)
		i.Attachments = append(i.Attachments, a)
	}
	t.completed(i, source)
}

// stream shows what the model says: a started item without a record, its text in pieces, the whole (msp.md §5.3).
func (t *turn) stream(kind, field string, chunks []string) error {
	s := t.session
	i := item{ItemID: s.server.newID(), Kind: kind, TurnID: &t.id, Revision: 1, Status: "inProgress"}
	whole := strings.Join(chunks, "")
	empty := ""
	if kind == "agentMessage" {
		i.Text = &empty
	}
	v := s.next(nil)
	if t.firstToken == nil {
		now := s.clock
		t.firstToken = &now
	}
	s.publish("item/started", v, itemParams{view: v, Item: i})
	for _, chunk := range chunks {
		v := s.next(nil)
		s.publish("item/delta", v, deltaParams{view: v, ItemID: i.ItemID, Field: field, Delta: chunk})
	}
	i.Revision, i.Status, i.RecordedAt = 2, "completed", stamp(s.clock)
	if kind == "agentMessage" {
		i.Text = &whole
	} else {
		i.Summary = []string{whole}
	}
	t.completed(i, s.fresh())
	t.spoken += utf8.RuneCountInString(whole)
	return nil
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
	v := s.next(s.fresh())
	p := turnCompletedParams{
		view: v, TurnID: t.id, Terminal: terminal, Reason: reason, Error: err, DurationMs: s.clock.Sub(t.begun).Milliseconds(),
	}
	if t.firstToken != nil {
		first := t.firstToken.Sub(t.begun).Milliseconds()
		p.TimeToFirstTokenMs = &first
	}
	s.turnCount++
	s.updated = s.clock
	s.last = &lastTurn{TurnID: t.id, Terminal: terminal, Reason: reason, Error: err}
	s.publish("turn/completed", v, p)
	s.turn = nil
}

// usage reports what one model call cost, if there was one since the last report. Nothing is counted: the figures
// follow from the number of calls and of characters, so that they are the same in every run.
func (t *turn) usage(finish string) {
	if t.spoken == 0 && finish == "" {
		return
	}
	s := t.session
	t.calls++
	u := tokenUsage{InputTokens: 1000 + 100*t.calls, OutputTokens: 16 + t.spoken/4}
	t.spoken = 0
	s.total.PromptTokens += u.InputTokens
	s.total.OutputTokens += u.OutputTokens
	s.total.TotalTokens = s.total.PromptTokens + s.total.OutputTokens
	source := s.fresh()
	v := s.next(source)
	s.publish("session/tokenUsage", v, tokenUsageParams{
		view: v, TurnID: t.id, ModelID: s.model, Usage: u, PromptTokens: u.InputTokens,
		TotalTokens: u.InputTokens + u.OutputTokens, FinishReason: finish, DurationMs: 500, Cumulative: s.total,
	})
	v = s.next(source)
	s.publish("session/contextUsage", v, contextUsageParams{
		view: v, WindowTokens: contextWindow, UsedTokens: u.InputTokens + u.OutputTokens, Pressure: "normal",
	})
}

func exitText(code int) string { return fmt.Sprintf("exit %d", code) }
