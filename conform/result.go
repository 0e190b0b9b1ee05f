package conform

import (
	"slices"
	"strings"
	"time"
)

// Verdict is the judgement on a scenario or a requirement.
type Verdict string

// The five verdicts. Only Pass and NotApplicable are green.
const (
	Pass          Verdict = "pass"
	Fail          Verdict = "fail"
	NotApplicable Verdict = "not_applicable"
	CouldNotRun   Verdict = "could_not_run"
	NotReached    Verdict = "not_reached"
)

// Verdicts lists all verdicts in the order in which reports show them.
func Verdicts() []Verdict {
	return []Verdict{Pass, Fail, NotApplicable, CouldNotRun, NotReached}
}

// Place points at the first byte that is wrong.
type Place struct {
	Lane     string // such as "client" or "muse 1"
	Frame    int    // place of the frame among all frames, in the order of arrival, from 1; 0 when there is none
	Line     int    // line of the golden, from 1; 0 when no golden is involved
	Pointer  string // JSON pointer (RFC 6901) into the frame; empty when unknown
	Offset   int    // byte offset in the frame; -1 when unknown
	Expected string
	Actual   string
}

// Check is one thing that was looked at: a Then step, an always-on oracle, or the golden.
type Check struct {
	Name    string   // the step's text, or the oracle's name, or "golden"
	IDs     []string // requirements that this check decides in this scenario
	OK      bool
	Message string // why it failed, in one or two sentences
	Place   *Place // nil when the failure has no place
}

// Golden is the name of the check that compares with an accepted transcript. Its failure fails the scenario and no
// requirement.
const Golden = "golden"

// ScenarioResult is what one scenario came to.
type ScenarioResult struct {
	Name         string // its folder under scenarios/, or folder/row
	Title        string // its title in the feature file
	Feature      string // path of the feature file, such as "approval/escalation.feature"
	Tags         []string
	Requirements []string // ids that the scenario may report
	Verdict      Verdict
	Reason       string // why the verdict is not pass, in one sentence; the evidence when it is not applicable
	Duration     time.Duration
	Checks       []Check
	Stderr       string // tail of the adapter's stderr
	Notes        []string
	// ReplayAs is the scenario whose selection plays this one again; empty where that is its own name.
	ReplayAs string
	// Expected is the reason for which the failure was expected, and does not count; empty when it was not.
	Expected string
	// Inapplicable is the evidence that the scenario does not apply to the adapter, where it was judged all the same because
	// an oracle found something; empty otherwise.
	Inapplicable string
	// Processes counts what was started: the adapter, when it is a process, and its hosts.
	Processes int
}

// Failures lists the checks that failed.
func (s ScenarioResult) Failures() []Check {
	var failed []Check
	for _, c := range s.Checks {
		if !c.OK {
			failed = append(failed, c)
		}
	}
	return failed
}

// RequirementResult is what one requirement came to over all scenarios that were run.
type RequirementResult struct {
	ID        string
	Level     string // MUST, SHOULD, MAY, derived
	Statement string
	Verdict   Verdict
	Scenarios []string // scenarios that decided it, or should have
	FailedIn  []string // those in which a check of it failed
	Expected  string   // the reason for which it was expected not to hold; empty when it was not
}

// AdapterInfo says who was judged.
type AdapterInfo struct {
	Name    string // from initialize; empty when it never answered
	Version string
	Argv    []string
	Stderr  string // tail of its stderr when the handshake failed
	// Refusals are the starts of the host program that it refused when the handshake failed, each in a sentence.
	Refusals []string
}

// RunResult is one whole run.
type RunResult struct {
	Adapter      AdapterInfo
	Scenarios    []ScenarioResult
	Requirements []RequirementResult
	// Problem says why nothing could be run at all; empty otherwise.
	Problem string
	// Advice says who is to blame for the problem, and what to do; empty otherwise.
	Advice string
	// Orphans are files in the folder of goldens that belong to no scenario; there must be none.
	Orphans []string
	// Stale tells of failures that were expected and are none; there must be none of these.
	Stale    []string
	Duration time.Duration
}

// Exit codes of the command. Two more are the caller's: 0 and 1 carry their usual meaning.
const (
	ExitOK          = 0
	ExitFailed      = 1 // a requirement, an oracle or a golden failed
	ExitUsage       = 2 // wrong use or configuration, before anything ran
	ExitCouldNotRun = 3 // a scenario could not run, or a MUST was not reached
)

// ExitCode is the exit code that the result stands for.
func (r RunResult) ExitCode() int {
	code := ExitOK
	// Where nothing was judged, nothing holds: not applicable alone is not green.
	if r.Problem != "" || !r.anyApplies() {
		code = ExitCouldNotRun
	}
	if len(r.Orphans)+len(r.Stale) > 0 {
		return ExitFailed
	}
	for _, s := range r.Scenarios {
		switch {
		case s.Expected != "":
		case s.Verdict == Fail:
			return ExitFailed
		case s.Verdict == CouldNotRun, s.Verdict == NotReached:
			code = ExitCouldNotRun
		}
	}
	for _, q := range r.Requirements {
		switch {
		case q.Expected != "":
		case q.Verdict == Fail:
			return ExitFailed
		case q.Verdict == NotReached && q.Level == "MUST", q.Verdict == CouldNotRun:
			code = ExitCouldNotRun
		}
	}
	return code
}

// NoneApplies is why nothing was judged where scenarios were selected and none of them applies to the adapter.
const NoneApplies = "none of the selected scenarios applies to the adapter"

// WhyNothing says why nothing was judged; empty when something was.
func (r RunResult) WhyNothing() string {
	if r.Problem == "" && len(r.Scenarios) > 0 && !r.anyApplies() {
		return NoneApplies
	}
	return r.Problem
}

// anyApplies reports whether a scenario was judged, but for the probe, which nobody has selected.
func (r RunResult) anyApplies() bool {
	return slices.ContainsFunc(r.Scenarios, func(s ScenarioResult) bool { return s.Name != ProbeName && s.Verdict != NotApplicable })
}

// CountScenarios counts the scenarios of a verdict.
func (r RunResult) CountScenarios(v Verdict) int {
	n := 0
	for _, s := range r.Scenarios {
		if s.Verdict == v {
			n++
		}
	}
	return n
}

// CountRequirements counts the requirements of a verdict.
func (r RunResult) CountRequirements(v Verdict) int {
	n := 0
	for _, q := range r.Requirements {
		if q.Verdict == v {
			n++
		}
	}
	return n
}

// Area is the first folder of a feature's path.
func (s ScenarioResult) Area() string {
	area, _, _ := strings.Cut(s.Feature, "/")
	return area
}
