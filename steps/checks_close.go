package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// closeChecks are about what becomes of a session that is closed, and of one that is resumed.
func closeChecks() []Definition {
	late := []string{"MUSE-CLOSE-03", "MUSE-CLOSE-04"}
	return []Definition{
		{Sentence: `the session was closed`, IDs: []string{"ACP-CLOSE-03"}, run: wasClosed},
		{Sentence: `the close ended the turn, with {text}`, IDs: []string{"ACP-CLOSE-01"}, run: closeEnded},
		{Sentence: `nothing more was told of the closed session`, IDs: []string{"ACP-CLOSE-01"}, run: silentAfterClose},
		{Sentence: `its Muse had ended by then`, IDs: []string{"MUSE-CLOSE-02", "ACP-CLOSE-02"}, run: hostEnded},
		{Sentence: `the closed session took nothing: the prompt was refused with the error -{n}`, IDs: []string{"ACP-CLOSE-05", "MUSE-CLOSE-01"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			o := last(s.Outcomes(0))
			s.Check("a closed session takes no prompt", []string{"ACP-CLOSE-05"}, o.Code != 0, s.At(o.Seq, "", "an error", describe(o)), "the prompt came to: %s", describe(o))
			if o.Code != 0 {
				s.Check("a closed session is unknown", []string{"MUSE-CLOSE-01"}, o.Code == -a.number(0), s.At(o.Seq, "/error/code", "-"+a[0], describe(o)), "the prompt came to: %s", describe(o))
			}
			return nil
		}},
		{Sentence: `the other session was left alone: its turn ended with {text}`, IDs: []string{"ACP-CLOSE-05", "ACP-ISO-03"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, 2, a[0], "ACP-CLOSE-05", "ACP-ISO-03")
		}},
		{Sentence: `the close was refused with the error -{n}`, IDs: []string{"MUSE-CLOSE-01"}, run: refusedWith(methodClose, "MUSE-CLOSE-01")},
		{Sentence: `the resume was refused with the error -{n}`, IDs: []string{"MUSE-CLOSE-05"}, run: refusedWith(methodResume, "MUSE-CLOSE-05")},
		{Sentence: `the resume was refused`, IDs: []string{"ACP-RES-04"}, run: func(s *conform.Scenario, _ args) error {
			if r, ok := lastAnswer(s, methodResume, "ACP-RES-04"); ok {
				s.Check("a session that is not there is not resumed", []string{"ACP-RES-04"}, r.Frame.Error != nil, s.At(r.Seq, "", "an error", string(r.Data)), "it was resumed all the same")
			}
			return nil
		}},
		{Sentence: `it was not resumed, for its turn runs: the error was -{n}`, IDs: []string{"MUSE-CLOSE-09"}, run: refusedWith(methodResume, "MUSE-CLOSE-09")},
		{Sentence: `the late answer ran nothing: the file {text} does not exist`, IDs: late, run: func(s *conform.Scenario, a args) error {
			s.Finally(func() { s.Check("a late answer runs nothing", late, !s.Exists(a[0]), nil, "%s exists", a[0]) })
			return nil
		}},
		{Sentence: `the late answer reached no Muse`, IDs: late, run: lateReached},
		{Sentence: `the resumed session showed {text}`, IDs: []string{"ACP-RES-02", "REQ-POL-09", "MUSE-CLOSE-06", "MUSE-CLOSE-08"}, run: resumedOptions},
		{Sentence: `nothing was told of the session before it was resumed`, IDs: []string{"ACP-RES-01"}, run: silentBeforeResume},
		{Sentence: `Muse took the session up again, and turn {n} went on where it was`, IDs: []string{"ACP-RES-03", "MUSE-CLOSE-07"}, run: wentOn},
	}
}

// lastAnswer gives the last answer to a request of this method. That there is none is a finding.
func lastAnswer(s *conform.Scenario, method string, ids ...string) (wire.Record, bool) {
	if s.Broken() != nil {
		return wire.Record{}, false
	}
	answers := answersTo(s, method)
	if len(answers) == 0 {
		s.Check(method+" is answered", ids, false, nil, "it was never answered")
		return wire.Record{}, false
	}
	return answers[len(answers)-1], true
}

func refusedWith(method, id string) func(*conform.Scenario, args) error {
	return func(s *conform.Scenario, a args) error {
		r, ok := lastAnswer(s, method, id)
		if !ok {
			return nil
		}
		code := string(wire.Lookup(r.Frame.Error, "code"))
		s.Check(method+" is refused", []string{id}, code == "-"+a[0], s.At(r.Seq, "/error/code", "-"+a[0], string(r.Data)), "it was answered otherwise")
		return nil
	}
}

func isObject(raw json.RawMessage) bool { return bytes.HasPrefix(raw, []byte("{")) }

func wasClosed(s *conform.Scenario, _ args) error {
	if r, ok := lastAnswer(s, methodClose, "ACP-CLOSE-03"); ok {
		s.Check("a close succeeds with an object", []string{"ACP-CLOSE-03"}, isObject(r.Frame.Result), s.At(r.Seq, "/result", "an object", string(r.Data)), "the close was answered otherwise")
	}
	return nil
}

// closeEnded looks at the prompt that ran when its session was closed.
func closeEnded(s *conform.Scenario, a args) error {
	const name = "a close cancels what runs"
	r, ok := lastAnswer(s, methodClose, "ACP-CLOSE-01")
	if !ok {
		return nil
	}
	request := s.Records()[r.Answers]
	for _, o := range s.Outcomes(0) {
		if s.Records()[o.Turn].Session == request.Session && o.Turn < request.Seq && (!o.Answered || o.Seq > request.Seq) {
			s.Check(name, []string{"ACP-CLOSE-01"}, o.StopReason == a[0], s.At(o.Turn, "", "stop reason "+a[0], describe(o)), "the prompt came to: %s", describe(o))
			return nil
		}
	}
	s.Check(name, []string{"ACP-CLOSE-01"}, false, nil, "no prompt ran when the session was closed")
	return nil
}

// silentAfterClose looks, once all has ended, for updates between a close and what takes the session up again.
func silentAfterClose(s *conform.Scenario, _ args) error {
	s.Finally(func() {
		if s.Broken() != nil {
			return
		}
		const name = "a closed session is silent"
		closed := map[string]bool{}
		for _, r := range s.Records() {
			switch {
			case r.Lane != wire.Client || r.Session == "":
			case r.Dir == wire.ToAdapter && r.Frame.Method == methodResume:
				closed[r.Session] = false
			case r.Answers >= 0 && s.Records()[r.Answers].Frame.Method == methodClose && r.Frame.Error == nil:
				closed[r.Session] = true
			case r.Dir == wire.FromAdapter && r.Frame.Method != "" && closed[r.Session]:
				s.Check(name, []string{"ACP-CLOSE-01"}, false, s.At(r.Seq, "", "nothing", string(r.Data)), "the closed session was told of")
				return
			}
		}
		s.Check(name, []string{"ACP-CLOSE-01"}, true, nil, "")
	})
	return nil
}

// hostEnded looks whether the hosts that served the closed session had ended when the close was answered.
func hostEnded(s *conform.Scenario, _ args) error {
	r, ok := lastAnswer(s, methodClose, "MUSE-CLOSE-02", "ACP-CLOSE-02")
	if !ok {
		return nil
	}
	const name = "Muse has ended before the close is answered"
	serves := map[wire.Lane]bool{}
	for _, o := range s.Records()[:r.Seq] {
		switch {
		case o.Lane != wire.Client && o.Dir == wire.FromAdapter && o.Session == r.Session:
			serves[o.Lane] = true
		case o.Dir == wire.Exit:
			delete(serves, o.Lane)
		}
	}
	s.Check(name, []string{"MUSE-CLOSE-02", "ACP-CLOSE-02"}, len(serves) == 0, s.At(r.Seq, "", "an end of Muse before it", string(r.Data)), "a Muse of the session was still there")
	return nil
}

// lateReached looks, once all has ended, for an answer to a form that reached a host.
func lateReached(s *conform.Scenario, _ args) error {
	ids := []string{"MUSE-CLOSE-03", "MUSE-CLOSE-04"}
	s.Finally(func() {
		const name = "a late answer reaches no Muse"
		for _, in := range s.Facts().Inputs {
			if !in.Cancelled {
				s.Check(name, ids, false, s.At(in.Seq, "/params/answers", "no answer", string(in.Answers)), "Muse was told the late answer")
				return
			}
		}
		s.Check(name, ids, true, nil, "")
	})
	return nil
}

// resumedOptions compares the mode and the options in the answer to the last resume.
func resumedOptions(s *conform.Scenario, a args) error {
	r, ok := lastAnswer(s, methodResume, "ACP-RES-02")
	if !ok {
		return nil
	}
	s.Check("a resume succeeds with an object", []string{"ACP-RES-02"}, isObject(r.Frame.Result), s.At(r.Seq, "/result", "an object", string(r.Data)), "the resume was answered otherwise")
	if !isObject(r.Frame.Result) {
		return nil
	}
	want := map[string]string{}
	for _, word := range strings.Fields(a[0]) {
		name, value, _ := strings.Cut(word, "=")
		want[name] = value
	}
	got := map[string]string{}
	for _, o := range configOptions(r.Frame.Result) {
		got[o.ID] = o.Value
	}
	check := func(ids []string, names ...string) {
		for _, n := range names {
			s.Check("a resumed session shows its "+n, ids, got[n] == want[n], s.At(r.Seq, "/result/configOptions", want[n], got[n]), "it shows %q", got[n])
		}
	}
	check([]string{"REQ-POL-09", "MUSE-CLOSE-06"}, "approval-policy", "sandbox-mode")
	check([]string{"MUSE-CLOSE-08"}, "mode")
	mode := wire.LookupString(r.Frame.Result, "modes", "currentModeId")
	s.Check("a resumed session shows its mode", []string{"MUSE-CLOSE-08"}, mode == want["mode"], s.At(r.Seq, "/result/modes/currentModeId", want["mode"], mode), "it is %q", mode)
	return nil
}

// silentBeforeResume looks for what a client would take for history, between the resume and its answer.
func silentBeforeResume(s *conform.Scenario, _ args) error {
	r, ok := lastAnswer(s, methodResume, "ACP-RES-01")
	if !ok {
		return nil
	}
	const name = "a resume sends no history"
	for _, o := range s.Records()[r.Answers:r.Seq] {
		if o.Lane == wire.Client && o.Dir == wire.FromAdapter && o.Session == r.Session && bytes.Contains(o.Data, []byte(`"sessionUpdate"`)) {
			kind := wire.LookupString(o.Frame.Params, "update", "sessionUpdate")
			history := strings.HasSuffix(kind, "_chunk") || strings.HasPrefix(kind, "tool_call") || kind == "plan"
			s.Check(name, []string{"ACP-RES-01"}, !history, s.At(o.Seq, "", "no history", string(o.Data)), "a %s came before the answer", kind)
		}
	}
	s.Check(name, []string{"ACP-RES-01"}, true, nil, "")
	return nil
}

// wentOn looks whether a turn was played in the same session of Muse as the first one, without a session begun between.
func wentOn(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"ACP-RES-03", "MUSE-CLOSE-07"}
	const name = "a resumed session goes on at Muse"
	turns, n := s.Facts().Turns, a.number(0)
	if len(turns) < n || n < 2 {
		s.Check(name, ids, false, nil, "Muse was given %d turns, not %d", len(turns), n)
		return nil
	}
	first, then := turns[0], turns[n-1]
	o := last(s.Outcomes(0))
	s.Check(name, ids, first.Session == then.Session && o.StopReason == "end_turn", s.At(then.Seq, "/params/sessionId", first.Session, then.Session), "the turn was one of %s and came to: %s", then.Session, describe(o))
	for _, r := range s.Records()[first.Seq:] {
		if r.Lane != wire.Client && r.Dir == wire.FromAdapter && r.Frame.Method == "session/start" {
			s.Check(name, []string{"MUSE-CLOSE-07"}, false, s.At(r.Seq, "", "no session/start", fmt.Sprintf("%s", r.Data)), "a session was begun at Muse")
		}
	}
	return nil
}
