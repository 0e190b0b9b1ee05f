package otheradapter

import "encoding/json"

// hole is a stretch of Muse's story that did not reach us. While it is being fetched, what comes waits behind it.
type hole struct {
	end    string // the cursor of the first event behind it
	behind []waitingWord
}

type waitingWord struct {
	method string
	words  object
}

// missing begins to fetch what lies between two cursors.
func (t *talk) missing(tn *turn, o object) {
	tn.hole = &hole{end: o.text("next")}
	t.fetch(tn, o.text("after"))
}

// fetch asks for the events behind a cursor, page by page.
func (t *talk) fetch(tn *turn, from string) {
	ask := map[string]any{"sessionId": t.muse, "direction": "forward", "cursor": from, "limit": 100}
	t.on.call("view/page", ask, t.later(tn, func(page object, problem *refusal) {
		if problem != nil {
			if !problem.lost {
				t.abandon(tn, failure("a part of the turn is missing, and Muse does not give it: "+problem.Message, "hole"))
				t.close(tn)
			}
			return
		}
		reached := t.retell(tn, page.list("events"))
		next, more := page.textOr("nextCursor")
		if reached || !more || next == from {
			t.close(tn)
			return
		}
		t.fetch(tn, next)
	}))
}

// retell takes fetched events as if they came now. It reports whether the end of the hole is reached.
func (t *talk) retell(tn *turn, events []json.RawMessage) bool {
	h := tn.hole
	for _, raw := range events {
		event := asObject(raw)
		words := event.object("params")
		if words.text("viewCursor") == h.end {
			return true
		}
		tn.hole = nil
		t.heard(t.on, event.text("method"), words)
		tn.hole = h
	}
	return false
}

// close lets go what has waited.
func (t *talk) close(tn *turn) {
	behind := tn.hole.behind
	tn.hole = nil
	for i, w := range behind {
		if tn.hole != nil { // another one among what waited
			tn.hole.behind = append(tn.hole.behind, behind[i:]...)
			return
		}
		t.heard(t.on, w.method, w.words)
	}
}
