package rpc

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"
)

// Writer puts lines out, one after the other and each whole, in the order of Send. A goroutine of its own does the
// writing, so that a slow reader on the other side holds up nobody; the queue has no bound, because what waits in it
// was produced by turns that a reader can cancel.
type Writer struct {
	out    io.Writer
	pace   Pace
	wake   chan struct{}
	done   chan struct{}
	failed chan struct{}
	ending chan struct{} // closed by Close

	mu     sync.Mutex
	queue  [][]byte // each is written in one piece
	joins  bool     // lines are collected, as one piece
	joined []byte
	narrow bool // long lines wait for a short one, and only so many
	room   int  // how many of them
	long   [][]byte
	closed bool
	err    error
}

// NewWriter starts a writer. Close ends it.
func NewWriter(out io.Writer, pace Pace) *Writer {
	w := &Writer{out: out, pace: pace, wake: make(chan struct{}, 1), done: make(chan struct{}), failed: make(chan struct{}), ending: make(chan struct{})}
	go w.run()
	return w
}

// Send queues a line. The bytes must not be changed afterwards. After Close or a failure they are dropped.
func (w *Writer) Send(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.err != nil {
		return
	}
	if w.joins {
		w.joined = append(w.joined, line...)
		return
	}
	if w.waits(line) {
		return
	}
	w.queue = append(append(w.queue, w.long...), line)
	w.long = nil
	w.signal()
}

// Narrow makes a writer that holds long lines back until a short one comes, and drops those for which there is no room by
// then: what becomes of an adapter with little room whose client reads slowly, at any speed. A right adapter has room.
func (w *Writer) Narrow(room int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.narrow, w.room = true, room
}

// waits reports whether a line is held back, or dropped.
func (w *Writer) waits(line []byte) bool {
	const long = 4096 // bytes
	if !w.narrow || len(line) <= long {
		return false
	}
	if len(w.long) < w.room {
		w.long = append(w.long, line)
	}
	return true
}

// Together writes in one piece what is sent while f runs, so that nobody can see a part of it alone.
func (w *Writer) Together(f func()) {
	w.mu.Lock()
	w.joins = true
	w.mu.Unlock()
	f()
	w.mu.Lock()
	piece := w.joined
	w.joins, w.joined = false, nil
	w.mu.Unlock()
	if len(piece) > 0 {
		w.Send(piece)
	}
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
	if !w.closed {
		close(w.ending)
	}
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

// late waits as long as the pace says; nobody is kept waiting once the writer ends.
func (w *Writer) late() {
	if w.pace.Wait <= 0 {
		return
	}
	timer := time.NewTimer(w.pace.Wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.ending:
	}
}

func (w *Writer) run() {
	defer close(w.done)
	for range w.wake {
		for {
			if w.pace.Join {
				w.late()
			}
			w.mu.Lock()
			pieces, closed := w.queue, w.closed
			w.queue = nil
			w.mu.Unlock()
			if len(pieces) == 0 {
				if closed {
					return
				}
				break
			}
			if w.pace.Join {
				pieces = [][]byte{bytes.Join(pieces, nil)}
			}
			for _, piece := range pieces {
				if !w.pace.Join {
					w.late()
				}
				if _, err := w.out.Write(piece); err != nil {
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
