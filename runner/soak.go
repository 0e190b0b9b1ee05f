package runner

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"acp-conform/conform"
)

// Way is one way of running the adapter.
type Way struct {
	Name    string
	Adapter conform.Adapter
	Env     []string
}

// Soak plays the selected scenarios again and again and compares every transcript with the first one, byte for byte.
type Soak struct {
	Suite    *Suite
	Selected []Planned
	Ways     []Way // taken in turn
	Procs    []int // values of GOMAXPROCS for harness and adapter, taken in turn
	Jobs     int
	// Reference says that it is the reference adapter that is run, which must pass everything.
	Reference bool
	// Prepare sets what the user asked for on the engine of each run; it may be nil.
	Prepare func(*conform.Engine)
	// Differs is called for every run that is not like the first; it may be nil.
	Differs func(run int, way string, procs int, what string)
	// Made is called after each run with how many were made, and how many of them differ; it may be nil.
	Made func(made, differ int)
}

// Do makes n runs and counts those that differ: in a transcript, in a verdict, in the checks that fail, or, with the reference
// adapter, by not passing.
func (s *Soak) Do(ctx context.Context, n int) (differ int, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := map[string]soaked{}
	for i := range n {
		way := s.Ways[i%len(s.Ways)]
		procs := s.Procs[(i/len(s.Ways))%len(s.Procs)]
		runtime.GOMAXPROCS(procs)
		recorder := NewRecorder()
		engine := s.Suite.Engine(way.Adapter, s.Reference)
		if s.Prepare != nil {
			s.Prepare(engine)
		}
		engine.Goldens = recorder
		// What the user sets stands last and counts.
		engine.Env = slices.Concat(way.Env, []string{fmt.Sprintf("GOMAXPROCS=%d", procs)}, engine.Env)
		result, err := s.Suite.Run(engine, s.Selected, s.Jobs).Do(ctx)
		if err != nil {
			return differ, fmt.Errorf("run %d: %w", i+1, err)
		}
		if result.Problem != "" {
			return differ, fmt.Errorf("run %d (%s): %s", i+1, way.Name, result.Problem)
		}
		if problem := result.WhyNothing(); problem != "" {
			return differ, fmt.Errorf("run %d (%s): %s, so there is nothing to compare", i+1, way.Name, problem)
		}
		if what := s.compare(first, result, recorder); what != "" {
			differ++
			if s.Differs != nil {
				s.Differs(i+1, way.Name, procs, what)
			}
		}
		if s.Made != nil {
			s.Made(i+1, differ)
		}
	}
	return differ, nil
}

// soaked is what one scenario came to: its verdict with the checks that failed, and the transcript where it passed.
type soaked struct{ verdict, text string }

// compare says how a run differs from the first one; the first run fills the map.
func (s *Soak) compare(first map[string]soaked, result conform.RunResult, recorder *Recorder) string {
	for _, sc := range result.Scenarios {
		got := soaked{verdict: string(sc.Verdict)}
		if sc.Verdict == conform.Pass {
			got.text = recorder.Text(sc.Name)
		} else if s.Reference {
			return fmt.Sprintf("%s: %s: %s", sc.Name, sc.Verdict, sc.Reason)
		}
		for _, c := range sc.Failures() {
			got.verdict += fmt.Sprintf(", %s", c.Name)
		}
		want, known := first[sc.Name]
		switch {
		case !known:
			first[sc.Name] = got
		case got.verdict != want.verdict:
			return fmt.Sprintf("%s: first it came to %s, and now to %s: %s", sc.Name, want.verdict, got.verdict, sc.Reason)
		case got.text != want.text:
			return fmt.Sprintf("%s: the transcript differs: %s", sc.Name, firstDifference(want.text, got.text))
		}
	}
	return ""
}

func firstDifference(want, got string) string {
	line := 1
	for i := 0; i < len(want) && i < len(got); i++ {
		if want[i] != got[i] {
			return fmt.Sprintf("line %d: %.200q against %.200q", line, lineAround(want, i), lineAround(got, i))
		}
		if want[i] == '\n' {
			line++
		}
	}
	return fmt.Sprintf("line %d: one ends earlier", line)
}

func lineAround(s string, i int) string {
	begin, end := i, i
	for begin > 0 && s[begin-1] != '\n' {
		begin--
	}
	for end < len(s) && s[end] != '\n' {
		end++
	}
	if i-begin > 80 {
		begin = i - 80
	}
	return s[begin:end]
}
