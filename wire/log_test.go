package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sent and got are frames of the client's lane, towards the adapter and from it.
func sent(data string) Entry { return Entry{Lane: Client, Dir: ToAdapter, Data: []byte(data)} }
func got(data string) Entry  { return Entry{Lane: Client, Dir: FromAdapter, Data: []byte(data)} }

func TestTheLogKeepsTheOrderOfArrival(t *testing.T) {
	t.Parallel()
	l := NewLog(Limits{})
	muse := Lane{Name: "muse", N: 1}
	entries := []Entry{
		sent(`{"jsonrpc":"2.0","id":1,"method":"a"}`),
		{Lane: muse, Dir: Start, Data: []byte(`["serve"]`)},
		{Lane: Client, Dir: FromAdapter, Data: []byte(`{"cut`), Partial: true},
		{Lane: muse, Dir: Exit, Data: []byte("exit 0")},
	}
	for _, e := range entries {
		l.Append(e)
	}
	records := l.Records()
	for i, r := range records {
		if r.Seq != i {
			t.Errorf("record %d has the place %d", i, r.Seq)
		}
		if diff := cmp.Diff(entries[i], r.Entry); diff != "" {
			t.Errorf("record %d (-want +got):\n%s", i, diff)
		}
	}
	kinds := []FrameKind{records[0].Frame.Kind, records[1].Frame.Kind, records[2].Frame.Kind, records[3].Frame.Kind}
	if diff := cmp.Diff([]FrameKind{Request, 0, Malformed, 0}, kinds); diff != "" {
		t.Errorf("only frames are read as frames (-want +got):\n%s", diff)
	}
	records[0].Seq = 99
	if l.Records()[0].Seq != 0 {
		t.Error("Records gives no copy")
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		limits Limits
		kept   int
		full   string
	}{
		{"entries", Limits{Entries: 2}, 2, "more than 2 frames were exchanged"},
		{"bytes", Limits{Bytes: 9}, 2, "more than 9 bytes were exchanged"},
		{"just at the bytes", Limits{Bytes: 12}, 3, ""},
		{"just at the entries", Limits{Entries: 3}, 3, ""},
		{"none given", Limits{}, 3, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := NewLog(tt.limits)
			for range 3 {
				l.Append(sent("[ok]"))
			}
			if n := len(l.Records()); n != tt.kept {
				t.Errorf("%d entries were kept, want %d", n, tt.kept)
			}
			if l.Full() != tt.full {
				t.Errorf("full: %q, want %q", l.Full(), tt.full)
			}
			if tt.full == "" {
				return
			}
			// Once full it keeps nothing, not even what would fit, so that no later entry stands where one is missing.
			l.Append(sent(""))
			if n := len(l.Records()); n != tt.kept {
				t.Errorf("a full log went on to %d entries", n)
			}
		})
	}
}

func TestWaitWakesForEntriesAndClaims(t *testing.T) {
	t.Parallel()
	l := NewLog(Limits{})
	done := l.Busy("script")
	woken := make(chan error, 2)
	go func() {
		woken <- l.Wait(t.Context(), func(v View) bool { return len(v.Records()) == 1 && v.Idle() })
	}()
	go func() {
		woken <- l.Wait(t.Context(), func(v View) bool { return v.Full() == "" && len(v.Records()) == 1 })
	}()
	l.Append(sent("{}"))
	if err := <-woken; err != nil {
		t.Fatal(err)
	}
	done()
	if err := <-woken; err != nil {
		t.Fatal(err)
	}
}

func TestWaitGivesTheCauseOfItsEnd(t *testing.T) {
	t.Parallel()
	l := NewLog(Limits{})
	cause := errors.New("nothing came")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if err := l.Wait(ctx, func(View) bool { return false }); !errors.Is(err, cause) {
		t.Errorf("got the error %v", err)
	}
	if err := l.Wait(ctx, func(View) bool { return true }); err != nil {
		t.Errorf("a condition that holds gave the error %v", err)
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	l := NewLog(Limits{})
	state := func() (s string) {
		l.Look(func(v View) { s = fmt.Sprintf("idle %t, a %t, b %t", v.Idle(), v.Busy("a"), v.Busy("b")) })
		return s
	}
	expect := func(want string) {
		t.Helper()
		if got := state(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	expect("idle true, a false, b false")
	first := l.Busy("a")
	second := l.Receive(got("{}"), "a")
	other := l.Busy("b")
	expect("idle false, a true, b true")
	first()
	first() // a second time it does nothing
	expect("idle false, a true, b true")
	second()
	expect("idle false, a false, b true")
	other()
	expect("idle true, a false, b false")
	if n := len(l.Records()); n != 1 {
		t.Errorf("Receive appended %d entries", n)
	}
}

// Between a frame and the claim that its receiver is at work there is no instant at which the log looks quiet: whoever
// sees an idle log sees every frame with the reply that follows from it.
func TestReceiveLeavesNoGap(t *testing.T) {
	t.Parallel()
	l := NewLog(Limits{})
	var host sync.WaitGroup
	host.Go(func() {
		for range 500 {
			done := l.Receive(got("frame"), "host")
			l.Append(sent("reply"))
			done()
		}
	})
	over := make(chan struct{})
	go func() { host.Wait(); close(over) }()
	for {
		l.Look(func(v View) {
			if n := len(v.Records()); v.Idle() && n%2 == 1 {
				t.Errorf("the log looks quiet between frame and reply %d", n)
			}
		})
		select {
		case <-over:
			return
		default:
		}
	}
}

func TestRounds(t *testing.T) {
	t.Parallel()
	l := NewLog(Limits{})
	l.BeginRound()
	l.BeginRound() // nothing happened in between: still the same round
	l.Append(sent("1"))
	l.Append(got("2"))
	l.BeginRound()
	l.Append(sent("3"))
	l.BeginRound()
	rounds := l.Rounds()
	if diff := cmp.Diff([]int{0, 2, 3}, rounds); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	rounds[0] = 7
	if l.Rounds()[0] != 0 {
		t.Error("Rounds gives no copy")
	}
}

func TestNamesOfLanesAndDirections(t *testing.T) {
	t.Parallel()
	var got []string
	for _, l := range []Lane{Client, {Name: "muse", N: 2}} {
		got = append(got, l.String())
	}
	for _, d := range []Dir{ToAdapter, FromAdapter, Start, Exit, 0} {
		got = append(got, d.Mark())
	}
	if diff := cmp.Diff("client|muse 2|->|<-|+|-|?", strings.Join(got, "|")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
