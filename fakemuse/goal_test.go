package fakemuse

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

func (c *client) rejected(method, members, reason string) {
	c.t.Helper()
	e := c.bad(method, c.inSession(members), -32030, "commandRejected")
	if got := wire.LookupString(e, "data", "reason"); got != reason {
		c.t.Errorf("%s: reason %q, want %q", method, got, reason)
	}
}

func TestGoals(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[
		{"goal":"green","steps":[{"say":"first"},{"wait":"edited"}]},
		{"goal":"greener","steps":[{"say":"by itself"}]},
		{"goal":"greener","steps":[{"hang":true}]},
		{"goal":"greener","steps":[{"say":"resumed"}]}]}`)
	c := s.open()
	c.session()
	for _, method := range []string{"goal/pause", "goal/resume", "goal/clear"} {
		c.rejected(method, "", "missing_goal")
	}
	c.rejected("goal/edit", `"objective":"x"`, "missing_goal")
	set := c.ok("goal/set", c.inSession(`"objective":"green"`))
	turn := wire.LookupString(set, "turnId")
	changed := c.until("session/goalChanged")
	if got := wire.LookupString(changed.Params, "goal", "status"); got != "active" {
		t.Errorf("status %q", got)
	}
	started := c.until("turn/started")
	if got := wire.LookupString(started.Params, "turnId"); got != turn || turn == wire.LookupString(set, "commandId") {
		t.Errorf("the turn is %q, the answer says %q", got, turn)
	}
	if got := wire.LookupString(c.ok("goal/edit", c.inSession(`"objective":"greener"`)), "turnId"); got != turn {
		t.Errorf("the edit is for %q", got)
	}
	s.Release("edited")
	c.terminal()
	// The goal is active, so a turn begins by itself, and another one.
	c.until("turn/started")
	c.terminal()
	own := wire.LookupString(c.until("turn/started").Params, "turnId")
	s.quiet()
	c.ok("turn/interrupt", c.inSession(fmt.Sprintf(`"turnId":%q`, own)))
	at := len(c.seen)
	c.terminal()
	if diff := cmp.Diff([]string{"session/goalChanged", "turn/completed"}, c.methods()[at:]); diff != "" {
		t.Error(diff)
	}
	if got := wire.LookupString(c.seen[at].Params, "goal", "status"); got != "paused" {
		t.Errorf("status %q", got)
	}
	c.ok("goal/resume", c.inSession(""))
	c.terminal()
	c.ok("goal/pause", c.inSession(""))
	if raw := wire.Lookup(c.until("session/goalChanged").Params, "goal"); raw == nil {
		t.Error("the pause says no goal")
	}
	c.ok("goal/clear", c.inSession(""))
	if raw := wire.Lookup(c.until("session/goalChanged").Params, "goal"); raw != nil {
		t.Errorf("the goal is %s", raw)
	}
	s.noProblems()
	if left := s.Unused(); len(left) != 0 {
		t.Errorf("unused: %v", left)
	}
}

func TestSteerQueueInterrupt(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"prompt":"first","steps":[{"hang":true}]},{"prompt":"second","steps":[{"say":"2"}]},{"prompt":"replacing","steps":[{"say":"3"}]}]}`)
	c := s.open()
	c.session()
	first := c.prompt("first")
	s.quiet()
	c.bad("turn/steer", c.inSession(`"input":[{"type":"text","text":"x"}]`), -32602, "invalidParams")
	c.rejected("turn/steer", `"expectedTurnId":"other","input":[]`, "invalid_target")
	c.ok("turn/steer", c.inSession(fmt.Sprintf(`"expectedTurnId":%q,"input":[{"type":"text","text":"faster"}]`, first)))
	for c.next(); wire.LookupString(c.seen[len(c.seen)-1].Params, "item", "text") != "faster"; c.next() {
	}
	if got := string(wire.Lookup(c.seen[len(c.seen)-1].Params, "item", "steered")); got != "true" {
		t.Errorf("steered is %s", got)
	}
	queued := wire.LookupString(c.ok("turn/start", c.inSession(`"input":[{"type":"text","text":"queued"}]`)), "turnId")
	c.rejected("turn/unqueue", fmt.Sprintf(`"turnId":%q`, first), "run_active")
	c.ok("turn/unqueue", c.inSession(fmt.Sprintf(`"turnId":%q`, queued)))
	if got := wire.LookupString(c.until("turn/unqueued").Params, "commandId"); got != queued {
		t.Errorf("unqueued %q", got)
	}
	c.rejected("turn/unqueue", fmt.Sprintf(`"turnId":%q`, queued), "already_applied")
	c.rejected("turn/unqueue", `"turnId":"other"`, "invalid_target")
	c.ok("turn/start", c.inSession(`"input":[{"type":"text","text":"second"}]`))
	c.ok("turn/start", c.inSession(`"input":[{"type":"text","text":"replacing"}],"ifBusy":"replace"`))
	at := len(c.seen)
	if got := c.terminal(); got != "cancelled" {
		t.Errorf("the first turn ends %q", got)
	}
	c.terminal()
	c.terminal()
	var texts []string
	for _, f := range c.seen[at:] {
		if f.Method == "item/completed" {
			texts = append(texts, wire.LookupString(f.Params, "item", "text"))
		}
	}
	if diff := cmp.Diff([]string{"replacing", "3", "second", "2"}, texts); diff != "" {
		t.Error(diff)
	}
	s.noProblems()
}

func TestRetract(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":{"chunks":["so "],"hang":true}}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	s.quiet()
	c.ok("turn/interrupt", c.inSession(`"retract":true`))
	at := len(c.seen)
	c.until("item/updated")
	if diff := cmp.Diff([]string{"item/completed", "turn/completed", "turn/retracted", "item/updated"}, c.methods()[at:]); diff != "" {
		t.Error(diff)
	}
	last := c.seen[len(c.seen)-1].Params
	if string(wire.Lookup(last, "item", "retracted")) != "true" || string(wire.Lookup(last, "item", "revision")) != "2" {
		t.Errorf("the message is %s", last)
	}
}

// A queued turn that cannot begin ends without having begun, and so does its command from then on.
func TestLaunchFails(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"prompt":"one","steps":[{"wait":"go"}]},{"prompt":"two","launchFails":{"kind":"launchError","message":"no room","retryable":true},"steps":[]},{"prompt":"three","steps":[]}]}`)
	c := s.open()
	c.session()
	c.prompt("one")
	second := c.inSession(`"input":[{"type":"text","text":"two"}]`)
	c.ok("turn/start", second)
	c.ok("turn/start", c.inSession(`"input":[{"type":"text","text":"three"}]`))
	s.Release("go")
	for _, want := range []string{"completed", "failed", "completed"} {
		if got := c.terminal(); got != want {
			t.Errorf("terminal %q, want %q", got, want)
		}
	}
	e := c.bad("turn/start", second, -32030, "commandRejected")
	if got := wire.LookupString(e, "data", "reason"); got != "deferred_start_failed" {
		t.Errorf("reason %q", got)
	}
	if left := s.Unused(); len(left) != 0 {
		t.Errorf("unused: %v", left)
	}
}
