package rpc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/rpc"
)

func TestParsePace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rpc.Pace{
		"join:3ms": {Join: true, Wait: 3 * time.Millisecond},
		"split:1s": {Wait: time.Second},
		"join:0s":  {Join: true},
		"":         {}, "join": {}, "join:": {}, "split:-1ms": {}, "late:3ms": {}, "join:3": {}, "join:3ms:": {},
	} {
		got, err := rpc.ParsePace(text)
		if got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
		if right := want != (rpc.Pace{}); right != (err == nil) {
			t.Errorf("%q: the error is %v", text, err)
		}
	}
}

// A writer that is closed is not late any more.
func TestCloseEndsTheWait(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"join:1h", "split:1h"} {
		pace, err := rpc.ParsePace(text)
		if err != nil {
			t.Fatal(err)
		}
		var p pieces
		out := rpc.NewWriter(&p, pace)
		out.Send([]byte("a"))
		out.Send([]byte("b"))
		out.Close()
		out.Close()
		<-out.Done()
		if got := strings.Join(p.got, ""); got != "ab" {
			t.Errorf("%s: written: %q", text, got)
		}
	}
}

// gated keeps what came in each write; each waits to be let go.
type gated struct {
	pieces
	came, gate chan struct{}
}

func (g *gated) Write(b []byte) (int, error) {
	g.came <- struct{}{}
	<-g.gate
	return g.pieces.Write(b)
}

// What was queued while a write took its time goes out in one piece, or in as many as there are lines.
func TestWriterPace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"join:0s": "a|bc", "split:0s": "a|b|c"} {
		pace, err := rpc.ParsePace(text)
		if err != nil {
			t.Fatal(err)
		}
		g := &gated{came: make(chan struct{}, 3), gate: make(chan struct{})}
		out := rpc.NewWriter(g, pace)
		out.Send([]byte("a"))
		<-g.came
		out.Send([]byte("b"))
		out.Send([]byte("c"))
		out.Close()
		close(g.gate)
		<-out.Done()
		if diff := cmp.Diff(want, strings.Join(g.got, "|")); diff != "" {
			t.Errorf("%s: writes (-want +got):\n%s", text, diff)
		}
	}
}

// Of the long lines in front of a short one as many come as there is room for, at any speed, and the short one behind them.
func TestWriterNarrow(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000) + "\n"
	for room, want := range map[int]int{0: 0, 1: 2, 3: 6, 5: 10, 9: 10} {
		var p pieces
		out := rpc.NewWriter(&p, rpc.Pace{})
		out.Narrow(room)
		for range 2 {
			for range 5 {
				out.Send([]byte(long))
			}
			out.Send([]byte("short\n"))
		}
		out.Close()
		<-out.Done()
		whole := strings.Join(p.got, "")
		if strings.Count(whole, long) != want || !strings.HasSuffix(whole, "short\n") {
			t.Errorf("room for %d: %d long lines came, want %d", room, strings.Count(whole, long), want)
		}
	}
}
