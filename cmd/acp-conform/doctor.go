package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"acp-conform/conform"
	"acp-conform/report"
	"acp-conform/runner"
)

func doctorCommand() *cobra.Command {
	var exec execution
	c := &cobra.Command{
		Use:   "doctor [flags] -- command args...",
		Short: "Say in one screen whether it is the adapter, the configuration or us",
		Long: `Doctor has the simplest conversation with an adapter and says how far it got: whether it starts, what it answers to
initialize, whether it found the fake Muse and with which arguments it started it, what came out of its stdout that is
no protocol, and whether it ends when its stdin is closed. It exits with 0 when all of that is well, with 1 when it is the adapter, and with 3 otherwise.`,
		RunE: func(c *cobra.Command, args []string) error {
			argv, err := command(c, args)
			if err != nil {
				return err
			}
			if argv == nil {
				return usage("doctor needs the command of an adapter behind --")
			}
			if err := exec.check(); err != nil {
				return err
			}
			suite, err := runner.Load()
			if err != nil {
				return err
			}
			a, err := adapter(argv)
			if err != nil {
				return err
			}
			healthy, err := inProcess()
			if err != nil {
				return err
			}
			end, err := guarded(suite)
			if err != nil {
				return err
			}
			defer end()
			d, err := suite.Doctor(c.Context(), a, healthy, exec.apply)
			if err != nil {
				return &exitError{conform.ExitCouldNotRun, err.Error()}
			}
			if arg := relativeFile(argv); arg != "" && d.Mute {
				d.Cause, d.Advice = runner.CauseConfiguration, relativeAdvice(arg)
			}
			return tell(c.OutOrStdout(), d)
		},
	}
	exec.add(c)
	return c
}

// stderrLines is how much of the adapter's stderr fits on the one screen.
const stderrLines = 8

func tell(w io.Writer, d runner.Diagnosis) error {
	for _, f := range d.Findings {
		mark := "ok"
		if !f.OK {
			mark = "NO"
		}
		fmt.Fprintf(w, "%-3s %-34s %s\n", mark, f.Name, report.Visible(f.Text))
	}
	if d.Cause == "" {
		fmt.Fprintln(w, "\nNothing is wrong that one conversation can show.")
		return nil
	}
	fmt.Fprintf(w, "\nIt is %s: %s.\n", d.Cause, report.Visible(d.Advice))
	if lines := strings.Split(strings.TrimSpace(d.Stderr), "\n"); len(strings.TrimSpace(d.Stderr)) > 0 {
		fmt.Fprintln(w, "\nThe end of its stderr:")
		for _, l := range lines[max(0, len(lines)-stderrLines):] {
			fmt.Fprintln(w, "  "+report.Visible(l))
		}
	}
	code := conform.ExitCouldNotRun
	if d.Cause == runner.CauseAdapter {
		code = conform.ExitFailed
	}
	return &exitError{code: code}
}
