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

// An answer that is not possible fails the run also when the question comes behind the last step: nobody hears that
// question any more, so the answer is left over (REQ-SNAP-06).
func TestAnImpossibleAnswerBehindTheLastStep(t *testing.T) {
	t.Parallel()
	g := &game{do: told(t, scenarios.Answer{Kind: "allow_always"}), adapter: handlers{"session/prompt": func(p *peer, f wire.Frame) {
		p.reply(f, `{"stopReason":"end_turn"}`)
		p.asksWith(`[{"optionId":"a","name":"Yes","kind":"allow_once"},{"optionId":"r","name":"No","kind":"reject_once"}]`)
	}}.serve}
	r, _ := play(t, g)
	wantFailure(t, r, "every scripted answer is used: permissionAnswers[0] of game/input.json was never used")
}
