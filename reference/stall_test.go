//go:build unix

package reference_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"acp-conform/reference"
)

// PW8: three dialogs of one turn, each open for longer than Muse may stand still, and the turn ends well: the bound is
// for Muse, not for the user. How long each is open is measured by a turn beside it that stalls: its bound begins when
// the dialog is there, and the dialog is answered when it is over.
func TestThreeDialogsLongerThanTheBound(t *testing.T) {
	t.Parallel()
	for fault, ends := range map[reference.Fault]bool{"": true, reference.OpenStalls: false} {
		t.Run(fmt.Sprintf("fault=%s", fault), func(t *testing.T) {
			t.Parallel()
			// Long enough for a slow machine to take a decision and to ask again, which the bound is for.
			w := newWorld(t, "three-or-stuck", func(o *reference.Options) { o.Deadlines.Stall, o.Fault = 2*time.Second, fault }).ready(4)
			w.send(w.prompt(20, 0))
			for dialog := range 3 {
				line := w.next()
				for !strings.Contains(line, "request_permission") && !strings.Contains(line, `"id":20,`) {
					line = w.next()
				}
				if strings.Contains(line, `"id":20,`) {
					if ends {
						t.Fatalf("the turn ended in dialog %d: %s", dialog+1, line)
					}
					w.close()
					return
				}
				mine, beside := 2*dialog, 2*dialog+1 // the ids of the questions
				w.send(strings.Replace(w.prompt(30+dialog, dialog+1), sayHello, `{"type":"text","text":"be stuck"}`, 1))
				w.until("request_permission")
				w.send(selected(beside, "allow_once"))
				lines := w.until(fmt.Sprintf(`"id":%d,"error"`, 30+dialog))
				if !contains(lines, "no host progress for 2s") {
					t.Fatalf("the turn beside it did not stall: %q", lines)
				}
				if contains(lines, `"id":20,`) {
					if ends {
						t.Fatalf("the turn ended in dialog %d: %q", dialog+1, lines)
					}
					w.close()
					return
				}
				w.send(selected(mine, "allow_once"))
			}
			w.until(`"id":20,"result":{"stopReason":"end_turn"}`)
			w.close()
			for _, call := range []string{"call1", "call2", "call3"} {
				if !w.marker(call) {
					t.Errorf("%s did not run", call)
				}
			}
			if !ends {
				t.Error("the fault does not show")
			}
		})
	}
}
