package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"acp-conform/conform"
)

// The elements of the JUnit format, as far as the programs that read it agree.
type (
	junitRun struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []*junitSuite `xml:"testsuite"`
	}
	junitCounts struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
		ms    int64
	}
	junitCase struct {
		Name    string     `xml:"name,attr"`
		Class   string     `xml:"classname,attr"`
		Time    string     `xml:"time,attr"`
		Skipped *junitWord `xml:"skipped"`
		Error   *junitWord `xml:"error"`
		Failed  *junitWord `xml:"failure"` // one for all checks that failed: many readers see the first alone
		Out     string     `xml:"system-out,omitempty"`
		Err     string     `xml:"system-err,omitempty"`
	}
	junitWord struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// renderJUnit writes one suite for each feature file, one for the requirements, and one for what belongs to the whole run.
// All that fails the run fails a case: a failure where a check did not hold, an error where nothing could be decided. What
// was expected to fail is skipped, with the reason.
func renderJUnit(m Model) ([]byte, error) {
	run := &junitRun{Name: "acp-conform"}
	suite := func(name string) *junitSuite {
		for _, s := range run.Suites {
			if s.Name == name {
				return s
			}
		}
		run.Suites = append(run.Suites, &junitSuite{Name: name})
		return run.Suites[len(run.Suites)-1]
	}
	for _, s := range m.Scenarios {
		suite(Visible(s.Feature)).add(junitScenario(s), s.DurationMS)
	}
	for _, q := range m.Requirements {
		suite("requirements").add(junitRequirement(q), 0)
	}
	if nothing := nothingJudged(m); nothing != "" {
		c := junitCase{Name: "something is judged", Class: "run", Error: &junitWord{Message: Visible(head(nothing)), Type: "run"}}
		suite("run").add(c, 0)
	}
	for _, o := range m.Orphans {
		suite("run").add(wrong("golden "+o, "the file belongs to no scenario"), 0)
	}
	for _, line := range m.Stale {
		suite("run").add(wrong("known failure", line), 0)
	}
	for _, s := range run.Suites {
		s.Time = seconds(s.ms)
		run.Tests += s.Tests
		run.Failures += s.Failures
		run.Errors += s.Errors
		run.Skipped += s.Skipped
	}
	run.Time = seconds(m.DurationMS)
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.Encode(run); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// nothingJudged says why no scenario was judged; empty when one was.
func nothingJudged(m Model) string {
	if m.Problem != "" {
		return strings.TrimSuffix(m.Problem+"; "+m.Advice, "; ")
	}
	if len(m.Scenarios) == 0 {
		return "no scenario was run"
	}
	return ""
}

func (s *junitSuite) add(c junitCase, ms int64) {
	c.Time = seconds(ms)
	s.ms += ms
	s.Tests++
	switch {
	case c.Error != nil:
		s.Errors++
	case c.Failed != nil:
		s.Failures++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func seconds(ms int64) string {
	return fmt.Sprintf("%.3f", (time.Duration(ms) * time.Millisecond).Seconds())
}

func wrong(name, message string) junitCase {
	return junitCase{Name: Visible(name), Class: "run", Failed: &junitWord{Message: Visible(head(message)), Type: "run"}}
}

func junitScenario(s Scenario) junitCase {
	c := junitCase{Name: Visible(s.Name), Class: strings.TrimSuffix(Visible(s.Feature), ".feature")}
	reason := Visible(head(s.Reason))
	switch {
	case s.Expected != "":
		c.Skipped = &junitWord{Message: "expected to fail: " + Visible(head(s.Expected))}
	case s.Verdict == conform.NotApplicable:
		c.Skipped = &junitWord{Message: "not applicable: " + reason}
	case s.Verdict == conform.CouldNotRun, s.Verdict == conform.NotReached:
		c.Error = &junitWord{Message: reason, Type: longVerdict(s.Verdict)}
	case s.Verdict == conform.Fail:
		c.Failed = &junitWord{Message: reason, Type: longVerdict(s.Verdict), Text: printed(func(p *printer) {
			for _, f := range s.Failures {
				p.failure(f)
			}
		})}
	}
	if !green(s.Verdict) {
		c.Out = printed(func(p *printer) {
			p.linef("%s", s.Title)
			for _, n := range s.Notes {
				p.linef("note: %s", head(n))
			}
			p.linef("again: %s", s.Replay)
		})
		if s.Stderr != "" {
			c.Err = printed(func(p *printer) { p.stderr(s.Stderr) })
		}
	}
	return c
}

func junitRequirement(q Requirement) junitCase {
	c := junitCase{Name: Visible(q.ID), Class: "requirements." + idArea(Visible(q.ID))}
	word := &junitWord{Message: Visible(head(q.Statement)), Type: longVerdict(q.Verdict)}
	if len(q.FailedIn) > 0 {
		word.Text = "failed in " + Visible(head(strings.Join(q.FailedIn, ", ")))
	}
	switch {
	case q.Expected != "":
		c.Skipped = &junitWord{Message: "expected not to hold: " + Visible(head(q.Expected))}
	case q.Verdict == conform.Fail:
		c.Failed = word
	case q.Verdict == conform.CouldNotRun, q.Verdict == conform.NotReached && q.Level == "MUST":
		c.Error = word
	case q.Verdict != conform.Pass:
		c.Skipped = &junitWord{Message: longVerdict(q.Verdict)}
	}
	return c
}

// printed is what pretty prints, as a text of several lines.
func printed(print func(*printer)) string {
	p := &printer{}
	print(p)
	return p.String()
}
