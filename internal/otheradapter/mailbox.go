package otheradapter

import "sync"

// mailbox hands things to one goroutine, in the order in which they were put. Putting never blocks.
type mailbox[T any] struct {
	mu     sync.Mutex
	items  []T
	closed bool
	bell   chan struct{} // holds a token when there may be something to take
}

func newMailbox[T any]() *mailbox[T] { return &mailbox[T]{bell: make(chan struct{}, 1)} }

// put adds things that the taker sees together. A closed mailbox drops them and says so.
func (m *mailbox[T]) put(things ...T) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.items = append(m.items, things...)
	m.ring()
	return true
}

func (m *mailbox[T]) ring() {
	select {
	case m.bell <- struct{}{}:
	default:
	}
}

// close lets the taker have what is there, and nothing more.
func (m *mailbox[T]) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.ring()
}

// take waits for something. It gives false once the mailbox is closed and empty.
func (m *mailbox[T]) take() ([]T, bool) {
	for {
		m.mu.Lock()
		things, closed := m.items, m.closed
		m.items = nil
		m.mu.Unlock()
		if len(things) > 0 {
			return things, true
		}
		if closed {
			return nil, false
		}
		<-m.bell
	}
}
