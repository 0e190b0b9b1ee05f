package wire

import (
	"context"
	"fmt"
	"sync"
)

// Lane names one connection of the adapter: its client, or one host process that it started.
type Lane struct {
	Name string // "client", or the kind of host such as "muse"
	N    int    // 0 for the client; hosts count from 1 in the order of their start
}

// Client is the lane between the scripted client and the adapter.
var Client = Lane{Name: "client"}

func (l Lane) String() string {
	if l.N == 0 {
		return l.Name
	}
	return fmt.Sprintf("%s %d", l.Name, l.N)
}

// Dir says what an entry is. The adapter stands in the middle: frames go towards it or come from it.
type Dir byte

// The four kinds of entry.
const (
	ToAdapter   Dir = '>' // a frame that the harness sent
	FromAdapter Dir = '<' // a frame that the adapter sent
	Start       Dir = '+' // the adapter started a host; Data is its argv as a JSON array, the program's name left out
	Exit        Dir = '-' // a host ended; Data says how: "exit 0", "signal SIGKILL", "lost"
)

// Mark is the two-character sign of a Dir in a printed transcript.
func (d Dir) Mark() string {
	switch d {
	case ToAdapter:
		return "->"
	case FromAdapter:
		return "<-"
	case Start:
		return "+"
	case Exit:
		return "-"
	}
	return "?"
}

// Entry is one thing that happened on one lane.
type Entry struct {
	Lane    Lane
	Dir     Dir
	Data    []byte // a frame without its LF, or what Start and Exit say
	Partial bool   // a frame whose LF never came
}

// Record is an Entry with its place in the order of arrival.
type Record struct {
	Entry
	Seq     int    // place in the log, from 0
	Frame   Frame  // for frames; the zero value otherwise
	Answers int    // for a response: the Seq of the request that it answers; -1 otherwise
	Session string // the session that the frame, or the request that it answers, names; empty where there is none
}

// Limits bound what a Log keeps, so that a flooding adapter cannot exhaust the harness.
type Limits struct {
	Entries int   // most entries; 0 means 100,000, a hundred times what the longest scenario needs
	Bytes   int64 // most bytes of frames; 0 means 256 MiB, four lines of the greatest length
}

// Log holds everything that crossed the lanes of one scenario, in the order of arrival. It is the one place where
// that order is decided: a frame that the harness sends is appended before its first byte is written, one that it
// receives after its last byte was read.
//
//   - Append and Receive take the lock once, so an entry and the claim that work follows from it become visible
//     together.
//   - Wait tests its condition under the same lock, on the entries and claims of that instant.
//   - Over its limits a Log keeps nothing more and says so (Full).
//
// All methods may be called from any goroutine.
type Log struct {
	mu      sync.Mutex
	changed chan struct{}
	records []Record
	bytes   int64
	limits  Limits
	full    string
	busy    map[string]int
	rounds  []int // place in records at which each round begins
	track   *tracker
}

// NewLog makes an empty log.
func NewLog(limits Limits) *Log {
	if limits.Entries <= 0 {
		limits.Entries = 100_000
	}
	if limits.Bytes <= 0 {
		limits.Bytes = 256 << 20
	}
	return &Log{limits: limits, changed: make(chan struct{}), busy: map[string]int{}, track: newTracker()}
}

// Append adds an entry. The Data must not be changed afterwards.
func (l *Log) Append(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.append(e)
}

// Receive adds an entry and claims, in the same instant, that the party called who is at work because of it. The
// claim ends when done is called; done may be called once or more.
func (l *Log) Receive(e Entry, who string) (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.append(e)
	return l.claim(who)
}

// Busy claims that the party called who is at work, until done is called.
func (l *Log) Busy(who string) (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.claim(who)
}

func (l *Log) claim(who string) func() {
	l.busy[who]++
	l.wake()
	var once sync.Once
	return func() {
		once.Do(func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.busy[who]--; l.busy[who] == 0 {
				delete(l.busy, who)
			}
			l.wake()
		})
	}
}

func (l *Log) append(e Entry) {
	defer l.wake()
	if l.full != "" {
		return
	}
	switch {
	case len(l.records) >= l.limits.Entries:
		l.full = fmt.Sprintf("more than %d frames were exchanged", l.limits.Entries)
		return
	case l.bytes+int64(len(e.Data)) > l.limits.Bytes:
		l.full = fmt.Sprintf("more than %d bytes were exchanged", l.limits.Bytes)
		return
	}
	r := Record{Entry: e, Seq: len(l.records)}
	if e.Dir == ToAdapter || e.Dir == FromAdapter {
		r.Frame = ParseFrame(e.Data)
	}
	l.bytes += int64(len(e.Data))
	l.track.add(&r)
	l.records = append(l.records, r)
}

func (l *Log) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Wait returns nil as soon as cond holds. It returns the context's error when that ends first. The View is good only
// while cond runs.
func (l *Log) Wait(ctx context.Context, cond func(View) bool) error {
	for {
		l.mu.Lock()
		ok, changed := cond(View{l}), l.changed
		l.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Look runs f on the log as it is now, under its lock.
func (l *Log) Look(f func(View)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(View{l})
}

// Records gives a copy of all entries so far, in the order of arrival.
func (l *Log) Records() []Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Record(nil), l.records...)
}

// Full says why the log stopped keeping entries; empty while it has not.
func (l *Log) Full() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full
}

// View is the log at one instant, seen under its lock.
type View struct{ log *Log }

// Records are the entries so far. They must not be kept or changed.
func (v View) Records() []Record { return v.log.records }

// Full says why the log stopped keeping entries; empty while it has not.
func (v View) Full() string { return v.log.full }

// Idle reports whether no party has a claim to be at work.
func (v View) Idle() bool { return len(v.log.busy) == 0 }

// Busy reports whether the party called who has a claim to be at work.
func (v View) Busy(who string) bool { return v.log.busy[who] > 0 }
