package fakemuse

import (
	"encoding/json"
	"slices"

	"acp-conform/wire"
)

// method is one request that the host knows.
type method struct {
	// command methods have a commandId, and answer the same way whenever the same command comes again.
	command bool
	// loaded methods are about a session that this host has loaded.
	loaded bool
	// durable methods do not exist on a host that keeps nothing.
	durable bool
	// capability is what the client must have been granted.
	capability string
	run        func(*host, *call) reply
}

// call is one request under way.
type call struct {
	method    string
	raw       json.RawMessage // the params as they came
	params    *params
	commandID string
	session   *session
}

// reply is what a request leads to. The events that follow from a command are made by before and after, so that they
// can come behind the answer or in front of it: before makes what the command itself writes down, after what follows.
//
//	acks-first    answer, before, after
//	live-order    before, answer, after
//	events-first  before, after, answer; so too when the script wants this answer late
type reply struct {
	result any
	err    *rpcError
	before func()
	after  func()
	late   bool
}

func fails(err *rpcError) reply { return reply{err: err} }

// experimentalMethods exist only for clients that opted in; to those, this host knows none of them.
func experimentalMethods() []string { return []string{"account/read"} }

// handleLine takes one line that is already in the log. The caller holds the lock and a claim.
func (h *host) handleLine(line wire.Line) {
	if h.silent {
		return
	}
	frame := wire.ParseFrame(line.Bytes)
	if limit := h.server.options.FrameLimit; len(line.Bytes) > limit {
		h.overlong(frame, limit)
		return
	}
	switch frame.Kind {
	case wire.Blank:
	case wire.Malformed:
		h.answerError(json.RawMessage("null"), failure(-32700, "parseError", "Parse error"))
	case wire.Request:
		if !validRequestID(frame.ID) {
			h.answerError(json.RawMessage("null"), failure(-32600, "invalidRequest", "Invalid request: the id is neither a string nor an integer"))
			return
		}
		h.request(frame)
	case wire.Notification:
		switch frame.Method {
		case "initialized":
			h.opened()
		case "userInput/engaged":
			h.inputEngaged(readParams(frame.Method, frame.Params))
		}
	case wire.Response:
		h.responded(frame)
	default:
		id := json.RawMessage("null")
		if validRequestID(frame.ID) {
			id = frame.ID
		}
		h.answerError(id, failure(-32600, "invalidRequest", "Invalid request: %s", frame.Problem))
	}
}

func (h *host) overlong(frame wire.Frame, limit int) {
	if frame.Kind == wire.Request && validRequestID(frame.ID) {
		e := failure(-32002, "inputTooLarge", "the frame is longer than %d bytes", limit)
		e.Data.LimitBytes = limit
		h.answerError(frame.ID, e)
		return
	}
	h.answerError(json.RawMessage("null"), failure(-32700, "parseError", "Parse error"))
}

// validRequestID reports whether an id is a string or an integer, as MSP has them.
func validRequestID(id json.RawMessage) bool {
	if len(id) == 0 {
		return false
	}
	if id[0] == '"' {
		return true
	}
	for i, c := range id {
		if (c < '0' || c > '9') && !(i == 0 && c == '-' && len(id) > 1) {
			return false
		}
	}
	return true
}

// request answers one request, now or after its events.
func (h *host) request(frame wire.Frame) {
	behind, handled := h.triggered(frame)
	if handled {
		return
	}
	h.respond(frame)
	for _, e := range behind {
		h.triggerEvent(frame, e)
	}
}

func (h *host) respond(frame wire.Frame) {
	r := h.route(frame)
	answer := func() {
		if r.err != nil {
			h.answerError(frame.ID, r.err)
		} else {
			h.send(encode(resultFrame{JSONRPC: "2.0", ID: frame.ID, Result: r.result}))
		}
	}
	steps := []func(){answer, r.before, r.after}
	switch variants := h.server.variants; {
	case r.late || variants.has(eventsFirst):
		steps = []func(){r.before, r.after, answer}
	case variants.has(liveOrder):
		steps = []func(){r.before, answer, r.after}
	}
	for _, step := range steps {
		if step != nil {
			step()
		}
	}
}

func (h *host) answerError(id json.RawMessage, e *rpcError) {
	h.send(encode(errorFrame{JSONRPC: "2.0", ID: id, Error: e}))
}

// route finds the method, its session and an earlier answer to the same command, in this order.
func (h *host) route(frame wire.Frame) reply {
	if frame.Method == "initialize" {
		return h.initialize(readParams(frame.Method, frame.Params))
	}
	if !h.initialized {
		return fails(failure(-32600, "notInitialized", "the connection is not initialized"))
	}
	m, known := h.server.methods[frame.Method]
	if !known {
		return fails(h.unknownMethod(frame.Method))
	}
	c := &call{method: frame.Method, raw: frame.Params, params: readParams(frame.Method, frame.Params)}
	if err := h.ungranted(frame.Method, m); err != nil {
		return fails(err)
	}
	if m.loaded {
		id := c.params.text("sessionId")
		if m.command {
			c.commandID = c.params.text("commandId")
		}
		if err := c.params.err(); err != nil {
			return fails(err)
		}
		session, err := h.loaded(id)
		if err != nil {
			return fails(err)
		}
		c.session = session
	}
	if !m.command {
		return m.run(h, c)
	}
	return h.once(c.session.commands, c, func() reply { return m.run(h, c) })
}

// ungranted refuses a method that this client or this host does not have.
func (h *host) ungranted(name string, m method) *rpcError {
	if m.durable && h.flags.Ephemeral {
		return methodNotFound()
	}
	if m.capability != "" && !slices.Contains(h.granted, m.capability) {
		e := failure(-32010, "capabilityRequired", "%s requires the %s capability", name, m.capability)
		e.Data.Capability = m.capability
		return e
	}
	return nil
}

func (h *host) unknownMethod(name string) *rpcError {
	for _, known := range experimentalMethods() {
		if known == name && !h.experimental {
			e := failure(-32601, "experimentalRequired", "%s requires experimentalApi capability", name)
			e.Data.Descriptor = name
			return e
		}
	}
	return methodNotFound()
}

// responded takes the answer to a request of ours. It is a receipt: whatever it says, what was asked stays open
// (msp.md §7.3).
func (h *host) responded(frame wire.Frame) {
	var id int
	if json.Unmarshal(frame.ID, &id) != nil {
		return
	}
	about := h.asked[id]
	delete(h.asked, id)
	for _, t := range h.running() {
		for _, c := range t.openCalls() {
			if c.approval != nil && c.approval.id == about && c.exits(exitAsked) {
				h.advance(t)
				return
			}
		}
	}
}
