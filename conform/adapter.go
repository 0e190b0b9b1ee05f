package conform

import (
	"io"
	"time"
)

// Adapter is a program under test.
type Adapter interface {
	// Argv is what is reported: the program and its arguments, before placeholders are filled in.
	Argv() []string
	// Start begins one run of the adapter.
	Start(s Surroundings) (Process, error)
}

// Surroundings are the private world of one run of an adapter.
type Surroundings struct {
	Dir  string   // working directory of the process
	Env  []string // the whole environment, "K=V"
	Host string   // path of the host program; it replaces {{muse}} in arguments
}

// Process is one running adapter.
type Process interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	// Stop ends the process and everything in its group: it waits for the end of stdout and of the process for the
	// first grace, then asks politely (SIGTERM) and waits for the second, then kills and waits for the third.
	// Stdin must be closed before. It may be called once.
	Stop(eof, term, kill time.Duration) Ending
	// Terminate tells the process to end, as SIGTERM does, and does not wait. What it started is left to it.
	Terminate()
	// Done is closed when the process has ended by itself or was ended.
	Done() <-chan struct{}
	// Ending says how the process ended. It is good once Done is closed.
	Ending() Ending
	// StderrTail is the end of what the process wrote to stderr, bounded.
	StderrTail() string
}

// Ending says how a process ended.
type Ending struct {
	Text   string // such as "exit status 0" or "signal: killed"
	Clean  bool   // exit status 0
	Forced string // "" when it ended by itself, else "SIGTERM" or "SIGKILL"
	// Left says what outlived the process and had to be killed; empty when nothing did.
	Left string
}
