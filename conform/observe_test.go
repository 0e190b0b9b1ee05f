package conform

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// What the user sees of two sessions: texts, tool calls and turns, each in its own session.
func TestWhatTheUserSees(t *testing.T) {
	t.Parallel()
	chunk := func(kind, text string) string {
		return `{"sessionUpdate":"` + kind + `","content":{"type":"text","text":"` + text + `"}}`
	}
	g := &game{adapter: handlers{"session/prompt": func(p *peer, f wire.Frame) {
		session := wire.LookupString(f.Params, "sessionId")
		if session == "session-2" {
			p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"tired"}}`, f.ID)
			return
		}
		p.update("session-2", chunk("agent_message_chunk", "Welcome"))
		p.update(session, chunk("agent_thought_chunk", "hm"))
		p.update(session, chunk("agent_message_chunk", "Hel"))
		p.update(session, `{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","kind":"execute","rawInput":{"a":1.0}}`)
		p.update(session, `{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"in_progress"}`)
		p.update(session, `{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"in_progress","content":[{"type":"content","content":{"type":"text","text":"one"}}]}`)
		p.update(session, `{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","content":[{"type":"content","content":{"type":"text","text":"one"}},{"type":"content","content":{"type":"text","text":"two"}}]}`)
		p.update(session, chunk("agent_message_chunk", "lo"))
		p.reply(f, `{"stopReason":"end_turn"}`)
	}}.serve}
	g.do = func(s *Scenario) {
		newSession := scenarios.Step{Op: "newSession"}
		perform(t, newSession, newSession, scenarios.Step{Op: "prompt", Text: "x", Session: 1}, scenarios.Step{Op: "prompt", Text: "y", Session: 2})(s)
		if diff := cmp.Diff([]string{"session-1", "session-2"}, s.SessionIDs()); diff != "" {
			t.Errorf("sessions (-want +got):\n%s", diff)
		}
		for _, tt := range []struct {
			session       int
			variant, want string
		}{{1, "agent_message_chunk", "Hello"}, {1, "agent_thought_chunk", "hm"}, {2, "agent_message_chunk", ""}, {0, "agent_message_chunk", ""}, {9, "agent_message_chunk", ""}} {
			if got := s.Shown(tt.session, tt.variant); got != tt.want {
				t.Errorf("session %d was shown %q of %s, want %q", tt.session, got, tt.variant, tt.want)
			}
		}
		calls := s.ToolCalls()
		if len(calls) != 1 {
			t.Fatalf("%d tool calls", len(calls))
		}
		c := calls[0]
		want := ToolCall{ID: "c", HostCall: "c", Session: 1, Title: "t", Kind: "execute", Statuses: []string{"in_progress", "completed"}, RawInput: json.RawMessage(`{"a":1.0}`),
			Text: "one\ntwo", Blocks: 2, Seqs: c.Seqs, Announced: true, Begun: c.Seqs[1]}
		if diff := cmp.Diff(want, c); diff != "" || len(c.Seqs) != 4 {
			t.Errorf("the tool call (-want +got):\n%s", diff)
		}
		all, second := s.Outcomes(0), s.Outcomes(2)
		if len(all) != 2 || all[0].StopReason != "end_turn" || len(second) != 1 || second[0].Code != -32603 || second[0].Message != "tired" || len(s.Outcomes(3)) != 0 {
			t.Errorf("outcomes: all %+v, second %+v", all, second)
		}
		if seq, result := s.Initialized(); seq != 1 || wire.Lookup(result, "protocolVersion") == nil {
			t.Errorf("initialized at %d with %s", seq, result)
		}
	}
	play(t, g)
}
