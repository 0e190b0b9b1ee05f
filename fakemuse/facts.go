package fakemuse

import (
	"fmt"
	"maps"
	"slices"

	"acp-conform/wire"
)

// StartFact is what is known about one `muse serve` that the adapter started.
type StartFact struct {
	Lane     wire.Lane
	PID      int
	Argv     []string          // without the program's name
	Cwd      string            // its working directory
	Env      map[string]string // HOME and the XDG folders, as far as they were set
	DirFirst bool              // PATH began with Server.Dir
	Settings *Settings         // what its settings.json said; nil when there was none in Options.Root
}

// CallFact is one invocation of `muse` other than `serve`.
type CallFact struct {
	PID  int
	Argv []string
	Cwd  string
	Env  map[string]string
	Code int // the exit code that it was given
	// Refused says why a muse does not take these arguments; empty when it does.
	Refused string
}

// The classes of a Problem.
const (
	ProblemPeer       = "refused peer"         // wrong token, second peer with one identity, garbage
	ProblemUnscripted = "unscripted turn"      // the adapter began a turn that the script has not
	ProblemOutside    = "effect outside root"  // a tool, log or export would have acted outside Options.Root
	ProblemOverlong   = "overlong line"        // a line over the log's limit, after which nothing more is read
	ProblemInternal   = "fake muse in trouble" // something of ours failed
)

// Problem is something that should not happen in a sound scenario. It is not by itself the adapter's fault.
type Problem struct {
	Class string
	Lane  string // "muse 1"; empty when no host is concerned
	Text  string
}

func (p Problem) String() string {
	if p.Lane == "" {
		return p.Class + ": " + p.Text
	}
	return p.Lane + ": " + p.Class + ": " + p.Text
}

// problem notes a problem. The caller holds the server's lock.
func (s *Server) problem(class, lane, format string, args ...any) {
	s.problems = append(s.problems, Problem{Class: class, Lane: lane, Text: fmt.Sprintf(format, args...)})
}

// Starts lists the `muse serve` processes so far, in the order of their lanes.
func (s *Server) Starts() []StartFact {
	s.mu.Lock()
	defer s.mu.Unlock()
	starts := slices.Clone(s.starts)
	for i := range starts {
		starts[i].Argv, starts[i].Env = slices.Clone(starts[i].Argv), maps.Clone(starts[i].Env)
	}
	return starts
}

// Calls lists the other invocations so far, in the order of their end.
func (s *Server) Calls() []CallFact {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := slices.Clone(s.calls)
	for i := range calls {
		calls[i].Argv, calls[i].Env = slices.Clone(calls[i].Argv), maps.Clone(calls[i].Env)
	}
	return calls
}

// Problems lists what went wrong so far.
func (s *Server) Problems() []Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

// turnProgress says how far a scripted turn came.
type turnProgress struct {
	taken       bool
	reached     int  // steps begun
	interrupted bool // it ended before its script did: cancelled, or its host went away
}

// Leftover is a part of the script that was not used.
type Leftover struct {
	Turn int // index in Script.Turns
	Step int // index of the first unused step; -1 when the whole turn is unused
	Line int // in the script's file
	// Interrupted is true when the turn was cut short from outside, by a cancel or the end of its host. Steps that
	// are left then are often meant to be.
	Interrupted bool
	// Waits is what the turn waits for, when the whole turn is unused: `a prompt with "again"`.
	Waits string
	// What names a part that is no turn: "shell line", "trigger". Turn and Step are -1 then.
	What string
}

func (l Leftover) String() string {
	if l.What != "" {
		return fmt.Sprintf("line %d: the %s was never used", l.Line, l.What)
	}
	if l.Step < 0 {
		return fmt.Sprintf("line %d: turn %d was never begun: it waits for %s, which never reached Muse", l.Line, l.Turn+1, l.Waits)
	}
	return fmt.Sprintf("line %d: turn %d was left before its step %d", l.Line, l.Turn+1, l.Step+1)
}

// Unused lists the turns that were never begun and the steps that were never reached.
func (s *Server) Unused() []Leftover {
	s.mu.Lock()
	defer s.mu.Unlock()
	var left []Leftover
	for i, turn := range s.options.Script.Turns {
		switch p := s.progress[i]; {
		case turn.Repeat:
		case !p.taken:
			left = append(left, Leftover{Turn: i, Step: -1, Line: turn.Line, Waits: turn.waits()})
		case p.reached < len(turn.Steps):
			left = append(left, Leftover{Turn: i, Step: p.reached, Line: turn.Steps[p.reached].Line, Interrupted: p.interrupted})
		}
	}
	for i, shell := range s.options.Script.Shells {
		if !s.shells[i] {
			left = append(left, Leftover{Turn: -1, Step: -1, Line: shell.Line, What: "shell line"})
		}
	}
	for i, t := range s.options.Script.On {
		if !s.fired[i] {
			left = append(left, Leftover{Turn: -1, Step: -1, Line: t.Line, What: "trigger"})
		}
	}
	return left
}

// Waiting lists the named events at which scripts are parked now, sorted.
func (s *Server) Waiting() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := map[string]bool{}
	for t := range s.turns {
		for _, event := range t.waitingFor() {
			names[event] = true
		}
	}
	for event, waiting := range s.parked {
		if len(waiting) > 0 {
			names[event] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Release lets the named event happen, once and for all: scripts parked at it go on, and later waits for it do not
// stop. When it returns the scripts are parked again or hold claims in the log.
func (s *Server) Release(event string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events[event] = true
	waiting := s.parked[event]
	delete(s.parked, event)
	for _, goOn := range waiting {
		goOn()
	}
	var ready []*turn
	for t := range s.turns {
		if t.waits(event) {
			ready = append(ready, t)
		}
	}
	slices.SortFunc(ready, func(a, b *turn) int { return a.order - b.order })
	for _, t := range ready {
		done := s.options.Log.Busy(t.host.who())
		t.host.advance(t)
		done()
	}
}
