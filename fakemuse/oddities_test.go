package fakemuse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

// An approval says what its script wants: without its tool call, and with a stage that does not fit.
func TestOddApprovals(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, approval, call, stage string }{
		{"as usual", `"stages":[["touch","marker"]]`, `"call_1_1"`, `"touch"`},
		{"no tool call", `"noCall":true`, "", `"touch"`},
		{"another stage", `"stages":[{"argv":["touch","marker"],"instead":{"position":7,"argv":["other"]}}]`, `"call_1_1"`, `"other"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, asking(tt.approval))
			if tt.call == "" { // MSP demands it
				s.wrong = func(r wire.Record) bool { return strings.HasPrefix(r.Frame.Method, "approval/request") }
			}
			c := s.open()
			c.session()
			c.prompt("go")
			for _, method := range []string{"approval/requested", "approval/request"} {
				p := c.until(method).Params
				if got := string(wire.Lookup(p, "toolCallId")); got != tt.call {
					t.Errorf("%s is about the call %s, not %s", method, got, tt.call)
				}
				if got := string(wire.Lookup(p, "subject", "stages")); !strings.Contains(got, tt.stage) || !strings.Contains(got, `"requirementId"`) {
					t.Errorf("%s shows the stages %s, without %s", method, got, tt.stage)
				}
			}
		})
	}
}

// A question that is stuck takes its answer, and moves only when its turn is cancelled.
func TestStuckQuestion(t *testing.T) {
	t.Parallel()
	s, c, id := questioned(t, strings.Replace(askScript, `{"ask":{`, `{"ask":{"stuck":true,`, 1))
	c.ok("userInput/answer", c.inSession(fmt.Sprintf(`"userInputId":%q,"answers":[{"questionId":"q1","selectedLabel":"a"}]`, id)))
	s.quiet()
	at := len(c.seen)
	c.ok("turn/cancel", c.inSession(""))
	c.terminal()
	want := []string{"=", "userInput/settled", "item/completed", "turn/completed"}
	if diff := cmp.Diff(want, c.methods()[at:at+len(want)]); diff != "" {
		t.Errorf("what follows the answer (-want +got):\n%s", diff)
	}
}

// The turn of a session that is loaded from the start goes on when the connection is open, and not before.
func TestLoadedTurnGoesOn(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"sessions":[{"sessionId":"other","loaded":true,"turn":{"turnId":"t","steps":[{"say":"hello"}]}}],"turns":[]}`)
	c := s.serve()
	c.ok("initialize", `{"clientInfo":{"name":"test","version":"1"}}`)
	if got := c.methods(); len(got) != 1 {
		t.Errorf("before it was open it said %q", got)
	}
	c.write(`{"jsonrpc":"2.0","method":"initialized"}`)
	if p := c.until("turn/completed").Params; wire.LookupString(p, "sessionId") != "other" || wire.LookupString(p, "terminal") != "completed" {
		t.Errorf("the turn ended with %s", p)
	}
}
