package approval

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// ErrNoTurn says that a request came outside an open turn (REQ-APPR-01).
var ErrNoTurn = errors.New("approval asked outside an open turn")

var (
	errTwice   = errors.New("next was called twice")
	errDecided = errors.New("the request was decided meanwhile")
)

// Config is how a Service is set up.
type Config struct {
	Policy Policy        // policy of sessions without one of their own; empty means Ask (REQ-APPR-26)
	NewID  func() string // ids of requests; nil means random UUIDs of version 4
}

// Service decides requests. It is stateless but for its list of answerers; all methods may be called from any
// goroutine.
type Service struct {
	policy Policy
	newID  func() string

	mu    sync.Mutex
	chain []*entry
}

type entry struct{ answer Answerer }

// New makes a service, or fails on a policy that does not exist (REQ-APPR-25).
func New(c Config) (*Service, error) {
	if c.Policy == "" {
		c.Policy = Ask
	}
	if _, err := ParsePolicy(string(c.Policy)); err != nil {
		return nil, fmt.Errorf("set up the approval service: %w", err)
	}
	if c.NewID == nil {
		c.NewID = randomID
	}
	return &Service{policy: c.Policy, newID: c.NewID}, nil
}

// Add puts an answerer at the end of the chain. The function returned takes it out again.
func (s *Service) Add(a Answerer) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &entry{a}
	s.chain = append(s.chain, e)
	return func() { s.remove(e) }
}

// Prepend puts an answerer in front of the chain, for gates that decide or delegate.
func (s *Service) Prepend(a Answerer) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &entry{a}
	s.chain = append([]*entry{e}, s.chain...)
	return func() { s.remove(e) }
}

func (s *Service) remove(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept []*entry
	for _, other := range s.chain {
		if other != e {
			kept = append(kept, other)
		}
	}
	s.chain = kept
}

func (s *Service) answerers() []*entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*entry(nil), s.chain...)
}

// Policy is the policy in force for an agent (REQ-POL-01).
func (s *Service) Policy(a Agent) Policy { return EffectivePolicy(a.Events(), s.policy) }

// SetPolicy switches an agent's policy: one event, or an error and none (REQ-POL-02).
func (s *Service) SetPolicy(a Agent, p Policy) error {
	if _, err := ParsePolicy(string(p)); err != nil {
		return err
	}
	if err := a.Append(EventPolicy, PolicyData{p}); err != nil {
		return fmt.Errorf("log the approval policy: %w", err)
	}
	return nil
}

// EffectivePolicy is the last policy that the events set, else the one given, else Ask.
func EffectivePolicy(events []Event, configured Policy) Policy {
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Type != EventPolicy {
			continue
		}
		var d PolicyData
		if json.Unmarshal(events[i].Data, &d) == nil {
			if p, err := ParsePolicy(string(d.Policy)); err == nil {
				return p
			}
		}
		return Never // a policy that cannot be read must not open anything
	}
	if configured == "" {
		return Ask
	}
	return configured
}

// OpenTurn reports whether the events end inside a turn.
func OpenTurn(events []Event) bool {
	for i := len(events) - 1; i >= 0; i-- {
		switch events[i].Type {
		case TurnStart:
			return true
		case TurnEnd:
			return false
		}
	}
	return false
}

// Request decides one question by the rules of the package. While ctx lives it waits for an answer; there is no
// deadline of its own. With an error the outcome is never a grant: it is empty when nothing was asked, and what was
// decided when only the log of the decision failed.
func (s *Service) Request(ctx context.Context, req *Request) (Outcome, error) {
	switch {
	case req == nil || req.Agent == nil:
		return "", errors.New("approval asked without an agent")
	case req.ToolName == "":
		return "", errors.New("approval asked without a tool name")
	case !OpenTurn(req.Agent.Events()):
		return "", ErrNoTurn
	}
	id := s.newID()
	asked := AskedData{ID: id, ToolName: req.ToolName, CallID: req.CallID, Reason: req.Reason}
	if err := req.Agent.Append(EventAsked, asked); err != nil {
		return "", fmt.Errorf("log the question, so nothing was asked: %w", err)
	}
	out := s.decide(ctx, req)
	if err := req.Agent.Append(EventDecided, DecidedData{ID: id, Outcome: out}); err != nil {
		if out == AllowedOnce {
			out = Unavailable
		}
		return out, fmt.Errorf("log the decision, so nothing is granted: %w", err)
	}
	return out, nil
}

func (s *Service) decide(ctx context.Context, req *Request) Outcome {
	if ctx.Err() != nil {
		return Cancelled
	}
	if s.Policy(req.Agent) == Never {
		return Rejected
	}
	return s.dispatch(ctx, req)
}

// dispatch runs the chain in a goroutine of its own, so that an abort waits for nobody and a failure of any kind
// stays inside.
func (s *Service) dispatch(ctx context.Context, req *Request) Outcome {
	chain := s.answerers()
	inner, stop := context.WithCancel(ctx)
	defer stop()
	result := make(chan Outcome, 1)
	go func() {
		out := Unavailable
		defer func() {
			if recover() != nil {
				out = Unavailable
			}
			result <- out
		}()
		got, err := walk(inner, req, chain)
		if err == nil && got.Valid() {
			out = got
		}
	}()
	select {
	case out := <-result:
		if ctx.Err() != nil {
			return Cancelled
		}
		return out
	case <-ctx.Done():
		return Cancelled
	}
}

func walk(ctx context.Context, req *Request, chain []*entry) (Outcome, error) {
	if ctx.Err() != nil {
		return "", errDecided
	}
	if len(chain) == 0 {
		return Unavailable, nil
	}
	var used atomic.Bool
	next := func() (Outcome, error) {
		if used.Swap(true) {
			return "", errTwice
		}
		return walk(ctx, req, chain[1:])
	}
	return chain[0].answer(ctx, req, next)
}

// randomID mints a UUID of version 4.
func randomID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: the program ends when the system has no randomness
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
