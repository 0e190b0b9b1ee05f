//go:build unix

package reference_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A session whose log has a hole is not resumed: what the hole holds could be the switch to never. The answer names the
// file and the line, and the log stays as it is.
func TestResumeOnADamagedLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").ready(1)
	w.send(w.closing(2, 0))
	w.until(`"id":2`)
	w.store(0, w.cwd)
	if err := os.MkdirAll(filepath.Dir(w.logFile(0)), 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"type":"turn/start","seq":0,"time":"","data":{"turn":1}}` + "\x01\n" +
		`{"type":"approval/policy","seq":1,"time":"","data":{"policy":"never"}}
{"type":"turn/end","seq":2,"time":"","data":{"turn":1}}
`
	if err := os.WriteFile(w.logFile(0), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.send(w.resuming(3, 0, ""))
	if line := w.next(); !strings.Contains(line, `"id":3,"error":{"code":-32603`) || !strings.Contains(line, "line 1 of the audit log "+w.logFile(0)) {
		t.Error(line)
	}
	w.send(w.prompt(4, 0))
	w.until(`"id":4,"error":{"code":-32602`)
	w.close()
	if data, err := os.ReadFile(w.logFile(0)); err != nil || string(data) != text {
		t.Errorf("the log is now %q, %v", data, err)
	}
	if n := w.count("turn/start"); n != 0 {
		t.Errorf("%d turns reached the host", n)
	}
}

// A session that another adapter has open is not resumed beside it.
func TestResumeOfAnOpenSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").ready(1)
	w.send(w.prompt(2, 0))
	w.until(`"id":2`)
	w.store(0, w.cwd)
	next := w.restarted()
	next.send(next.resuming(3, 0, ""))
	if line := next.next(); !strings.Contains(line, `"id":3,"error":{"code":-32603`) {
		t.Error(line)
	}
	w.close()
	next.send(next.resuming(4, 0, ""))
	if line := next.next(); !strings.Contains(line, `"id":4,"result"`) {
		t.Error(line)
	}
	next.close()
}
