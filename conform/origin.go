package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// Recorded plays the whole input.json as it stands, and takes the host's script as told. It is for folders that came
// from elsewhere, whose conversation no sentence tells.
func (s *Scenario) Recorded(name string) error {
	fsys := s.engine.Scenarios
	file, data, err := scenarios.Find(fsys, s.Name, "input.json")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.Harness("%s does not exist, so there is no recorded conversation to play", file)
	case err != nil:
		return s.Harness("%v", err)
	}
	if _, err := scenarios.DecodeRecorded(file, data); err != nil {
		return s.Harness("%v", err)
	}
	if name != s.Name {
		return s.Harness("the recorded conversation is that of %q, not of %q", s.Name, name)
	}
	switch file, _, err := scenarios.Find(fsys, s.Name, s.engine.Hosts.ScriptFile()); {
	case errors.Is(err, fs.ErrNotExist):
		return s.Harness("%s does not exist: it says what the host does in the recorded conversation", file)
	case err != nil:
		return s.Harness("%v", err)
	}
	s.host.TellAll()
	s.recorded = true
	if !s.script.in.IsStrict() {
		if err := s.Lenient(); err != nil {
			return err
		}
	}
	for _, a := range s.script.in.PermissionAnswers {
		if err := s.Answer(a); err != nil {
			return err
		}
	}
	for _, a := range s.script.in.FormAnswers {
		if err := s.AnswerForm(a); err != nil {
			return err
		}
	}
	for _, step := range s.script.in.Steps {
		if err := s.Perform(step); err != nil {
			return err
		}
	}
	return nil
}

// expectError sends a request that the script expects to fail.
func (s *Scenario) expectError(step scenarios.Step, method string, params any) {
	answer, err := s.call(method, params)
	if err != nil {
		return
	}
	s.Check("the error that the script expects comes", nil, answer.Error != nil, &Place{Lane: wire.Client.String(), Offset: -1, Expected: "an error", Actual: short(answer.Raw)},
		"%s succeeded, though the script expects an error", compact(step))
}

func (s *Scenario) newSessionParams(directories []string) any {
	params := map[string]any{"cwd": s.world.workspace, "mcpServers": []any{}}
	if directories != nil {
		params["additionalDirectories"] = directories
	}
	return params
}

func configParams(session string, step scenarios.Step) any {
	return struct {
		SessionID string `json:"sessionId"`
		ConfigID  string `json:"configId"`
		Value     string `json:"value"`
	}{session, step.ConfigID, step.Value}
}

// setConfigOption sets an option, and fails the scenario when it is refused.
func (s *Scenario) setConfigOption(step scenarios.Step, session string) {
	answer, err := s.call("session/set_config_option", configParams(session, step))
	if err != nil {
		return
	}
	s.Check("the option is set", nil, answer.Error == nil, &Place{Lane: wire.Client.String(), Offset: -1, Expected: "a result", Actual: short(answer.Raw)},
		"%s was refused", compact(step))
}

// promptAndCancelLater sends a prompt, waits for the first text that is shown, and cancels.
func (s *Scenario) promptAndCancelLater(step scenarios.Step, session string) {
	t := &turn{session: session, text: step.Text}
	t.seq = s.send(s.newRequest(methodPrompt, promptParams(session, step.Text)))
	s.turns = append(s.turns, t)
	err := s.settle(fmt.Sprintf("nothing was shown after %q", step.Text), s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		_, answered := v.AnswerTo(t.seq)
		return answered || shown(v.Records()[t.seq:], session, "agent_message_chunk") != ""
	})
	switch {
	case err != nil:
	case s.hostIsDone(t):
		s.Harness("%s: the turn was over before it could be cancelled, so what becomes of it is chance; the host's script must hold it", compact(step))
	default:
		s.cancelTurn(session, 1)
	}
}

// hostIsDone reports whether the host of a recorded conversation has ended the turn of a prompt all by itself: where it was
// told something that it asked for, such as a decision, the adapter may have ended the turn. Everything must be quiet: what
// the host does without being held is done then. The scripts that sentences tell are known to hold such turns.
func (s *Scenario) hostIsDone(t *turn) bool {
	if !s.recorded {
		return false
	}
	facts := s.host.Facts(s.log.Records())
	over := false
	for _, h := range facts.Turns {
		if h.Seq > t.seq && strings.Contains(strings.Join(h.Texts, "\n"), t.text) {
			told := slices.ContainsFunc(facts.Decisions, func(d Decision) bool { return d.Seq > h.Seq && d.Session == h.Session }) ||
				slices.ContainsFunc(facts.Inputs, func(in HostInput) bool { return in.Seq > h.Seq })
			over = h.Over && !told
		}
	}
	return over
}

// promptExpectError sends a prompt that the script expects to fail.
func (s *Scenario) promptExpectError(step scenarios.Step, session string) {
	s.prompt(step, []scenarios.Prompt{{Text: step.Text}})
	outcomes := s.Outcomes(0)
	if s.broken != nil || len(outcomes) == 0 {
		return
	}
	o := outcomes[len(outcomes)-1]
	s.Check("the error that the script expects comes", nil, o.Code != 0, s.place(o.Seq, "", "an error", "stop reason "+o.StopReason), "%s succeeded, though the script expects an error", compact(step))
}
