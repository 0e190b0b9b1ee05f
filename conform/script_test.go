package conform

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"acp-conform/scenarios"
)

const twoSteps = `{"steps":[{"op":"initialize"},{"op":"newSession"},{"op":"prompt","text":"hello"}],"permissionAnswers":[{"name":"Reject"}],"strict":false}`

// A sentence that differs from the file, and a step of the file that no sentence tells, are errors of the script.
func TestSentencesAndTheFile(t *testing.T) {
	t.Parallel()
	reject := scenarios.Answer{Name: "Reject"}
	tests := []struct {
		name string
		do   func(s *Scenario) error
		want string
	}{
		{"all is told", func(s *Scenario) error { return errors.Join(s.Answer(reject), s.Perform(prompt("hello"))) }, ""},
		{"that it is lenient is not told", func(s *Scenario) error {
			s.script.strict = true
			return errors.Join(s.Answer(reject), s.Perform(prompt("hello")))
		}, `game/input.json: "strict": false is told by no sentence`},
		{"that it is lenient is told too late", func(s *Scenario) error {
			return errors.Join(s.Answer(reject), s.Perform(prompt("hello")), s.Lenient())
		}, "that the editor dismisses what nobody told it about must stand before the first step"},
		{"that it is lenient is told of another one", func(s *Scenario) error {
			strict := true
			s.script.in.Strict = &strict
			return s.Lenient()
		}, `game/input.json is strict, but a sentence tells of an editor that dismisses what nobody told it about; it needs "strict": false`},
		{"another text", func(s *Scenario) error { return errors.Join(s.Answer(reject), s.Perform(prompt("bye"))) },
			`game/input.json: steps[2] is {"op":"prompt","text":"hello"}, but the sentence performs {"op":"prompt","text":"bye"}`},
		{"another step", func(s *Scenario) error {
			return errors.Join(s.Answer(reject), s.Perform(scenarios.Step{Op: "line", Line: new(string)}))
		}, `game/input.json: steps[1] is {"op":"newSession"}, but the sentence performs {"op":"line","line":""}`},
		{"a step too many", func(s *Scenario) error {
			return errors.Join(s.Answer(reject), s.Perform(prompt("hello")), s.Perform(prompt("more")))
		}, `game/input.json has only 3 steps, but a sentence performs {"op":"prompt","text":"more"}`},
		{"a step too few", func(s *Scenario) error {
			return errors.Join(s.Answer(reject), s.Perform(scenarios.Step{Op: "newSession"}))
		},
			"game/input.json: steps[2] is told by no sentence"},
		{"no step at all", func(s *Scenario) error { return nil }, "game/input.json: steps[0] is told by no sentence"},
		{"another answer", func(s *Scenario) error { return s.Answer(scenarios.Answer{Cancelled: true}) },
			`game/input.json: permissionAnswers[0] is {"name":"Reject"}, but the sentence tells {"cancelled":true}`},
		{"an answer too many", func(s *Scenario) error { return errors.Join(s.Answer(reject), s.Answer(reject)) },
			`game/input.json has only 1 permissionAnswers, but a sentence tells {"name":"Reject"}`},
		{"an answer too few", func(s *Scenario) error { return s.Perform(prompt("hello")) }, "game/input.json: permissionAnswers[0] is told by no sentence"},
		{"a session that is not there", func(s *Scenario) error {
			s.script.in = nil
			return s.Perform(scenarios.Step{Op: "cancel", Session: 2})
		}, `{"op":"cancel","session":2}: there are only 1 sessions`},
		{"an operation that is not there", func(s *Scenario) error {
			s.script.in = nil
			return s.Perform(scenarios.Step{Op: "dance"})
		}, `the operation "dance" is not carried out`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{files: input(twoSteps)}
			var err error
			g.do = leniently(t, func(s *Scenario) { err = tt.do(s) })
			r, _ := play(t, g)
			if tt.want == "" {
				wantVerdict(t, r, Pass, "")
				return
			}
			wantVerdict(t, r, CouldNotRun, tt.want)
			if !strings.Contains(tt.want, "told by no sentence") && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("the sentence got the error %v", err)
			}
		})
	}
}

// Where there is no file, the sentences make one.
func TestTheScriptIsRecorded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		record  func(file string, input []byte) error
		verdict Verdict
		reason  string
	}{
		{"nobody records", nil, CouldNotRun, "game/input.json does not exist"},
		{"recording fails", func(string, []byte) error { return errors.New("the disk is full") }, CouldNotRun, "writing game/input.json: the disk is full"},
		{"recorded", func(file string, input []byte) error {
			in, err := scenarios.DecodeInput(file, input)
			if err != nil {
				return err
			}
			want := &scenarios.Input{Steps: []scenarios.Step{{Op: "initialize"}, {Op: "newSession"}, prompt("hello")}}
			if diff := cmp.Diff(want, in); diff != "" || file != "game/input.json" {
				return errors.New(file + diff)
			}
			return nil
		}, Pass, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{engine: func(e *Engine) { e.Record = tt.record }, do: perform(t, prompt("hello"))}
			r, _ := play(t, g)
			wantVerdict(t, r, tt.verdict, tt.reason)
		})
	}
}

// What the host says about its script and about the adapter.
func TestWhatTheHostReports(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		host    fakeHost
		verdict Verdict
		reason  string
	}{
		{"a step that no sentence told", fakeHost{untold: []string{"muse.json:3: untold"}}, CouldNotRun, "muse.json:3: untold"},
		{"a step that was not reached", fakeHost{unused: []string{"muse.json: never said"}}, Fail, "every scripted step is used: muse.json: never said"},
		{"the adapter's fault", fakeHost{problems: []HostProblem{{Adapter: true, Text: "called twice"}}}, Fail, "the host has nothing to object to: called twice"},
		{"our fault", fakeHost{problems: []HostProblem{{Text: "out of ports"}}}, CouldNotRun, "the harness or the script is wrong: out of ports"},
		{"it does not stop", fakeHost{stop: errors.New("busy")}, CouldNotRun, "ending the host: busy"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, _ := play(t, &game{host: tt.host, do: perform(t, prompt("hello"))})
			wantVerdict(t, r, tt.verdict, tt.reason)
		})
	}
}

// A scenario whose files are wrong does not begin, and leaves nothing behind.
func TestBeginFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		files  fstest.MapFS
		engine func(*Engine)
		want   string
	}{
		{"input.json is wrong", input(`{"steps":[{"op":"promt"}]}`), nil, `game/input.json:1: steps[0]: unknown operation "promt"; did you mean "prompt"?`},
		{"input.json is a folder", fstest.MapFS{"input.json/x": {}}, nil, "reading game/input.json: "},
		{"the host does not start", nil, func(e *Engine) { e.Hosts = fakeHosts{err: errors.New("no port")} }, "no port"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{files: tt.files, engine: tt.engine}
			_, err := engineOf(g).Begin(t.Context(), Names{Name: "game"})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got the error %v", err)
			}
			if g.host.log != nil && !g.host.stopped {
				t.Error("the host was not stopped")
			}
		})
	}
}

// The adapter cannot be started: that is its own fault, told in one sentence.
func TestStartFails(t *testing.T) {
	t.Parallel()
	g := &game{engine: func(e *Engine) { e.Adapter = broken{} }, do: perform(t, prompt("hello"))}
	r, _ := play(t, g)
	wantVerdict(t, r, CouldNotRun, "no such program")
}

type broken struct{}

func (broken) Argv() []string                      { return []string{"broken"} }
func (broken) Start(Surroundings) (Process, error) { return nil, errors.New("no such program") }
