package fakemuse

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"time"
)

// turn is one turn of a session. Its script runs as a coroutine: it goes on in whoever calls host.advance, and comes
// back when it parks. So everything that a turn does happens under the server's lock and under the claim of whoever
// let it go on; a parked turn needs no claim.
type turn struct {
	host      *host
	session   *session
	id        string
	commandID string
	input     turnInput
	script    int // index of its scripted turn; -1 when there is none
	order     int // turns are numbered by the server in the order of their beginning

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	begun      time.Time
	firstToken *time.Time
	calls      int // model calls so far
	spoken     int // characters that the model said since the last usage report
	cancelled  *cancelCause
	waiting    string    // the event at which it is parked
	open       *toolCall // the tool call that is in progress
	shell      *shellRun // the command that runs for it
}

// cancelCause is why a turn is cancelled.
type cancelCause struct {
	reason     string
	itemReason string // what the cancelled tool call says; empty for a plain cancel
	by         string // who resolves a pending approval then: user or policy
	commandID  string
}

// turnInput is what the client submitted.
type turnInput struct {
	text        string
	display     string
	attachments []attachment
}

// errStopped unwinds the coroutine of a turn whose host is gone: it says nothing more.
var errStopped = errors.New("the host is gone")

// errCancelled unwinds the coroutine of a cancelled turn to its end.
var errCancelled = errors.New("the turn is cancelled")

func sortTurns(turns []*turn) {
	slices.SortFunc(turns, func(a, b *turn) int { return a.order - b.order })
}

type turnStartResult struct {
	CommandID      string `json:"commandId"`
	Status         string `json:"status"`
	TurnID         string `json:"turnId"`
	StartedNewTurn bool   `json:"startedNewTurn"`
	Disposition    string `json:"disposition"`
}

// turnStart begins a turn, or queues it behind the one that runs (msp.md §6.1, §6.6).
func (h *host) turnStart(c *call) reply {
	input := readInput(c.params)
	busy := firstOf(c.params.choice("ifBusy", []string{"queue", "steer", "replace"}), "queue")
	c.params.choice("reasoningEffort", reasoningEfforts())
	c.params.texts("workspaceRoots")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	h.server.order++
	t := &turn{host: h, session: s, id: c.commandID, commandID: c.commandID, input: input, script: -1, order: h.server.order}
	result := turnStartResult{CommandID: c.commandID, Status: "accepted", TurnID: t.id, StartedNewTurn: true, Disposition: "started"}
	switch {
	case s.turn == nil:
		h.launch(t)
		return reply{result: result, after: func() { h.advance(t) }}
	case busy != "queue":
		return fails(rejected(c.method, c.commandID, "turn_in_progress"))
	}
	s.queue = append(s.queue, t)
	result.StartedNewTurn, result.Disposition = false, "queued"
	return reply{result: result}
}

// readInput reads the parts of a submission.
func readInput(p *params) turnInput {
	in := turnInput{display: p.optional("displayText")}
	var texts []string
	for _, part := range p.list("input") {
		kind := part.text("type")
		switch kind {
		case "text":
			texts = append(texts, part.text("text"))
		case "image", "video":
			if part.optional("uploadId") == "" {
				part.text("base64Data")
			}
			media := part.text("mediaType")
			if kind == "image" {
				in.attachments = append(in.attachments, attachment{Type: kind, MediaType: media})
			}
		case "skill":
			part.text("selector")
			part.optional("arguments")
		default:
			part.variant(kind, []string{"text", "image", "skill", "video"})
		}
		p.adopt(part)
	}
	in.text = strings.Join(texts, "\n")
	return in
}

// launch makes a turn the session's running one. Its script begins with the first advance.
func (h *host) launch(t *turn) {
	s := t.session
	s.turn = t
	s.durable = true
	t.script = h.server.take(t.input.text)
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		t.run()
	})
	h.server.turns[t] = true
	s.writeLog()
}

// take gives the first unused turn of the script that fits an input, -1 if there is none.
func (s *Server) take(text string) int {
	for i, turn := range s.options.Script.Turns {
		if (!s.progress[i].taken || turn.Repeat) && strings.Contains(text, turn.Prompt) {
			s.progress[i].taken = true
			return i
		}
	}
	return -1
}

// advance lets a turn go on until it parks or ends. When it ends, the next one of the queue begins.
func (h *host) advance(t *turn) {
	for t != nil && !h.ended {
		if _, parked := t.next(); parked {
			break
		}
		delete(h.server.turns, t)
		s := t.session
		s.turn = nil
		t = nil
		if len(s.queue) > 0 && h.leave == nil && h.draining == nil {
			t, s.queue = s.queue[0], s.queue[1:]
			h.launch(t)
		}
	}
	if h.leave != nil {
		h.finish(exitText(*h.leave), *h.leave)
		return
	}
	h.exitIfDrained()
}

// park gives way until someone calls advance. It says whether the turn may go on.
func (t *turn) park() error {
	if !t.yield(struct{}{}) {
		return errStopped
	}
	if t.cancelled != nil {
		return errCancelled
	}
	return nil
}

// turnCancel serves turn/cancel and turn/interrupt; both end in the terminal "cancelled" (msp.md §6.5).
func (h *host) turnCancel(c *call) reply {
	id := c.params.optional("turnId")
	c.params.flag("retract", false)
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	t := c.session.turn
	switch {
	case t == nil:
		return fails(rejected(c.method, c.commandID, "missing_run"))
	case id != "" && id != t.id:
		return fails(rejected(c.method, c.commandID, "invalid_target"))
	}
	result := struct {
		CommandID string `json:"commandId"`
		Status    string `json:"status"`
		TurnID    string `json:"turnId"`
	}{c.commandID, "accepted", t.id}
	return reply{result: result, after: func() {
		h.stopTurn(t, cancelCause{reason: "cancelled during model step", by: "user", commandID: c.commandID})
	}}
}

// stopTurn cancels a turn. If a command runs for it the command is killed, and the turn ends when it is gone.
func (h *host) stopTurn(t *turn, cause cancelCause) {
	if t.cancelled != nil {
		return
	}
	t.cancelled = &cause
	if t.script >= 0 {
		h.server.progress[t.script].interrupted = true
	}
	if t.shell != nil {
		t.shell.kill()
		return
	}
	h.advance(t)
}

// abandon lets go of a turn whose host is gone. The turn stays the session's, as an orphan.
func (t *turn) abandon() {
	if t.script >= 0 {
		t.host.server.progress[t.script].interrupted = true
	}
	if t.shell != nil {
		t.shell.kill()
	}
	delete(t.host.server.turns, t)
	t.stop()
}
