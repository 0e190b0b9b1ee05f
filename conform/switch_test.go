package conform

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

// switchable is a good adapter that remembers the flags of its last start.
type switchable struct {
	Adapter
	flags, started *[]string
}

func (a switchable) With(flags []string) (Adapter, error) {
	if slices.Contains(flags, "--wrong") {
		return nil, errors.New("there is no flag --wrong")
	}
	return switchable{Adapter: a.Adapter, flags: &flags, started: a.started}, nil
}

func (a switchable) Start(s Surroundings) (Process, error) {
	if a.flags != nil {
		*a.started = *a.flags
	}
	return a.Adapter.Start(s)
}

func TestSwitches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		do         func(t *testing.T, s *Scenario) error // before the prompt
		want       []string                              // flags, with the workspace named; nil for none
		verdict    Verdict
		reason     string
		elsewhere  Verdict // of an adapter that takes no flags
		elseReason string
	}{
		{"none", func(*testing.T, *Scenario) error { return nil }, nil, Pass, "", Pass, ""},
		{"two", func(_ *testing.T, s *Scenario) error {
			return errors.Join(s.Switch("--a=1"), s.Switch("--b={{workspace}}/b"))
		}, []string{"--a=1", "--b={{workspace}}/b"}, Pass, "", NotApplicable, "it needs the switch --a=1, which only the reference adapter has"},
		{"a deadline", func(_ *testing.T, s *Scenario) error { return s.Tune("--c=5ms") }, []string{"--c=5ms"}, Pass, "", Pass, ""},
		{"a flag that is not there", func(_ *testing.T, s *Scenario) error { return s.Switch("--wrong") }, nil,
			CouldNotRun, "the harness or the script is wrong: the switch --wrong: there is no flag --wrong", NotApplicable, "it needs the switch --wrong, which only the reference adapter has"},
		{"too late", func(t *testing.T, s *Scenario) error {
			perform(t, prompt("first"))(s)
			return s.Switch("--a=1")
		}, nil, CouldNotRun, "the harness or the script is wrong: the switch --a=1 comes too late: what the adapter is started with must stand before the first step",
			CouldNotRun, "the harness or the script is wrong: the switch --a=1 comes too late: what the adapter is started with must stand before the first step"},
		{"a deadline too late", func(t *testing.T, s *Scenario) error {
			perform(t, prompt("first"))(s)
			return s.Tune("--c=5ms")
		}, nil, CouldNotRun, "the harness or the script is wrong: the switch --c=5ms comes too late: what the adapter is started with must stand before the first step",
			CouldNotRun, "the harness or the script is wrong: the switch --c=5ms comes too late: what the adapter is started with must stand before the first step"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var started []string
			var workspace string
			g := &game{engine: func(e *Engine) { e.Adapter = switchable{Adapter: e.Adapter, started: &started} }}
			do := func(s *Scenario) {
				workspace = s.Workspace()
				err := tt.do(t, s)
				if (err != nil) != (s.harness != nil) {
					t.Errorf("the error %v, the harness error %v", err, s.harness)
				}
				if err == nil {
					perform(t, prompt("go"))(s)
				}
			}
			g.do = do
			r, _ := play(t, g)
			wantVerdict(t, r, tt.verdict, tt.reason)
			for i := range started {
				started[i] = strings.ReplaceAll(started[i], workspace, "{{workspace}}")
			}
			if diff := cmp.Diff(tt.want, started); diff != "" {
				t.Errorf("flags (-want +got):\n%s", diff)
			}
			r, records := play(t, &game{do: func(s *Scenario) {
				if tt.do(t, s) == nil {
					perform(t, prompt("go"))(s)
				}
			}})
			wantVerdict(t, r, tt.elsewhere, tt.elseReason)
			if tt.elsewhere == NotApplicable && len(records)+len(r.Checks) > 0 {
				t.Errorf("the scenario does not apply, and has %d frames and %d checks", len(records), len(r.Checks))
			}
		})
	}
}

// A scenario that does not apply is held to its script all the same, and none of its checks counts.
func TestWhatDoesNotApply(t *testing.T) {
	t.Parallel()
	do := func(text string) func(*Scenario) {
		return func(s *Scenario) {
			if err := s.Switch("--a"); err != nil {
				t.Error(err)
			}
			s.Perform(prompt(text))
			s.Check("a sentence", []string{"ACP-PR-01"}, false, nil, "never")
			if !errors.Is(s.Broken(), errInapplicable) {
				t.Errorf("Broken() = %v", s.Broken())
			}
		}
	}
	const script = `{"steps":[{"op":"initialize"},{"op":"newSession"},{"op":"prompt","text":"go"}]}`
	r, _ := play(t, &game{files: input(script), tags: []string{"ACP-PR-01"}, do: do("go")})
	wantVerdict(t, r, NotApplicable, "it needs the switch --a, which only the reference adapter has")
	if sum := Sum([]ScenarioResult{r}, nil); len(sum) != 1 || sum[0].Verdict != NotApplicable {
		t.Errorf("the requirements came to %+v", sum)
	}
	r, _ = play(t, &game{files: input(script), do: do("come")})
	wantVerdict(t, r, CouldNotRun, `steps[2] is {"op":"prompt","text":"go"}, but the sentence performs`)
}

// An adapter that cannot be started with its switches is told apart from a wrong flag.
func TestASwitchedAdapterThatDoesNotStart(t *testing.T) {
	t.Parallel()
	broken := NewInProcess("broken", func(context.Context, io.Reader, io.Writer, io.Writer, Surroundings) error { return errors.New("no") })
	var started []string
	g := &game{engine: func(e *Engine) { e.Adapter = switchable{Adapter: broken, started: &started} }, do: func(s *Scenario) {
		if err := s.Switch("--a"); err != nil {
			t.Error(err)
		}
		perform(t, prompt("go"))(s)
	}}
	r, records := play(t, g)
	wantVerdict(t, r, CouldNotRun, "the adapter ended (no)")
	if slices.ContainsFunc(records, func(r wire.Record) bool { return r.Dir == wire.FromAdapter }) {
		t.Error("it said something")
	}
}
