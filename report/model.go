package report

import (
	"cmp"
	"fmt"
	"slices"

	"acp-conform/conform"
)

// Schema is the version of the model's members. It grows when a member changes its name or meaning or goes away; a new
// member does not change it.
const Schema = 1

// mostText bounds one text that came from the adapter, in bytes. A frame may have 64 MiB; a report with some of those
// would be of use to nobody, and 64 KiB around the difference shows more than anybody reads.
const mostText = 64 << 10

// Model is a whole run, ready to be shown. Its JSON form is the json format. No list in it is nil, and all its text is
// valid UTF-8.
type Model struct {
	Schema       int           `json:"schema"`
	Adapter      Adapter       `json:"adapter"`
	Problem      string        `json:"problem"` // why nothing was judged; empty otherwise
	Advice       string        `json:"advice"`  // who is to blame for the problem, and what to do; empty otherwise
	Orphans      []string      `json:"orphans"` // files in the folder of goldens that belong to no scenario
	Stale        []string      `json:"stale"`   // failures that were expected and are none
	DurationMS   int64         `json:"duration_ms"`
	Summary      Summary       `json:"summary"`
	Scenarios    []Scenario    `json:"scenarios"`
	Requirements []Requirement `json:"requirements"`
	Unforgiven   []string      `json:"-"` // what must be expected for the failures not to count, beside what is
}

// Adapter says who was judged.
type Adapter struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Argv    []string `json:"argv"`
}

// Summary counts verdicts.
type Summary struct {
	Scenarios    Counts `json:"scenarios"`
	Requirements Counts `json:"requirements"`
}

// Counts has one number per verdict.
type Counts struct {
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	NotApplicable int `json:"not_applicable"`
	CouldNotRun   int `json:"could_not_run"`
	NotReached    int `json:"not_reached"`
}

// Scenario is what one scenario came to.
type Scenario struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Feature      string          `json:"feature"`
	Tags         []string        `json:"tags"`
	Requirements []string        `json:"requirements"`
	Verdict      conform.Verdict `json:"verdict"`
	Reason       string          `json:"reason"`
	Expected     string          `json:"expected,omitempty"` // why the failure was expected, and does not count
	DurationMS   int64           `json:"duration_ms"`
	Checks       []Check         `json:"checks"`
	Failures     []Failure       `json:"failures"`
	Notes        []string        `json:"notes"`
	Stderr       string          `json:"stderr"`
	Replay       string          `json:"replay"` // command that runs just this scenario again
}

// Check is one thing that was looked at.
type Check struct {
	Name         string   `json:"name"`
	Requirements []string `json:"requirements"`
	OK           bool     `json:"ok"`
}

// Failure is a check that failed, with the first difference.
type Failure struct {
	Check        string   `json:"check"`
	Requirements []string `json:"requirements"`
	Message      string   `json:"message"`
	Lane         string   `json:"lane"`    // empty when the failure has no place
	Frame        int      `json:"frame"`   // from 1, in the order of arrival; 0 when there is none
	Pointer      string   `json:"pointer"` // JSON pointer into the frame
	Offset       int      `json:"offset"`  // byte offset in the frame; -1 when unknown
	Line         int      `json:"line"`    // line of the golden, from 1; 0 when none is involved
	Expected     string   `json:"expected"`
	Actual       string   `json:"actual"`
}

// Requirement is what one requirement came to.
type Requirement struct {
	ID        string          `json:"id"`
	Level     string          `json:"level"`
	Verdict   conform.Verdict `json:"verdict"`
	Scenarios []string        `json:"scenarios"`
	FailedIn  []string        `json:"failed_in,omitempty"`
	Expected  string          `json:"expected,omitempty"` // why it was expected not to hold
	Statement string          `json:"statement"`
}

// New makes the model of a run. It fails when the result holds a verdict that is none of the five: a report must not
// leave out what it cannot count.
func New(r conform.RunResult, o Options) (Model, error) {
	m := Model{
		Schema: Schema,
		Adapter: Adapter{
			Name:    printable(r.Adapter.Name),
			Version: printable(r.Adapter.Version),
			Argv:    texts(r.Adapter.Argv),
		},
		Problem:      printable(r.WhyNothing()),
		Advice:       printable(r.Advice),
		Orphans:      texts(r.Orphans),
		Stale:        texts(r.Stale),
		Unforgiven:   r.Unforgiven(),
		DurationMS:   r.Duration.Milliseconds(),
		Scenarios:    make([]Scenario, 0, len(r.Scenarios)),
		Requirements: make([]Requirement, 0, len(r.Requirements)),
	}
	for _, s := range r.Scenarios {
		if err := m.Summary.Scenarios.add(s.Verdict); err != nil {
			return Model{}, fmt.Errorf("reporting the scenario %q: %w", s.Name, err)
		}
		m.Scenarios = append(m.Scenarios, newScenario(s, r.Adapter.Argv, o))
	}
	for _, q := range r.Requirements {
		if err := m.Summary.Requirements.add(q.Verdict); err != nil {
			return Model{}, fmt.Errorf("reporting the requirement %q: %w", q.ID, err)
		}
		m.Requirements = append(m.Requirements, Requirement{
			ID: valid(q.ID), Level: valid(q.Level), Verdict: q.Verdict, Scenarios: texts(q.Scenarios), FailedIn: texts(q.FailedIn), Expected: printable(q.Expected), Statement: valid(q.Statement),
		})
	}
	return m, nil
}

func newScenario(s conform.ScenarioResult, argv []string, o Options) Scenario {
	out := Scenario{
		Name: valid(s.Name), Title: valid(s.Title), Feature: valid(s.Feature), Tags: texts(s.Tags),
		Requirements: texts(s.Requirements), Verdict: s.Verdict, Reason: printable(s.Reason), Expected: printable(s.Expected),
		DurationMS: s.Duration.Milliseconds(), Notes: texts(s.Notes), Stderr: valid(lastBytes(s.Stderr, mostText)),
		Checks: make([]Check, 0, len(s.Checks)), Failures: []Failure{}, Replay: replay(cmp.Or(s.ReplayAs, s.Name), argv, o),
	}
	for _, c := range s.Checks {
		out.Checks = append(out.Checks, Check{Name: valid(c.Name), Requirements: texts(c.IDs), OK: c.OK})
	}
	for _, c := range s.Failures() {
		f := Failure{Check: valid(c.Name), Requirements: texts(c.IDs), Message: printable(c.Message), Offset: -1}
		if p := c.Place; p != nil {
			expected, actual := shorten(p.Expected, p.Actual, mostText)
			f.Lane, f.Frame, f.Line, f.Pointer, f.Offset = valid(p.Lane), p.Frame, p.Line, printable(p.Pointer), p.Offset
			f.Expected, f.Actual = valid(expected), valid(actual)
		}
		out.Failures = append(out.Failures, f)
	}
	return out
}

// add counts one verdict.
func (c *Counts) add(v conform.Verdict) error {
	n := c.of(v)
	if n == nil {
		return fmt.Errorf("the verdict %q is none of %v", v, conform.Verdicts())
	}
	*n++
	return nil
}

// of is the number that belongs to a verdict; nil when there is no such verdict.
func (c *Counts) of(v conform.Verdict) *int {
	switch v {
	case conform.Pass:
		return &c.Pass
	case conform.Fail:
		return &c.Fail
	case conform.NotApplicable:
		return &c.NotApplicable
	case conform.CouldNotRun:
		return &c.CouldNotRun
	case conform.NotReached:
		return &c.NotReached
	}
	return nil
}

// replay is the command that runs one scenario again.
func replay(name string, argv []string, o Options) string {
	program := o.Program
	if program == "" {
		program = "acp-conform"
	}
	words := slices.Concat([]string{program, "run"}, o.Flags, []string{"--scenario", name})
	if !o.BuiltIn && len(argv) > 0 {
		words = slices.Concat(words, []string{"--"}, argv)
	}
	return shellJoin(words)
}

// texts is a list that is never nil, of valid UTF-8.
func texts(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = printable(s)
	}
	return out
}

// printable is a text of the adapter's, made valid and bounded.
func printable(s string) string {
	s, _ = shorten(s, s, mostText)
	return valid(s)
}
