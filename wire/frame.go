package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// FrameKind says what a line is, seen as a JSON-RPC 2.0 message.
type FrameKind int

// The kinds of a line. Only the first three are messages; the others are kept as what they are.
const (
	Request FrameKind = iota + 1
	Notification
	Response
	Batch     // a JSON array
	Scalar    // a JSON string, number, boolean or null
	Invalid   // a JSON object that is no JSON-RPC 2.0 message
	Malformed // not JSON at all, or not UTF-8
	Blank     // nothing but white space
)

func (k FrameKind) String() string {
	switch k {
	case Request:
		return "request"
	case Notification:
		return "notification"
	case Response:
		return "response"
	case Batch:
		return "batch"
	case Scalar:
		return "scalar"
	case Invalid:
		return "invalid object"
	case Malformed:
		return "malformed line"
	case Blank:
		return "blank line"
	}
	return "unknown"
}

// Frame is one line read as a JSON-RPC 2.0 envelope. The member values are slices of the line: numbers, spaces and
// member order are as they came. An id that is a text is written with as few escapes as can be, so that two ids with
// the same value are the same bytes.
type Frame struct {
	Raw    []byte
	Kind   FrameKind
	ID     json.RawMessage // nil when the member is absent; "null" when it is null
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
	// Problem says why the line is no message, in one sentence; empty for messages.
	Problem string
}

// IsMessage reports whether the line is a request, a notification or a response.
func (f Frame) IsMessage() bool {
	return f.Kind == Request || f.Kind == Notification || f.Kind == Response
}

var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// ParseFrame reads one line, without its LF. It never fails: what cannot be read is named in Kind and Problem.
func ParseFrame(line []byte) Frame {
	f := Frame{Raw: line}
	trimmed := bytes.Trim(line, " \t\r")
	switch {
	case len(trimmed) == 0:
		f.Kind = Blank
		return f
	case bytes.HasPrefix(line, byteOrderMark):
		return f.bad(Malformed, "the line begins with a byte order mark")
	case !utf8.Valid(line):
		return f.bad(Malformed, fmt.Sprintf("byte %d is not UTF-8", firstInvalid(line)))
	}
	if !json.Valid(trimmed) {
		return f.bad(Malformed, "the line is not JSON: "+jsonProblem(trimmed))
	}
	switch trimmed[0] {
	case '{':
		return f.envelope(trimmed)
	case '[':
		return f.bad(Batch, "the line is a JSON array")
	default:
		return f.bad(Scalar, "the line is a JSON scalar, not an object")
	}
}

func (f Frame) bad(kind FrameKind, problem string) Frame {
	f.Kind, f.Problem = kind, problem
	return f
}

// envelope reads the members of an object, which is valid JSON.
func (f Frame) envelope(object []byte) Frame {
	members, _ := scanMembers(object)
	seen := make(map[string]json.RawMessage, len(members))
	for _, m := range members {
		if _, twice := seen[m.Name]; twice {
			return f.bad(Invalid, fmt.Sprintf("the member %q is there twice", m.Name))
		}
		seen[m.Name] = m.Value
	}
	f.ID, f.Params, f.Result, f.Error = plainID(seen["id"]), seen["params"], seen["result"], seen["error"]
	if version, there := seen["jsonrpc"]; !there {
		return f.bad(Invalid, `the member "jsonrpc" is missing`)
	} else if string(version) != `"2.0"` {
		return f.bad(Invalid, fmt.Sprintf(`the member "jsonrpc" is %s, not "2.0"`, Clip(version)))
	}
	if f.ID != nil && !validID(f.ID) {
		return f.bad(Invalid, "the id is neither a string, a number nor null")
	}
	if method, there := seen["method"]; there {
		if json.Unmarshal(method, &f.Method) != nil || method[0] != '"' {
			return f.bad(Invalid, "the method is not a string")
		}
		if f.Result != nil || f.Error != nil {
			return f.bad(Invalid, "a method together with a result or an error")
		}
		f.Kind = Notification
		if f.ID != nil {
			f.Kind = Request
		}
		return f
	}
	switch {
	case f.Result != nil && f.Error != nil:
		return f.bad(Invalid, "both a result and an error")
	case f.Result == nil && f.Error == nil:
		return f.bad(Invalid, "neither a method, a result nor an error")
	case f.ID == nil:
		return f.bad(Invalid, "a response without an id")
	}
	f.Kind = Response
	return f
}

// plainID writes an id that is a text without needless escapes.
func plainID(id json.RawMessage) json.RawMessage {
	var text string
	if len(id) == 0 || id[0] != '"' || !bytes.ContainsRune(id, '\\') || json.Unmarshal(id, &text) != nil {
		return id
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) != nil {
		return id
	}
	return bytes.TrimSpace(b.Bytes())
}

func validID(id json.RawMessage) bool {
	switch id[0] {
	case '"', 'n', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true
	}
	return false
}

func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

func jsonProblem(b []byte) string {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err.Error()
	}
	return "unknown reason"
}

// Clip shortens a value for a message.
func Clip(b []byte) string {
	const most = 60
	if len(b) <= most {
		return string(b)
	}
	return string(b[:most]) + "…"
}
