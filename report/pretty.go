package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"acp-conform/conform"
)

// Bounds of what pretty shows of one failure. Whoever needs more has the json format and the replay command.
const (
	mostValue       = 240 // bytes of an expected or actual value: three lines of a terminal
	mostMessage     = 600 // bytes of a message or reason
	mostChecks      = 8   // failed checks of a scenario
	mostStderrLines = 20  // lines of the adapter's stderr, the last ones
)

// printer collects lines. Every text that goes through it is made visible, so a line is always one line.
type printer struct{ bytes.Buffer }

// linef adds a line. The format is ours; the arguments need not be.
func (p *printer) linef(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = Visible(s)
		}
	}
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// renderPretty shows the model to a person.
func renderPretty(m Model) ([]byte, error) {
	p := &printer{}
	if who := adapter(m.Adapter); who != "" {
		p.linef("Adapter: %s", who)
	}
	p.table(m)
	p.linef("")
	p.linef("%s", sentence(m))
	if m.Problem != "" {
		p.problem(m)
	}
	list := told(m)
	grouped, silent := commonCauses(list), 0
	for _, s := range list {
		if grouped.news(s) {
			p.scenario(s, grouped, m.Scenarios)
		} else {
			silent++
		}
	}
	if silent > 0 {
		p.linef("")
		p.linef("%d of the %d scenarios that are not green add nothing to what stands above; the json format has all of them.", silent, len(list))
	}
	for i, o := range m.Orphans {
		if i == 0 {
			p.linef("")
			p.linef("Files in the folder of goldens that belong to no scenario, which is a failure:")
		}
		p.linef("  %s", o)
	}
	p.expected(m)
	p.requirements(m)
	if len(m.Scenarios) > 0 && m.Summary.Scenarios.Pass+m.Summary.Scenarios.NotApplicable < len(m.Scenarios) && m.Problem == "" {
		p.linef("")
		p.linef("%s", sentence(m))
	}
	return p.Bytes(), nil
}

// adapter is what the adapter calls itself, or else how it was started.
func adapter(a Adapter) string {
	if who := strings.TrimSpace(a.Name + " " + a.Version); who != "" {
		return head(who)
	}
	return head(shellJoin(a.Argv))
}

// green reports whether a verdict is good news.
func green(v conform.Verdict) bool { return v == conform.Pass || v == conform.NotApplicable }

// sentence says in one sentence what the run came to.
func sentence(m Model) string {
	if len(m.Scenarios) == 0 {
		return "No scenario was run."
	}
	expected := 0
	for _, s := range m.Scenarios {
		if s.Expected != "" {
			expected++
		}
	}
	forgiven := ""
	if expected > 0 {
		forgiven = fmt.Sprintf("; expected to fail: %d", expected)
	}
	return fmt.Sprintf("%s%s; %s (%s).", counted("scenario", m.Summary.Scenarios), forgiven, counted("requirement", m.Summary.Requirements),
		shortDuration(time.Duration(m.DurationMS)*time.Millisecond))
}

// counted says how many passed and failed, and how many of each other verdict if there are any.
func counted(noun string, c Counts) string {
	if c.Pass != 1 {
		noun += "s"
	}
	text := fmt.Sprintf("%d %s passed, %d failed", c.Pass, noun, c.Fail)
	for _, v := range conform.Verdicts() {
		if n := *c.of(v); n > 0 && v != conform.Pass && v != conform.Fail {
			text += fmt.Sprintf(", %d %s", n, longVerdict(v))
		}
	}
	return text
}

// problem tells once what kept every scenario from running.
func (p *printer) problem(m Model) {
	p.linef("")
	if m.Problem == conform.NoneApplies {
		if slices.ContainsFunc(m.Scenarios, func(s Scenario) bool { return s.Name == conform.ProbeName && s.Verdict == conform.Fail }) {
			p.linef("Only the probe was judged: %s.", m.Problem)
			return
		}
		p.linef("Nothing was judged: %s.", m.Problem)
		return
	}
	p.linef("Nothing could be run: %s", head(m.Problem))
	if m.Advice != "" {
		p.linef("%s", head(m.Advice))
	}
	for _, s := range m.Scenarios {
		if s.Stderr != "" && s.Reason == m.Problem {
			p.stderr(s.Stderr)
			return
		}
	}
}

// scenario shows why a scenario is not green. A cause that several scenarios have is told in full in the first of them.
func (p *printer) scenario(s Scenario, grouped causes, all []Scenario) {
	p.linef("")
	p.linef("%s: %s (%s)", strings.ToUpper(longVerdict(s.Verdict)), s.Name, s.Feature)
	p.linef("  %s", s.Title)
	if s.Reason != "" {
		p.linef("  %s", head(s.Reason))
	}
	if len(s.Failures) == 0 {
		if further := grouped.further(cause{message: s.Reason}, all); further != "" {
			p.linef("  %s", further)
		}
	}
	shown := 0
	var before []string
	for i, f := range s.Failures {
		c := causeOf(f)
		switch {
		case slices.ContainsFunc(s.Failures[:i], func(o Failure) bool { return causeOf(o) == c }):
			continue // the same again
		case !grouped.first(c, s):
			before = append(before, fmt.Sprintf("%s (as in %s)", f.Check, grouped[c][0]))
			continue
		case shown == mostChecks:
			p.linef("  and %d more checks failed", len(s.Failures)-i)
		}
		if shown++; shown > mostChecks {
			break
		}
		p.failure(f)
		if n := again(s.Failures[i+1:], c); n > 0 {
			p.linef("    and %d times more in this scenario", n)
		}
		if further := grouped.further(c, all); further != "" {
			p.linef("    %s", further)
		}
	}
	if len(before) > 0 {
		p.linef("  - told above: %s", head(strings.Join(before, "; ")))
	}
	for _, n := range s.Notes {
		p.linef("  note: %s", head(n))
	}
	if s.Stderr != "" {
		p.stderr(s.Stderr)
	}
	p.linef("  again: %s", s.Replay)
}

// again counts the further failures with the same cause.
func again(failures []Failure, c cause) (n int) {
	for _, f := range failures {
		if causeOf(f) == c {
			n++
		}
	}
	return n
}

// failure shows one failed check with its first difference.
func (p *printer) failure(f Failure) {
	if len(f.Requirements) > 0 {
		p.linef("  - %s [%s]", f.Check, strings.Join(f.Requirements, ", "))
	} else {
		p.linef("  - %s", f.Check)
	}
	if f.Message != "" {
		p.linef("    %s", head(f.Message))
	}
	if at := place(f); at != "" {
		p.linef("    at %s", at)
	}
	if f.Expected == "" && f.Actual == "" {
		return
	}
	expected, actual := shorten(f.Expected, f.Actual, mostValue)
	p.linef("      expected: %s", orNothing(expected))
	p.linef("      actual:   %s", orNothing(actual))
}

// place says where a difference is, as far as that is known.
func place(f Failure) string {
	var parts []string
	if f.Lane != "" {
		parts = append(parts, f.Lane)
	}
	if f.Frame > 0 {
		parts = append(parts, fmt.Sprintf("frame %d", f.Frame))
	}
	if f.Pointer != "" {
		pointer, _ := shorten(f.Pointer, f.Pointer, mostValue)
		parts = append(parts, pointer)
	}
	if f.Offset >= 0 {
		parts = append(parts, fmt.Sprintf("byte %d", f.Offset))
	}
	if f.Line > 0 {
		parts = append(parts, fmt.Sprintf("golden line %d", f.Line))
	}
	return strings.Join(parts, ", ")
}

// stderr shows the end of what the adapter wrote there.
func (p *printer) stderr(text string) {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	if skipped := len(lines) - mostStderrLines; skipped > 0 {
		p.linef("  stderr of the adapter (%d lines before are left out):", skipped)
		lines = lines[skipped:]
	} else {
		p.linef("  stderr of the adapter:")
	}
	for _, l := range lines {
		p.linef("    | %s", head(strings.TrimSuffix(l, "\r")))
	}
}

// expected lists the failures that were expected, and those that were and are none.
func (p *printer) expected(m Model) {
	first := true
	for _, s := range m.Scenarios {
		if s.Expected == "" {
			continue
		}
		if first {
			p.linef("")
			p.linef("Failures that were expected, and do not count:")
			first = false
		}
		p.linef("  %s: %s", s.Name, head(s.Expected))
	}
	for i, line := range m.Stale {
		if i == 0 {
			p.linef("")
			p.linef("Failures that were expected and are none, which is a failure:")
		}
		p.linef("  %s", head(line))
	}
}

// requirements lists those that are not green, in front those that failed in most scenarios: they are to be mended first.
func (p *printer) requirements(m Model) {
	first := true
	byFailures := slices.Clone(m.Requirements)
	slices.SortStableFunc(byFailures, func(a, b Requirement) int { return len(b.FailedIn) - len(a.FailedIn) })
	for _, q := range byFailures {
		if green(q.Verdict) || q.Expected != "" || q.Verdict == conform.CouldNotRun && m.Problem != "" && m.Problem != conform.NoneApplies {
			continue
		}
		if first {
			p.linef("")
			p.linef("Requirements that did not pass, first what failed in most scenarios:")
			first = false
		}
		p.linef("  %s (%s) %s: %s", q.ID, q.Level, longVerdict(q.Verdict), q.Statement)
		switch failed := len(q.FailedIn); {
		case failed > 0:
			p.linef("    in %s: %s", scenariosInWords(failed), head(strings.Join(fold(q.FailedIn, m.Scenarios), ", ")))
		case len(q.Scenarios) > 0:
			p.linef("    in %s", head(strings.Join(fold(q.Scenarios, m.Scenarios), ", ")))
		}
	}
}

// scenariosInWords is a number of scenarios.
func scenariosInWords(n int) string {
	if n == 1 {
		return "1 scenario"
	}
	return fmt.Sprintf("%d scenarios", n)
}

// head keeps the beginning of a long text.
func head(s string) string {
	s, _ = shorten(s, s, mostMessage)
	return s
}

// orNothing gives an empty value a face.
func orNothing(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return s
}
