package fakemuse

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

// TestLost: what gets lost can be paged, and the hole that the client is told of is exactly that.
func TestLost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, steps, variant string
		want                 []string // behind the user's message
		missing              []string // the events that the pages have for the hole
	}{
		{"a text", `{"lost":[{"say":"gone"}]},{"say":"here"}`, "",
			[]string{"item/started", "view/gap", "item/delta", "item/completed", "session/tokenUsage", "session/contextUsage", "turn/completed"},
			[]string{"item/completed"}},
		{"a text, told first", `{"lost":[{"say":"gone"}]},{"say":"here"}`, "gap-first",
			[]string{"view/gap", "item/started", "item/delta", "item/completed", "session/tokenUsage", "session/contextUsage", "turn/completed"},
			[]string{"item/completed"}},
		{"all of it", `{"lost":[{"think":"x"},{"say":"gone"}]}`, "",
			[]string{"session/tokenUsage", "view/gap", "session/contextUsage", "turn/completed"},
			[]string{"item/completed", "item/completed"}},
		{"a tool", `{"lost":[{"tool":{"name":"x"}}]},{"say":"here"}`, "usage-silent",
			[]string{"item/started", "view/gap", "item/delta", "item/completed", "turn/completed"},
			[]string{"item/started", "item/completed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `{"turns":[{"steps":[`+tt.steps+`]}]}`, func(o *Options) {
				if tt.variant != "" {
					o.Variants = []string{tt.variant}
				}
			})
			c := s.open()
			c.session()
			c.prompt("go")
			c.terminal()
			at := 0
			var gap wire.Frame
			for i, f := range c.seen {
				switch {
				case f.Method == "view/gap":
					gap = f
				case wire.LookupString(f.Params, "item", "kind") == "userMessage":
					at = i + 1
				}
			}
			if diff := cmp.Diff(tt.want, c.methods()[at:]); diff != "" {
				t.Errorf("frames differ (-want +got):\n%s", diff)
			}
			after, next := wire.LookupString(gap.Params, "after"), wire.LookupString(gap.Params, "next")
			page := c.ok("view/page", fmt.Sprintf(`{"sessionId":%q,"cursor":%q,"direction":"forward","limit":100}`, sessionOne, after))
			var p struct{ Events []pagedEvent }
			if err := json.Unmarshal(page, &p); err != nil {
				t.Fatal(err)
			}
			var missing []string
			for _, e := range p.Events {
				if cursorOf(sessionOne, wire.LookupString(e.Params, "viewCursor")) >= cursorOf(sessionOne, next) {
					break
				}
				missing = append(missing, e.Method)
				if c.saw(wire.LookupString(e.Params, "viewCursor")) {
					t.Errorf("%s was delivered, and is said to be missing", e.Method)
				}
			}
			if diff := cmp.Diff(tt.missing, missing); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
			if !c.saw(after) || !c.saw(next) {
				t.Errorf("the hole lies between %s and %s, which were not both delivered", after, next)
			}
			s.noProblems()
		})
	}
}

// saw reports whether an event with this cursor was delivered.
func (c *client) saw(cursor string) bool {
	for _, f := range c.seen {
		if f.Method != "view/gap" && f.Kind == wire.Notification && wire.LookupString(f.Params, "viewCursor") == cursor {
			return true
		}
	}
	return false
}

// TestLostApproval: the request of an approval arrives though its event does not, and so does its end.
func TestLostApproval(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"lost":[{"tool":{"name":"bash","args":{"command":"touch marker"},"approval":{}}}]},{"say":"here"}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	c.ok("approval/decide", decide(c.command(), c.asked(), 0, "allow_once", ""))
	c.terminal()
	got := strings.Join(tail(c.methods(), "?approval/request"), " ")
	if want := "?approval/request = approval/resolved view/gap "; !strings.HasPrefix(got, want) {
		t.Errorf("the frames are %s", got)
	}
	if !s.exists("marker") {
		t.Error("the command did not run")
	}
}

func TestLostScripts(t *testing.T) {
	t.Parallel()
	for lost, want := range map[string]string{
		`[]`:              "must not be empty",
		`[{"hang":true}]`: "only what is thought or said",
		`[{"wait":"x"}]`:  "only what is thought or said",
		`[{"tool":{"name":"a"}},{"tool":{"name":"b"}}]`: "and one tool, can get lost",
		`[{"say":{"chunks":["a"],"hang":true}}]`:        "only what is thought or said",
	} {
		_, err := DecodeScript("muse.json", []byte(`{"turns":[{"steps":[{"lost":`+lost+`}]}]}`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, which does not say %q", lost, err, want)
		}
	}
}
