package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"acp-conform/conform"
	"acp-conform/goldens"
	"acp-conform/report"
	"acp-conform/runner"
)

func runCommand() *cobra.Command {
	var sel selection
	var exec execution
	var formats []string
	var goldenDir, transcriptDir, knownFile string
	var each bool
	c := &cobra.Command{
		Use:   "run [flags] [-- command args...]",
		Short: "Judge an adapter; without a command the reference adapter",
		Long: `Run plays the scenarios against an adapter and says which requirements hold.

The command behind -- is started without a shell, once for every scenario, with a private HOME and working folder.
A program called muse stands first on its PATH; {{muse}} in its arguments and in --env is the path of that program.
Without a command the reference adapter is judged, as a separate process, and its transcripts are compared with the
accepted ones.`,
		RunE: func(c *cobra.Command, args []string) error {
			argv, err := command(c, args)
			if err != nil {
				return err
			}
			if err := sel.own.apart(goldenDir); err != nil {
				return err
			}
			if err := given(c, "goldens", "known-failures", "transcripts", "audit-log"); err != nil {
				return err
			}
			out, err := outputs(c.OutOrStdout(), formats)
			if err != nil {
				return err
			}
			if knownFile != "" && out.twice(knownFile) {
				return usage("--format: a report would be written over %s, which --known-failures reads", knownFile)
			}
			out.each = each
			if err := exec.check(); err != nil {
				return err
			}
			suite, selected, err := sel.load()
			if err != nil {
				return err
			}
			store, err := goldenStore(argv, goldenDir)
			if err != nil {
				return err
			}
			known, err := knownFailures(suite, knownFile)
			if err != nil {
				return err
			}
			if transcriptDir != "" {
				if err := os.MkdirAll(transcriptDir, 0o755); err != nil {
					return usage("--transcripts: %v", err)
				}
			}
			end, err := guarded(suite)
			if err != nil {
				return err
			}
			defer end()
			exec.transcripts = transcriptDir
			if goldenDir == "" {
				exec.free = suite.Own // the accepted transcripts are those of the scenarios that are built in
			}
			result, err := judge(c, suite, selected, argv, &exec, out, store)
			if err != nil {
				return err
			}
			result.Expect(known, len(selected) == len(suite.Plan.Scenarios))
			code := result.ExitCode()
			if err := errors.Join(exec.unwritten.err(), out.write(result, options(c, argv))); err != nil {
				if code != conform.ExitFailed { // what failed counts more than where it could not be written
					code = conform.ExitCouldNotRun
				}
				return &exitError{code, strings.ReplaceAll(err.Error(), "\n", "; ")}
			}
			if code != conform.ExitOK {
				return &exitError{code: code}
			}
			return nil
		},
	}
	sel.add(c)
	sel.own.add(c)
	exec.add(c)
	c.Flags().StringVar(&transcriptDir, "transcripts", "", "folder for the transcript of every scenario, in the order of arrival, with the frame numbers of the report")
	c.Flags().StringVar(&goldenDir, "goldens", "", "folder with goldens that record has written; every transcript must be equal to its golden, byte for byte")
	c.Flags().StringVar(&knownFile, "known-failures", "", "`FILE` of failures that are expected and do not count, one a line, NAME: reason, where the name is a scenario, a folder of them or a requirement; one that passes is a failure")
	c.Flags().BoolVar(&each, "name-each", false, "name each scenario that is not applicable, with its reason; without it those of one reason share a line")
	c.Flags().StringArrayVar(&formats, "format", nil, "pretty, json, junit or known (the failures as a file for --known-failures, without their reasons), on stdout; NAME=FILE writes a file instead (default pretty)")
	return c
}

func judge(c *cobra.Command, suite *runner.Suite, selected []runner.Planned, argv []string, exec *execution, out *outputSet, store *conform.Goldens) (conform.RunResult, error) {
	a, err := adapter(argv)
	var exit *exitError
	if errors.As(err, &exit) {
		// A program that is not there is a verdict on every scenario, not wrong use.
		return unstartable(selected, argv, exit.text), nil
	}
	if err != nil {
		return conform.RunResult{}, err
	}
	engine := suite.Engine(a, argv == nil)
	exec.apply(engine)
	if store != nil {
		engine.Goldens = store
	}
	run := suite.Run(engine, selected, exec.jobs)
	progress := report.ProgressInShort(out.progress)
	if out.each {
		progress = report.Progress(out.progress)
	}
	run.Finished = func(r conform.ScenarioResult) { progress.Scenario(r) }
	result, err := run.Do(c.Context())
	if err != nil {
		return result, err
	}
	progress.End()
	adviseOnFiles(&result, argv)
	if store != nil && result.Problem == "" {
		store.HoldAll(result.Scenarios)
		if result.Orphans, err = store.Orphans(suite.Plan.Names()); err != nil {
			return result, err
		}
	}
	return result, nil
}

// goldenStore gives the goldens that the transcripts are held to: those of a folder, or the accepted ones of the
// reference; none for another adapter.
func goldenStore(argv []string, dir string) (*conform.Goldens, error) {
	switch {
	case dir != "":
		info, err := os.Stat(dir)
		if err != nil {
			return nil, usage("--goldens: %v", err)
		}
		if !info.IsDir() {
			return nil, usage("--goldens: %s is no folder", dir)
		}
		return conform.NewGoldens(os.DirFS(dir)), nil
	case argv == nil:
		return conform.NewGoldens(goldens.FS), nil
	}
	return nil, nil
}

// unstartable is the result of a run whose adapter cannot be found.
func unstartable(selected []runner.Planned, argv []string, reason string) conform.RunResult {
	r := conform.RunResult{Adapter: conform.AdapterInfo{Argv: argv}, Problem: reason}
	for _, p := range selected {
		r.Scenarios = append(r.Scenarios, conform.ScenarioResult{Name: p.Name, Title: p.Title, Feature: p.Feature, Tags: p.Tags,
			Requirements: p.Requirements, Verdict: conform.CouldNotRun, Reason: reason})
	}
	return r
}

// options tell the report how a scenario is replayed.
func options(c *cobra.Command, argv []string) report.Options {
	o := report.Options{Program: "acp-conform", BuiltIn: argv == nil}
	c.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "tags", "scenario", "format", "jobs", "transcripts", "known-failures", "name-each":
			return // they choose what is played, what is written and what counts, not how it is played
		case "env":
			if env, err := c.Flags().GetStringArray("env"); err == nil {
				for _, kv := range env {
					o.Flags = append(o.Flags, "--env", kv)
				}
			}
		default:
			o.Flags = append(o.Flags, "--"+f.Name, f.Value.String())
		}
	})
	return o
}

// outputSet says where reports go.
type outputSet struct {
	console  io.Writer
	stdout   string // format on stdout
	files    map[string]string
	progress io.Writer
	each     bool // name each scenario that is not applicable while the run goes on
}

// twice reports whether a report is written to that file already, however its path is spelled.
func (set *outputSet) twice(file string) bool {
	info, err := os.Stat(file)
	for other := range set.files {
		if filepath.Clean(other) == filepath.Clean(file) {
			return true
		}
		if known, bad := os.Stat(other); err == nil && bad == nil && os.SameFile(known, info) {
			return true
		}
	}
	return false
}

func outputs(console io.Writer, formats []string) (*outputSet, error) {
	set := &outputSet{console: console, files: map[string]string{}}
	for _, f := range formats {
		name, file, toFile := strings.Cut(f, "=")
		if err := report.CheckFormat(name); err != nil {
			return nil, usage("--format %s: %v", f, err)
		}
		switch {
		case toFile && file == "":
			return nil, usage("--format %s names no file behind the =", f)
		case toFile && set.twice(file):
			return nil, usage("--format: two reports would be written to %s", file)
		case toFile:
			if err := writable(file); err != nil {
				return nil, usage("--format %s: %v", f, err)
			}
			set.files[file] = name
		case set.stdout != "":
			return nil, usage("--format: only one report can go to stdout; write the other one to a file, as in %s=FILE", name)
		default:
			set.stdout = name
		}
	}
	if set.stdout == "" {
		set.stdout = "pretty"
	}
	set.progress = console
	if report.Machine(set.stdout) {
		set.progress = os.Stderr
	}
	return set, nil
}

// writable makes sure, before anything is played, that a file can be written. What stands in it stays for now.
func writable(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

func (o *outputSet) write(r conform.RunResult, opts report.Options) error {
	var problems []error
	for _, file := range slices.Sorted(maps.Keys(o.files)) {
		problems = append(problems, writeFile(file, o.files[file], r, opts))
	}
	problems = append(problems, report.Write(o.console, o.stdout, r, opts))
	return errors.Join(problems...)
}

func writeFile(file, format string, r conform.RunResult, opts report.Options) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("writing the report as %s: %w", format, err)
	}
	defer func() {
		if closed := f.Close(); err == nil && closed != nil {
			err = fmt.Errorf("writing the report as %s: %w", format, closed)
		}
	}()
	return report.Write(f, format, r, opts)
}
