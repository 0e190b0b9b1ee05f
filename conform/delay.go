package conform

import (
	"bytes"
	"fmt"
	"slices"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// happened reports whether the event that an answer waits for is in the log.
func (s *Scenario) happened(records []wire.Record, q *question, e scenarios.Event) bool {
	switch {
	case e.Asked > 0:
		asked := 0
		for _, r := range records {
			if r.Lane == wire.Client && r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Request && isQuestion(r.Frame.Method) {
				asked++
			}
		}
		return asked >= e.Asked
	case e.Shown != "":
		return shown(records[s.promptOf(q):], q.session, "agent_message_chunk") == e.Shown
	case e.Closed != "":
		return closedCall(records[s.promptOf(q):], e.Closed)
	case e.Called != "":
		return calledHost(records[s.promptOf(q):], e.Called)
	}
	return !slices.ContainsFunc(s.turns, func(t *turn) bool {
		if t.session != q.session || t.seq >= len(records) {
			return false
		}
		_, answered := answerTo(records, t.seq)
		return !answered
	})
}

// promptOf gives the place of the prompt before a question. Events count from there: what an adapter sends to its host
// behind a question may be in the log before it, because nothing orders two pipes.
func (s *Scenario) promptOf(q *question) int {
	for _, t := range slices.Backward(s.turns) {
		if t.session == q.session && t.seq < q.seq {
			return t.seq
		}
	}
	return 0
}

func isQuestion(method string) bool { return method == methodPermission || method == methodForm }

// hasDue reports whether the event of an answer that was put off has come.
func (s *Scenario) hasDue(v wire.View) bool {
	return slices.ContainsFunc(s.questions, func(q *question) bool { return q.delayed != nil && s.happened(v.Records(), q, *q.delayed.after()) })
}

// answerDue gives the answers whose event has come, in the order of their questions.
func (s *Scenario) answerDue(records []wire.Record) {
	for _, q := range s.questions {
		if q.delayed != nil && s.happened(records, q, *q.delayed.after()) {
			s.settleQuestion(q, q.delayed)
		}
	}
}

// delayed names the answers that still wait for their events.
func (s *Scenario) stillDelayed() []string {
	var list []string
	for _, q := range s.questions {
		if q.delayed != nil {
			list = append(list, fmt.Sprintf("%s waits for what has not happened: %s", q.delayed.name, q.delayed.text))
		}
	}
	return list
}

// closedCall reports whether the client was shown the end of a tool call whose input holds a text.
func closedCall(records []wire.Record, input string) bool {
	about := map[string]bool{}
	for _, r := range records {
		u := toolUpdateOf(r)
		if u == nil {
			continue
		}
		about[u.ID] = about[u.ID] || bytes.Contains(u.RawInput, []byte(text(input)[1:len(text(input))-1]))
		if about[u.ID] && u.closed() {
			return true
		}
	}
	return false
}
