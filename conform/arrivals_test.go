package conform

import (
	"io"
	"testing"

	"acp-conform/wire"
)

// reads is a stdout that gives one piece for each read, and calls before first.
type reads struct {
	pieces []string
	before func()
}

func (r *reads) Read(p []byte) (int, error) {
	r.before()
	if len(r.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.pieces[0])
	r.pieces = r.pieces[1:]
	return n, nil
}

// While lines of one read are still to be looked at, nobody finds everything quiet; where more is waited for, it is.
func TestLinesOfOneReadAreOneInstant(t *testing.T) {
	t.Parallel()
	log := wire.NewLog(wire.Limits{})
	idle := func() (is bool) {
		log.Look(func(v wire.View) { is = v.Idle() })
		return is
	}
	asked := 0
	in := &arrivals{log: log, stdout: &reads{pieces: []string{"a\nb\n", "c\n"}, before: func() {
		asked++
		if !idle() {
			t.Errorf("read %d: the client claims to be at work while it waits", asked)
		}
	}}}
	lines := wire.NewLineReader(in, 0)
	for _, want := range []string{"a", "b", "c"} {
		line, err := lines.Next()
		if err != nil || string(line.Bytes) != want {
			t.Fatalf("got %q, %v, want %q", line.Bytes, err, want)
		}
		if idle() {
			t.Errorf("all is quiet behind %q", want)
		}
	}
	if _, err := lines.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	if asked != 3 || !idle() {
		t.Errorf("%d reads, quiet: %t", asked, idle())
	}
}
