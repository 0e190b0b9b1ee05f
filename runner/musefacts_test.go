package runner

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
	"acp-conform/wire"
)

// factsOf plays a printed transcript through a log and reads the facts from it.
func factsOf(t *testing.T, rows ...string) conform.Facts {
	t.Helper()
	transcript, err := wire.ParseTranscript([]byte(strings.Join(rows, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	log := wire.NewLog(wire.Limits{})
	for _, row := range transcript {
		log.Append(row.Entry)
	}
	return (&museHost{}).Facts(log.Records())
}

func TestTurnsAndDecisions(t *testing.T) {
	t.Parallel()
	const choices = `"availableChoices":[{"choiceId":"y","label":"Allow once","decision":"approved"},{"choiceId":"s","label":"Session","decision":"approvedForSession"},{"choiceId":"n","label":"Reject","decision":"abort"}]`
	got := factsOf(t,
		`client ->   {"jsonrpc":"2.0","id":1,"method":"turn/start","params":{"sessionId":"S","input":[{"type":"text","text":"not Muse's lane"}]}}`,
		`muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"turn/start","params":{"sessionId":"S","input":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}}`,
		`muse 1 ->   {"jsonrpc":"2.0","method":"approval/requested","params":{"sessionId":"S","approvalId":"A","toolCallId":"c",`+choices+`}}`,
		`muse 1 ->   {"jsonrpc":"2.0","id":7,"method":"approval/request","params":{"sessionId":"S","approvalId":"A","toolCallId":"c",`+choices+`}}`,
		`muse 1 <-   {"jsonrpc":"2.0","id":2,"method":"approval/decide","params":{"sessionId":"S","approvalId":"A","choiceId":"s"}}`,
		`muse 1 ->   {"jsonrpc":"2.0","id":2,"result":{}}`,
		`muse 1 <-   {"jsonrpc":"2.0","id":3,"method":"approval/decide","params":{"sessionId":"S","approvalId":"A","choiceId":"n","feedback":"no"}}`,
		`muse 1 ->   {"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":""}}`,
		`muse 1 <-   {"jsonrpc":"2.0","id":4,"method":"approval/decide","params":{"sessionId":"S","approvalId":"none","choiceId":"y"}}`,
		`muse 1 <-   {"jsonrpc":"2.0","id":5,"method":"approval/decide","params":{"sessionId":"S","approvalId":"A","choiceId":"z"}}`,
	)
	want := conform.Facts{
		Turns: []conform.HostTurn{{Seq: 1, Lane: wire.Lane{Name: "muse", N: 1}, Session: "S", Texts: []string{"a", "b"}}},
		Decisions: []conform.Decision{
			{Seq: 4, Session: "S", Call: "c", Choice: "s", Label: "Session", Grants: true, Accepted: true},
			{Seq: 6, Session: "S", Call: "c", Choice: "n", Label: "Reject", Feedback: "no"},
			{Seq: 8, Session: "S", Choice: "y"},            // of an approval that nobody opened
			{Seq: 9, Session: "S", Call: "c", Choice: "z"}, // a choice that was not offered
		},
		Tools: []conform.HostTool{{Call: "c", Session: "S", Asked: true, Seq: -1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A turn is over once the host says so, on the lane and in the session that it was begun in.
func TestTurnsThatAreOver(t *testing.T) {
	t.Parallel()
	const start = `muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"turn/start","params":{"sessionId":"S","input":[]}}`
	for _, tt := range []struct {
		name, frame string
		want        bool
	}{
		{"it is", `muse 1 ->   {"jsonrpc":"2.0","method":"turn/completed","params":{"sessionId":"S"}}`, true},
		{"it was cancelled", `muse 1 ->   {"jsonrpc":"2.0","method":"turn/completed","params":{"sessionId":"S","terminal":"cancelled"}}`, false},
		{"that of another session", `muse 1 ->   {"jsonrpc":"2.0","method":"turn/completed","params":{"sessionId":"T"}}`, false},
		{"that of another host", `muse 2 ->   {"jsonrpc":"2.0","method":"turn/completed","params":{"sessionId":"S"}}`, false},
		{"it goes on", `muse 1 ->   {"jsonrpc":"2.0","method":"turn/started","params":{"sessionId":"S"}}`, false},
	} {
		if got := factsOf(t, start, tt.frame).Turns[0].Over; got != tt.want {
			t.Errorf("%s: got %t", tt.name, got)
		}
	}
}

// What somebody else than the adapter allowed is known to be so: it runs without the client's grant, rightly.
func TestAllowedElsewhere(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, by, result string
		allowed          bool
	}{
		{"by the policy", `"resolvedBy":"policy"`, "allow", true},
		{"by another client", `"resolvedBy":"user","decidedByCommandId":"theirs"`, "allow", true},
		{"by the adapter", `"resolvedBy":"user","decidedByCommandId":"ours"`, "allow", false},
		{"refused by the policy", `"resolvedBy":"policy"`, "deny", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := factsOf(t,
				`muse 1 ->   {"jsonrpc":"2.0","method":"approval/requested","params":{"sessionId":"S","approvalId":"A","toolCallId":"c"}}`,
				`muse 1 <-   {"jsonrpc":"2.0","id":2,"method":"approval/decide","params":{"sessionId":"S","commandId":"ours","approvalId":"A","choiceId":"s"}}`,
				`muse 1 <-   {"jsonrpc":"2.0","id":3,"method":"approval/decide","params":{"sessionId":"S","approvalId":"A","choiceId":"s"}}`,
				`muse 1 ->   {"jsonrpc":"2.0","method":"approval/resolved","params":{"sessionId":"S","approvalId":"A","policyResult":"`+tt.result+`",`+tt.by+`}}`)
			want := []conform.HostTool{{Call: "c", Session: "S", Asked: true, Allowed: tt.allowed, Seq: -1}}
			if diff := cmp.Diff(want, got.Tools); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Whether a tool ran is evidence that decides about grants; each way to end is one or the other.
func TestWhetherAToolRan(t *testing.T) {
	t.Parallel()
	tests := []struct {
		status, reason string
		ran            bool
	}{
		{"completed", "", true},
		{"failed", "exit status 3", true},
		{"failed", "the command was ended by a signal", true},
		{"timedOut", "the command ran too long", true},
		{"failed", "tool policy denied shell execution", false},
		{"rejected", "approval denied", false},
		{"cancelled", "turn_cancelled", false},
	}
	for _, tt := range tests {
		t.Run(tt.status+" "+tt.reason, func(t *testing.T) {
			t.Parallel()
			item := func(method, status, more string) string {
				return `muse 1 ->   {"jsonrpc":"2.0","method":"` + method + `","params":{"sessionId":"S","item":{"kind":"toolCall","callId":"c","args":"{\"command\":\"x\"}","status":"` + status + `"` + more + `}}}`
			}
			reason, err := json.Marshal(tt.reason)
			if err != nil {
				t.Fatal(err)
			}
			got := factsOf(t, item("item/started", "inProgress", ""), item("item/completed", tt.status, `,"visibleOutput":"out","failureReason":`+string(reason)),
				`muse 1 ->   {"jsonrpc":"2.0","method":"item/completed","params":{"sessionId":"S","item":{"kind":"agentMessage","itemId":"i"}}}`)
			want := []conform.HostTool{{Call: "c", Session: "S", Ran: tt.ran, Status: tt.status, Output: "out", Seq: 1, Input: json.RawMessage(`{"command":"x"}`)}}
			if diff := cmp.Diff(want, got.Tools); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
