package reference

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"acp-conform/reference/muse"
)

// maxText is the most text of one item that is passed on, in UTF-16 units (muse-adapter.md §7.1).
const maxText = 65536

// What is said where text was left out.
const (
	cutHere  = "\n[Public text truncated by adapter.]"
	cutThere = "\n[Public output truncated by Muse; full output is not included in this card.]"
)

// maxSummaries is the number of summary parts of one item that are passed on.
const maxSummaries = 500

// item is what is known of one entry of the turn's transcript.
type item struct {
	kind     string
	revision int
	done     bool
	text     string                // of an agentMessage, as far as it was taken
	parts    []string              // of a reasoning's summary
	sent     int                   // UTF-16 units passed on
	full     bool                  // the limit was reached
	holed    bool                  // pieces of it were lost, so that only its snapshots count
	card     *card                 // of everything that is no message
	halves   map[string]muse.Piece // by field: the first half of a character whose second one has not come
}

// item takes a snapshot of an item, at a revision that is higher than what is known. Each character of its text is
// passed on once, whatever mix of snapshots and deltas it comes in.
func (s *session) item(it muse.Item) {
	t := s.turn
	known := t.items[it.ItemID]
	if known == nil {
		known = &item{kind: it.Kind, holed: s.gap != nil}
		t.items[it.ItemID] = known
	} else if it.Revision <= known.revision || known.done {
		return
	}
	known.revision = it.Revision
	known.done = it.Status != muse.StatusInProgress
	switch it.Kind {
	case muse.KindUserMessage:
	case muse.KindAgentMessage:
		s.message(known, it)
	case muse.KindReasoning:
		s.reasoning(known, it)
	default:
		s.toolItem(known, it)
	}
}

func (s *session) message(known *item, it muse.Item) {
	rest, ok := strings.CutPrefix(it.Text, known.text)
	switch {
	case ok:
		known.text = it.Text
		s.pass(known, rest, s.say)
	case !strings.HasPrefix(known.text, it.Text):
		s.a.logf("a text that does not go on from what was sent was dropped")
	}
	if known.done {
		if s.a.fault(TextTwice) {
			s.say(it.Text)
		}
		if it.Truncated && !known.full {
			s.say(cutThere)
		}
	}
}

// reasoning passes summaries on; the raw text never is.
func (s *session) reasoning(known *item, it muse.Item) {
	for n, text := range it.Summary {
		if n >= maxSummaries {
			break
		}
		for len(known.parts) <= n {
			known.parts = append(known.parts, "")
		}
		if rest, ok := strings.CutPrefix(text, known.parts[n]); ok {
			s.summary(known, n, rest)
		}
	}
	if known.done && s.a.fault(RawReasoning) {
		s.think(it.Text)
	}
}

func (s *session) summary(known *item, n int, more string) {
	for len(known.parts) <= n {
		known.parts = append(known.parts, "")
	}
	if more == "" {
		return
	}
	first := known.parts[n] == "" && n > 0
	known.parts[n] += more
	if first {
		more = "\n" + more
	}
	s.pass(known, more, s.think)
}

// delta takes an addition to an open item. A field that does not belong to the item's kind is ignored.
func (s *session) delta(p muse.DeltaParams) {
	known := s.turn.items[p.ItemID]
	if known == nil || known.done || known.holed {
		return
	}
	more := s.wholeCharacters(known, p)
	if more == "" {
		return
	}
	number, isSummary := strings.CutPrefix(p.Field, "summary.")
	switch {
	case known.kind == muse.KindAgentMessage && (p.Field == "" || p.Field == "text"):
		known.text += more
		s.pass(known, more, s.say)
	case known.kind == muse.KindReasoning && isSummary:
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < maxSummaries {
			s.summary(known, n, more)
		}
	case known.kind == muse.KindReasoning && s.a.fault(RawReasoning):
		s.think(more)
	case known.card != nil && p.Field == "output":
		s.output(known.card, more)
	}
}

// wholeCharacters gives the text of a delta, with the half character that the one before it left, and without one that it
// leaves itself: a half cannot be passed on.
func (s *session) wholeCharacters(known *item, p muse.DeltaParams) string {
	if s.a.fault(HalvesApart) {
		return p.Delta.Text()
	}
	more, half := p.Delta.Cut(known.halves[p.Field])
	if known.halves == nil {
		known.halves = map[string]muse.Piece{}
	}
	known.halves[p.Field] = half
	return more
}

// pass passes text on, up to the limit of its item.
func (s *session) pass(known *item, text string, out func(string)) {
	if known.full {
		return
	}
	for i, r := range text {
		n := utf16.RuneLen(r)
		if known.sent+n > maxText {
			known.full = true
			out(text[:i] + cutHere)
			return
		}
		known.sent += n
	}
	out(text)
}

// toolItem takes a snapshot of a tool call, or of anything else that is shown as one.
func (s *session) toolItem(known *item, it muse.Item) {
	if known.card == nil {
		known.card = s.cardOf(it)
	}
	c := known.card
	changed := c.describe(it, s.a.fault(FloatNumbers))
	if !known.done {
		if !c.announced {
			s.announce(c)
		} else if changed {
			s.show(c)
		}
		return
	}
	if it.Truncated {
		it.VisibleOutput += cutThere
	}
	s.askUnasked(c)
	it.VisibleOutput = s.shownOutput(it.VisibleOutput)
	c.present(it, s.cwd)
	s.closeCard(c, it.Status == muse.StatusCompleted)
}

// cardOf finds or makes the card of an item: calls are known by their call id, everything else by the item's.
func (s *session) cardOf(it muse.Item) *card {
	id := it.CallID
	if id == "" {
		id = it.ItemID
	}
	name := it.Tool
	if name == "" {
		name = it.Kind
	}
	return s.card(id, name)
}

// genericTitle is the title of what is no tool call.
func genericTitle(it muse.Item) string {
	if it.Kind == muse.KindHookRun && it.Label != "" {
		return fmt.Sprintf("Hook %s: %s", it.Event, it.Label)
	}
	return fmt.Sprintf("%s: %s", it.Kind, it.Status)
}
