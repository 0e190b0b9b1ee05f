package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"acp-conform/conform"
	"acp-conform/wire"
)

// smallAdapter answers what it is asked and starts no host.
func smallAdapter() conform.Adapter {
	return conform.NewInProcess("small", func(_ context.Context, stdin io.Reader, stdout, _ io.Writer, _ conform.Surroundings) error {
		in := wire.NewLineReader(stdin, 0)
		for {
			line, err := in.Next()
			if err != nil {
				return nil
			}
			f := wire.ParseFrame(line.Bytes)
			result := map[string]string{"initialize": `{"protocolVersion":1,"agentCapabilities":{}}`, "session/new": `{"sessionId":"s-1"}`}[f.Method]
			if result == "" {
				fmt.Fprintf(stdout, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", f.ID)
				continue
			}
			fmt.Fprintf(stdout, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", f.ID, result)
		}
	})
}

// smallRun plays a feature with the small adapter.
func smallRun(t *testing.T, feature string, scenarios fstest.MapFS, adapter conform.Adapter) (conform.RunResult, []string, error) {
	t.Helper()
	features := featureFS(feature)
	plan, err := NewPlan(features, registry(t))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var finished []string
	r := &Run{
		Engine:   &conform.Engine{Adapter: adapter, Hosts: MuseHosts{}, Deadlines: conform.DefaultDeadlines(), Scenarios: scenarios},
		Features: features, Registry: registry(t), Selected: plan.Scenarios, Jobs: 2,
		Finished: func(s conform.ScenarioResult) {
			mu.Lock()
			defer mu.Unlock()
			finished = append(finished, s.Name)
		},
	}
	result, err := r.Do(t.Context())
	return result, finished, err
}

const newSessions = `{"steps":[{"op":"initialize"},{"op":"newSession"}]}`

// A sentence without a meaning, in whatever place, is never green.
func TestUndefinedSentences(t *testing.T) {
	t.Parallel()
	inputs := fstest.MapFS{}
	for _, name := range []string{"good", "first", "middle", "last", "wrong"} {
		inputs[name+"/input.json"] = &fstest.MapFile{Data: []byte(newSessions)}
	}
	result, finished, err := smallRun(t, `Feature: f
  @scenario:good
  Scenario: Good
    When another session
    Then a session can be made
  @scenario:first
  Scenario: The first sentence
    Given nobody knows this sentence
    When another session
  @scenario:middle
  Scenario: One in the middle
    When another session
    And nobody knows this sentence
    Then a session can be made
  @scenario:last
  Scenario: The last one
    When another session
    Then a session can be made
    And nobody knows this sentence
  @scenario:wrong
  Scenario: A sentence that is not in the script
    When another session
    And another session
    Then a session can be made
`, inputs, smallAdapter())
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name    string
		verdict conform.Verdict
		reason  string
	}{
		{"good", conform.Pass, ""},
		{"first", conform.CouldNotRun, "a sentence of the feature file has no meaning"},
		{"middle", conform.CouldNotRun, "a sentence of the feature file has no meaning"},
		{"last", conform.CouldNotRun, "a sentence of the feature file has no meaning"},
		{"wrong", conform.CouldNotRun, "has only 2 steps, but a sentence performs"},
	}
	if len(result.Scenarios) != len(want) || len(finished) != len(want) {
		t.Fatalf("%d results, %q finished", len(result.Scenarios), finished)
	}
	for i, w := range want {
		got := result.Scenarios[i]
		if got.Name != w.name || got.Verdict != w.verdict || !strings.Contains(got.Reason, w.reason) {
			t.Errorf("%s came to %s: %s, want %s: %s", got.Name, got.Verdict, got.Reason, w.verdict, w.reason)
		}
	}
	if result.ExitCode() != conform.ExitCouldNotRun {
		t.Errorf("the exit code is %d", result.ExitCode())
	}
}

// Of an outline only the selected rows are played.
func TestSelectedRows(t *testing.T) {
	t.Parallel()
	features := featureFS(`Feature: f
  @scenario:rows
  Scenario Outline: <case>
    When another session
    Then a session can be made
    Examples:
      | case |
      | a    |
      | b    |
      | c    |
`)
	plan, err := NewPlan(features, registry(t))
	if err != nil {
		t.Fatal(err)
	}
	selected, err := plan.Select(nil, []string{"rows/c", "rows/a"})
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{Features: features, Registry: registry(t), Selected: selected, Engine: &conform.Engine{Adapter: smallAdapter(), Hosts: MuseHosts{},
		Deadlines: conform.DefaultDeadlines(), Scenarios: fstest.MapFS{"rows/input.json": {Data: []byte(newSessions)}}}}
	result, err := r.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range result.Scenarios {
		names = append(names, fmt.Sprintf("%s %s", s.Name, s.Verdict))
	}
	if got := strings.Join(names, ", "); got != "rows/a pass, rows/c pass" {
		t.Errorf("played: %s", got)
	}
}

// A scenario that cannot begin has a verdict of its own, and the others go on.
func TestAScenarioThatCannotBegin(t *testing.T) {
	t.Parallel()
	result, finished, err := smallRun(t, `Feature: f
  @scenario:bad @ACP-NEW-01
  Scenario: Bad
    When another session
  @scenario:good
  Scenario: Good
    When another session
    Then a session can be made
`, fstest.MapFS{"bad/input.json": {Data: []byte(`{"steps":[{"op":"?"}]}`)}, "good/input.json": {Data: []byte(newSessions)}}, smallAdapter())
	if err != nil {
		t.Fatal(err)
	}
	bad := result.Scenarios[0]
	if bad.Verdict != conform.CouldNotRun || !strings.HasPrefix(bad.Reason, "the harness or the script is wrong: bad/input.json:1: ") {
		t.Errorf("came to %s: %s", bad.Verdict, bad.Reason)
	}
	if result.Scenarios[1].Verdict != conform.Pass || len(finished) != 2 {
		t.Errorf("the other came to %s: %s; finished %q", result.Scenarios[1].Verdict, result.Scenarios[1].Reason, finished)
	}
}

// Without a successful handshake nothing is played, and every scenario has the one reason.
func TestNoHandshake(t *testing.T) {
	t.Parallel()
	dead := conform.NewInProcess("dead", func(context.Context, io.Reader, io.Writer, io.Writer, conform.Surroundings) error { return nil })
	result, _, err := smallRun(t, "Feature: f\n  @scenario:a @ACP-NEW-01\n  Scenario: A\n    When another session\n", fstest.MapFS{}, dead)
	if err != nil {
		t.Fatal(err)
	}
	if result.Problem == "" || result.Scenarios[0].Reason != result.Problem || result.Scenarios[0].Verdict != conform.CouldNotRun || result.ExitCode() != conform.ExitCouldNotRun {
		t.Errorf("problem %q, scenario %+v", result.Problem, result.Scenarios[0])
	}
}

// After an interruption no further scenario begins: each would start an adapter, which may take its time to end.
func TestNothingBeginsAfterAnInterruption(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const features = "Feature: f\n  @scenario:a\n  Scenario: A\n    When another session\n  @scenario:b\n  Scenario: B\n    When another session\n"
	begun := 0
	adapter := conform.NewInProcess("small", func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, s conform.Surroundings) error {
		begun++
		cancel()
		return errors.New("interrupted")
	})
	fsys := fstest.MapFS{"f.feature": {Data: []byte(features)}}
	plan, err := NewPlan(fsys, registry(t))
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{Features: fsys, Registry: registry(t), Selected: plan.Scenarios, Jobs: 1,
		Engine: &conform.Engine{Adapter: adapter, Hosts: MuseHosts{}, Deadlines: conform.DefaultDeadlines(),
			Scenarios: fstest.MapFS{"a/input.json": {Data: []byte(newSessions)}, "b/input.json": {Data: []byte(newSessions)}}}}
	if _, err := r.play(ctx, plan.Scenarios); !errors.Is(err, context.Canceled) || begun != 1 {
		t.Errorf("%d adapters were started, want 1; the error is %v", begun, err)
	}
}

// An interrupted run is an error, never a result.
func TestAnInterruptedRun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &Run{Registry: registry(t), Engine: &conform.Engine{Adapter: smallAdapter(), Hosts: MuseHosts{}, Deadlines: conform.DefaultDeadlines(), Scenarios: fstest.MapFS{}}}
	if _, err := r.Do(ctx); err == nil {
		t.Error("there was no error")
	}
}

// counting counts what a run does with its hosts.
type counting struct {
	MuseHosts
	prepared, released *int
}

func (c counting) Prepare(temp string) (conform.HostFactory, func() error, error) {
	*c.prepared++
	hosts, release, err := c.MuseHosts.Prepare(temp)
	return hosts, func() error { *c.released++; return release() }, err
}

// Hosts are prepared once for a run, and what was prepared is released, whatever came of the run.
func TestHostsArePreparedOnce(t *testing.T) {
	t.Parallel()
	features := featureFS("Feature: f\n  @scenario:a\n  Scenario: A\n    When another session\n    Then a session can be made\n")
	plan, err := NewPlan(features, registry(t))
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		ctx     context.Context
		adapter conform.Adapter
	}{
		"all is well": {t.Context(), smallAdapter()},
		"no answer":   {t.Context(), conform.NewInProcess("mute", func(context.Context, io.Reader, io.Writer, io.Writer, conform.Surroundings) error { return nil })},
		"interrupted": {over, smallAdapter()},
	} {
		var prepared, released int
		r := &Run{Features: features, Registry: registry(t), Selected: plan.Scenarios, Engine: &conform.Engine{Adapter: tt.adapter,
			Hosts: counting{prepared: &prepared, released: &released}, Deadlines: conform.DefaultDeadlines(),
			Scenarios: fstest.MapFS{"a/input.json": {Data: []byte(newSessions)}}}}
		r.Do(tt.ctx)
		if prepared != 1 || released != 1 {
			t.Errorf("%s: prepared %d times, released %d times", name, prepared, released)
		}
	}
}
