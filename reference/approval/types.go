package approval

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Outcome is how a request ended. The set is closed; AllowedOnce is the only grant (approval-seam.md §1.1).
type Outcome string

// The four outcomes, spelled as they are logged.
const (
	AllowedOnce Outcome = "allowed-once" // this one action may go ahead
	Rejected    Outcome = "rejected"     // a person or the policy said no
	Cancelled   Outcome = "cancelled"    // the question was dismissed, or the work that asked was aborted
	Unavailable Outcome = "unavailable"  // nobody could answer
)

// Outcomes lists the vocabulary.
func Outcomes() []Outcome { return []Outcome{AllowedOnce, Rejected, Cancelled, Unavailable} }

// Valid reports whether the outcome is in the vocabulary, letter for letter (REQ-APPR-16).
func (o Outcome) Valid() bool { return slices.Contains(Outcomes(), o) }

// Policy says whether the agent's questions reach an answerer at all.
type Policy string

// The two policies.
const (
	Ask   Policy = "ask"   // questions go to the answerers
	Never Policy = "never" // questions are rejected by the service
)

// Policies lists the policies in the order in which they are advertised.
func Policies() []Policy { return []Policy{Ask, Never} }

// ParsePolicy reads a policy's name. The error names the value and the choices (REQ-APPR-25, REQ-POL-02).
func ParsePolicy(name string) (Policy, error) {
	if p := Policy(name); slices.Contains(Policies(), p) {
		return p, nil
	}
	var names []string
	for _, p := range Policies() {
		names = append(names, fmt.Sprintf("%q", string(p)))
	}
	return "", fmt.Errorf("approval policy %q: must be one of %s", name, strings.Join(names, " or "))
}

// Event is one entry of an agent's log.
type Event struct {
	Type string
	Data json.RawMessage
}

// The types of events that the seam reads or writes.
const (
	TurnStart    = "turn/start"
	TurnEnd      = "turn/end"
	EventAsked   = "approval/asked"
	EventDecided = "approval/decided"
	EventPolicy  = "approval/policy"
	eventPrefix  = "approval/"
)

// Durable reports whether an event of this type must be on disk when its append returns.
func Durable(eventType string) bool { return strings.HasPrefix(eventType, eventPrefix) }

// AskedData is the data of an approval/asked event, in the order of its keys (REQ-APPR-03).
type AskedData struct {
	ID       string `json:"id"`
	ToolName string `json:"toolName"`
	CallID   string `json:"callId,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// DecidedData is the data of an approval/decided event.
type DecidedData struct {
	ID      string  `json:"id"`
	Outcome Outcome `json:"outcome"`
}

// PolicyData is the data of an approval/policy event.
type PolicyData struct {
	Policy Policy `json:"policy"`
}

// Agent is who asks: the owner of a session's log. Agents are told apart by identity, so an implementation is a
// pointer (REQ-ACP-01). Its methods may be called from several goroutines.
type Agent interface {
	// Events are the log so far, oldest first. The caller does not change them.
	Events() []Event
	// Append adds one event. When it returns nil for a Durable type, the event is on disk.
	Append(eventType string, data any) error
}

// Request is one question. The context passed beside it is the signal that aborts it.
type Request struct {
	Agent    Agent
	ToolName string
	CallID   string // the tool call that is asked about; empty when there is none
	Reason   string // why the asker asks; for the log, never for the wire (REQ-ACP-04)
}

// Next hands a request to the rest of the chain. It may be called once; it fails when the request was decided
// meanwhile.
type Next func() (Outcome, error)

// Answerer answers a request, or delegates by calling next. The context ends when the request is decided without it.
type Answerer func(ctx context.Context, req *Request, next Next) (Outcome, error)
