package reference

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync"
)

// question is a request to the client that waits for its answer.
type question interface {
	// heard hands the answer to the session that asked.
	heard(r reply)
}

// calls are the requests to the client that wait for an answer. Their ids are a counter of their own (REQ-ACP-06),
// matched by type and value.
type calls struct {
	mu   sync.Mutex
	next int
	open map[string]question
}

func newCalls() *calls { return &calls{open: map[string]question{}} }

// register gives a question its id.
func (c *calls) register(k question) json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := strconv.Itoa(c.next)
	c.next++
	c.open[id] = k
	return json.RawMessage(id)
}

// take finds the question that an answer is for, once. With swap, the answers to two open questions are exchanged.
func (c *calls) take(id json.RawMessage, swap bool) question {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.open[string(id)]
	delete(c.open, string(id))
	if k == nil || !swap || len(c.open) == 0 {
		return k
	}
	var others []string
	for other := range c.open {
		others = append(others, other)
	}
	slices.Sort(others)
	k, c.open[others[0]] = c.open[others[0]], k
	return k
}

// asking reports whether a question about an approval of the session waits for its answer. One whose turn the client
// has cancelled does not: the client has given it up.
func (c *calls) asking(s *session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range c.open {
		if k, ok := q.(*ask); ok && k.s == s && !k.givenUp {
			return true
		}
	}
	return false
}

// giveUp marks the questions of a session whose turn the client has cancelled.
func (c *calls) giveUp(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range c.open {
		if k, ok := q.(*ask); ok && k.s == s {
			k.givenUp = true
		}
	}
}

// forget gives a question up: an answer that comes later is for nothing.
func (c *calls) forget(k question) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, other := range c.open {
		if other == k {
			delete(c.open, id)
		}
	}
}
