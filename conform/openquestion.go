package conform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// answerOpen answers a question of the session that was left open: the oldest one, or the oldest about something. Then it
// waits for what follows from the answer: the end of the turn, or the next question that is left open. When the turn of
// the question has ended, nothing may follow and nothing is waited for.
func (s *Scenario) answerOpen(step scenarios.Step, session string) error {
	a := &answer{name: fmt.Sprintf("steps[%d] of %s", len(s.script.told.Steps)-1, s.script.file), permission: step.Answer, form: step.FormAnswer}
	a.text = compact(step)
	i := slices.IndexFunc(s.questions, func(q *question) bool {
		return q.open() && q.session == session && q.form == (a.form != nil) && (step.About == "" || s.about(q, step.About))
	})
	if i < 0 {
		about := ""
		if step.About != "" {
			about = fmt.Sprintf(" about %q", step.About)
		}
		s.noneToAnswer(a.form != nil, fmt.Errorf("session %d has no open %s%s to answer", slices.Index(s.sessions, session)+1, kindOfQuestion(a.form != nil), about))
		return nil
	}
	q := s.questions[i]
	running := s.stillRuns(q)
	s.holdTo(q, a)
	s.settleQuestion(q, a)
	if s.hungUp {
		s.hangUp()
		return nil
	}
	s.sendReplies()
	if !running {
		return nil
	}
	s.afterAnswer(q, session)
	return nil
}

// stillRuns reports whether the turn in which a question came has no answer yet. A prompt that was answered before the
// question came, such as one that was refused because another turn runs, is not its turn.
func (s *Scenario) stillRuns(q *question) bool {
	records := s.log.Records()
	for _, t := range slices.Backward(s.turns) {
		if t.session != q.session || t.seq > q.seq {
			continue
		}
		if _, before := answerTo(records[:q.seq], t.seq); before {
			continue
		}
		_, answered := answerTo(records, t.seq)
		return !answered
	}
	return false
}

// fill puts the ids of the session and of its oldest open question into a line. An id that an open request of our own has
// is not used a second time: it gets one of ours, and so the line asks for nothing that an adapter could mistake.
func (s *Scenario) fill(line, session string) string {
	line = strings.ReplaceAll(line, "{{session}}", session)
	i := slices.IndexFunc(s.questions, func(q *question) bool { return q.open() && q.session == session })
	if i < 0 {
		return line
	}
	id := string(s.questions[i].id)
	s.log.Look(func(v wire.View) {
		for _, q := range v.Open() {
			if q.Lane == wire.Client && q.Dir == wire.ToAdapter && string(v.Records()[q.Seq].Frame.ID) == id {
				s.nextID++
				id = strconv.Itoa(s.nextID)
				return
			}
		}
	})
	return strings.ReplaceAll(line, "{{question}}", id)
}

func kindOfQuestion(form bool) string {
	if form {
		return "form"
	}
	return "question"
}

// afterAnswer waits for what follows from an answer.
func (s *Scenario) afterAnswer(q *question, session string) {
	asked := len(s.questions)
	left := func(o *question) bool { return o.open() && o.session == session }
	others := slices.ContainsFunc(s.questions, left)
	call := wire.LookupString(q.frame.Params, "toolCall", "toolCallId")
	from := len(s.log.Records()) - 1
	s.settle("nothing followed the answer", s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		// A further question that is answered as scripted is not what the step waits for.
		if !s.running(v, session) || slices.ContainsFunc(s.questions[asked:], left) {
			return true
		}
		// While another question keeps the turn from going on, the end of this tool call is all that can follow.
		return others && slices.ContainsFunc(v.Records()[from:], func(r wire.Record) bool {
			u := toolUpdateOf(r)
			return u != nil && r.Session == session && u.ID == call && u.closed()
		})
	})
}
