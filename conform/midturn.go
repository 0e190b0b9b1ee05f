package conform

import "acp-conform/wire"

// EndsInTurns says that the scenario ends in the middle of turns: their prompts need no answer.
func (s *Scenario) EndsInTurns() { s.endsInTurns = true }

// EndInTurns says how many prompts were open when the adapter's stdin was closed, and what was wrong with the end that came
// of it; the problem is empty where the adapter ended by itself, left nothing behind and cut no line short. It is good for
// checks that run Finally.
func (s *Scenario) EndInTurns() (open int, problem string) {
	e := &evidence{s: s, records: s.log.Records()}
	for _, sp := range e.spans() {
		if e.leftOpen(sp) {
			open++
		}
	}
	lines := e.fromAdapter()
	switch {
	case s.ending.Forced != "":
		problem = "the adapter did not end by itself; it needed " + s.ending.Forced
	case s.ending.Left != "":
		problem = s.ending.Left + " after the adapter had ended"
	case len(lines) > 0 && lines[len(lines)-1].Partial:
		problem = "the last line has no LF: " + short(lines[len(lines)-1].Data)
	}
	return open, problem
}

// WhileInTurn lists the requests that the client sent while a prompt was open, other than prompts, and whether each was
// answered before that prompt was.
func (s *Scenario) WhileInTurn() (sent []wire.Record, inTime []bool) {
	e := &evidence{s: s, records: s.log.Records()}
	for _, sp := range e.spans() {
		for _, r := range e.records[sp.begin+1:] {
			if r.Lane != wire.Client || r.Dir != wire.ToAdapter || r.Frame.Kind != wire.Request || r.Frame.Method == methodPrompt || sp.end >= 0 && sp.end < r.Seq {
				continue
			}
			answer, _ := s.AnswerTo(r.Seq)
			sent, inTime = append(sent, r), append(inTime, answer.Seq > r.Seq && (sp.end < 0 || answer.Seq < sp.end))
		}
	}
	return sent, inTime
}

// AnswerTo gives the response to the request at a place of the log, if there is one.
func (s *Scenario) AnswerTo(request int) (wire.Record, bool) {
	for _, r := range s.log.Records() {
		if r.Answers == request && r.Dir == wire.FromAdapter {
			return r, true
		}
	}
	return wire.Record{}, false
}
