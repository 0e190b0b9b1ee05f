package main

import (
	"context"
	"fmt"
	"io"
	"os"
	osexec "os/exec"

	"github.com/spf13/cobra"

	"acp-conform/conform"
	"acp-conform/runner"
)

func soakCommand() *cobra.Command {
	var sel selection
	var exec execution
	var runs, busy int
	c := &cobra.Command{
		Use:   "soak --runs N [flags] [-- command args...]",
		Short: "Play the suite again and again, and compare the transcripts byte for byte",
		Long: `Soak plays the selected scenarios N times against the reference adapter, as a process and in this process in turn, at
once and with an adapter that writes late to its client or to its host, at GOMAXPROCS 1, 2 and 8, beside processes that
keep the machine busy. Every transcript is compared with that of the first run. It exits with 1 when any run differs. A
long one tells on stderr how far it has come.

With a command behind -- it shows whether that adapter does the same each time: it is played in one way, with GOMAXPROCS in
its environment, and a run differs as well when a scenario comes to another verdict, or fails in other checks, than in the
first run. The probe of an adapter without a host is compared by that alone. Whether what it does is right, run says.`,
		RunE: func(c *cobra.Command, args []string) error {
			argv, err := command(c, args)
			if err != nil {
				return err
			}
			if runs < 1 || busy < 0 {
				return usage("--runs must be at least 1, --busy at least 0")
			}
			if err := exec.check(); err != nil {
				return err
			}
			suite, selected, err := sel.load()
			if err != nil {
				return err
			}
			ways, err := soakWays(argv)
			if err != nil {
				return err
			}
			end, err := guarded(suite)
			if err != nil {
				return err
			}
			defer end()
			stop, err := keepBusy(c.Context(), busy)
			if err != nil {
				return err
			}
			defer stop()
			soak := &runner.Soak{Suite: suite, Selected: selected, Jobs: exec.jobs, Procs: []int{1, 2, 8}, Ways: ways, Reference: argv == nil, Prepare: exec.apply,
				Differs: func(run int, way string, procs int, what string) {
					fmt.Fprintf(c.OutOrStdout(), "run %d (%s, GOMAXPROCS %d): %s\n", run, way, procs, what)
				}}
			made := 0
			soak.Made = func(n, differ int) {
				made = n
				if step := runs / 10; step >= 10 && n%step == 0 && n < runs {
					fmt.Fprintf(c.ErrOrStderr(), "%d of %d runs, %d differ\n", n, runs, differ)
				}
			}
			differ, err := soak.Do(c.Context(), runs)
			switch {
			case err != nil && c.Context().Err() != nil:
				fmt.Fprintf(c.ErrOrStderr(), "stopped after %d of %d runs, %d differ\n", made, runs, differ)
				return err
			case err != nil:
				return &exitError{conform.ExitCouldNotRun, err.Error()}
			}
			fmt.Fprintf(c.OutOrStdout(), "%d runs, %d differ\n", runs, differ)
			if differ > 0 {
				return &exitError{code: conform.ExitFailed}
			}
			return nil
		},
	}
	sel.add(c)
	sel.own.add(c)
	exec.add(c)
	c.Flags().IntVar(&runs, "runs", 50, "how often the suite is played")
	c.Flags().IntVar(&busy, "busy", 4, "processes beside that keep the machine busy")
	return c
}

// soakWays are the ways in which the adapter is run, in turn. There is one for a command. The reference is run as a process
// and in this process, each at once and late. What is late is joined on one lane and apart on the other, so that each lane
// is behind the other in some round.
func soakWays(argv []string) ([]runner.Way, error) {
	if argv != nil {
		a, err := adapter(argv)
		return []runner.Way{{Name: "the command", Adapter: a}}, err
	}
	var ways []runner.Way
	for _, w := range []struct {
		name  string
		flags []string
		run   func(flags ...string) (conform.Adapter, error)
	}{
		{"process", nil, referenceProcess},
		{"in-process", nil, runner.ReferenceInProcess},
		{"process, late to its client", []string{"--client-pace=split:2ms", "--host-pace=join:1ms"}, referenceProcess},
		{"in-process, late to its host", []string{"--client-pace=join:1ms", "--host-pace=split:2ms"}, runner.ReferenceInProcess},
	} {
		adapter, err := w.run(w.flags...)
		if err != nil {
			return nil, err
		}
		ways = append(ways, runner.Way{Name: w.name, Adapter: adapter})
	}
	return ways, nil
}

// keepBusy starts n processes of our own that compute until their stdin ends.
func keepBusy(ctx context.Context, n int) (stop func(), err error) {
	own, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding our own program: %w", err)
	}
	var ends []func()
	stop = func() {
		for _, end := range ends {
			end()
		}
	}
	for range n {
		cmd := osexec.CommandContext(ctx, own, "burn")
		stdin, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			stop()
			return nil, fmt.Errorf("starting a busy process: %w", err)
		}
		ends = append(ends, func() {
			stdin.Close()
			cmd.Wait()
		})
	}
	return stop, nil
}

// burnCommand keeps one core busy until its stdin ends, so that it never outlives who started it.
func burnCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "burn",
		Hidden: true,
		Args:   noArgs,
		RunE: func(*cobra.Command, []string) error {
			end := make(chan struct{})
			go func() {
				defer close(end)
				io.Copy(io.Discard, os.Stdin)
			}()
			for x := uint64(1); ; {
				select {
				case <-end:
					return nil
				default:
				}
				for range 1 << 20 {
					x = x*6364136223846793005 + 1442695040888963407
				}
			}
		},
	}
}
