package report

import (
	"fmt"
	"io"
	"sync"
	"time"

	"acp-conform/conform"
)

// ProgressWriter tells how a run goes on: one line per finished scenario. It may be used from any goroutine.
type ProgressWriter struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// Progress makes a ProgressWriter that writes to w.
func Progress(w io.Writer) *ProgressWriter { return &ProgressWriter{w: w} }

// Scenario tells of a finished scenario: its verdict, name and duration, and why it is not green.
func (p *ProgressWriter) Scenario(s conform.ScenarioResult) {
	var out printer
	out.linef("%-4s  %s (%s)%s", shortVerdict(s.Verdict), s.Name, shortDuration(s.Duration), because(s))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	if _, err := p.w.Write(out.Bytes()); err != nil {
		p.err = fmt.Errorf("writing progress: %w", err)
	}
}

// Err is the first error that writing gave; nothing is written after it.
func (p *ProgressWriter) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// mostReason bounds the reason in a line of progress, in bytes, so that it stays about a line.
const mostReason = 200

// because is why a scenario did not pass, ready to follow its name.
func because(s conform.ScenarioResult) string {
	reason := s.Reason
	if failed := s.Failures(); reason == "" && len(failed) > 0 {
		reason = failed[0].Name + ": " + failed[0].Message
	}
	if s.Verdict == conform.Pass || reason == "" {
		return ""
	}
	reason, _ = shorten(reason, reason, mostReason)
	return ": " + reason
}

// shortVerdict is the first word of a line about a scenario.
func shortVerdict(v conform.Verdict) string {
	switch v {
	case conform.Pass:
		return "ok"
	case conform.Fail:
		return "FAIL"
	case conform.NotApplicable:
		return "n.a."
	}
	return longVerdict(v)
}

// longVerdict is a verdict in words.
func longVerdict(v conform.Verdict) string {
	switch v {
	case conform.Pass:
		return "passed"
	case conform.Fail:
		return "failed"
	case conform.NotApplicable:
		return "not applicable"
	case conform.CouldNotRun:
		return "could not run"
	case conform.NotReached:
		return "not reached"
	}
	return string(v)
}

// shortDuration is a duration to the millisecond.
func shortDuration(d time.Duration) string { return d.Round(time.Millisecond).String() }
