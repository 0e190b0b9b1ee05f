package conform

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// asksForNumber asks once, and hears no answer but one under its number.
func asksForNumber(p *peer) {
	handlers{"session/prompt": func(p *peer, f wire.Frame) {
		p.ask("session-1", "call 1")
		for string(p.answer().ID) != "1" {
		}
		p.end("session-1", "call 1")
		p.reply(f, `{"stopReason":"end_turn"}`)
	}}.serve(p)
}

// An answer can be sent under an id of the other type, and be followed by another one; the first to the question counts.
func TestSeveralAnswers(t *testing.T) {
	t.Parallel()
	allow, reject := scenarios.Answer{Name: "Allow once"}, scenarios.Answer{Name: "Reject"}
	with := func(a scenarios.Answer, other bool, then scenarios.Answer) scenarios.Answer {
		a.OtherID, a.Then = other, &then
		return a
	}
	tests := []struct {
		name    string
		answer  scenarios.Answer
		want    string
		granted bool
	}{
		{"allowed, then rejected", with(allow, false, reject), "1 selected a, 1 selected r", true},
		{"rejected, then allowed", with(reject, false, allow), "1 selected r, 1 selected a", false},
		{"dismissed, then allowed", with(scenarios.Answer{Cancelled: true}, false, allow), "1 cancelled, 1 selected a", false},
		{"allowed elsewhere, then rejected", with(allow, true, reject), `"1" selected a, 1 selected r`, false},
		{"rejected elsewhere, then allowed", with(reject, true, allow), `"1" selected r, 1 selected a`, true},
		{"byte for byte", scenarios.Answer{Body: `"result":{"outcome":{"outcome":"cancelled","outcome":"selected","optionId":"a"}}`}, "1 selected a", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var granted bool
			r, records := play(t, &game{adapter: asksForNumber, do: func(s *Scenario) {
				told(t, tt.answer)(s)
				granted = s.Questions()[0].Granted
			}})
			wantVerdict(t, r, Pass, "")
			if got := answersInOrder(records); got != tt.want {
				t.Errorf("answers %s, want %s", got, tt.want)
			}
			if granted != tt.granted {
				t.Errorf("granted: %t", granted)
			}
		})
	}
}

func TestOtherType(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		`7`: `"7"`, `-7`: `"-7"`, `"7"`: `7`, `"-7"`: `-7`, `"07"`: `"\"07\""`, `"ask 7"`: `"\"ask 7\""`, `"7.0"`: `"\"7.0\""`, `null`: `"null"`,
	} {
		if got := string(otherType(json.RawMessage(id))); got != want {
			t.Errorf("%s in the other type is %s, want %s", id, got, want)
		}
	}
}

// A user who thinks lets time pass, and no more than that. An adapter that ends meanwhile is found at once.
func TestThink(t *testing.T) {
	t.Parallel()
	thinks := func(took *time.Duration) func(*Scenario) {
		return func(s *Scenario) {
			if err := s.Answer(scenarios.Answer{Withhold: true}); err != nil {
				t.Error(err)
			}
			perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "asked"})(s)
			begun := time.Now()
			perform(t, scenarios.Step{Op: "think", Seconds: 4})(s)
			*took = time.Since(begun)
			if s.Broken() == nil {
				perform(t, scenarios.Step{Op: "answer", Answer: &scenarios.Answer{Name: "Reject"}})(s)
			}
		}
	}
	var took time.Duration
	r, records := play(t, &game{adapter: asks(1), do: thinks(&took)})
	wantVerdict(t, r, Pass, "")
	if got := answersInOrder(records); took != 4*time.Second || got != "1 selected r" {
		t.Errorf("the user thought for %s, and answered %q", took, got)
	}
	r, _ = play(t, &game{adapter: handlers{"session/prompt": func(p *peer, _ wire.Frame) {
		p.askAbout("session-1", "call 1", "touch one")
		<-time.After(time.Second)                           // of the bubble, so at once
		p.in = wire.NewLineReader(strings.NewReader(""), 0) // so the adapter ends
	}}.serve, do: thinks(&took)})
	if took != time.Second || r.Verdict != Fail {
		t.Errorf("the end of the adapter was found after %s; the scenario came to %s: %s", took, r.Verdict, r.Reason)
	}
}

// A line can have the id of the open question, unless an open request of ours has it.
func TestALineUnderTheIDOfAQuestion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ first, want int }{{0, 1}, {2, 4}} { // the prompt has the id 3
		line, sent := `{"jsonrpc":"2.0","id":{{question}},"method":"nope/nope"}`, ""
		r, records := play(t, &game{adapter: func(p *peer) {
			p.nextID = tt.first
			var asked wire.Frame
			handlers{"session/prompt": func(p *peer, f wire.Frame) {
				asked = f
				p.ask("session-1", "call 1")
			}, "": func(p *peer, f wire.Frame) {
				if f.Kind == wire.Response {
					p.end("session-1", "call 1")
					p.reply(asked, `{"stopReason":"end_turn"}`)
				}
			}}.serve(p)
		}, do: func(s *Scenario) {
			if err := s.Answer(scenarios.Answer{Withhold: true}); err != nil {
				t.Error(err)
			}
			perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "asked"}, scenarios.Step{Op: "line", Line: &line},
				scenarios.Step{Op: "answer", Answer: &scenarios.Answer{Name: "Reject"}})(s)
		}})
		wantVerdict(t, r, Pass, "")
		for _, rec := range records {
			if rec.Frame.Method == "nope/nope" {
				sent = string(rec.Frame.ID)
			}
		}
		if sent != strconv.Itoa(tt.want) {
			t.Errorf("a question with the id %d: the line has the id %s", tt.first+1, sent)
		}
	}
}
