package conform

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// asks is an adapter that asks so many questions about one tool call each, one after the other, before it ends a turn.
func asks(n int) func(p *peer) {
	return handlers{"session/prompt": func(p *peer, f wire.Frame) {
		for i := range n {
			call := fmt.Sprintf("call %d", i+1)
			p.ask("session-1", call)
			if p.answer().Raw == nil {
				return
			}
			p.end("session-1", call)
		}
		p.reply(f, `{"stopReason":"end_turn"}`)
	}}.serve
}

func told(t *testing.T, answers ...scenarios.Answer) func(*Scenario) {
	return func(s *Scenario) {
		for _, a := range answers {
			if err := s.Answer(a); err != nil {
				t.Error(err)
			}
		}
		perform(t, prompt("go"))(s)
	}
}

// leniently plays with an editor that dismisses what nobody told it about.
func leniently(t *testing.T, do func(*Scenario)) func(*Scenario) {
	return func(s *Scenario) {
		if err := s.Lenient(); err != nil {
			t.Error(err)
		}
		do(s)
	}
}

// What the client answers, and what the script makes of it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const lenient = `{"steps":[{"op":"initialize"},{"op":"newSession"},{"op":"prompt","text":"go"}],"permissionAnswers":%s,"strict":false}`
	tests := []struct {
		name    string
		asked   int
		answers []scenarios.Answer
		input   string // the permissionAnswers of a lenient script; "" for a strict one without a file
		want    []string
		failure string
	}{
		{"none", 0, nil, "", nil, ""},
		{"by name", 1, []scenarios.Answer{{Name: "Reject"}}, "", []string{"selected r"}, ""},
		{"by kind", 1, []scenarios.Answer{{Kind: "allow_once"}}, "", []string{"selected a"}, ""},
		{"by id, never offered", 1, []scenarios.Answer{{OptionID: "x"}}, "", []string{"selected x"}, ""},
		{"dismissed", 1, []scenarios.Answer{{Cancelled: true}}, "", []string{"cancelled"}, ""},
		{"first in, first out", 2, []scenarios.Answer{{Name: "Reject"}, {Name: "Allow once"}}, "", []string{"selected r", "selected a"}, ""},
		{"no answer is scripted", 1, nil, "", []string{"cancelled"}, "the script answers every question: the editor was asked a question that the script has no answer for"},
		{"an answer is left over", 1, []scenarios.Answer{{Name: "Reject"}, {Name: "Allow once"}}, "", []string{"selected r"},
			`every scripted answer is used: permissionAnswers[1] of game/input.json was never used: {"name":"Allow once"}`},
		{"an answer names what was not offered", 1, []scenarios.Answer{{Name: "Perhaps"}}, "", []string{"cancelled"},
			"the scripted answer is possible: permissionAnswers[0] of game/input.json names an option that was not offered"},
		{"a kind that was not offered", 1, []scenarios.Answer{{Kind: "allow_always"}}, "", []string{"cancelled"}, "the scripted answer is possible: permissionAnswers[0]"},
		{"lenient: no answer is scripted", 1, nil, "[]", []string{"cancelled"}, ""},
		{"lenient: an answer is left over", 0, []scenarios.Answer{{Name: "Reject"}}, `[{"name":"Reject"}]`, nil, ""},
		{"lenient: two questions, one answer", 2, []scenarios.Answer{{Name: "Allow once"}}, `[{"name":"Allow once"}]`, []string{"selected a", "cancelled"}, ""},
		{"lenient: an answer names what was not offered", 1, []scenarios.Answer{{Name: "Perhaps"}}, `[{"name":"Perhaps"}]`, []string{"cancelled"},
			"the scripted answer is possible: permissionAnswers[0] of game/input.json names an option that was not offered"},
		{"lenient: a kind that was not offered", 2, []scenarios.Answer{{Kind: "allow_always"}, {Kind: "allow_once"}}, `[{"kind":"allow_always"},{"kind":"allow_once"}]`, []string{"cancelled", "selected a"},
			"the scripted answer is possible: permissionAnswers[0] of game/input.json names an option that was not offered"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{adapter: asks(tt.asked), do: told(t, tt.answers...)}
			if tt.input != "" {
				g.files = input(strings.Replace(lenient, "%s", tt.input, 1))
				g.do = leniently(t, g.do)
			}
			r, records := play(t, g)
			if diff := cmp.Diff(tt.want, outcomes(records)); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			if tt.failure == "" {
				wantVerdict(t, r, Pass, "")
			} else {
				wantFailure(t, r, tt.failure)
			}
		})
	}
}

// A request that is no question is answered as one that the editor does not know.
func TestOtherRequestsOfTheAdapter(t *testing.T) {
	t.Parallel()
	var answer wire.Frame
	g := &game{do: perform(t, prompt("go")), adapter: handlers{"session/prompt": func(p *peer, f wire.Frame) {
		p.say(`{"jsonrpc":"2.0","id":"a b","method":"fs/read_text_file","params":{}}`)
		answer = p.answer()
		p.reply(f, `{"stopReason":"end_turn"}`)
	}}.serve}
	play(t, g)
	if string(answer.ID) != `"a b"` || !strings.Contains(string(answer.Error), "-32601") {
		t.Errorf("the answer was %s", answer.Raw)
	}
}

// A question that is left open keeps the turn running; the answer that comes later ends it.
func TestAQuestionIsLeftOpen(t *testing.T) {
	t.Parallel()
	g := &game{adapter: asks(1)}
	g.do = func(s *Scenario) {
		if err := s.Answer(scenarios.Answer{Withhold: true}); err != nil {
			t.Error(err)
		}
		perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "asked"})(s)
		q := s.Questions()
		if len(q) != 1 || q[0].Answered || q[0].Session != 1 || q[0].Call != "call 1" {
			t.Errorf("questions: %+v", q)
		}
		if o := s.Outcomes(1); len(o) != 1 || o[0].Answered {
			t.Errorf("outcomes: %+v", o)
		}
		perform(t, scenarios.Step{Op: "answer", Answer: &scenarios.Answer{Name: "Allow once"}})(s)
		q = s.Questions()
		if !q[0].Answered || !q[0].Granted {
			t.Errorf("questions: %+v", q)
		}
		if o := s.Outcomes(0); !o[0].Answered || o[0].StopReason != "end_turn" {
			t.Errorf("outcomes: %+v", o)
		}
	}
	r, records := play(t, g)
	wantVerdict(t, r, Pass, "")
	if diff := cmp.Diff([]string{"selected a"}, outcomes(records)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}

func TestThereIsNoQuestionToAnswer(t *testing.T) {
	t.Parallel()
	g := &game{do: perform(t, prompt("go"), scenarios.Step{Op: "answer", Answer: &scenarios.Answer{Cancelled: true}})}
	r, _ := play(t, g)
	wantVerdict(t, r, Fail, "session 1 has no open question to answer")
}

// Questions of two sessions are answered session by session, whichever came first.
func TestQuestionsOfTwoSessions(t *testing.T) {
	t.Parallel()
	var first wire.Frame
	g := &game{adapter: func(p *peer) {
		open := 0
		handlers{"session/prompt": func(p *peer, f wire.Frame) {
			if open++; open == 1 {
				first = f
				return
			}
			done := p.host.log.Busy("muse 1")
			p.ask("session-2", "two") // id 1
			p.ask("session-1", "one") // id 2
			p.host.log.Wait(context.Background(), func(v wire.View) bool { return len(v.Open()) == 4 })
			done()
			p.answer()
			p.answer()
			p.end("session-1", "one")
			p.end("session-2", "two")
			p.reply(f, `{"stopReason":"end_turn"}`)
			p.reply(first, `{"stopReason":"end_turn"}`)
		}}.serve(p)
	}}
	g.do = func(s *Scenario) {
		for _, name := range []string{"Reject", "Allow once"} {
			if err := s.Answer(scenarios.Answer{Name: name}); err != nil {
				t.Error(err)
			}
		}
		newSession := scenarios.Step{Op: "newSession"}
		perform(t, newSession, newSession, scenarios.Step{Op: "prompts", Prompts: []scenarios.Prompt{{Text: "a", Session: 1}, {Text: "b", Session: 2}}})(s)
	}
	r, records := play(t, g)
	wantVerdict(t, r, Pass, "")
	var order []string
	for _, rec := range records {
		if rec.Dir == wire.ToAdapter && rec.Frame.Kind == wire.Response {
			order = append(order, string(rec.Frame.ID)+" "+rec.Session)
		}
	}
	if diff := cmp.Diff([]string{"2 session-1", "1 session-2"}, order); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"selected r", "selected a"}, outcomes(records)); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}
