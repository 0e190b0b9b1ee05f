package suite

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/reference"
	"acp-conform/runner"
)

// TestMain lets this test binary be the other programs of a run: the host's stand-in, and the reference adapter.
func TestMain(m *testing.M) {
	fakemuse.Main()
	if len(os.Args) > 1 && os.Args[1] == referenceWord {
		os.Exit(beReference(os.Args[2:]))
	}
	os.Exit(m.Run())
}

const referenceWord = "reference"

// noRaceSleep keeps an adapter that has the race detector in it from waiting a second before it ends.
const noRaceSleep = "GORACE=atexit_sleep_ms=0"

func beReference(args []string) int {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // as the program does
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o, err := reference.ParseFlags(args, os.Environ(), dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // as the program does
	defer stop()
	if err := reference.Run(ctx, os.Stdin, os.Stdout, os.Stderr, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// asProcess is the reference adapter as a child process.
func asProcess(t *testing.T, flags ...string) conform.Adapter {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a, err := runner.ReferenceProcess([]string{own, referenceWord}, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// inProcess is the reference adapter in a goroutine.
func inProcess(t *testing.T, flags ...string) conform.Adapter {
	t.Helper()
	a, err := runner.ReferenceInProcess(flags...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func load(t *testing.T) *runner.Suite {
	t.Helper()
	s, err := runner.Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}
