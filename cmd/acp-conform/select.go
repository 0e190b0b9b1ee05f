package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"acp-conform/conform"
	"acp-conform/runner"
	"acp-conform/wire"
)

// selection are the flags that choose scenarios.
type selection struct {
	tags, scenarios []string
	own             ownFolder
}

func (s *selection) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.tags, "tags", nil, `Cucumber tag expression such as "@approval and not @escalation"; all that are given must hold`)
	c.Flags().StringArrayVar(&s.scenarios, "scenario", nil, "name of a scenario, or of a folder of them; any of those that are given")
}

// ownFolder is a folder of scenarios of the user's own.
type ownFolder struct {
	dir  string
	flag *pflag.Flag
}

func (o *ownFolder) add(c *cobra.Command) {
	const name = "scenarios"
	c.Flags().StringVar(&o.dir, name, "", "`DIR` with scenarios of your own: each folder in it holds an input.json and a muse.json, and a workspace/ if it needs one; they have the tag "+runner.OwnTag)
	o.flag = c.Flags().Lookup(name)
}

// load reads the suite, and the scenarios of the user's own where a folder is given.
func (o *ownFolder) load() (*runner.Suite, error) {
	suite, err := runner.Load()
	switch {
	case err != nil || o.flag == nil || !o.flag.Changed:
		return suite, err
	case o.dir == "":
		return nil, usage("--scenarios is empty; leave it out to play what is built in")
	}
	suite, err = suite.Add(o.dir)
	var wrong *runner.OwnError
	if errors.As(err, &wrong) {
		return nil, usage("--scenarios: %s", strings.Join(wrong.Problems, "\n  "))
	}
	return suite, err
}

// apart makes sure that goldens have a folder of their own: each file and folder beside them would count as one.
func (o *ownFolder) apart(goldens string) error {
	own, err := os.Stat(o.dir)
	if err != nil {
		return nil // there is none, or its own error says so
	}
	if store, err := os.Stat(goldens); err == nil && os.SameFile(own, store) {
		return usage("--scenarios and --goldens are the same folder, %s; give the goldens one of their own", goldens)
	}
	return nil
}

// load reads the suite and applies the selection to it.
func (s *selection) load() (*runner.Suite, []runner.Planned, error) {
	suite, err := s.own.load()
	if err != nil {
		return nil, nil, err
	}
	selected, err := suite.Plan.Select(s.tags, s.scenarios)
	var wrong *runner.SelectionError
	if errors.As(err, &wrong) {
		return nil, nil, usage("%s", wrong.Text)
	}
	return suite, selected, err
}

// execution are the flags that say how scenarios are played.
type execution struct {
	env       []string
	jobs      int
	lineLimit int
	// transcripts is a folder for transcripts in the order of arrival; empty writes none.
	transcripts string
	unwritten   *unwritten
	free        []string // scenarios that are held to no golden
	auditLog    string
	deadlines   conform.Deadlines
}

func (x *execution) add(c *cobra.Command) {
	x.deadlines = conform.DefaultDeadlines()
	f := c.Flags()
	f.StringArrayVar(&x.env, "env", nil, "variable K=V of the adapter's environment; {{muse}} is the path of the fake Muse")
	f.IntVar(&x.jobs, "jobs", 2*runtime.NumCPU(), "scenarios that are played at the same time; some only wait")
	f.Lookup("jobs").DefValue = "twice the number of cores" // the same text on every machine
	f.IntVar(&x.lineLimit, "line-limit", wire.DefaultLineLimit, "longest line of the adapter's stdout, in bytes; prompts with images reach tens of megabytes")
	f.StringVar(&x.auditLog, "audit-log", "", "where the adapter keeps the audit log of a session: a `PATTERN` of file names below its XDG_DATA_HOME, in which {session} is the session's id, such as my-adapter/audit/{session}.jsonl; without it no log is judged (the reference adapter's is known)")
	for _, d := range x.timeouts() {
		f.DurationVar(d.field, d.name, *d.field, d.usage)
	}
}

// timeout is the flag of one deadline.
type timeout struct {
	field       *time.Duration
	name, usage string
}

func (x *execution) timeouts() []timeout {
	return []timeout{
		{&x.deadlines.Start, "start-timeout", "from the start of the adapter to its answer to initialize; slow runtimes need some of it"},
		{&x.deadlines.Reply, "reply-timeout", "for each thing that the adapter owes; everything is local and scripted, so this is plenty"},
		{&x.deadlines.Scenario, "scenario-timeout", "for a whole scenario; the longest has two hundred turns"},
		{&x.deadlines.StopEOF, "stop-timeout", "from the end of stdin to the end of the adapter, which ends its host first"},
		{&x.deadlines.StopTerm, "term-timeout", "from SIGTERM to SIGKILL"},
		{&x.deadlines.StopKill, "kill-timeout", "for what is left after SIGKILL"},
	}
}

// unwritten counts the files that could not be written while scenarios were played.
type unwritten struct {
	mu    sync.Mutex
	first error
	n     int
}

func (u *unwritten) add(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err == nil {
		return
	}
	if u.n++; u.n == 1 {
		u.first = err
	}
}

// err is one error for all of them.
func (u *unwritten) err() error {
	if u == nil || u.n == 0 {
		return nil
	}
	return fmt.Errorf("writing %d of the transcripts: %w", u.n, u.first)
}

func (x *execution) check() error {
	warnings, err := checkEnv(x.env)
	if err != nil {
		return err
	}
	warn(warnings)
	if x.jobs < 1 {
		return usage("--jobs is %d; it must be at least 1", x.jobs)
	}
	if x.lineLimit < 1024 {
		return usage("--line-limit is %d; it must be at least 1024 bytes", x.lineLimit)
	}
	if x.auditLog != "" {
		if err := conform.CheckAuditPattern(x.auditLog); err != nil {
			return usage("--audit-log: %v", err)
		}
	}
	for _, d := range x.timeouts() {
		if *d.field <= 0 {
			return usage("--%s is %s; it must be more than nothing", d.name, *d.field)
		}
	}
	return nil
}

func (x *execution) apply(e *conform.Engine) {
	e.Deadlines, e.Env, e.LineLimit, e.Free = x.deadlines, x.env, x.lineLimit, x.free
	if x.auditLog != "" {
		e.AuditLog = x.auditLog
		for _, id := range conform.AuditRequirements() {
			delete(e.Outside, id) // whoever names a log wants it judged
		}
	}
	if x.transcripts != "" {
		x.unwritten = &unwritten{}
		e.Transcript = func(scenario string, text []byte) error {
			file := filepath.Join(x.transcripts, filepath.FromSlash(scenario)+".txt")
			err := os.MkdirAll(filepath.Dir(file), 0o755)
			if err == nil {
				err = os.WriteFile(file, text, 0o644)
			}
			x.unwritten.add(err)
			return err
		}
	}
}

func warn(warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(os.Stderr, "acp-conform: "+w)
	}
}

// command splits off what stands behind "--". Without it the command is nil.
func command(c *cobra.Command, args []string) ([]string, error) {
	dash := c.ArgsLenAtDash()
	switch {
	case dash < 0 && len(args) > 0:
		return nil, usage("unexpected argument %q; the adapter's command goes behind --, as in: %s -- %s", args[0], c.CommandPath(), strings.Join(args, " "))
	case dash > 0:
		return nil, usage("unexpected argument %q before --", args[0])
	case dash == 0 && len(args) == 0:
		return nil, usage("there is no command behind --")
	case len(args) == 0:
		return nil, nil
	}
	for _, a := range args {
		warning, err := checkBraces(fmt.Sprintf("the argument %q", a), a)
		if err != nil {
			return nil, err
		}
		warn(warning)
	}
	return args, nil
}

// adapter makes the adapter of a command; of the reference, as a process, when there is none.
func adapter(argv []string) (conform.Adapter, error) {
	if argv == nil {
		return referenceProcess()
	}
	a, err := conform.NewCommand(argv)
	if err != nil {
		return nil, &exitError{conform.ExitCouldNotRun, err.Error()}
	}
	return a, nil
}

// referenceProcess is the reference adapter as a separate process: this program again.
func referenceProcess(flags ...string) (conform.Adapter, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding our own program: %w", err)
	}
	return runner.ReferenceProcess([]string{own, "reference"}, flags...)
}
