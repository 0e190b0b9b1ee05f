package rpc

import (
	"fmt"
	"io"
	"sync"
)

// Writer puts lines out, one after the other and each whole, in the order of Send. A goroutine of its own does the
// writing, so that a slow reader on the other side holds up nobody; the queue has no bound, because what waits in it
// was produced by turns that a reader can cancel.
type Writer struct {
	out    io.Writer
	wake   chan struct{}
	done   chan struct{}
	failed chan struct{}

	mu     sync.Mutex
	queue  [][]byte
	closed bool
	err    error
}

// NewWriter starts a writer. Close ends it.
func NewWriter(out io.Writer) *Writer {
	w := &Writer{out: out, wake: make(chan struct{}, 1), done: make(chan struct{}), failed: make(chan struct{})}
	go w.run()
	return w
}

// Send queues lines, together. The bytes must not be changed afterwards. After Close or a failure they are dropped.
func (w *Writer) Send(lines ...[]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.err != nil {
		return
	}
	w.queue = append(w.queue, lines...)
	w.signal()
}

func (w *Writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Close takes no more lines; what is queued is still written. Done tells when.
func (w *Writer) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.signal()
}

// Done is closed when the writer has ended: everything was written after Close, or a write failed.
func (w *Writer) Done() <-chan struct{} { return w.done }

// Failed is closed when a write failed.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Err is the failure, if there was one.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *Writer) run() {
	defer close(w.done)
	for range w.wake {
		for {
			w.mu.Lock()
			lines, closed := w.queue, w.closed
			w.queue = nil
			w.mu.Unlock()
			if len(lines) == 0 {
				if closed {
					return
				}
				break
			}
			for _, line := range lines {
				if _, err := w.out.Write(line); err != nil {
					w.mu.Lock()
					w.err = fmt.Errorf("write a line: %w", err)
					w.queue = nil
					w.mu.Unlock()
					close(w.failed)
					return
				}
			}
		}
	}
}
