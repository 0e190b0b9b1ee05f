package conform

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// asksWith asks one question with these options, about a call of its own, and then goes on.
func (p *peer) asksWith(options string) {
	p.update("session-1", `{"sessionUpdate":"tool_call","toolCallId":"call","title":"x","status":"pending"}`)
	p.nextID++
	p.say(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":"session-1","toolCall":{"toolCallId":"call"},"options":%s}}`, p.nextID, options)
	p.answer()
	p.end("session-1", "call")
}

// An answer by kind picks the first option of that kind that is offered (REQ-SNAP-02).
func TestAKindPicksTheFirst(t *testing.T) {
	t.Parallel()
	const options = `[{"optionId":"r1","name":"No","kind":"reject_once"},{"optionId":"a1","name":"Yes","kind":"allow_once"},` +
		`{"optionId":"a2","name":"Yes, too","kind":"allow_once"},{"optionId":"r2","name":"Never","kind":"reject_once"}]`
	for kind, want := range map[string]string{"allow_once": "selected a1", "reject_once": "selected r1"} {
		g := &game{do: told(t, scenarios.Answer{Kind: kind}), adapter: handlers{"session/prompt": func(p *peer, f wire.Frame) {
			p.asksWith(options)
			p.reply(f, `{"stopReason":"end_turn"}`)
		}}.serve}
		r, records := play(t, g)
		wantVerdict(t, r, Pass, "")
		if diff := cmp.Diff([]string{want}, outcomes(records)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}

// Behind the last step nobody hears a question any more, so an answer that is not possible there is left over: a strict run
// fails, another one loses it (REQ-SNAP-06).
func TestAnImpossibleAnswerBehindTheLastStep(t *testing.T) {
	t.Parallel()
	behind := handlers{"session/prompt": func(p *peer, f wire.Frame) {
		p.update("session-1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"half"}}`)
		p.read() // the end of stdin
		p.asksWith(`[{"optionId":"a","name":"Yes","kind":"allow_once"},{"optionId":"r","name":"No","kind":"reject_once"}]`)
		p.reply(f, `{"stopReason":"cancelled"}`)
	}}.serve
	do := func(s *Scenario) {
		if err := s.Answer(scenarios.Answer{Kind: "allow_always"}); err != nil {
			t.Error(err)
		}
		perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "said", Said: "half"})(s)
	}
	r, _ := play(t, &game{do: do, adapter: behind})
	wantFailure(t, r, "every scripted answer is used: permissionAnswers[0] of game/input.json was never used")
	r, records := play(t, &game{do: leniently(t, do), adapter: behind})
	wantVerdict(t, r, Pass, "")
	if got := outcomes(records); got != nil {
		t.Errorf("answers behind the last step: %q", got)
	}
}
