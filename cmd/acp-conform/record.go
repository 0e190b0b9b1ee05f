package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"acp-conform/conform"
	"acp-conform/report"
	"acp-conform/runner"
)

func recordCommand() *cobra.Command {
	var sel selection
	var exec execution
	var dir string
	c := &cobra.Command{
		Use:   "record --goldens DIR [flags] [-- command args...]",
		Short: "Record the transcripts of an adapter as goldens of its own",
		Long: `Record plays the scenarios and writes the transcript of each one that passes below DIR. It never removes a file and
writes nothing for a scenario that does not pass. It names each golden that it changes: read the difference before you
keep it. Without a command the reference adapter is recorded.`,
		RunE: func(c *cobra.Command, args []string) error {
			argv, err := command(c, args)
			if err != nil {
				return err
			}
			if dir == "" {
				return usage("--goldens DIR is missing")
			}
			if err := sel.own.apart(dir); err != nil {
				return err
			}
			if err := exec.check(); err != nil {
				return err
			}
			suite, selected, err := sel.load()
			if err != nil {
				return err
			}
			end, err := guarded(suite)
			if err != nil {
				return err
			}
			defer end()
			return record(c, suite, selected, argv, exec, dir)
		},
	}
	sel.add(c)
	sel.own.add(c)
	exec.add(c)
	c.Flags().StringVar(&dir, "goldens", "", "folder for the goldens; it is made where it does not exist")
	return c
}

func record(c *cobra.Command, suite *runner.Suite, selected []runner.Planned, argv []string, exec execution, dir string) error {
	a, err := adapter(argv)
	if err != nil {
		return err
	}
	recorder := runner.NewRecorder()
	engine := suite.Engine(a, argv == nil)
	exec.apply(engine)
	engine.Goldens = recorder
	run := suite.Run(engine, selected, exec.jobs)
	progress := report.ProgressInShort(c.OutOrStdout())
	run.Finished = func(r conform.ScenarioResult) { progress.Scenario(r) }
	result, err := run.Do(c.Context())
	if err != nil {
		return err
	}
	progress.End()
	if result.Problem != "" {
		adviseOnFiles(&result, argv)
		if err := report.WriteProblem(c.ErrOrStderr(), result); err != nil {
			return err
		}
		return &exitError{code: conform.ExitCouldNotRun}
	}
	var passed []string
	for _, s := range result.Scenarios {
		if s.Verdict == conform.Pass && s.Name != conform.ProbeName {
			passed = append(passed, s.Name)
		}
	}
	written, err := runner.WriteFiles(dir, recorder.Files(passed, suite.Opening))
	if err != nil {
		return &exitError{conform.ExitCouldNotRun, err.Error()}
	}
	for _, name := range written.Changed {
		fmt.Fprintln(c.OutOrStdout(), "changed:", name)
	}
	fmt.Fprintf(c.OutOrStdout(), "%d of %d scenarios recorded in %s: %d files new, %d changed, %d as they were\n",
		len(passed), len(selected), dir, len(written.New), len(written.Changed), len(written.Same))
	if code := result.ExitCode(); code != conform.ExitOK {
		return &exitError{code, "not every scenario passed; run the same command with `run` to see why"}
	}
	return nil
}
