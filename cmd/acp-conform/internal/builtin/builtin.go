// Package builtin is `acp-conform reference`: the reference adapter on stdin and stdout.
//
// A scenario starts it once, and it needs none of the libraries of the harness, whose initialisation takes longer than
// the rest of a short life. So what it depends on is initialised before them (see internal/early for the order), and a
// start as the suite makes it runs from there. Every other one, and every one that is wrong, is left to the command.
package builtin

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"acp-conform/fakemuse"
	"acp-conform/internal/godoginit"
	"acp-conform/reference"
)

// Command is the word that makes the program the reference adapter.
const Command = "reference"

func init() {
	if fakemuse.IsStandIn() {
		return // whatever its first word is
	}
	o, ok := plain(os.Args)
	if !ok || !piped(os.Stdin) || !piped(os.Stdout) || godoginit.Restore() != nil {
		return
	}
	// While packages are initialised, their goroutine holds the first thread; on any other one waiting is cheaper.
	go func() { os.Exit(early(o)) }()
	select {}
}

// early does what main does around the command.
func early(o reference.Options) int {
	SurviveWrites()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := Run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "acp-conform: "+err.Error())
		return 1
	}
	return 0
}

// Run is the adapter on stdin and stdout, in the environment and the folder of this process.
func Run(ctx context.Context, o reference.Options) error {
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("finding the working directory: %w", err)
	}
	o.Env, o.Dir = os.Environ(), dir
	return reference.Run(ctx, os.Stdin, os.Stdout, os.Stderr, o)
}

// plain reads the arguments of a start in which every flag is of the form --name=value and right, so that it means the
// same to any library for flags.
func plain(args []string) (o reference.Options, ok bool) {
	if len(args) < 2 || args[1] != Command {
		return o, false
	}
	flags := o.Flags()
	for _, arg := range args[2:] {
		name, value, whole := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if !whole || !strings.HasPrefix(arg, "--") || flags.Lookup(name) == nil || flags.Set(name, value) != nil {
			return o, false
		}
	}
	return o, o.Validate() == nil
}

// piped reports whether a stream is a pipe, as it is between an editor and its adapter; main has words for others.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&fs.ModeNamedPipe != 0
}
