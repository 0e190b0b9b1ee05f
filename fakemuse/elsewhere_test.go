package fakemuse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

// asking is a script whose one command is asked about, with further members of the approval.
func asking(members string) string {
	return `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"touch marker"},"approval":{` + members + `}}},{"say":"done"}]}]}`
}

const twoStages = `"stages":[["touch","a"],["touch","marker"]]`

// TestDecidedElsewhereFirst: a decision that comes too late is refused, and the host goes on by what was decided.
func TestDecidedElsewhereFirst(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, approval, variant string
		code                    int
		kind                    string
		want                    []string // frames from the refusal or its news on
		by                      string   // resolution.resolvedBy of the refusal
		ran                     bool
	}{
		{"next stage", twoStages + `,"elsewhere":{"choice":"allow_once"}`, "", -32053, "approvalRequirementStale",
			[]string{"=", "approval/updated"}, "", false},
		{"next stage, news first", twoStages + `,"elsewhere":{"choice":"allow_once"}`, "events-first", -32053, "approvalRequirementStale",
			[]string{"approval/updated", "="}, "", false},
		{"allowed by another client", `"elsewhere":{"choice":"allow_once"}`, "", -32051, "approvalAlreadyResolved",
			[]string{"=", "approval/resolved", "item/completed"}, "user", true},
		{"allowed, news first", `"elsewhere":{"choice":"allow_once"}`, "events-first", -32051, "approvalAlreadyResolved",
			[]string{"approval/resolved", "=", "item/completed"}, "user", true},
		{"rejected by the judge", `"elsewhere":{"decision":"denied","by":"llmJudge"}`, "", -32051, "approvalAlreadyResolved",
			[]string{"=", "approval/resolved", "item/completed"}, "llmJudge", false},
		{"all stages by the policy", twoStages + `,"elsewhere":{"decision":"approved","by":"policy"}`, "", -32051, "approvalAlreadyResolved",
			[]string{"=", "approval/resolved", "item/completed"}, "policy", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, asking(tt.approval), func(o *Options) {
				if tt.variant != "" {
					o.Variants = []string{tt.variant}
				}
			})
			c := s.open()
			c.session()
			c.prompt("go")
			id := c.asked()
			s.quiet()
			at := len(c.seen)
			e := c.bad("approval/decide", decide(c.command(), id, 0, "allow_once", ""), tt.code, tt.kind)
			if got := wire.LookupString(e, "data", "resolution", "resolvedBy"); got != tt.by {
				t.Errorf("resolved by %q, not %q", got, tt.by)
			}
			if tt.code == -32053 {
				if tt.variant == "" {
					c.until("approval/updated")
				}
				if got := string(wire.Lookup(e, "data", "currentRequirementId", "sourceIndex")); got != "1" {
					t.Errorf("the current stage is %s", got)
				}
				if s.exists("marker") {
					t.Error("the command ran before its last stage was decided")
				}
				c.ok("approval/decide", decide(c.command(), id, 1, "allow_once", ""))
				tt.ran = true
			}
			if got := c.terminal(); got != "completed" {
				t.Errorf("the turn ended %q", got)
			}
			if diff := cmp.Diff(tt.want, c.methods()[at:at+len(tt.want)]); diff != "" {
				t.Errorf("frames differ (-want +got):\n%s", diff)
			}
			if s.exists("marker") != tt.ran {
				t.Errorf("the command ran: %v", s.exists("marker"))
			}
			s.noProblems()
		})
	}
}

// TestDecidedElsewhereByItself: what the policy or the judge decides needs no decision of a client.
func TestDecidedElsewhereByItself(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, approval, event string
		decision, by          string
		ran                   bool
	}{
		{"at once", `"elsewhere":{"decision":"approved","by":"llmJudge","atOnce":true}`, "", "approved", "llmJudge", true},
		{"refused at once", `"elsewhere":{"choice":"abort","by":"policy","atOnce":true}`, "", "abort", "policy", false},
		{"while it is open", `"elsewhere":{"choice":"allow_once","wait":"open"}`, "open", "approved", "user", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, asking(tt.approval))
			c := s.open()
			c.session()
			c.prompt("go")
			id := c.asked()
			if tt.event != "" {
				s.quiet()
				if diff := cmp.Diff([]string{tt.event}, s.Waiting()); diff != "" {
					t.Errorf("waiting: %s", diff)
				}
				s.Release(tt.event)
			}
			resolved := c.until("approval/resolved").Params
			got := wire.LookupString(resolved, "decision") + " by " + wire.LookupString(resolved, "resolvedBy")
			if want := tt.decision + " by " + tt.by; got != want {
				t.Errorf("resolved: %s, not %s", got, want)
			}
			if command := wire.LookupString(resolved, "decidedByCommandId"); (command != "") != (tt.by == "user") {
				t.Errorf("the command that decided is %q", command)
			}
			c.terminal()
			c.bad("approval/decide", decide(c.command(), id, 0, "allow_once", ""), -32051, "approvalAlreadyResolved")
			if s.exists("marker") != tt.ran {
				t.Errorf("the command ran: %v", s.exists("marker"))
			}
			s.noProblems()
		})
	}
}

// TestWidened: the choices that the host comes to offer hold from then on, and for nothing but the choices.
func TestWidened(t *testing.T) {
	t.Parallel()
	for _, wait := range []string{"", "open"} {
		t.Run("wait "+wait, func(t *testing.T) {
			t.Parallel()
			members := `"choices":[{"choiceId":"yes","label":"Yes","decision":"approved","scope":"once"}],"widened":{"choices":"once"`
			if wait != "" {
				members += fmt.Sprintf(`,"wait":%q`, wait)
			}
			s := newScene(t, asking(members+"}"))
			c := s.open()
			c.session()
			c.prompt("go")
			id := c.asked()
			if wait != "" {
				s.quiet()
				s.Release(wait)
			}
			updated := string(c.until("approval/updated").Params)
			if !strings.Contains(updated, `"choiceId":"abort"`) || strings.Contains(updated, `"yes"`) {
				t.Errorf("the choices are %s", updated)
			}
			c.bad("approval/decide", decide(c.command(), id, 0, "yes", ""), -32052, "approvalChoiceInvalid")
			c.ok("approval/decide", decide(c.command(), id, 0, "allow_once", ""))
			c.terminal()
			if !s.exists("marker") {
				t.Error("the command did not run")
			}
			s.noProblems()
		})
	}
}

// TestStuck: a decision that does not end the approval is taken, and nothing comes of it.
func TestStuck(t *testing.T) {
	t.Parallel()
	s := newScene(t, asking(twoStages+`,"stuck":true`))
	c := s.open()
	c.session()
	c.prompt("go")
	id := c.asked()
	result := c.ok("approval/decide", decide(c.command(), id, 0, "allow_once", ""))
	if got := string(wire.Lookup(result, "terminal")); got != "false" {
		t.Errorf("terminal: %s", got)
	}
	c.ok("approval/listPending", fmt.Sprintf(`{"sessionId":%q}`, sessionOne))
	if strings.Contains(strings.Join(c.methods(), " "), "approval/updated") {
		t.Error("the next stage was published")
	}
	c.ok("approval/decide", decide(c.command(), id, 0, "abort", ""))
	c.terminal()
	if s.exists("marker") {
		t.Error("the command ran")
	}
}
