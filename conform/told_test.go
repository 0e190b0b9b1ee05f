package conform

import (
	"testing"
	"time"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// An adapter that is told to end while a question is open may say its last words, or end at once. One that does not
// listen goes on until its stdin is closed.
func TestTheAdapterIsToldToEnd(t *testing.T) {
	t.Parallel()
	// then reports whether the adapter goes on.
	asksThen := func(then func(p *peer, f wire.Frame) bool) func(p *peer) {
		type leaving struct{}
		serve := handlers{"session/prompt": func(p *peer, f wire.Frame) {
			p.askAbout("session-1", "call 1", "touch one")
			<-p.stopped
			if !then(p, f) {
				panic(leaving{})
			}
		}}.serve
		return func(p *peer) {
			defer func() {
				if r := recover(); r != nil && r != any(leaving{}) {
					panic(r)
				}
			}()
			serve(p)
		}
	}
	ask := func(s *Scenario) {
		if err := s.Answer(scenarios.Answer{Withhold: true}); err != nil {
			t.Error(err)
		}
		perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "asked"}, scenarios.Step{Op: "terminate"})(s)
	}
	impatient := func(e *Engine) { e.Deadlines.StopTerm = time.Millisecond }
	tests := []struct {
		name    string
		adapter func(p *peer)
		engine  func(*Engine)
		last    string // the method of the last frame, or the result
		reason  string // why the scenario fails; empty where it passes
	}{
		{"it says its last words", asksThen(func(p *peer, f wire.Frame) bool {
			p.end("session-1", "call 1")
			p.reply(f, `{"stopReason":"cancelled"}`)
			return false
		}), nil, `{"stopReason":"cancelled"}`, ""},
		{"it ends at once", asksThen(func(*peer, wire.Frame) bool { return false }), nil, methodPermission, ""},
		{"it does not listen", asksThen(func(*peer, wire.Frame) bool { return true }), impatient, methodPermission,
			"who is told to end, ends: the adapter was told to end, and went on until its stdin was closed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, records := play(t, &game{adapter: tt.adapter, engine: tt.engine, do: ask})
			if last := records[len(records)-1].Frame; last.Method != tt.last && string(last.Result) != tt.last {
				t.Errorf("the last frame is %s", last.Raw)
			}
			verdict := Pass
			if tt.reason != "" {
				verdict = Fail
			}
			wantVerdict(t, r, verdict, tt.reason)
		})
	}
	r, _ := play(t, &game{adapter: asksThen(func(*peer, wire.Frame) bool { return false }), do: func(s *Scenario) {
		ask(s)
		s.Perform(prompt("more"))
	}})
	wantVerdict(t, r, CouldNotRun, `the harness or the script is wrong: the adapter was told to end, so {"op":"prompt","text":"more"} cannot follow`)
}
