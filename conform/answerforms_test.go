package conform

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// askAbout announces a tool call with a command and asks for permission.
func (p *peer) askAbout(session, call, command string) {
	p.update(session, fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":%q,"title":"run","status":"pending","rawInput":{"command":%q}}`, call, command))
	p.nextID++
	p.say(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":%q,"toolCall":{"toolCallId":%q},"options":[{"optionId":"a","name":"Allow once","kind":"allow_once"},{"optionId":"r","name":"Reject","kind":"reject_once"}]}}`, p.nextID, session, call)
}

// asksTogether is an adapter that asks about "one" and "two" before it reads an answer, does more, takes both answers, and
// ends the turn.
func asksTogether(more func(p *peer)) func(p *peer) {
	return handlers{"session/prompt": func(p *peer, f wire.Frame) {
		p.askAbout("session-1", "call 1", "touch one")
		p.askAbout("session-1", "call 2", "touch two")
		if more != nil {
			more(p)
		}
		for range 2 {
			if a := p.answer(); a.Raw == nil {
				return
			} else {
				p.end("session-1", "call "+string(a.ID))
			}
		}
		p.reply(f, `{"stopReason":"end_turn"}`)
	}}.serve
}

// answersInOrder lists the client's answers as "id outcome", each write apart by a bar.
func answersInOrder(records []wire.Record) string {
	var list []string
	for i, r := range records {
		if r.Lane != wire.Client || r.Dir != wire.ToAdapter || r.Frame.Kind != wire.Response {
			continue
		}
		word := string(r.Frame.ID) + " " + outcomes(records[i : i+1])[0]
		list = append(list, word)
	}
	return strings.Join(list, ", ")
}

// Answers are put off until something has happened, and then given in the order of their questions.
func TestDelayedAnswers(t *testing.T) {
	t.Parallel()
	say := func(p *peer) {
		p.update("session-1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"half"}}`)
	}
	sayMore := func(p *peer) {
		say(p)
		say(p)
	}
	call := func(p *peer) { p.host.get(`{"jsonrpc":"2.0","id":7,"method":"goal/set","params":{}}`) }
	end := func(p *peer) {
		p.update("session-1", `{"sessionUpdate":"tool_call","toolCallId":"call 3","title":"t","status":"pending","rawInput":{"command":"echo \"three\""}}`)
		p.end("session-1", "call 3")
	}
	tests := []struct {
		name    string
		more    func(p *peer)
		answers []scenarios.Answer
		want    string
		failure string
	}{
		{"until both are asked", nil, []scenarios.Answer{{Name: "Reject", After: &scenarios.Event{Asked: 2}}, {Name: "Allow once", After: &scenarios.Event{Asked: 2}}}, "1 selected r, 2 selected a", ""},
		{"until a text is shown", sayMore, []scenarios.Answer{{Name: "Reject", After: &scenarios.Event{Shown: "halfhalf"}}, {Name: "Reject", After: &scenarios.Event{Shown: "halfhalf"}}}, "1 selected r, 2 selected r", ""},
		{"until the host is called", call, []scenarios.Answer{{Cancelled: true, After: &scenarios.Event{Called: "goal/set"}}, {Cancelled: true, After: &scenarios.Event{Called: "goal/set"}}}, "1 cancelled, 2 cancelled", ""},
		{"until a tool call has ended", end, []scenarios.Answer{{Name: "Reject", After: &scenarios.Event{Closed: `echo "three"`}}, {Name: "Allow once", After: &scenarios.Event{Closed: "three"}}}, "1 selected r, 2 selected a", ""},
		{"until what never comes", say, []scenarios.Answer{{Name: "Reject", After: &scenarios.Event{Shown: "whole"}}, {Name: "Reject", After: &scenarios.Event{Shown: "half"}}}, "2 selected r",
			`still open: permissionAnswers[0] of game/input.json waits for what has not happened: {"name":"Reject","after":{"shown":"whole"}}`},
		{"an option that is not there", nil, []scenarios.Answer{{Name: "Perhaps", After: &scenarios.Event{Asked: 2}}, {Name: "Reject", After: &scenarios.Event{Asked: 2}}}, "1 cancelled, 2 selected r",
			"the scripted answer is possible: permissionAnswers[0] of game/input.json names an option that was not offered"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, records := play(t, &game{adapter: asksTogether(tt.more), do: told(t, tt.answers...)})
			if got := answersInOrder(records); got != tt.want {
				t.Errorf("answers %s, want %s", got, tt.want)
			}
			if tt.failure == "" {
				wantVerdict(t, r, Pass, "")
			} else {
				wantFailure(t, r, tt.failure)
			}
		})
	}
}

// An answer that is given once the turn has ended changes nothing any more, and the scenario goes on.
func TestAnAnswerBehindTheEnd(t *testing.T) {
	t.Parallel()
	g := &game{adapter: handlers{"session/prompt": func(p *peer, f wire.Frame) {
		p.askAbout("session-1", "call 1", "touch one")
		p.end("session-1", "call 1")
		p.reply(f, `{"stopReason":"end_turn"}`)
	}}.serve}
	g.do = told(t, scenarios.Answer{Name: "Allow once", After: &scenarios.Event{Ended: true}})
	r, records := play(t, g)
	wantVerdict(t, r, Pass, "")
	answer := slices.IndexFunc(records, func(r wire.Record) bool { return r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Response })
	end := slices.IndexFunc(records, func(r wire.Record) bool { return strings.Contains(string(r.Data), "stopReason") })
	if answer < end || end < 0 {
		t.Errorf("the answer is frame %d, the end of the turn frame %d", answer, end)
	}
}

// Answers of one instant go out in one write and one round.
func TestAnswersOfOneInstant(t *testing.T) {
	t.Parallel()
	after := &scenarios.Event{Asked: 2}
	var rounds []int
	g := &game{adapter: asksTogether(nil)}
	g.do = func(s *Scenario) {
		told(t, scenarios.Answer{Name: "Reject", After: after}, scenarios.Answer{Name: "Reject", After: after})(s)
		rounds = s.Log().Rounds()
	}
	_, records := play(t, g)
	var first []int
	for _, r := range records {
		if r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Response {
			first = append(first, r.Seq)
		}
	}
	if len(first) != 2 || first[1] != first[0]+1 || slices.Contains(rounds, first[1]) || !slices.Contains(rounds, first[0]) {
		t.Errorf("the answers are frames %v, the rounds begin at %v", first, rounds)
	}
}

// Questions that are open together are answered in any order, by what they are about.
func TestOpenQuestionsInAnyOrder(t *testing.T) {
	t.Parallel()
	answer := func(about, name string) scenarios.Step {
		return scenarios.Step{Op: "answer", About: about, Answer: &scenarios.Answer{Name: name}}
	}
	tests := []struct {
		name    string
		steps   []scenarios.Step
		want    string
		failure string
	}{
		{"the newer one first", []scenarios.Step{answer("touch two", "Reject"), answer("touch one", "Allow once")}, "2 selected r, 1 selected a", ""},
		{"by the id of the call", []scenarios.Step{answer("call 2", "Reject"), answer("", "Allow once")}, "2 selected r, 1 selected a", ""},
		{"about nothing", []scenarios.Step{answer("touch three", "Reject")}, "", `session 1 has no open question about "touch three" to answer`},
		{"an option that is not there", []scenarios.Step{answer("touch two", "Perhaps"), answer("", "Reject")}, "2 cancelled, 1 selected r",
			"the scripted answer is possible: steps[3] of game/input.json names an option that was not offered"},
		{"a form", []scenarios.Step{{Op: "answerForm", FormAnswer: &scenarios.FormAnswer{Declined: true}}}, "", "session 1 has no open form to answer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{adapter: asksTogether(nil), do: func(s *Scenario) {
				for range 2 {
					if err := s.Answer(scenarios.Answer{Withhold: true}); err != nil {
						t.Error(err)
					}
				}
				both := func(v wire.View) bool { return len(v.Open()) == 3 }
				perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "asked"})(s)
				s.settle("both questions", s.engine.Deadlines.Reply, "", both)
				perform(t, tt.steps...)(s)
			}}
			r, records := play(t, g)
			if got := answersInOrder(records); got != tt.want {
				t.Errorf("answers %s, want %s", got, tt.want)
			}
			if tt.failure == "" {
				wantVerdict(t, r, Pass, "")
			} else {
				wantFailure(t, r, tt.failure)
			}
		})
	}
}

// A question that is another one than its answer is meant for fails the run.
func TestExpectations(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		expect  scenarios.Expectation
		failure string
	}{
		{"everything", scenarios.Expectation{Session: 1, ToolCall: "touch one", Title: "run", Kinds: []string{"allow_once", "reject_once"}}, ""},
		{"the id", scenarios.Expectation{ToolCall: "call 1"}, ""},
		{"another session", scenarios.Expectation{Session: 2}, "its session is 1, not 2"},
		{"another call", scenarios.Expectation{ToolCall: "touch two"}, `its tool call is "call 1" with the input {"command":"touch one"}, not "touch two"`},
		{"another title", scenarios.Expectation{Title: "walk"}, `its title is "run", not "walk"`},
		{"another order of kinds", scenarios.Expectation{Kinds: []string{"reject_once", "allow_once"}}, `its kinds of options is ["allow_once" "reject_once"], not ["reject_once" "allow_once"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			first := scenarios.Answer{Name: "Reject", Expect: &tt.expect, After: &scenarios.Event{Asked: 2}}
			r, records := play(t, &game{adapter: asksTogether(nil), do: told(t, first, scenarios.Answer{Name: "Reject", After: first.After})})
			if got := answersInOrder(records); got != "1 selected r, 2 selected r" {
				t.Errorf("answers: %s", got)
			}
			if tt.failure == "" {
				wantVerdict(t, r, Pass, "")
			} else {
				wantFailure(t, r, "the question is the expected one: permissionAnswers[0] of game/input.json expects another question: "+tt.failure)
			}
		})
	}
}

// A question that comes behind the last step fails the run, and so does an answer that still waits for its event.
func TestBehindTheLastStep(t *testing.T) {
	t.Parallel()
	late := handlers{"session/prompt": func(p *peer, f wire.Frame) {
		p.askAbout("session-1", "call 1", "touch one")
		p.answer()
		p.end("session-1", "call 1")
		p.reply(f, `{"stopReason":"end_turn"}`)
		p.read() // the end of stdin
		p.askAbout("session-1", "call 2", "touch two")
	}}.serve
	r, _ := play(t, &game{adapter: late, do: told(t, scenarios.Answer{Name: "Reject"})})
	wantFailure(t, r, "the script answers every question: the editor was asked a question behind the last step of game/input.json")
	g := &game{adapter: asks(1), do: func(s *Scenario) {
		if err := s.Answer(scenarios.Answer{Name: "Reject", After: &scenarios.Event{Asked: 2}}); err != nil {
			t.Error(err)
		}
		perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "asked"})(s)
	}}
	r, _ = play(t, g)
	wantFailure(t, r, "every scripted answer is used: permissionAnswers[0] of game/input.json waits for what has not happened")
}

// An editor that goes away while a question is open closes both ends; the adapter must end, and nothing more is said.
func TestTheEditorGoesAway(t *testing.T) {
	t.Parallel()
	hangUp := scenarios.Answer{Disconnect: true}
	tests := []struct {
		name    string
		adapter func(p *peer)
		do      func(t *testing.T) func(*Scenario)
		failure string
	}{
		{"at once", asks(1), func(t *testing.T) func(*Scenario) { return told(t, hangUp) }, ""},
		{"in a step of its own", asks(1), func(t *testing.T) func(*Scenario) {
			return func(s *Scenario) {
				if err := s.Answer(scenarios.Answer{Withhold: true}); err != nil {
					t.Error(err)
				}
				perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "asked"}, scenarios.Step{Op: "answer", Answer: &hangUp})(s)
			}
		}, ""},
		{"an adapter that goes on writing", handlers{"session/prompt": func(p *peer, f wire.Frame) {
			p.askAbout("session-1", "call 1", "touch one")
			p.answer()
			p.end("session-1", "call 1")
			p.reply(f, `{"stopReason":"end_turn"}`)
		}}.serve, func(t *testing.T) func(*Scenario) { return told(t, hangUp) }, ""},
		{"an adapter that does not end", handlers{"session/prompt": func(p *peer, f wire.Frame) {
			p.askAbout("session-1", "call 1", "touch one")
			p.answer()
			<-p.stopped
		}}.serve, func(t *testing.T) func(*Scenario) { return told(t, hangUp) }, "the end of stdin ends the adapter: the adapter did not end when its stdin was closed; it needed SIGTERM"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, records := play(t, &game{adapter: tt.adapter, do: tt.do(t)})
			last := records[len(records)-1]
			if last.Frame.Method != methodPermission {
				t.Errorf("the last frame is %s", last.Data)
			}
			if tt.failure == "" {
				wantVerdict(t, r, Pass, "")
			} else {
				wantFailure(t, r, tt.failure)
			}
		})
	}
	r, _ := play(t, &game{adapter: asks(1), do: func(s *Scenario) {
		told(t, hangUp)(s)
		s.Perform(prompt("more"))
	}})
	wantVerdict(t, r, CouldNotRun, `the harness or the script is wrong: the editor has gone away, so {"op":"prompt","text":"more"} cannot follow`)
}

var _ io.Closer = (*endReader)(nil) // else hanging up leaves the pipe of a process open

// A question belongs to the turn that runs, not to a prompt that was refused meanwhile: what follows its answer is
// waited for.
func TestTheTurnOfAQuestion(t *testing.T) {
	t.Parallel()
	g := &game{adapter: func(p *peer) {
		var first wire.Frame
		handlers{"session/prompt": func(p *peer, f wire.Frame) {
			if first.Raw == nil {
				first = f
				return
			}
			p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"one at a time"}}`, f.ID)
			p.askAbout("session-1", "call 1", "touch one")
			p.answer()
			p.end("session-1", "call 1")
			p.reply(first, `{"stopReason":"end_turn"}`)
		}}.serve(p)
	}}
	g.do = func(s *Scenario) {
		if err := s.Answer(scenarios.Answer{Withhold: true}); err != nil {
			t.Error(err)
		}
		perform(t, scenarios.Step{Op: "prompts", Until: "asked", Prompts: []scenarios.Prompt{{Text: "a"}, {Text: "b"}}},
			scenarios.Step{Op: "answer", Answer: &scenarios.Answer{Name: "Reject"}})(s)
		if o := s.Outcomes(0); !o[0].Answered {
			t.Errorf("the turn was not waited for: %+v", o)
		}
	}
	r, _ := play(t, g)
	wantVerdict(t, r, Pass, "")
}
