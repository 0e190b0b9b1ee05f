// Package rpc is what both sides of the adapter share: lines that end with LF, JSON-RPC 2.0 envelopes that keep the
// bytes, and a writer that puts whole lines out in the order in which they were handed over.
package rpc

import "bytes"

// MaxLine is the longest line taken, in bytes, its LF left out: 64 MiB, room for the largest prompt that an editor
// sends (images in base64) and a bound on what a broken peer can make us hold.
const MaxLine = 64 << 20

// Splitter cuts a stream of bytes into lines. Only LF ends a line (ACP-TRN-02, ACP-TRN-07). Over Limit the rest of
// the line is thrown away and reported once.
type Splitter struct {
	Limit int // in bytes; 0 means MaxLine

	held []byte // a line that has no end yet
	over bool   // the line is too long and is being skipped
}

// Line is one line of a stream, without its LF.
type Line struct {
	Data    []byte // good until the next Feed
	TooLong bool   // it was longer than the limit; Data is empty
}

// Feed takes the next bytes and hands out every line that they end, in order.
func (s *Splitter) Feed(chunk []byte, each func(Line)) {
	limit := s.Limit
	if limit <= 0 {
		limit = MaxLine
	}
	for {
		end := bytes.IndexByte(chunk, '\n')
		if end < 0 {
			s.hold(chunk, limit)
			return
		}
		rest := chunk[:end]
		chunk = chunk[end+1:]
		switch {
		case s.over || len(s.held)+len(rest) > limit:
			each(Line{TooLong: true})
		case len(s.held) == 0:
			each(Line{Data: rest})
		default:
			s.held = append(s.held, rest...)
			each(Line{Data: s.held})
		}
		s.over = false
		s.release()
	}
}

func (s *Splitter) hold(chunk []byte, limit int) {
	if s.over {
		return
	}
	if len(s.held)+len(chunk) > limit {
		s.over = true
		s.release()
		return
	}
	s.held = append(s.held, chunk...)
}

// release empties the buffer and gives the memory of a very long line back.
func (s *Splitter) release() {
	const keep = 1 << 20 // enough for ordinary lines
	if cap(s.held) > keep {
		s.held = nil
		return
	}
	s.held = s.held[:0]
}

// Open reports whether the stream stands inside a line, that is, whether bytes without an LF are left.
func (s *Splitter) Open() bool { return s.over || len(s.held) > 0 }
