package fakemuse

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

const touchScript = `{"turns":[{"steps":[
	{"tool":{"name":"bash","args":{"command":"touch marker"},"approval":{}}},
	{"say":"done"}]}]}`

// asked gives the id of the next approval that is asked for, and sends the receipt.
func (c *client) asked() string {
	c.t.Helper()
	c.shown++
	find := func() (wire.Frame, bool) {
		n := 0
		for _, f := range c.seen {
			if f.Method == "approval/request" {
				if n++; n == c.shown {
					return f, true
				}
			}
		}
		return wire.Frame{}, false
	}
	f, found := find()
	for ; !found; f, found = find() {
		c.next()
	}
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{}}`, f.ID))
	return wire.LookupString(f.Params, "approvalId")
}

// toolEnd reads up to the end of a tool call and gives its item.
func (c *client) toolEnd() item {
	c.t.Helper()
	for {
		f := c.until("item/completed")
		var p struct{ Item item }
		if err := json.Unmarshal(f.Params, &p); err != nil {
			c.t.Fatal(err)
		}
		if p.Item.Kind == "toolCall" {
			return p.Item
		}
	}
}

func TestApprovalAllowed(t *testing.T) {
	t.Parallel()
	s := newScene(t, touchScript)
	c := s.open()
	c.session()
	c.prompt("touch it")
	id := c.asked()
	s.quiet()
	if s.exists("marker") {
		t.Error("the command ran before it was granted")
	}
	c.ok("approval/decide", decide(c.command(), id, 0, "allow_once", ""))
	if end := c.toolEnd(); end.Status != "completed" || end.Revision != 2 {
		t.Errorf("the tool ended %+v", end)
	}
	if !s.exists("marker") {
		t.Error("the command did not run")
	}
	c.terminal()
	want := []string{
		"turn/started", "item/completed", "session/tokenUsage", "session/contextUsage", "item/started",
		"approval/requested", "?approval/request", "=", "approval/resolved", "item/completed",
		"item/started", "item/delta", "item/completed", "session/tokenUsage", "session/contextUsage", "turn/completed",
	}
	if diff := cmp.Diff(want, tail(c.methods(), "turn/started")); diff != "" {
		t.Errorf("frames differ (-want +got):\n%s", diff)
	}
	s.noProblems()
}

func TestApprovalDenied(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, more, output string }{
		{"plain", "", "tool denied: approval aborted"},
		{"with null feedback", `,"feedback":null`, "tool denied: approval aborted"},
		{"with feedback", `,"feedback":"use the file tool"`, "use the file tool"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, touchScript)
			c := s.open()
			c.session()
			c.prompt("touch it")
			c.ok("approval/decide", decide(c.command(), c.asked(), 0, "abort", tt.more))
			end := c.toolEnd()
			if end.Status != "rejected" || end.FailureReason != "approval aborted" || *end.VisibleOutput != tt.output {
				t.Errorf("the tool ended %+v, output %q", end, *end.VisibleOutput)
			}
			if got := c.terminal(); got != "completed" {
				t.Errorf("terminal %q", got)
			}
			if s.exists("marker") {
				t.Error("a denied command ran")
			}
		})
	}
}

func TestDecideErrors(t *testing.T) {
	t.Parallel()
	s := newScene(t, touchScript)
	c := s.open()
	c.session()
	c.prompt("touch it")
	id := c.asked()
	c.bad("approval/decide", decide(c.command(), "nobody", 0, "allow_once", ""), -32050, "approvalNotFound")
	e := c.bad("approval/decide", decide(c.command(), id, 1, "nonsense", ""), -32053, "approvalRequirementStale")
	if got := string(wire.Lookup(e, "data", "currentRequirementId", "sourceIndex")); got != "0" {
		t.Errorf("the current stage is %s", got)
	}
	c.bad("approval/decide", decide(c.command(), id, 0, "allow_forever", ""), -32052, "approvalChoiceInvalid")
	c.bad("approval/decide", decide(c.command(), id, 0, "allow_once", `,"feedback":"why"`), -32602, "invalidParams")
	c.bad("approval/decide", fmt.Sprintf(`{"sessionId":%q,"approvalId":%q,"choiceId":"abort"}`, sessionOne, id), -32602, "invalidParams")
	c.bad("approval/decide", strings.Replace(decide(c.command(), id, 0, "abort", ""), `"choiceId":"abort"`, `"choiceId":1`, 1), -32602, "invalidParams")
	if s.exists("marker") {
		t.Error("a refused decision ran the command")
	}
	right := c.command()
	first := c.ok("approval/decide", decide(right, id, 0, "abort", ""))
	again := c.ok("approval/decide", decide(right, id, 0, "abort", ""))
	if diff := cmp.Diff(string(first), string(again)); diff != "" {
		t.Errorf("the same command was answered differently:\n%s", diff)
	}
	e = c.bad("approval/decide", decide(right, id, 0, "allow_once", ""), -32030, "commandRejected")
	if got := wire.LookupString(e, "data", "reason"); got != "command_id_conflict" {
		t.Errorf("reason %q", got)
	}
	e = c.bad("approval/decide", decide(c.command(), id, 0, "nonsense", ""), -32051, "approvalAlreadyResolved")
	if got := wire.LookupString(e, "data", "resolution", "decision"); got != "abort" {
		t.Errorf("the resolution is %q", got)
	}
	s.quiet()
	if s.exists("marker") {
		t.Error("the command ran after it was denied")
	}
}

func TestStages(t *testing.T) {
	t.Parallel()
	script := `{%s"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"echo a && touch b"},
		"approval":{"stages":[["echo","a"],{"argv":["true"],"resolution":"knownSafe"},["touch","b"]]}}}]}]}`
	tests := []struct {
		name, variants string
		choices        []string
		want           []string
		status         string
	}{
		{"allowed", "", []string{"allow_once", "allow_local_prefix"},
			[]string{"=", "approval/updated", "=", "approval/resolved", "item/delta", "item/completed", "turn/completed"}, "completed"},
		{"allowed, last stage repeated", `"variants":["last-stage-repeated"],`, []string{"allow_once", "allow_once"},
			[]string{"=", "approval/updated", "=", "approval/updated", "approval/resolved", "item/delta", "item/completed", "turn/completed"}, "completed"},
		{"events first", `"variants":["events-first"],`, []string{"allow_once", "allow_once"},
			[]string{"approval/updated", "=", "approval/resolved", "=", "item/delta", "item/completed", "turn/completed"}, "completed"},
		{"denied at the second", "", []string{"allow_once", "abort"},
			[]string{"=", "approval/updated", "=", "approval/resolved", "item/completed", "turn/completed"}, "rejected"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, fmt.Sprintf(script, tt.variants))
			c := s.open()
			c.session()
			c.prompt("go")
			id := c.asked()
			at := len(c.seen)
			c.ok("approval/decide", decide(c.command(), id, 0, tt.choices[0], ""))
			if tt.variants != `"variants":["events-first"],` {
				updated := c.until("approval/updated")
				if got := string(wire.Lookup(updated.Params, "currentRequirementId", "sourceIndex")); got != "2" {
					t.Errorf("the next stage is %s", got)
				}
				if !strings.Contains(string(updated.Params), "Always allow in this workspace: touch ...") {
					t.Error("the choices do not follow the stage")
				}
			}
			c.bad("approval/decide", decide(c.command(), id, 0, "allow_once", ""), -32053, "approvalRequirementStale")
			c.ok("approval/decide", decide(c.command(), id, 2, tt.choices[1], ""))
			c.terminal()
			var got []string
			for _, m := range c.methods()[at:] {
				got = append(got, m)
			}
			// The answer to the stale decision stands in between.
			stale := 2
			if len(got) > stale && got[stale] == "=" {
				got = append(got[:stale:stale], got[stale+1:]...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("frames differ (-want +got):\n%s", diff)
			}
			if s.exists("b") != (tt.status == "completed") {
				t.Errorf("the file exists: %v", s.exists("b"))
			}
		})
	}
}

func TestApprovalDelivery(t *testing.T) {
	t.Parallel()
	for variant, want := range map[string][]string{
		"approval-both":         {"approval/requested", "?approval/request"},
		"approval-notification": {"approval/requested"},
		"approval-request":      {"?approval/request"},
		"request-first":         {"?approval/request", "approval/requested"},
	} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, touchScript, func(o *Options) { o.Variants = []string{variant} })
			c := s.open()
			c.session()
			c.prompt("go")
			s.quiet()
			c.end()
			var got []string
			for _, r := range s.log.Records() {
				switch {
				case r.Frame.Method == "approval/request":
					got = append(got, "?approval/request")
				case r.Frame.Method == "approval/requested":
					got = append(got, r.Frame.Method)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCancelWithOpenApproval(t *testing.T) {
	t.Parallel()
	s := newScene(t, touchScript)
	c := s.open()
	c.session()
	c.prompt("go")
	id := c.asked()
	c.ok("turn/cancel", fmt.Sprintf(`{"commandId":%q,"sessionId":%q}`, c.command(), sessionOne))
	c.terminal()
	want := []string{"=", "approval/resolved", "item/completed", "turn/completed"}
	if diff := cmp.Diff(want, tail(c.methods(), "=")); diff != "" {
		t.Error(diff)
	}
	e := c.bad("approval/decide", decide(c.command(), id, 0, "allow_once", ""), -32051, "approvalAlreadyResolved")
	if got := wire.LookupString(e, "data", "resolution", "decision"); got != "abort" {
		t.Errorf("the resolution is %q", got)
	}
	s.quiet()
	if s.exists("marker") {
		t.Error("a late allow ran the command")
	}
	if left := s.Unused(); len(left) != 1 || !left[0].Interrupted {
		t.Errorf("unused: %v", left)
	}
}

func TestApprovalModes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		mode   string
		status string
		output string
		asked  bool
	}{
		{"allowAll", "completed", "", false},
		{"denyUnmatched", "rejected", "tool denied: deny_unmatched: no policy rule allows this action", true},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, touchScript)
			c := s.open()
			c.session()
			c.ok("session/setApprovalMode", fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"mode":%q}`, c.command(), sessionOne, tt.mode))
			c.prompt("go")
			end := c.toolEnd()
			if end.Status != tt.status || *end.VisibleOutput != tt.output {
				t.Errorf("ended %s: %q", end.Status, *end.VisibleOutput)
			}
			if asked := strings.Contains(strings.Join(c.methods(), " "), "approval/requested"); asked != tt.asked {
				t.Errorf("asked: %v", asked)
			}
			c.terminal()
		})
	}
}
