package fakemuse

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"time"
)

// clockBase is the first instant of every session's logical clock. Each event moves it on by one millisecond; the wall
// clock never matters.
func (s *Server) clockBase() time.Time {
	if c := s.options.Script.Clock; !c.IsZero() {
		return c
	}
	return time.Date(2026, time.October, 5, 10, 0, 0, 0, time.UTC)
}

// session is one conversation. It outlives the host that made it once it had a turn (msp.md §5.1).
type session struct {
	server    *Server
	id        string
	workspace string // "" means none
	home      string // where its log lies
	provider  string
	model     string
	mode      approvalModeState
	created   time.Time
	updated   time.Time
	clock     time.Time
	turnCount int  // turns that ended
	durable   bool // it had a turn, so it is written down
	logged    bool // its log was begun

	host     *host  // the host that has it loaded; nil while none has
	openedBy string // the command that made it
	commands ledger

	cursor   int // of the last event
	sequence int // of the last record
	events   []event
	items    []*item
	last     *lastTurn
	total    cumulativeUsage

	turn      *turn // the running turn, or the one that a lost host left behind
	queue     []*turn
	approvals map[string]*approval
	asked     []*approval // the same, in the order of their opening

	name        string
	effort      string // "" as long as nobody chose one
	modelSource string // why the model is what it is: default or user
	goal        *Goal
	todos       []Todo
	todoChanges int
	forkedFrom  json.RawMessage
	sideFrom    json.RawMessage
	servers     map[string]bool // MCP servers of the client: whether they are required

	unsubscribed bool // the client wants no pushes
	losing       bool // events get lost on their way to the client
	hole         bool // some got lost, and the client was not told yet
	delivered    int  // the cursor of the last event that did not
	earliest     int  // cursor of the first event that is still kept
	ahead        int  // the head that view/subscribe gives, if greater than the cursor
	boundary     int  // cursor of the last compaction
	through      string
	outputs      map[string]output
	inputs       map[string]*question
	questions    []*question     // the same, in the order of their opening
	unqueued     map[string]bool // turns that were taken back
	asides       []*turn         // shell lines of the user that are under way
	more         json.RawMessage // further members of a stored session
	lastRaw      json.RawMessage // the last turn that ended, as a script gave it
}

// output is what item/readOutput can give.
type output struct {
	itemID string
	bytes  []byte
}

// approvalModeState is the mode in force, and why.
type approvalModeState struct {
	Mode          string  `json:"mode"`
	Source        string  `json:"source"`
	LastCommandID *string `json:"lastCommandId"`
}

// event is one view event, as view/page and replay give it.
type event struct {
	cursor  int
	method  string
	params  json.RawMessage
	durable bool
	dropped bool // it gets lost on its way to a subscriber
}

// view opens the params of a view event.
type view struct {
	SessionID   string       `json:"sessionId"`
	ViewCursor  string       `json:"viewCursor"`
	SourceRange *sourceRange `json:"sourceRange,omitempty"`
}

// sourceRange names the durable records from which an event was made.
type sourceRange struct {
	Stream streamRef `json:"stream"`
	First  record    `json:"first"`
	Last   record    `json:"last"`
}

type streamRef struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

// record is the position of one record in the session's log.
type record struct {
	ID       string `json:"id"`
	Sequence int    `json:"sequence"`
}

// sessionData is a session on the wire (msp.md §5.1).
type sessionData struct {
	SessionID    string             `json:"sessionId"`
	Path         string             `json:"path"`
	Status       string             `json:"status"`
	ActiveTurnID *string            `json:"activeTurnId"`
	CreatedAt    string             `json:"createdAt"`
	UpdatedAt    string             `json:"updatedAt"`
	Workspace    *string            `json:"workspaceRoot"`
	ProviderID   *string            `json:"providerId"`
	ModelID      *string            `json:"modelId"`
	TurnCount    int                `json:"turnCount"`
	ForkedFrom   json.RawMessage    `json:"forkedFrom"`
	ApprovalMode *approvalModeState `json:"approvalMode,omitempty"`
	Name         string             `json:"name,omitempty"`
	SideFrom     json.RawMessage    `json:"sideFrom,omitempty"`
	more         json.RawMessage    // further members, as a script gave them
}

// MarshalJSON writes a session, with the further members of a stored one.
func (d sessionData) MarshalJSON() ([]byte, error) {
	type plain sessionData
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

func (s *session) data() sessionData {
	d := sessionData{
		SessionID: s.id, Path: s.path(), Status: "idle", CreatedAt: stamp(s.created), UpdatedAt: stamp(s.updated),
		Workspace: orNull(s.workspace), ProviderID: orNull(s.provider), ModelID: orNull(s.model), TurnCount: s.turnCount,
		ForkedFrom: s.forkedFrom, Name: s.name, SideFrom: s.sideFrom,
		more: s.more,
	}
	if s.host != nil && s.host.flags.Ephemeral {
		d.Path = ""
	}
	mode := s.mode
	d.ApprovalMode = &mode
	switch {
	case s.host == nil:
		d.Status = "notLoaded"
	case s.turn != nil:
		d.Status, d.ActiveTurnID = "running", &s.turn.id
	}
	return d
}

// path is the session's log, in the folders by date in which a host keeps them.
func (s *session) path() string {
	return path.Join(filepath.ToSlash(s.home), "sessions", s.created.Format("2006/01/02"), s.id, "session.jsonl")
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// stamp writes an instant as hosts do.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// tick moves the logical clock on and gives the new instant.
func (s *session) tick() time.Time {
	s.clock = s.clock.Add(time.Millisecond)
	return s.clock
}

// records appends n records to the session's log and gives the first and the last of them. Their ids follow from
// their place, so that they do not depend on what other sessions do meanwhile.
func (s *session) records(n int) (first, last record) {
	first = recordAt(s.sequence + 1)
	s.sequence += n
	return first, recordAt(s.sequence)
}

func recordAt(sequence int) record {
	return record{ID: fmt.Sprintf("5e90f1a0-0000-4000-8000-%012x", sequence), Sequence: sequence}
}

func (s *session) source(first, last record) *sourceRange {
	return &sourceRange{Stream: s.stream(), First: first, Last: last}
}

// stream is the session's own stream of records.
func (s *session) stream() streamRef { return streamRef{Kind: "session", ID: s.id} }

// freshIn is the source of an event that rests on one new record of a stream. Where streams are not told apart by kind,
// all records are the session's.
func (s *session) freshIn(stream streamRef) *sourceRange {
	source := s.fresh()
	if s.server.variants.has(streamsByKind) {
		source.Stream = stream
	}
	return source
}

// fresh is the source of an event that rests on one new record.
func (s *session) fresh() *sourceRange {
	first, last := s.records(1)
	return s.source(first, last)
}

// next opens a new event: the cursor moves on by one.
func (s *session) next(source *sourceRange) view {
	s.cursor++
	return view{SessionID: s.id, ViewCursor: s.cursorText(s.cursor), SourceRange: source}
}

func (s *session) cursorText(n int) string { return fmt.Sprintf("v:%s:%d", s.id, n) }

// publish keeps an event and sends it to the host that has the session loaded.
func (s *session) publish(method string, v view, body any) json.RawMessage {
	raw := json.RawMessage(encode(body))
	s.events = append(s.events, event{cursor: s.cursor, method: method, params: raw, durable: v.SourceRange != nil})
	s.deliver(method, raw)
	return raw
}

// notify sends a notification to the host that has the session loaded.
func (s *session) notify(method string, raw json.RawMessage) {
	frame := encode(notificationFrame{JSONRPC: "2.0", Method: method, Params: raw, Emitted: s.tick().UnixMilli()})
	if h := s.host; h != nil && !h.muted[method] && !s.unsubscribed {
		h.whenOpen(func() { h.send(frame) })
	}
}

// keep remembers the newest revision of an item, in the order of first sight.
func (s *session) keep(i item) {
	for n, old := range s.items {
		if old.ItemID == i.ItemID {
			s.items[n] = &i
			return
		}
	}
	s.items = append(s.items, &i)
}

// item gives the newest revision of an item.
func (s *session) item(id string) (item, bool) {
	for _, i := range s.items {
		if i.ItemID == id {
			return *i, true
		}
	}
	return item{}, false
}

// pending lists the approvals that are open, in the order of their opening.
func (s *session) pending() []*approval {
	var open []*approval
	for _, a := range s.asked {
		if a.resolution == nil {
			open = append(open, a)
		}
	}
	return open
}

// loaded gives a session that this host has loaded.
func (h *host) loaded(id string) (*session, *rpcError) {
	s := h.server.stored[id]
	switch {
	case s == nil || s.host != h && !s.durable:
		return nil, sessionNotFound(id)
	case s.host != h:
		return nil, sessionNotLoaded(id)
	}
	return s, nil
}

// running lists this host's turns that are under way, in the order of their beginning.
func (h *host) running() []*turn {
	var running []*turn
	for t := range h.server.turns {
		if t.host == h {
			running = append(running, t)
		}
	}
	sortTurns(running)
	return running
}

// leaveSessions unloads what a host had loaded. Sessions that never had a turn are forgotten, as a real host never
// wrote them down.
func (s *Server) leaveSessions(h *host) {
	for _, t := range h.running() {
		t.abandon()
	}
	for id, session := range s.stored {
		if session.host != h {
			continue
		}
		session.host, session.queue, session.unsubscribed, session.hole = nil, nil, false, false
		if !session.durable {
			delete(s.stored, id)
			delete(s.openings, session.openedBy)
		}
	}
}
