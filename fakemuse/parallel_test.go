package fakemuse

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

const twoTools = `{"turns":[{"steps":[
	{"tools":[
		{"name":"bash","args":{"command":"sleep 0.2; echo first >> order"},"approval":{}},
		{"name":"bash","args":{"command":"echo second >> order"},"approval":{}}]},
	{"say":"done"}]}]}`

// frames names what the host said: a method, and for an approval or a tool which of the calls it is about.
func (c *client) framesOf(calls map[string]string) []string {
	var list []string
	for _, f := range c.seen {
		name := f.Method
		if f.Kind == wire.Response {
			name = "="
		}
		for _, path := range [][]string{{"itemId"}, {"item", "itemId"}} {
			if call := calls[wire.LookupString(f.Params, path...)]; call != "" {
				name += " " + call
			}
		}
		list = append(list, name)
	}
	return list
}

// twoCalls begins the turn of twoTools and gives the ids of its approvals.
func (c *client) twoCalls() (first, second string) {
	c.session()
	c.prompt("go")
	return c.asked(), c.asked()
}

func TestToolsSideBySide(t *testing.T) {
	t.Parallel()
	begun := []string{
		"item/started first", "item/started second",
		"approval/requested first", "approval/request first", "approval/requested second", "approval/request second",
	}
	ran := func(call string) []string { return []string{"item/completed " + call} }
	tests := []struct {
		name    string
		decides []string // "first" or "second", and the choice
		waits   bool     // for quiet behind each decision
		want    [][]string
		files   string
	}{
		{"in order", []string{"first allow_once", "second allow_once"}, true, [][]string{
			{"=", "approval/resolved first"}, ran("first"), {"=", "approval/resolved second"}, ran("second")}, "first\nsecond\n"},
		{"in reverse", []string{"second allow_once", "first allow_once"}, true, [][]string{
			{"=", "approval/resolved second"}, ran("second"), {"=", "approval/resolved first"}, ran("first")}, "second\nfirst\n"},
		{"second rejected first", []string{"second abort", "first allow_once"}, true, [][]string{
			{"=", "approval/resolved second"}, ran("second"), {"=", "approval/resolved first"}, ran("first")}, "first\n"},
		{"both rejected", []string{"second abort", "first abort"}, true, [][]string{
			{"=", "approval/resolved second"}, ran("second"), {"=", "approval/resolved first"}, ran("first")}, ""},
		// The quick one acts first, and ends second: it began second.
		{"running at the same time", []string{"first allow_once", "second allow_once"}, false, [][]string{
			{"=", "approval/resolved first", "=", "approval/resolved second"}, ran("first"), ran("second")}, "second\nfirst\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, twoTools)
			c := s.open()
			ids := map[string]string{}
			ids["first"], ids["second"] = c.twoCalls()
			s.quiet()
			if s.exists("order") {
				t.Error("a command ran before it was granted")
			}
			for _, d := range tt.decides {
				call, choice, _ := strings.Cut(d, " ")
				c.ok("approval/decide", decide(c.command(), ids[call], 0, choice, ""))
				if tt.waits {
					s.quiet()
				}
			}
			if got := c.terminal(); got != "completed" {
				t.Errorf("the turn ended %q", got)
			}
			var want []string
			for _, part := range append([][]string{begun}, tt.want...) {
				want = append(want, part...)
			}
			got := tail(c.framesOf(map[string]string{ids["first"]: "first", ids["second"]: "second"}), "item/started first")
			if diff := cmp.Diff(want, got[:min(len(got), len(want))]); diff != "" {
				t.Errorf("frames differ (-want +got):\n%s\n%v", diff, got)
			}
			written, err := os.ReadFile(filepath.Join(s.workspace, "order"))
			if err != nil && tt.files != "" {
				t.Error(err)
			}
			if got := string(written); got != tt.files {
				t.Errorf("the commands wrote %q, not %q", got, tt.files)
			}
			if usage := strings.Count(strings.Join(c.methods(), " "), "session/tokenUsage"); usage != 2 {
				t.Errorf("%d model calls were reported, not 2", usage)
			}
			s.noProblems()
		})
	}
}

// TestToolsCallIDs: each call has an id of its own, also where the script gives none.
func TestToolsCallIDs(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"tools":[{"name":"a"},{"name":"b","callId":"mine"},{"name":"c","fails":"no"}]}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	c.terminal()
	var got []string
	for _, f := range c.seen {
		if f.Method == "item/completed" && wire.LookupString(f.Params, "item", "kind") == "toolCall" {
			got = append(got, wire.LookupString(f.Params, "item", "callId")+" "+wire.LookupString(f.Params, "item", "status"))
		}
	}
	if diff := cmp.Diff([]string{"call_1_1_1 completed", "mine completed", "call_1_1_3 failed"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestCancelSideBySide: while one command runs and the other is asked about, a cancel ends the question at once, and
// the turn when the command is gone.
func TestCancelSideBySide(t *testing.T) {
	t.Parallel()
	s := newScene(t, strings.Replace(twoTools, "sleep 0.2; echo first >> order", "sleep 1000", 1))
	c := s.open()
	first, second := c.twoCalls()
	c.ok("approval/decide", decide(c.command(), first, 0, "allow_once", ""))
	c.ok("turn/cancel", fmt.Sprintf(`{"commandId":%q,"sessionId":%q}`, c.command(), sessionOne))
	e := c.bad("approval/decide", decide(c.command(), second, 0, "allow_once", ""), -32051, "approvalAlreadyResolved")
	if got := wire.LookupString(e, "data", "resolution", "decision"); got != "abort" {
		t.Errorf("the resolution is %q", got)
	}
	if !slices.Contains(c.methods(), "turn/completed") {
		c.until("turn/completed") // the command may be gone before the decision came
	}
	terminal := ""
	ended := map[string]string{}
	for _, f := range c.seen {
		if f.Method == "turn/completed" {
			terminal = wire.LookupString(f.Params, "terminal")
		}
		var p struct{ Item item }
		if f.Method == "item/completed" && json.Unmarshal(f.Params, &p) == nil && p.Item.Kind == "toolCall" {
			ended[p.Item.CallID] = p.Item.Status
		}
	}
	if diff := cmp.Diff(map[string]string{"call_1_1_1": "cancelled", "call_1_1_2": "cancelled"}, ended); diff != "" {
		t.Error(diff)
	}
	if terminal != "cancelled" {
		t.Errorf("the turn ended %q", terminal)
	}
	if s.exists("order") {
		t.Error("a command ran that was not granted")
	}
	s.noProblems()
}

// TestHostGoneSideBySide: what a lost host leaves behind is closed when its session is loaded again.
func TestHostGoneSideBySide(t *testing.T) {
	t.Parallel()
	s := newScene(t, twoTools)
	c := s.open()
	first, _ := c.twoCalls()
	c.ok("approval/decide", decide(c.command(), first, 0, "abort", ""))
	s.quiet()
	c.cmd.Process.Kill()
	c.gone()
	s.awaitExit("lost")
	again := s.open()
	again.ok("session/resume", fmt.Sprintf(`{"commandId":%q,"sessionId":%q}`, c.command(), sessionOne))
	want := []string{"abort by user", "abort by policy"}
	var got []string
	for _, r := range s.log.Records() {
		if r.Frame.Method == "approval/resolved" {
			got = append(got, wire.LookupString(r.Frame.Params, "decision")+" by "+wire.LookupString(r.Frame.Params, "resolvedBy"))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
