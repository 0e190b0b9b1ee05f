package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"acp-conform/conform"
)

// ProgressWriter tells how a run goes on: one line per finished scenario. It may be used from any goroutine.
type ProgressWriter struct {
	mu     sync.Mutex
	w      io.Writer
	err    error
	gather bool                                // tell of what is not applicable at the end
	held   map[string][]conform.ScenarioResult // what is not applicable, by the reason
}

// Progress makes a ProgressWriter that writes to w.
func Progress(w io.Writer) *ProgressWriter { return &ProgressWriter{w: w} }

// ProgressInShort makes a ProgressWriter that tells of the scenarios that are not applicable at the end only, with one line
// for all that have the same reason: an adapter without a host has hundreds of those.
func ProgressInShort(w io.Writer) *ProgressWriter {
	return &ProgressWriter{w: w, gather: true, held: map[string][]conform.ScenarioResult{}}
}

// Scenario tells of a finished scenario: its verdict, name and duration, and why it is not green.
func (p *ProgressWriter) Scenario(s conform.ScenarioResult) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gather && s.Verdict == conform.NotApplicable {
		p.held[s.Reason] = append(p.held[s.Reason], s)
		return
	}
	p.line(s)
}

// End tells of what was held back: the reason that most scenarios have comes first.
func (p *ProgressWriter) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	reasons := slices.SortedFunc(maps.Keys(p.held), func(a, b string) int {
		return cmp.Or(len(p.held[b])-len(p.held[a]), strings.Compare(a, b))
	})
	for _, reason := range reasons {
		if alike := p.held[reason]; len(alike) > 1 {
			var out printer
			out.linef("%-4s  %s%s", shortVerdict(conform.NotApplicable), scenariosInWords(len(alike)), because(alike[0]))
			p.write(out.Bytes())
		} else {
			p.line(alike[0])
		}
	}
	clear(p.held)
}

// line tells of one scenario.
func (p *ProgressWriter) line(s conform.ScenarioResult) {
	var out printer
	out.linef("%-4s  %s (%s)%s", shortVerdict(s.Verdict), s.Name, shortDuration(s.Duration), because(s))
	p.write(out.Bytes())
}

func (p *ProgressWriter) write(text []byte) {
	if p.err != nil {
		return
	}
	if _, err := p.w.Write(text); err != nil {
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
