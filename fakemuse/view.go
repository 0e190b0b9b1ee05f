package fakemuse

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// position reads a cursor of this session.
func (s *session) position(cursor string) (int, bool) {
	n, ours := strings.CutPrefix(cursor, "v:"+s.id+":")
	if !ours {
		return 0, false
	}
	at, err := strconv.Atoi(n)
	return at, err == nil && at >= 0 && at <= s.cursor && strconv.Itoa(at) == n
}

// anchor reads a cursor that something is asked for behind of, and says why it cannot be (msp.md §5.2).
func (s *session) anchor(cursor string) (int, *rpcError) {
	at, known := s.position(cursor)
	if !known {
		e := &rpcError{Code: -32011, Message: "unknown cursor anchor"}
		e.Data = errorData{Kind: "notFound", Reason: "missingAnchor", SessionID: s.id}
		return 0, e
	}
	if at+1 < s.earliest {
		e := failure(-32040, "viewTruncated", "the view does not reach back to %s", cursor)
		e.Data.Earliest, e.Data.ViewCursor = s.cursorText(s.earliest), cursor
		return 0, e
	}
	return at, nil
}

// replay sends the durable events behind a position again, as they were. Those that get lost on the way leave a gap,
// which is told once the next event has come, or before it.
func (s *session) replay(after int) {
	last, lost := after, false
	for _, e := range s.events {
		if e.cursor <= after || !e.durable {
			continue
		}
		if e.dropped {
			lost = true
			continue
		}
		gap := func() {
			if lost {
				s.notify("view/gap", encode(gapParams{SessionID: s.id, After: s.cursorText(last), Next: s.cursorText(e.cursor)}))
			}
		}
		if s.server.variants.has(gapFirst) {
			gap()
		}
		s.notify(e.method, e.params)
		if !s.server.variants.has(gapFirst) {
			gap()
		}
		last, lost = e.cursor, false
	}
}

type gapParams struct {
	SessionID string `json:"sessionId"`
	After     string `json:"after"`
	Next      string `json:"next"`
}

// viewSubscribe gives the head and sends what lies between (msp.md §5.3).
func (h *host) viewSubscribe(c *call) reply {
	cursor := c.params.optional("after")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	after := s.cursor
	if cursor != "" {
		var err *rpcError
		if after, err = s.anchor(cursor); err != nil {
			return fails(err)
		}
	}
	s.unsubscribed = false
	result := struct {
		ViewCursor string `json:"viewCursor"`
	}{s.cursorText(max(s.cursor, s.ahead))}
	return reply{result: result, after: func() { s.replay(after) }}
}

func (h *host) viewUnsubscribe(c *call) reply {
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	c.session.unsubscribed = true
	return reply{result: struct{}{}}
}

type pagedEvent struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type pageResult struct {
	Events     []pagedEvent    `json:"events"`
	NextCursor *string         `json:"nextCursor"`
	Resolved   *resolvedAnchor `json:"resolvedAnchor,omitempty"`
}

type resolvedAnchor struct {
	BoundaryCursor string `json:"boundaryCursor"`
}

// pageLimit is the most events of one page.
const pageLimit = 1000

// viewPage gives durable events, in their order also when it goes backward.
func (h *host) viewPage(c *call) reply {
	p := c.params
	id, cursor := p.text("sessionId"), p.optional("cursor")
	backward := p.choice("direction", []string{"forward", "backward"}) == "backward"
	limit := p.number("limit")
	anchor := p.optional("anchor")
	if p.problem == "" && (limit < 1 || limit > pageLimit) {
		p.fail("`limit` must be between 1 and %d", pageLimit)
	}
	if err := p.err(); err != nil {
		return fails(err)
	}
	s, err := h.known(id)
	if err != nil {
		return fails(err)
	}
	result := pageResult{Events: []pagedEvent{}}
	from := s.earliest - 1
	if backward {
		from = s.cursor + 1
	}
	switch {
	case anchor != "" && s.boundary == 0:
		e := failure(-32042, "noBoundary", "the session has no %s", anchor)
		e.Data.Anchor = anchor
		return fails(e)
	case anchor != "":
		from = s.boundary - 1
		result.Resolved = &resolvedAnchor{s.cursorText(s.boundary)}
	case cursor != "":
		if from, err = s.anchor(cursor); err != nil {
			return fails(err)
		}
	}
	events, more := s.page(from, limit, backward)
	for _, e := range events {
		result.Events = append(result.Events, pagedEvent{e.method, e.params})
	}
	if more {
		edge := events[len(events)-1]
		if backward {
			edge = events[0]
		}
		next := s.cursorText(edge.cursor)
		result.NextCursor = &next
	}
	return reply{result: result}
}

// page gives up to limit durable events behind (or before) a position, and whether there are more.
func (s *session) page(from, limit int, backward bool) (events []event, more bool) {
	var all []event
	for _, e := range s.events {
		if e.durable && e.cursor >= s.earliest && (!backward && e.cursor > from || backward && e.cursor < from) {
			all = append(all, e)
		}
	}
	if len(all) <= limit {
		return all, false
	}
	if backward {
		return all[len(all)-limit:], true
	}
	return all[:limit], true
}

type readOutputResult struct {
	Offset    int    `json:"offsetBytes"`
	ByteLen   int    `json:"byteLen"`
	Content   string `json:"content"`
	Encoding  string `json:"encoding"`
	EOF       bool   `json:"eof"`
	MediaType string `json:"mediaType"`
}

// outputPiece is the most bytes of one answer to item/readOutput.
const outputPiece = 256 << 10

// readOutput gives a piece of an output that is kept. A piece that is no text is given in base64.
func (h *host) readOutput(c *call) reply {
	p := c.params
	id, itemID, ref := p.text("sessionId"), p.text("itemId"), p.text("outputRef")
	offset, length := p.optionalNumber("offsetBytes", 0), p.optionalNumber("lengthBytes", outputPiece)
	if p.problem == "" && (offset < 0 || length < 1) {
		p.fail("`offsetBytes` must not be negative, and `lengthBytes` must be positive")
	}
	if err := p.err(); err != nil {
		return fails(err)
	}
	s, err := h.known(id)
	if err != nil {
		return fails(err)
	}
	kept, there := s.outputs[ref]
	if !there || kept.itemID != itemID || offset > len(kept.bytes) {
		e := failure(-32041, "outputUnavailable", "output %s of item %s is not available", ref, itemID)
		e.Data.Availability, e.Data.ItemID, e.Data.OutputRef = "missing", itemID, ref
		return fails(e)
	}
	rest := kept.bytes[offset:]
	piece := rest[:min(len(rest), length, outputPiece)]
	result := readOutputResult{
		Offset: offset, ByteLen: len(piece), Content: string(piece), Encoding: "utf8", EOF: len(piece) == len(rest), MediaType: "text/plain",
	}
	if !utf8.Valid(piece) {
		result.Content, result.Encoding = base64.StdEncoding.EncodeToString(piece), "base64"
	}
	return reply{result: result}
}
