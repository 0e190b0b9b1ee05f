package conform

import (
	"fmt"
	"slices"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// happened reports whether the event that an answer waits for has come. It looks at the log only.
func (s *Scenario) happened(v wire.View, q *question, e scenarios.Event) bool {
	records := v.Records()
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
		return shown(records[q.seq:], q.session, "agent_message_chunk") == e.Shown
	case e.Called != "":
		return calledHost(records[q.seq:], e.Called)
	}
	return !s.running(v, q.session)
}

func isQuestion(method string) bool { return method == methodPermission || method == methodForm }

// hasDue reports whether the event of an answer that was put off has come.
func (s *Scenario) hasDue(v wire.View) bool {
	return slices.ContainsFunc(s.questions, func(q *question) bool { return q.delayed != nil && s.happened(v, q, *q.delayed.after()) })
}

// answerDue gives the answers whose event has come, in the order of their questions.
func (s *Scenario) answerDue() {
	var due []*question
	s.log.Look(func(v wire.View) {
		for _, q := range s.questions {
			if q.delayed != nil && s.happened(v, q, *q.delayed.after()) {
				due = append(due, q)
			}
		}
	})
	for _, q := range due {
		s.settleQuestion(q, q.delayed)
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
