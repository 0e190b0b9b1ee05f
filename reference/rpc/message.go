package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// The error codes of JSON-RPC 2.0.
const (
	ParseError     = -32700
	InvalidRequest = -32600
	MethodNotFound = -32601
	InvalidParams  = -32602
	InternalError  = -32603
)

// Error is the error member of a response.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// Errorf makes an Error.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Kind is what a message is.
type Kind int

// The kinds of messages.
const (
	Blank        Kind = iota // an empty line
	Request                  // has a method and an id, which may be null
	Notification             // has a method and no id
	Response                 // has an id and a result or an error, and no method
	Invalid                  // anything else; to be answered with the error of Parse
)

// Message is one line as JSON-RPC sees it. All raw members are copies of the bytes that came.
type Message struct {
	Kind   Kind
	ID     json.RawMessage // string, number or null; nil when the message has none that can be used
	Method string
	Params json.RawMessage // nil when absent
	Result json.RawMessage // nil when absent
	Error  json.RawMessage // nil when absent
	Broken bool            // a response that has both a result and an error, a member twice, or no version 2.0
}

// Null is the id of an answer to something whose id is not known.
func Null() json.RawMessage { return json.RawMessage("null") }

// Parse reads a line. For Invalid the error says how to answer, under the message's ID (ACP-RPC-10, ACP-RPC-11,
// ACP-RPC-12).
//
//   - A CR before the LF is white space (ACP-TRN-09); a line of white space is Blank (ACP-TRN-10).
//   - Bytes that are not UTF-8 or not JSON: -32700, id null.
//   - A scalar or an array, batches included: -32600, id null.
//   - An object without "jsonrpc":"2.0", with a method that is no string, or with neither method, result nor error:
//     -32600, under its id where that is a string, a number or null.
//   - Member names are matched letter for letter; of two equal ones the last counts, and a response that has any is
//     Broken: it may be meant otherwise, and it may be a grant.
func Parse(line []byte) (Message, *Error) {
	line = bytes.Trim(line, " \t\r\n")
	if len(line) == 0 {
		return Message{Kind: Blank}, nil
	}
	bad := func(id json.RawMessage, e *Error) (Message, *Error) {
		if id == nil {
			id = Null()
		}
		return Message{Kind: Invalid, ID: id}, e
	}
	switch {
	case !utf8.Valid(line):
		return bad(nil, Errorf(ParseError, "Parse error: the line is not UTF-8"))
	case !json.Valid(line):
		return bad(nil, Errorf(ParseError, "Parse error: the line is not JSON"))
	case line[0] == '[':
		return bad(nil, Errorf(InvalidRequest, "Invalid request: batches are not supported"))
	case line[0] != '{':
		return bad(nil, Errorf(InvalidRequest, "Invalid request: a message is an object"))
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil {
		return bad(nil, Errorf(ParseError, "Parse error: the line is not JSON"))
	}
	rawID, hasID := members["id"]
	m := Message{Params: members["params"], Result: members["result"], Error: members["error"]}
	goodID := hasID && isID(rawID)
	if goodID {
		m.ID = rawID
	}
	rawMethod, hasMethod := members["method"]
	versioned := bytes.Equal(members["jsonrpc"], []byte(`"2.0"`))
	if !hasMethod && (m.Result != nil || m.Error != nil) {
		m.Kind = Response
		m.Broken = !versioned || m.Result != nil && m.Error != nil || Twins(line)
		return m, nil
	}
	switch {
	case hasID && !goodID:
		return bad(nil, Errorf(InvalidRequest, "Invalid request: id must be a string, a number or null"))
	case !versioned:
		return bad(m.ID, Errorf(InvalidRequest, `Invalid request: jsonrpc must be "2.0"`))
	case !hasMethod:
		return bad(m.ID, Errorf(InvalidRequest, "Invalid request: neither method nor result nor error"))
	case rawMethod[0] != '"' || json.Unmarshal(rawMethod, &m.Method) != nil:
		return bad(m.ID, Errorf(InvalidRequest, "Invalid request: method must be a string"))
	case hasID:
		m.Kind = Request
	default:
		m.Kind = Notification
	}
	return m, nil
}

// isID reports whether a value may be an id.
func isID(raw json.RawMessage) bool {
	switch c := raw[0]; {
	case c == '"', c == '-', '0' <= c && c <= '9':
		return true
	default:
		return string(raw) == "null"
	}
}

type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  any             `json:"params,omitempty"`
}

type success struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

type failure struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   *Error          `json:"error"`
}

// EncodeRequest makes the line of a request, or of a notification when id is nil.
func EncodeRequest(id json.RawMessage, method string, params any) ([]byte, error) {
	return Encode(request{"2.0", id, method, params})
}

// EncodeResult makes the line of a successful response.
func EncodeResult(id json.RawMessage, result any) ([]byte, error) {
	return Encode(success{"2.0", id, result})
}

// EncodeError makes the line of a failed response.
func EncodeError(id json.RawMessage, e *Error) ([]byte, error) {
	return Encode(failure{"2.0", id, e})
}

// Encode makes a line, its LF included: member order as declared, no HTML escapes, numbers of raw members untouched.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode a message: %w", err)
	}
	return b.Bytes(), nil
}
