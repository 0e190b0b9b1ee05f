package conform

import (
	"encoding/json"
	"testing"

	"acp-conform/wire"
)

func TestMatchCalls(t *testing.T) {
	t.Parallel()
	log := wire.NewLog(wire.Limits{})
	announce := func(session, call, input string) {
		log.Append(wire.Entry{Lane: wire.Client, Dir: wire.FromAdapter, Data: []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"` + session +
			`","update":{"sessionUpdate":"tool_call","toolCallId":"` + call + `","title":"t","rawInput":` + input + `}}}`)})
	}
	announce("a", "own-1", `{"command":"touch \u0061","n":1}`)
	announce("b", "own-1", `{"command":"touch b"}`)
	announce("a", "own-2", `{"n":1,"command":"touch a"}`)
	announce("a", "call_4", `{"command":"touch b"}`)
	announce("a", "own-3", `{"command":"never"}`)
	tools := []HostTool{
		{Call: "call_1", Input: json.RawMessage(`{"command":"touch a","n":1}`)},
		{Call: "call_2", Input: json.RawMessage(`{"command":"touch a","n":1}`)},
		{Call: "call_3", Input: json.RawMessage(`{"command":"touch b"}`)},
		{Call: "call_4", Input: json.RawMessage(`{"command":"touch c"}`)},
		{Call: "call_5"},
	}
	hostCall := matchCalls(log.Records(), tools)
	for _, c := range []struct{ session, call, want string }{
		{"a", "own-1", "call_1"},
		{"a", "own-2", "call_2"},  // the same input again is another call
		{"b", "own-1", "call_3"},  // ids are a session's own
		{"a", "call_4", "call_4"}, // the host's id goes before the input
		{"a", "own-3", "own-3"},
		{"a", "unseen", "unseen"},
	} {
		if got := hostCall(c.session, c.call); got != c.want {
			t.Errorf("the call %s of session %s is %s of the host, not %s", c.call, c.session, got, c.want)
		}
	}
}
