//go:build unix

package reference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

// CI1 to CI4: a session is closed, perhaps resumed and asking again, when the answer to what it asked before comes, and
// another session has a question of its own open. The stale answer decides nothing anywhere; each open question takes its
// own answer and its turn goes on. With the fault the stale answer is given to the newest question, which shows.
func TestStaleAnswerBesideAnOpenOne(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		script, asks   string
		stale, own     func(id int) string
		decides        string // the method of a decision
		staleIn, ownIn string // what of a decision tells them apart
	}{
		"an approval": {
			"approve-each", "session/request_permission",
			func(id int) string { return selected(id, "allow_once") }, func(id int) string { return selected(id, "abort") },
			`"approval/decide"`, `"choiceId":"allow_once"`, `"choiceId":"abort"`,
		},
		"a form": {
			"input:1", "elicitation/create",
			func(id int) string { return accept(id, `{"q1":"red"}`) }, func(id int) string { return accept(id, `{"q1":"blue"}`) },
			`"userInput/answer"`, `"selectedLabel":"red"`, `"selectedLabel":"blue"`,
		},
	} {
		for _, resumed := range []bool{false, true} {
			for _, fault := range []reference.Fault{"", reference.StaleReplyTaken} {
				t.Run(fmt.Sprintf("%s, resumed=%t, fault=%s", kind, resumed, fault), func(t *testing.T) {
					t.Parallel()
					w := newFormWorld(t, c.script, func(o *reference.Options) { o.Fault = fault }).ready(2)
					w.send(w.prompt(20, 0))
					w.until(c.asks)
					w.send(w.closing(21, 0))
					w.until(`"id":21,"result"`)
					open := []int{1} // the ids of the questions that are open, the oldest first
					w.send(w.prompt(22, 1))
					w.until(c.asks)
					if resumed {
						w.store(0, w.cwd)
						w.send(w.resuming(23, 0, ""), w.prompt(24, 0))
						w.until(c.asks)
						open = append(open, 2)
					}
					w.send(c.stale(0))
					for i, id := range open {
						w.send(c.own(id))
						want := fmt.Sprintf(`"id":%d,"result":{"stopReason":"end_turn"}`, 22+2*i)
						if fault == "" {
							w.until(want)
						}
					}
					w.close()
					var got []string
					for _, line := range w.hostFrames() {
						if strings.Contains(line, c.decides) {
							got = append(got, fmt.Sprint(strings.Contains(line, c.staleIn), strings.Contains(line, c.ownIn)))
						}
					}
					want := []string{}
					for range open {
						want = append(want, "false true")
					}
					if diff := cmp.Diff(want, got); (diff == "") != (fault == "") {
						t.Errorf("decisions, stale and own (-want +got):\n%s", diff)
					}
				})
			}
		}
	}
}
