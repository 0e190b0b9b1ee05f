package conform

import "time"

// Deadlines bound every wait. They only end what has gone wrong: a right adapter meets none of them.
type Deadlines struct {
	// Start bounds the time from the start of the adapter to its answer to initialize.
	Start time.Duration
	// Reply bounds the wait for each thing that the adapter owes.
	Reply time.Duration
	// Scenario bounds a whole scenario without its end.
	Scenario time.Duration
	// StopEOF is how long the adapter may take to end once its stdin is closed.
	StopEOF time.Duration
	// StopTerm is how long it may take after SIGTERM.
	StopTerm time.Duration
	// StopKill is how long the pipes may stay open after SIGKILL of the process group.
	StopKill time.Duration
}

// DefaultDeadlines are the deadlines of the command.
func DefaultDeadlines() Deadlines {
	return Deadlines{
		// Runtimes that compile at start (node, the JVM, Python with many imports) need several seconds on a busy
		// machine of two cores.
		Start: 20 * time.Second,
		// Everything is local and scripted; ten seconds are a hundred times what a slow adapter was seen to need.
		Reply: 10 * time.Second,
		// The longest scenario has two hundred turns.
		Scenario: 120 * time.Second,
		// An adapter closes its host first; hosts get a few seconds of grace from it.
		StopEOF:  10 * time.Second,
		StopTerm: 2 * time.Second,
		StopKill: 2 * time.Second,
	}
}
