package otheradapter

import (
	"encoding/json"
	"time"
)

// cancelBound is how long Muse may take to end a turn that it was told to cancel. It kills a command at once; five
// seconds are what the specification gives it.
const cancelBound = 5 * time.Second

// talk is one ACP session. Everything in it is touched by its own goroutine only, which takes what is to be done from
// the inbox.
type talk struct {
	id    string
	cwd   string
	front *front
	inbox *mailbox[func()]

	muse    string // Muse's id of the session; empty until it is made
	on      *host  // where it is loaded; nil when nowhere
	loaded  *host  // where it was loaded last
	parting func() // answers the close; nil while nobody wants to close the session
	opening bool   // the keeper is at work for it
	turns   int
	turn    *turn // the running one
	leaving bool  // the client is gone
}

func newTalk(f *front, cwd string) *talk {
	return &talk{id: "talk_" + randomHex(10), cwd: cwd, front: f, inbox: newMailbox[func()]()}
}

// live does what comes, and looks after each batch at what the turn needs: so a prompt and its cancel that came
// together are seen together.
func (t *talk) live() {
	for {
		things, more := t.inbox.take()
		if !more {
			return
		}
		for _, do := range things {
			do()
		}
		t.proceed()
		if t.parting != nil && t.turn == nil {
			t.front.shelve(t)
			t.inbox.close()
			t.parting()
			return
		}
	}
}

// later gives a function for Muse's answer that is carried out by the session, if the same turn is still running.
func (t *talk) later(tn *turn, do func(object, *refusal)) func(object, *refusal) {
	return func(result object, problem *refusal) {
		t.inbox.put(func() {
			if t.turn == tn {
				do(result, problem)
			}
		})
	}
}

func (t *talk) prompt(parts []part, id json.RawMessage, to sink) {
	switch {
	case t.turn != nil:
		to(answerTo(id, nil, refuse(codeNoRequest, "one turn at a time: this session is at work")))
		return
	case t.leaving:
		to(answerTo(id, stopped("cancelled"), nil))
		return
	}
	t.turns++
	t.turn = newTurn(t.turns, parts, func(result any, problem *refusal) { to(answerTo(id, result, problem)) })
}

func stopped(reason string) any { return map[string]string{"stopReason": reason} }

// proceed takes the turn a step further where nothing has to be waited for.
func (t *talk) proceed() {
	tn := t.turn
	switch {
	case tn == nil || tn.command != "":
	case tn.cancelled:
		t.finish(stopped("cancelled"), nil)
	case t.opening:
	case t.on == nil || !tn.opened:
		t.opening = true
		t.front.keeper.jobs.put(opening{talk: t, muse: t.muse, on: t.loaded, cwd: t.cwd, done: func(h *host, muse string, problem *refusal) {
			t.inbox.put(func() { t.openedOn(h, muse, problem) })
		}})
	default:
		t.submit(tn)
	}
}

// openedOn takes what came of an opening.
func (t *talk) openedOn(h *host, muse string, problem *refusal) {
	t.opening, t.muse = false, muse
	if problem == nil && t.on != h {
		t.on, t.loaded = h, h
		h.atEnd(func() { t.inbox.put(func() { t.hostEnded(h) }) })
	}
	switch tn := t.turn; {
	case tn == nil:
	case problem == nil:
		tn.opened = true
	case tn.cancelled || t.leaving:
		t.finish(stopped("cancelled"), nil)
	default:
		t.finish(nil, failure("Muse could not open the session: "+problem.Message, "opening"))
	}
}

func failure(text, kind string) *refusal {
	return &refusal{Code: codeInternal, Message: text, Data: map[string]string{"kind": kind}}
}

// submit begins the turn on Muse.
func (t *talk) submit(tn *turn) {
	tn.command = commandID()
	t.on.call("turn/start", map[string]any{"input": tn.parts, "sessionId": t.muse, "commandId": tn.command},
		t.later(tn, func(result object, problem *refusal) {
			switch {
			case problem == nil:
				tn.learn(result.text("turnId"))
				t.stop(tn)
			case tn.cancelled:
				t.finish(stopped("cancelled"), nil)
			case !problem.lost: // the end of the host is told apart
				t.finish(nil, failure("Muse did not take the prompt: "+problem.Message, "refused"))
			}
		}))
}

// cancel is the client's wish to stop what runs.
func (t *talk) cancel() {
	if tn := t.turn; tn != nil && !tn.cancelled {
		tn.cancelled = true
		t.wind(tn)
	}
}

// abandon gives up a turn of our own accord: it is stopped, and its prompt is answered with the problem.
func (t *talk) abandon(tn *turn, problem *refusal) {
	if tn.problem == nil && !tn.cancelled {
		tn.problem = problem
		t.wind(tn)
	}
}

// wind withdraws the open questions and has Muse stop the turn.
func (t *talk) wind(tn *turn) {
	t.withdraw(tn)
	if tn.command == "" {
		return
	}
	h := t.on
	tn.bound = time.AfterFunc(cancelBound, func() { t.inbox.put(func() { t.overdue(tn, h) }) })
	t.stop(tn)
}

// stop sends the cancel of a turn, once, as soon as the turn can be named.
func (t *talk) stop(tn *turn) {
	if !tn.cancelled && tn.problem == nil || tn.stopSent || tn.id == "" || t.on == nil {
		return
	}
	tn.stopSent = true
	h := t.on
	t.on.call("turn/cancel", map[string]any{"turnId": tn.id, "sessionId": t.muse, "commandId": commandID()},
		t.later(tn, func(_ object, problem *refusal) {
			if problem != nil {
				t.overdue(tn, h)
			}
		}))
}

// overdue ends a turn that Muse did not stop. What Muse still does for it can only be ended with Muse; the prompt is
// answered when Muse is gone.
func (t *talk) overdue(tn *turn, h *host) {
	if t.turn == tn {
		h.kill()
	}
}

// settle ends a turn with the answer that its cause calls for: a cancel or a problem of ours goes first.
func (t *talk) settle(tn *turn, result any, problem *refusal) {
	switch {
	case tn.cancelled || t.leaving:
		t.finish(stopped("cancelled"), nil)
	case tn.problem != nil:
		t.finish(nil, tn.problem)
	default:
		t.finish(result, problem)
	}
}

// hostEnded hears that nothing more comes from a host.
func (t *talk) hostEnded(h *host) {
	if t.on != h {
		return
	}
	t.on = nil
	if tn := t.turn; tn != nil && tn.command != "" {
		t.settle(tn, nil, failure("Muse ended in the middle of the turn; what it had begun may have happened", "hostLost"))
	} else if tn != nil {
		tn.opened = false
	}
}

// leave is the end of the client: nothing is asked and decided any more, and Muse ends the turn with itself.
func (t *talk) leave() {
	t.leaving = true
	tn := t.turn
	if tn == nil {
		return
	}
	tn.cancelled = tn.cancelled || tn.command == ""
	t.withdraw(tn)
}

// finish answers the prompt. Everything that belongs to the turn is sent before.
func (t *talk) finish(result any, problem *refusal) {
	tn := t.turn
	t.withdraw(tn)
	if tn.bound != nil {
		tn.bound.Stop()
	}
	t.flush(tn)
	for _, c := range tn.cards {
		t.show(c, "failed")
	}
	t.turn = nil
	tn.answer(result, problem)
}

// update sends a session/update.
func (t *talk) update(u any) {
	t.front.send(outgoing{Method: "session/update", Version: "2.0", Params: struct {
		Update    any    `json:"update"`
		SessionID string `json:"sessionId"`
	}{u, t.id}})
}
