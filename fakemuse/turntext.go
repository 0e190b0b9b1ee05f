package fakemuse

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"acp-conform/wire"
)

// openText is a text that the model has begun.
type openText struct {
	item  item
	field string
	so    string // what it said so far
}

// say shows what the model says: a started item without a record, its text in pieces, the whole (msp.md §5.3). One that
// comes whole is only that.
func (t *turn) say(kind, field string, chunks []string, how Text) error {
	s := t.session
	if t.text == nil {
		i := item{ItemID: s.server.newID(), Kind: kind, TurnID: &t.id, Revision: 1, Status: "inProgress"}
		if kind == "agentMessage" {
			i.Text = new(string)
		}
		t.text = &openText{item: i, field: field}
		if !how.Whole {
			v := s.next(nil)
			t.firstWord()
			s.publish("item/started", v, itemParams{view: v, Item: i})
		}
	}
	for n, chunk := range chunks {
		if event := how.Pauses[n]; event != "" {
			if err := t.wait(event); err != nil {
				return err
			}
		}
		t.text.so = wire.JoinHalves(t.text.so + chunk)
		if !how.Whole {
			v := s.next(nil)
			t.firstWord()
			s.publish("item/delta", v, deltaParams{view: v, ItemID: t.text.item.ItemID, Field: field, Delta: piece(chunk)})
		}
	}
	if event := how.Pauses[len(chunks)]; event != "" {
		if err := t.wait(event); err != nil {
			return err
		}
	}
	if how.Hang {
		return t.parkForever()
	}
	t.spoken += utf8.RuneCountInString(t.text.so)
	t.endText("completed", how)
	return nil
}

// firstWord notes when the model said something for the first time.
func (t *turn) firstWord() {
	if t.firstToken == nil {
		now := t.session.clock
		t.firstToken = &now
	}
}

// endText shows the last revision of the open text.
func (t *turn) endText(status string, how Text) {
	i, so := t.text.item, t.text.so
	t.text = nil
	if !how.Whole {
		i.Revision++
	}
	i.Status, i.RecordedAt, i.whole = status, stamp(t.session.clock), nil
	if i.Kind == "agentMessage" {
		i.Text = &so
	} else {
		i.Summary = []string{so}
	}
	source := t.fresh()
	if how.Stream != "" {
		source.Stream = streamRef{Kind: how.Stream, ID: t.session.server.newID()}
	}
	t.completed(i, source)
}

// usageReported says whether the turn reports what its model calls cost by itself: only where its script does not.
func (t *turn) usageReported() bool {
	if t.session.server.variants.has(usageSilent) || t.plan == nil {
		return false
	}
	for _, step := range t.plan.Steps {
		if step.Usage != nil {
			return false
		}
	}
	return true
}

// report tells what one model call cost, if there was one since the last report. Nothing is counted: the figures
// follow from the number of calls and of characters, so that they are the same in every run.
func (t *turn) report(finish string) {
	if t.spoken == 0 && finish == "" || !t.usageReported() {
		return
	}
	t.calls++
	none := 0
	u := Usage{InputTokens: 1000 + 100*t.calls, OutputTokens: 16 + t.spoken/4, CacheWriteTokens: &none, CacheReadTokens: &none}
	t.spoken = 0
	t.usage(u, finish)
}

// finishReason is why the model call ended that the step behind index reports: for tools, or for nothing.
func (t *turn) finishReason(index int) string {
	if index+1 < len(t.plan.Steps) {
		if next := t.plan.Steps[index+1]; next.Tool != nil || len(next.Tools) > 0 || next.Ask != nil {
			return "tool_calls"
		}
	}
	return ""
}

// usage reports what one model call cost; both events rest on one record.
func (t *turn) usage(u Usage, finish string) {
	s := t.session
	s.total.PromptTokens += u.InputTokens
	s.total.OutputTokens += u.OutputTokens
	s.total.TotalTokens = s.total.PromptTokens + s.total.OutputTokens
	source := t.fresh()
	v := s.next(source)
	s.publish("session/tokenUsage", v, tokenUsageParams{
		view: v, TurnID: t.id, ModelID: s.model, Usage: u, PromptTokens: u.InputTokens,
		TotalTokens: u.InputTokens + u.OutputTokens, FinishReason: finish, DurationMs: 500, Cumulative: s.total,
	})
	v = s.next(source)
	s.publish("session/contextUsage", v, contextUsageParams{
		view: v, WindowTokens: s.server.window(), UsedTokens: u.InputTokens + u.OutputTokens, Pressure: "normal",
	})
}

type retryParams struct {
	view
	TurnID       string `json:"turnId"`
	Attempt      int    `json:"attempt"`
	NextAttempt  int    `json:"nextAttempt"`
	MaxAttempts  int    `json:"maxAttempts"`
	RetryDelayMs int    `json:"retryDelayMs"`
	Reason       string `json:"reason"`
}

// retry says that a model call failed and is made again (msp.md §6.4). It rests on a record of the session.
func (t *turn) retry(r Retry) {
	s := t.session
	v := s.next(s.fresh())
	s.publish("turn/retryScheduled", v, retryParams{
		view: v, TurnID: t.id, Attempt: r.Attempt, NextAttempt: r.Attempt + 1, MaxAttempts: r.MaxAttempts,
		RetryDelayMs: r.RetryDelayMs, Reason: r.Reason,
	})
}

// show shows an item of any kind, whole.
func (t *turn) show(members json.RawMessage) {
	s := t.session
	var i item
	i.whole = withMembers(members, map[string]any{
		"itemId": s.server.newID(), "turnId": t.id, "revision": 1, "recordedAt": stamp(s.clock),
	})
	i.ItemID = lookText(i.whole, "itemId")
	source := t.fresh()
	t.completed(i, source)
}

// withMembers adds members to an object; the object's own stay.
func withMembers(object json.RawMessage, add map[string]any) json.RawMessage {
	own := map[string]json.RawMessage{}
	json.Unmarshal(object, &own)
	var b strings.Builder
	b.WriteByte('{')
	write := func(name string, value []byte) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(encode(name))
		b.WriteByte(':')
		b.Write(value)
	}
	for _, name := range sortedNames(add) {
		if _, there := own[name]; !there && add[name] != nil {
			write(name, encode(add[name]))
		}
	}
	for _, name := range sortedNames(own) {
		write(name, own[name])
	}
	b.WriteByte('}')
	return json.RawMessage(b.String())
}
