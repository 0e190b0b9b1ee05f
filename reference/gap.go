package reference

import (
	"time"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// gap is a hole in what the host delivered, while it is filled: what comes meanwhile waits, the missing events are
// paged and handled, then what waited is (muse-adapter.md §7.4). Handling an event twice changes nothing: items go by
// their revision, and approvals are looked at only when all is there.
type gap struct {
	held      []rpc.Message
	replaying bool
	by        time.Time // when the page that was asked for must be there
}

// pageSize is how many events are asked for at once: half of what a host gives at most.
const pageSize = 500

type pageParams struct {
	SessionID acp.SessionId `json:"sessionId"`
	Cursor    string        `json:"cursor"`
	Direction string        `json:"direction"`
	Limit     int           `json:"limit"`
}

// fillGap begins to fill a hole. What a message lacks now comes with its final text.
func (s *session) fillGap(v muse.Gap) {
	t := s.turn
	if !s.mine(v.SessionID) || s.gap != nil || s.a.fault(IgnoresGap) || t.ended || t.cancelled || t.failure != nil {
		return
	}
	for _, it := range t.items {
		it.holed = !it.done
	}
	s.gap = &gap{}
	s.page(v.After, v.Next)
}

// page asks for the events behind a cursor, up to the one at next.
func (s *session) page(cursor, next string) {
	t := s.turn
	s.gap.by = time.Now().Add(s.a.o.Deadlines.Page)
	err := s.host.Request("view/page", pageParams{s.id, cursor, "forward", pageSize}, func(r muse.Reply) {
		if s.turn != t || s.gap == nil {
			return
		}
		var page muse.Page
		if err := r.Decode(&page); err != nil {
			if s.a.fault(PassesHoles) {
				s.gapFilled()
				return
			}
			s.fail(lost("gap fill failed: " + hostFailure(err, "the page").text))
			return
		}
		if s.replay(page, next) {
			s.gapFilled()
			return
		}
		if page.NextCursor == nil || *page.NextCursor == cursor {
			s.fail(lost("gap fill failed: Muse gave a page that does not go on"))
			return
		}
		s.page(*page.NextCursor, next)
	})
	if err != nil {
		s.fail(localFailure("encode", "a message to Muse cannot be written"))
	}
}

// replay handles the events of a page. It reports whether the hole is filled: the event at next was there, or the
// view has ended.
func (s *session) replay(page muse.Page, next string) bool {
	s.gap.replaying = true
	defer func() { s.gap.replaying = false }()
	for _, e := range page.Events {
		s.hostNotification(rpc.Message{Kind: rpc.Notification, Method: e.Method, Params: e.Params})
		if decode[struct{ ViewCursor string }](e.Params).ViewCursor == next {
			return true
		}
	}
	return page.NextCursor == nil
}

// gapFilled handles what has waited, in its order, and then looks at the approvals. Another hole among it is filled
// first.
func (s *session) gapFilled() {
	held := s.gap.held
	s.catching = true
	for i, m := range held {
		s.gap = nil
		s.hostNotification(m)
		if s.gap != nil {
			s.catching = false
			s.gap.held = append(s.gap.held, held[i+1:]...)
			return
		}
	}
	s.gap, s.catching = nil, false
	for _, p := range s.turn.pendings {
		s.consider(p)
	}
}

// gapClosed waits until a hole is filled that was told of behind the end of a turn.
func (s *session) gapClosed() error {
	for s.gap != nil {
		if err := s.interrupted(); err != nil {
			return err
		}
		if !s.step(s.gap.by) {
			s.fail(s.stalled())
		}
	}
	return s.interrupted()
}

// leaveGap gives a hole up, when its turn is over. Where the turn fails, perhaps for the hole, what has waited behind it
// is lost as well: shown without what came before, it would read as if nothing were missing. A turn that the client
// cancelled still learns how its tools ended.
func (s *session) leaveGap(failed bool) {
	if s.gap == nil {
		return
	}
	held := s.gap.held
	s.gap = nil
	if failed && !s.a.fault(ShowsBehindHole) {
		return
	}
	for _, m := range held {
		s.hostNotification(m)
	}
}
