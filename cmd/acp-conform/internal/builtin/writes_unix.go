//go:build unix

package builtin

import (
	"os"
	"os/signal"
	"syscall"
)

// SurviveWrites keeps two signals from ending the program: a report that nobody reads any more, and a file that grows
// over the limit of the system, are errors to be told and no reason to die with an adapter running. (Notify, not
// Ignore: what is ignored here would be ignored by every program that we start.)
func SurviveWrites() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGXFSZ) }
