package conform

import (
	"strconv"
	"strings"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// line sends raw bytes and waits for the answer that they call for.
func (s *Scenario) line(step scenarios.Step, session string) error {
	raw, err := wire.Unescape([]byte(s.fill(*step.Line, session)))
	if err != nil {
		return s.Harness("%s: %v", compact(step), err)
	}
	seq := s.send(raw)
	s.asScripted[seq] = true
	sent := wire.ParseFrame(raw)
	if sent.Kind == wire.Notification || sent.Kind == wire.Blank {
		return nil // no answer may come; the next answer, or the end, proves it
	}
	s.settle("the line "+strconv.Quote(*step.Line)+" was not answered", s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		if _, ok := v.AnswerTo(seq); ok {
			return true
		}
		for _, r := range v.Records()[seq+1:] {
			if r.Lane == wire.Client && r.Dir == wire.FromAdapter && (r.Frame.Kind == wire.Response && r.Answers < 0 || r.Frame.Kind == wire.Batch) {
				return true
			}
		}
		return false
	})
	return nil
}

// rawRequest sends a request as the script has it and waits for its answer, whatever that is.
func (s *Scenario) rawRequest(step scenarios.Step, session string) {
	params := string(step.Params)
	for name, value := range map[string]string{"{{workspace}}": s.world.workspace, "{{session}}": session} {
		quoted := text(value)
		params = strings.ReplaceAll(params, name, quoted[1:len(quoted)-1])
	}
	s.nextID++
	frame := `{"jsonrpc":"2.0","id":` + strconv.Itoa(s.nextID) + `,"method":` + text(*step.Method)
	if params != "" {
		frame += `,"params":` + params
	}
	seq := s.send([]byte(frame + "}"))
	s.asScripted[seq] = true
	s.settle("there was no answer to "+strconv.Quote(*step.Method), s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		_, ok := v.AnswerTo(seq)
		return ok
	})
}
