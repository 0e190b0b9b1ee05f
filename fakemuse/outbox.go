package fakemuse

import (
	"io"
	"sync"
)

// outbox is a queue of bytes in front of a writer, so that nobody who holds a lock waits for a slow reader. It has no
// bound of its own: what the host says is bounded by its script, what an adapter says by wire.Limits.
type outbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	pending []byte
	closed  bool
	left    bool
	gone    chan struct{}
}

func newOutbox() *outbox {
	o := &outbox{gone: make(chan struct{})}
	o.changed = sync.NewCond(&o.mu)
	return o
}

// push adds bytes; after close they are dropped.
func (o *outbox) push(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	o.pending = append(o.pending, b...)
	o.changed.Signal()
}

// close lets run end once everything is written.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.changed.Signal()
}

// abandon drops what is not yet written and lets run end.
func (o *outbox) abandon() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.pending = true, nil
	if !o.left {
		o.left = true
		close(o.gone)
	}
	o.changed.Signal()
}

// run writes until the outbox is closed and empty, or a write fails.
func (o *outbox) run(w io.Writer) {
	var spare []byte
	for {
		o.mu.Lock()
		for len(o.pending) == 0 && !o.closed {
			o.changed.Wait()
		}
		if len(o.pending) == 0 {
			o.mu.Unlock()
			return
		}
		batch := o.pending
		o.pending = spare[:0]
		o.mu.Unlock()
		if _, err := w.Write(batch); err != nil {
			o.abandon()
			return
		}
		spare = batch
	}
}
