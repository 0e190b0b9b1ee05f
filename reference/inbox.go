package reference

import (
	"encoding/json"
	"sync"
	"time"
)

// inbox is what waits for a session's goroutine, in the order in which it came. It has no bound: what fills it is
// what the session's host and client send.
type inbox struct {
	mu    sync.Mutex
	queue []any
	wake  chan struct{}
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

// What an inbox holds, beside muse.Event.
type (
	startTurn   struct{ turn *turn }
	cancelTurn  struct{ turn *turn }
	clientReply struct {
		ask   *ask
		reply reply
	}
	formReply struct {
		form  *form
		reply reply
	}
	hooksRan struct {
		approval *pending
		result   hookResult
	}
	closeSession struct{ id json.RawMessage } // of the request, which is answered when the session has ended
	clientGone   struct{ told bool }          // the client has ended, or the adapter is told to end
)

func (b *inbox) post(event any) {
	b.mu.Lock()
	b.queue = append(b.queue, event)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *inbox) pop() any {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 {
		b.queue = nil
		return nil
	}
	event := b.queue[0]
	b.queue[0] = nil
	b.queue = b.queue[1:]
	return event
}

// next waits for an event until the deadline; the zero time is none. It gives nil when the deadline came first.
func (b *inbox) next(deadline time.Time) any {
	if event := b.pop(); event != nil {
		return event
	}
	var late <-chan time.Time
	if !deadline.IsZero() {
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		late = timer.C
	}
	for {
		select {
		case <-b.wake:
			if event := b.pop(); event != nil {
				return event
			}
		case <-late:
			return b.pop()
		}
	}
}
