package fakemuse

import (
	"fmt"
	"iter"
)

// tools runs tool calls side by side: all are shown as begun, then each is asked for and done by itself, and the turn
// goes on when the last has ended. Each call is a coroutine below that of the turn. Whenever the turn is let go on, they
// all get their chance, in the order of the script; so the same decisions in the same order give the same frames.
func (t *turn) tools(specs []Tool, index int) error {
	t.report("tool_calls")
	for n := range specs {
		spec := &specs[n]
		t.startTool(spec.Name, firstOf(spec.CallID, fmt.Sprintf("call_%d_%d_%d", t.script+1, index+1, n+1)), spec.Args, spec)
		t.parallel = append(t.parallel, t.open)
		t.open = nil
	}
	branches := make([]*branch, len(specs))
	for n, c := range t.openCalls() {
		branches[n] = newBranch(c)
		defer branches[n].stop()
	}
	for {
		for goOn := true; goOn; {
			goOn = false // an end may be what another call waits for
			for _, b := range branches {
				goOn = b.advance() || goOn
			}
		}
		if len(t.parallel) == 0 {
			return nil
		}
		if err := t.park(); err != nil {
			return err
		}
	}
}

// branch is the coroutine of one of several tool calls.
type branch struct {
	next func() (struct{}, bool)
	stop func()
	over bool
}

func newBranch(c *toolCall) *branch {
	b := &branch{}
	b.next, b.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		c.run() // after an error the call is open still, and is closed with the turn
	})
	return b
}

// advance lets the call go on until it parks or ends. It reports whether it has ended now.
func (b *branch) advance() bool {
	if b.over {
		return false
	}
	_, parked := b.next()
	b.over = !parked
	return b.over
}
