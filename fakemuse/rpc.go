package fakemuse

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The envelopes of MSP, members in the order in which a real host writes them.
type (
	resultFrame struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}
	errorFrame struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *rpcError       `json:"error"`
	}
	requestFrame struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      int             `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	notificationFrame struct {
		JSONRPC string          `json:"jsonrpc"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
		Emitted int64           `json:"emittedAtMs"`
	}
)

// rpcError is an error answer. Its data always has a kind (msp.md §2).
type rpcError struct {
	Code    int       `json:"code"`
	Message string    `json:"message"`
	Data    errorData `json:"data"`
}

// errorData is what errors carry besides kind and retryable, as msp.md §8 lists it by code.
type errorData struct {
	Kind       string          `json:"kind"`
	Retryable  *bool           `json:"retryable,omitempty"`
	SessionID  string          `json:"sessionId,omitempty"`
	CommandID  string          `json:"commandId,omitempty"`
	Reason     string          `json:"reason,omitempty"`
	Capability string          `json:"capability,omitempty"`
	ApprovalID string          `json:"approvalId,omitempty"`
	ChoiceID   string          `json:"choiceId,omitempty"`
	Current    *requirementID  `json:"currentRequirementId,omitempty"`
	Resolution *resolutionData `json:"resolution,omitempty"`
	LimitBytes int             `json:"limitBytes,omitempty"`
	Descriptor string          `json:"descriptor,omitempty"`

	LastTurnID   string          `json:"lastTurnId,omitempty"`
	Selector     string          `json:"selector,omitempty"`
	UserInputID  string          `json:"userInputId,omitempty"`
	Settlement   *settlementData `json:"settlement,omitempty"`
	Details      string          `json:"details,omitempty"`
	Earliest     string          `json:"earliestCursor,omitempty"`
	ViewCursor   string          `json:"viewCursor,omitempty"`
	Availability string          `json:"availability,omitempty"`
	ItemID       string          `json:"itemId,omitempty"`
	OutputRef    string          `json:"outputRef,omitempty"`
	Anchor       string          `json:"anchor,omitempty"`
	more         json.RawMessage // further members, as a script gave them
}

// MarshalJSON writes the data, with the further members of a scripted error.
func (d errorData) MarshalJSON() ([]byte, error) {
	type plain errorData
	own := encode(plain(d))
	if d.more == nil {
		return own, nil
	}
	members := map[string]any{}
	if err := json.Unmarshal(d.more, &members); err != nil {
		return nil, err
	}
	return withMembers(own, members), nil
}

type settlementData struct {
	Outcome    string `json:"outcome"`
	ViewCursor string `json:"viewCursor"`
}

type resolutionData struct {
	Decision   string `json:"decision"`
	ResolvedBy string `json:"resolvedBy"`
	ViewCursor string `json:"viewCursor"`
}

// failure makes an error that is not worth a retry.
func failure(code int, kind, format string, args ...any) *rpcError {
	return &rpcError{Code: code, Message: fmt.Sprintf(format, args...), Data: errorData{Kind: kind, Retryable: new(bool)}}
}

func methodNotFound() *rpcError {
	// A real host sends this one without `retryable`.
	return &rpcError{Code: -32601, Message: "method not found", Data: errorData{Kind: "methodNotFound"}}
}

func invalidParams(method, problem string) *rpcError {
	return failure(-32602, "invalidParams", "Invalid params: invalid %s params: %s", method, problem)
}

// rejected refuses a command that was understood (msp.md §4).
func rejected(method, commandID, reason string) *rpcError {
	e := failure(-32030, "commandRejected", "%s command %s rejected: %s", method, commandID, reason)
	e.Data.CommandID, e.Data.Reason = commandID, reason
	return e
}

func sessionNotFound(id string) *rpcError {
	e := failure(-32020, "sessionNotFound", "session %s was not found", id)
	e.Data.SessionID = id
	return e
}

func sessionInUse(id string) *rpcError {
	e := failure(-32021, "sessionInUse", "session %s is already in use", id)
	e.Data.SessionID = id
	return e
}

func sessionNotLoaded(id string) *rpcError {
	e := failure(-32024, "sessionNotLoaded", "session %s is not loaded", id)
	e.Data.SessionID = id
	return e
}

// encode writes a value as a real host does: no spaces, and no escapes for the sake of HTML.
func encode(v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// Our own types and texts that were JSON already; nothing that came from outside gets here unread.
		panic(fmt.Sprintf("fakemuse: a frame cannot be written: %v", err))
	}
	return bytes.TrimRight(buf.Bytes(), "\n")
}

// canonical writes a JSON text so that two texts of the same content are equal: members sorted, no spaces, numbers by
// their text.
func canonical(text json.RawMessage) string {
	if len(text) == 0 {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(text)
	}
	return string(encode(v))
}
