package conform

import (
	"fmt"
	"slices"
	"strconv"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

const (
	methodInitialize = "initialize"
	methodNewSession = "session/new"
	methodLoad       = "session/load"
	methodResume     = "session/resume"
	methodClose      = "session/close"
	methodSetMode    = "session/set_mode"
	methodSetOption  = "session/set_config_option"
	methodPrompt     = "session/prompt"
	methodCancel     = "session/cancel"
	methodPermission = "session/request_permission"
	methodUpdate     = "session/update"
)

// Perform does what a sentence says: it checks the step against input.json and carries it out. Before the first step
// that needs them, the connection is initialized and a session is made. An error is a harness error; what the
// adapter does wrong ends the driving and is judged at the end.
func (s *Scenario) Perform(step scenarios.Step) error {
	if s.harness != nil {
		return s.harness
	}
	if step.Op != "initialize" && s.script.first() && !s.unopened {
		if err := s.Perform(s.profile()); err != nil {
			return err
		}
	}
	if scenarios.NeedsSession(step.Op) && !s.script.tells("newSession") {
		if err := s.Perform(scenarios.Step{Op: "newSession"}); err != nil {
			return err
		}
	}
	if err := s.script.tell(step); err != nil {
		return s.Harness("%v", err)
	}
	if why := s.over(); why != "" {
		return s.Harness("%s, so %s cannot follow", why, compact(step))
	}
	if s.Broken() != nil {
		return nil
	}
	if err := s.start(); err != nil {
		s.giveUp(err)
		return nil
	}
	return s.carryOut(step)
}

func (sc *script) first() bool { return len(sc.told.Steps) == 0 }

// tells reports whether a step of this operation was told already.
func (sc *script) tells(op string) bool {
	return slices.ContainsFunc(sc.told.Steps, func(s scenarios.Step) bool { return s.Op == op })
}

// carryOut runs one step. Its error is a harness error only.
func (s *Scenario) carryOut(step scenarios.Step) error {
	session, err := s.sessionOf(step.Session)
	if err != nil {
		return s.Harness("%s: %v", compact(step), err)
	}
	switch step.Op {
	case "initialize":
		if err := s.checkProfile(step); err != nil {
			return err
		}
		s.giveUpIf(s.initialize(step))
	case "newSession":
		s.newSession()
	case "prompt":
		s.prompt(step, []scenarios.Prompt{{Session: step.Session, Text: step.Text}})
	case "promptLong":
		return s.promptLong(step)
	case "prompts":
		s.prompt(step, step.Prompts)
	case "promptAndCancelInOneWrite":
		s.promptAndCancel(step, session)
	case "cancel":
		s.cancelTurn(session, max(step.Times, 1))
	case "answer", "answerForm":
		return s.answerOpen(step, session)
	case "release":
		return s.release(step, session)
	case "think":
		s.think(step)
	case "terminate":
		s.tellToEnd()
	case "line":
		return s.line(step, session)
	case "request":
		s.rawRequest(step, session)
		s.opened(*step.Method)
	case "pieces":
		return s.pieces(step)
	case "newSessionExpectError":
		s.expectError(step, methodNewSession, s.newSessionParams(step.Directories))
	case "promptExpectError":
		s.promptExpectError(step, session)
	case "promptAndCancel":
		s.promptAndCancelLater(step, session)
	case "setConfigOption":
		s.setConfigOption(step, session)
	case "setConfigOptionExpectError":
		s.expectError(step, methodSetOption, configParams(session, step))
	default:
		return s.Harness("the operation %q is not carried out by this version", step.Op)
	}
	return nil
}

func (s *Scenario) giveUpIf(err error) {
	if err != nil {
		s.giveUp(err)
	}
}

// sessionOf gives the id of session n, counted from 1; 0 is the newest. Before the first session it is empty.
func (s *Scenario) sessionOf(n int) (string, error) {
	switch {
	case n == 0 && len(s.sessions) == 0:
		return "", nil
	case n == 0:
		return s.sessions[len(s.sessions)-1], nil
	case n > len(s.sessions):
		return "", fmt.Errorf("there are only %d sessions", len(s.sessions))
	}
	return s.sessions[n-1], nil
}

// request makes a request frame with a fresh id.
func (s *Scenario) newRequest(method string, params any) []byte {
	s.nextID++
	return frame(strconv.Itoa(s.nextID), method, params)
}

func frame(id, method string, params any) []byte {
	head := `{"jsonrpc":"2.0",`
	if id != "" {
		head += `"id":` + id + `,`
	}
	return []byte(head + `"method":` + text(method) + `,"params":` + text(params) + `}`)
}

// text encodes a value as compact JSON, without the escaping that is meant for HTML.
func text(v any) string {
	b, err := encode(v)
	if err != nil {
		return "null"
	}
	return string(b)
}

// send begins a round and sends frames in one write. It gives the place of the first one in the log.
func (s *Scenario) send(frames ...[]byte) int {
	s.log.BeginRound()
	first := len(s.log.Records())
	s.client.send(frames...)
	return first
}

// call sends a request and waits for its answer.
func (s *Scenario) call(method string, params any) (wire.Frame, error) {
	seq := s.send(s.newRequest(method, params))
	d := s.engine.Deadlines
	deadline, flag := d.Reply, "--reply-timeout"
	if method == methodInitialize {
		deadline, flag = d.Start, "--start-timeout"
	}
	var answer wire.Frame
	err := s.settle("there was no answer to "+method, deadline, flag, func(v wire.View) bool {
		r, ok := v.AnswerTo(seq)
		answer = r.Frame
		return ok
	})
	return answer, err
}

// answerTo finds the answer to the request at seq.
func answerTo(records []wire.Record, seq int) (wire.Frame, bool) {
	for _, r := range records[seq+1:] {
		if r.Answers == seq {
			return r.Frame, true
		}
	}
	return wire.Frame{}, false
}

func (s *Scenario) initialize(step scenarios.Step) error {
	answer, err := s.call(methodInitialize, map[string]any{
		"protocolVersion":    1,
		"clientCapabilities": capabilities(step),
		"clientInfo":         map[string]any{"name": "acp-conform", "version": "1"},
	})
	if step.Capabilities != nil {
		s.sentAsScripted(methodInitialize)
	}
	if err != nil {
		return err
	}
	if login := wantsLogin(methodInitialize, answer); login != nil {
		return login
	}
	if answer.Error != nil {
		return fmt.Errorf("initialize was answered with the error %s", short(answer.Error))
	}
	if wire.Lookup(answer.Result, "protocolVersion") == nil {
		return fmt.Errorf("the answer to initialize has no protocolVersion: %s", short(answer.Result))
	}
	s.initialized = answer.Result
	s.inapplicable = s.lacks()
	return nil
}

func (s *Scenario) newSession() {
	answer, err := s.call(methodNewSession, s.newSessionParams(nil))
	if err != nil {
		return
	}
	if login := wantsLogin(methodNewSession, answer); login != nil {
		s.giveUp(login)
		return
	}
	id := wire.LookupString(answer.Result, "sessionId")
	if id == "" {
		s.giveUp(fmt.Errorf("session/new made no session: %s", short(answer.Raw)))
		return
	}
	s.sessions = append(s.sessions, id)
}

// prompt sends prompts in one write and waits for what the step says.
func (s *Scenario) prompt(step scenarios.Step, prompts []scenarios.Prompt) {
	var frames [][]byte
	var begun []*turn
	for _, p := range prompts {
		session, err := s.sessionOf(p.Session)
		if err != nil {
			s.Harness("%s: %v", compact(step), err)
			return
		}
		frames = append(frames, s.newRequest(methodPrompt, promptParams(session, p.Text)))
		begun = append(begun, &turn{session: session, text: p.Text})
	}
	var first int
	send := func() { first = s.send(frames...) }
	if step.Unread {
		s.unread(len(prompts), send)
	} else {
		send()
	}
	for i, t := range begun {
		t.seq = first + i
		s.turns = append(s.turns, t)
	}
	what := "the prompt was not answered"
	switch step.Until {
	case "asked":
		what = "the editor was not asked"
	case "said", "thought":
		what = fmt.Sprintf("the text %q was not shown", step.Said)
	case "called":
		what = fmt.Sprintf("the adapter did not call %q of its host", *step.Method)
	}
	s.settle(what, s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		for _, t := range begun {
			_, answered := v.AnswerTo(t.seq)
			switch {
			case answered:
			case step.Until == "asked" && s.isAsked(v, t):
			case step.Until == "said" && shown(v.Records()[t.seq:], t.session, "agent_message_chunk") == step.Said:
			case step.Until == "thought" && shown(v.Records()[t.seq:], t.session, "agent_thought_chunk") == step.Said:
			case step.Until == "called" && calledHost(v.Records()[t.seq:], *step.Method):
			default:
				return false
			}
		}
		return true
	})
}

// calledHost reports whether the adapter sent a request of this method to a host.
func calledHost(records []wire.Record, method string) bool {
	return slices.ContainsFunc(records, func(r wire.Record) bool {
		return r.Lane != wire.Client && r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Request && r.Frame.Method == method
	})
}

func promptParams(session, prompt string) any {
	return struct {
		SessionID string `json:"sessionId"`
		Prompt    []any  `json:"prompt"`
	}{session, []any{textBlock{"text", prompt}}}
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// isAsked reports whether a question that came in this turn is open; one that an earlier turn left open says nothing.
func (s *Scenario) isAsked(v wire.View, t *turn) bool {
	records := v.Records()
	asked := false
	v.EachOpen(func(q wire.OpenRequest) bool {
		asked = q.Lane == wire.Client && q.Dir == wire.FromAdapter && isQuestion(q.Method) && q.Seq > t.seq && records[q.Seq].Session == t.session
		return !asked
	})
	return asked
}

func cancelFrame(session string) []byte {
	return frame("", methodCancel, struct {
		SessionID string `json:"sessionId"`
	}{session})
}

// promptAndCancel sends a prompt and its cancel in one write, again and again, and stops at the first turn that does
// not end as cancelled: the rest would tell nothing new.
func (s *Scenario) promptAndCancel(step scenarios.Step, session string) {
	for range max(step.Times, 1) {
		seq := s.send(s.newRequest(methodPrompt, promptParams(session, step.Text)), cancelFrame(session))
		s.turns = append(s.turns, &turn{session: session, text: step.Text, seq: seq})
		var answer wire.Frame
		err := s.settle("the cancelled prompt was not answered", s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
			r, ok := v.AnswerTo(seq)
			answer = r.Frame
			return ok
		})
		if err != nil || wire.LookupString(answer.Result, "stopReason") != "cancelled" {
			return
		}
	}
}

// cancelTurn cancels the running turns of a session, with so many cancels in one write, and waits for their end.
func (s *Scenario) cancelTurn(session string, times int) {
	var frames [][]byte
	for range times {
		frames = append(frames, cancelFrame(session))
	}
	for _, t := range s.turns {
		if _, answered := answerTo(s.log.Records(), t.seq); t.session == session && !answered && s.broken == nil && s.hostIsDone(t) {
			s.Harness("the turn of %q was over before it could be cancelled, and its prompt may be answered any moment, so what becomes of it is chance; the host's script must hold it", t.text)
			return
		}
	}
	s.send(frames...)
	s.settle("the cancelled prompt was not answered", s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		return !s.running(v, session)
	})
}

// running reports whether a prompt of the session has no answer yet.
func (s *Scenario) running(v wire.View, session string) bool {
	running := false
	v.EachOpen(func(q wire.OpenRequest) bool {
		running = q.Lane == wire.Client && q.Dir == wire.ToAdapter && q.Method == methodPrompt && v.Records()[q.Seq].Session == session
		return !running
	})
	return running
}
