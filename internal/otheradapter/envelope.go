package otheradapter

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// The error codes of JSON-RPC 2.0 and ACP.
const (
	codeUnreadable = -32700
	codeNoRequest  = -32600
	codeNoMethod   = -32601
	codeBadParams  = -32602
	codeInternal   = -32603
	codeNoLogin    = -32000
	codeNoResource = -32002
)

type sort int

const (
	isNothing  sort = iota // a blank line
	isGarbage              // no JSON
	isNonsense             // JSON, but no message
	isBatch
	isRequest
	isNotice
	isAnswer
)

// message is one incoming message.
type message struct {
	sort   sort
	id     json.RawMessage // as it came; nil when there was none
	method string
	params json.RawMessage
	result json.RawMessage
	failed json.RawMessage
	batch  []json.RawMessage
}

// read says what a line is.
func read(line []byte) message {
	line = bytes.Trim(line, " \t\r")
	switch {
	case len(line) == 0:
		return message{}
	case !utf8.Valid(line) || !json.Valid(line):
		return message{sort: isGarbage}
	case line[0] == '[':
		m := message{sort: isBatch}
		json.Unmarshal(line, &m.batch)
		return m
	}
	return readValue(line)
}

// readValue says what one JSON value is, outside a batch or in one.
func readValue(raw json.RawMessage) message {
	o := asObject(raw)
	m := message{sort: isNonsense, method: o.text("method"), params: o["params"], result: o["result"], failed: o["error"]}
	if id, there := o["id"]; there && properID(id) {
		m.id = id
	} else if there {
		return m
	}
	if o.text("jsonrpc") != "2.0" {
		return m
	}
	if _, named := o["method"]; named {
		_, isText := o.textOr("method")
		switch {
		case !isText || m.result != nil || m.failed != nil:
		case m.id == nil:
			m.sort = isNotice
		default:
			m.sort = isRequest
		}
		return m
	}
	if m.id != nil && (m.result != nil || m.failed != nil) {
		m.sort = isAnswer
	}
	return m
}

// properID reports whether a value can be an id: a string, a number or null.
func properID(id json.RawMessage) bool {
	switch id[0] {
	case '{', '[', 't', 'f':
		return false
	}
	return true
}

// response is a response, members in an order of this adapter's own.
type response struct {
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *refusal        `json:"error,omitempty"`
	ID      json.RawMessage `json:"id"`
	Version string          `json:"jsonrpc"`
}

// refusal is the error of a response, in both directions.
type refusal struct {
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
	Code    int    `json:"code"`

	lost bool // the host is gone; there was no response
}

func refuse(code int, text string) *refusal { return &refusal{Code: code, Message: text} }

// outgoing is a request or a notification of this adapter.
type outgoing struct {
	Params  any    `json:"params,omitempty"`
	Method  string `json:"method"`
	ID      string `json:"id,omitempty"`
	Version string `json:"jsonrpc"`
}

func answerTo(id json.RawMessage, result any, problem *refusal) response {
	if id == nil {
		id = json.RawMessage("null")
	}
	r := response{ID: id, Error: problem, Version: "2.0"}
	if problem == nil {
		r.Result = encoded(result)
	}
	return r
}
