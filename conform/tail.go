package conform

import (
	"strings"
	"sync"
)

// tailLimit bounds what is kept of a stderr: enough for a stack trace of any runtime.
const tailLimit = 64 << 10

// tail is a writer that keeps the last bytes written to it.
type tail struct {
	mu      sync.Mutex
	buf     []byte
	dropped bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailLimit; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		t.dropped = true
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := strings.ToValidUTF8(string(t.buf), "\uFFFD")
	if t.dropped {
		return "…" + s
	}
	return s
}
