//go:build unix

package reference_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"acp-conform/reference"
	"acp-conform/reference/audit"
)

// failing is the file of a log that takes no event of one type.
type failing struct {
	*os.File
	event string
}

func (f failing) Write(text []byte) (int, error) {
	if bytes.HasPrefix(text, []byte(`{"type":"`+f.event+`"`)) {
		return 0, errors.New("the disk is full")
	}
	return f.File.Write(text)
}

// Whatever event cannot be logged up to a decision, nothing is granted that the user has allowed, the prompt fails and
// the adapter goes on (REQ-APPR-21, MUSE-AUD-01).
func TestEventThatCannotBeLogged(t *testing.T) {
	t.Parallel()
	for event, asked := range map[string]bool{
		"turn/start": false, "tool/call": false, "hook/invoked": false, "hook/result": false, "approval/asked": false, "approval/decided": true,
	} {
		t.Run(event, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "approve", func(o *reference.Options) { o.Hooks = []string{"/bin/sh -c exit"} })
			w.logs.Wrap = func(f *os.File) audit.File { return failing{f, event} }
			w.ready(1)
			w.send(w.prompt(2, 0))
			answers := 0
			lines := w.answering(`"id":2`, func(id, line string) string {
				answers++
				return chooses("allow_once", "")(id, line)
			})
			if last := lines[len(lines)-1]; !strings.Contains(last, `"code":-32603`) || !strings.Contains(last, `"auditLog"`) {
				t.Errorf("the prompt: %s", last)
			}
			if (answers == 1) != asked || answers > 1 {
				t.Errorf("the client was asked %d times", answers)
			}
			w.close()
			if d := w.decisions(); len(d) != 0 || w.marker("call1") {
				t.Errorf("decisions: %q", d)
			}
		})
	}
}
