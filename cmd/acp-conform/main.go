// Command acp-conform judges ACP adapters.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"acp-conform/cmd/acp-conform/internal/builtin"
	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/internal/guard"
)

func main() {
	// An adapter under test may have started us as its host.
	fakemuse.Main()
	guard.Main()
	os.Exit(run(os.Args[1:]))
}

// exitError carries an exit code. With an empty text nothing more is said.
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

func usage(format string, args ...any) error {
	return &exitError{conform.ExitUsage, fmt.Sprintf(format, args...)}
}

func run(args []string) int {
	builtin.SurviveWrites()
	collectLess()
	if nobodyReads() {
		fmt.Fprintln(os.Stderr, "acp-conform: stdout is closed, or the null device, so nobody reads what is printed there; run --format NAME=FILE writes a report to a file")
	}
	out := &console{w: os.Stdout}
	code := execute(args, out)
	if trouble := out.trouble(); trouble != "" {
		fmt.Fprintln(os.Stderr, "acp-conform: "+trouble)
		if code == conform.ExitOK {
			return conform.ExitCouldNotRun
		}
	}
	return code
}

// collectLess lets the heap grow to five times what is alive before it is collected, instead of twice: a scenario leaves
// little alive and much garbage, so that collecting was a tenth of all work. Past a gigabyte the collector works as hard
// as it must. Whoever sets GOGC or GOMEMLIMIT is heard.
func collectLess() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
}

func execute(args []string, out io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return conform.ExitOK
	}
	var exit *exitError
	if errors.As(err, &exit) {
		if exit.text != "" {
			fmt.Fprintln(os.Stderr, "acp-conform: "+exit.text)
		}
		return exit.code
	}
	if ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "acp-conform: interrupted; everything that was started has been ended")
		return conform.ExitCouldNotRun
	}
	fmt.Fprintln(os.Stderr, "acp-conform: "+err.Error())
	return conform.ExitUsage
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "acp-conform",
		Short: "Judge ACP adapters against a scripted client and a fake Muse",
		Long: `acp-conform judges ACP adapters: programs that speak the Agent Client Protocol to an editor and drive an agent
host such as Muse Code. It plays both ends, the editor and the host, and needs no account and no network.

Exit codes: 0 everything holds; 1 a requirement, an oracle or a golden failed; 2 wrong use, before anything ran;
3 a scenario could not run, none of those selected applies, a MUST was not reached, or a report or another file could not be written.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%v; see %s --help", err, c.CommandPath())
	})
	root.AddCommand(runCommand(), listCommand(), recordCommand(), soakCommand(), mutantsCommand(), explainCommand(), doctorCommand(), referenceCommand(), burnCommand())
	return root
}
