package muse

import (
	"bytes"
	"encoding/json"
	"fmt"

	"acp-conform/reference/rpc"
)

// The codes of the error table (msp.md §7.5, §8) that the adapter tells apart.
const (
	CodeInternal         = -32603
	CodeSessionNotFound  = -32020
	CodeSessionInUse     = -32021
	CodeApprovalResolved = -32051
	CodeStageStale       = -32053
	CodeInputSettled     = -32056
)

// ExitNoSurface is the exit code of a host whose serve surface is closed (msp.md §1.4).
const ExitNoSurface = 5

// Error is an error that the host answered. Its message is the host's own text and is not for the client.
type Error struct {
	Code      int
	Kind      string
	Message   string
	Retryable *bool
}

func (e *Error) Error() string { return fmt.Sprintf("MSP %d", e.Code) }

// ProtocolError says that the host broke the protocol.
type ProtocolError struct{ What string }

func (e *ProtocolError) Error() string { return "Muse broke its protocol: " + e.What }

// Reply is the answer to a request: a result, or an error of one of the two types above.
type Reply struct {
	Result json.RawMessage
	Err    error
}

// readReply decodes a response.
func readReply(m rpc.Message) Reply {
	switch {
	case m.Broken:
		return Reply{Err: &ProtocolError{"a response with both a result and an error"}}
	case m.Error != nil:
		var e struct {
			Code    *int   `json:"code"`
			Message string `json:"message"`
			Data    struct {
				Kind      string `json:"kind"`
				Retryable *bool  `json:"retryable"`
			} `json:"data"`
		}
		if json.Unmarshal(m.Error, &e) != nil || e.Code == nil || e.Data.Kind == "" {
			return Reply{Err: &ProtocolError{"an error without a code or without data.kind"}}
		}
		return Reply{Err: &Error{Code: *e.Code, Kind: e.Data.Kind, Message: e.Message, Retryable: e.Data.Retryable}}
	case !bytes.HasPrefix(m.Result, []byte("{")):
		return Reply{Err: &ProtocolError{"a result that is not an object"}}
	}
	return Reply{Result: m.Result}
}

// Decode reads the result into v.
func (r Reply) Decode(v any) error {
	if r.Err != nil {
		return r.Err
	}
	if err := json.Unmarshal(r.Result, v); err != nil {
		return &ProtocolError{"a result that cannot be read"}
	}
	return nil
}

// Acked checks the acknowledgement of the command with that id: when it names a command, it must be this one.
func (r Reply) Acked(commandID string) (Ack, error) {
	var a Ack
	if err := r.Decode(&a); err != nil {
		return a, err
	}
	if a.CommandID != nil && *a.CommandID != commandID {
		return a, &ProtocolError{"an acknowledgement of another command"}
	}
	return a, nil
}
