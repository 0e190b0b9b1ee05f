package suite

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
	"acp-conform/runner"
	"acp-conform/steps"
	"acp-conform/wire"
)

const switchFeature = `Feature: switches
  @scenario:plain @ACP-NEW-01
  Scenario: None
    When another session
    Then a session can be made
  @scenario:switched @ACP-NEW-01
  Scenario: Two, of which the second overrides
    Given the adapter was started with "--approval-policy=never"
    And the adapter was started with "--sandbox-mode=workspace-write"
    And an adapter that gives Muse 50 ms to stop after a cancel
    When another session
    Then a session can be made
  @scenario:seamless @ACP-NEW-01
  Scenario: Without the seam
    Given the adapter was started with "--no-approvals"
    When another session
    Then a session can be made
  @scenario:tuned @ACP-NEW-01
  Scenario: Only a deadline
    Given an adapter that gives a hook 50 ms to answer
    When another session
    Then a session can be made
  @scenario:wrong @ACP-NEW-01
  Scenario: A switch that is not there
    Given the adapter was started with "--no-aprovals"
    When another session
    Then a session can be made
`

// playSwitches plays the feature and gives, by scenario, its verdict and reason, and the answer to session/new.
func playSwitches(t *testing.T, adapter conform.Adapter, reference bool) (verdicts, sessions map[string]string, plan *runner.Plan) {
	t.Helper()
	s := load(t)
	features := fstest.MapFS{"area/switches.feature": {Data: []byte(switchFeature)}}
	plan, err := runner.NewPlan(features, s.Registry)
	if err != nil {
		t.Fatal(err)
	}
	engine := s.Engine(adapter, reference)
	engine.Env = append(engine.Env, noRaceSleep)
	inputs := fstest.MapFS{}
	for _, name := range plan.Names() {
		inputs[name+"/input.json"] = &fstest.MapFile{Data: []byte(`{"steps":[{"op":"initialize"},{"op":"newSession"}]}`)}
	}
	engine.Scenarios = inputs
	var mu sync.Mutex
	sessions = map[string]string{}
	engine.Transcript = func(scenario string, text []byte) error {
		mu.Lock()
		defer mu.Unlock()
		for line := range strings.Lines(string(text)) {
			if _, rest, ok := strings.Cut(line, "client <-   "); ok {
				sessions[scenario] = optionValues(wire.ParseFrame([]byte(rest)))
			}
		}
		return nil
	}
	run := &runner.Run{Engine: engine, Features: features, Registry: s.Registry, Selected: plan.Scenarios, Jobs: 2}
	result, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	verdicts = map[string]string{}
	for _, sc := range result.Scenarios {
		verdicts[sc.Name] = strings.TrimSuffix(string(sc.Verdict)+": "+sc.Reason, ": ")
	}
	return verdicts, sessions, plan
}

// optionValues lists the values of the options in a result.
func optionValues(f wire.Frame) string {
	var values []string
	for _, part := range strings.Split(string(f.Result), `"currentValue":"`)[1:] {
		value, _, _ := strings.Cut(part, `"`)
		values = append(values, value)
	}
	return strings.Join(values, " ")
}

// TestSwitches: the reference adapter gets the switches of a scenario, as a process and in this process, behind those of
// the suite; to another adapter, even to one that is the same program, a scenario with switches does not apply.
func TestSwitches(t *testing.T) {
	t.Parallel()
	wantVerdicts := map[string]string{"plain": "pass", "switched": "pass", "seamless": "pass", "tuned": "pass",
		"wrong": "could_not_run: the harness or the script is wrong: the switch --no-aprovals: the flags of the reference adapter: flag provided but not defined: -no-aprovals"}
	wantSessions := map[string]string{"plain": "default read-only ask", "switched": "default workspace-write never", "seamless": "default read-only", "tuned": "default read-only ask"}
	for name, adapter := range map[string]conform.Adapter{"in this process": inProcess(t), "as a process": asProcess(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verdicts, sessions, _ := playSwitches(t, adapter, true)
			if diff := cmp.Diff(wantVerdicts, verdicts); diff != "" {
				t.Errorf("verdicts (-want +got):\n%s", diff)
			}
			delete(sessions, "wrong")
			if diff := cmp.Diff(wantSessions, sessions); diff != "" {
				t.Errorf("options (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("an adapter of the user's own", func(t *testing.T) {
		t.Parallel()
		own, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		adapter, err := conform.NewCommand(slices.Concat([]string{own, referenceWord}, runner.ReferenceFlags()))
		if err != nil {
			t.Fatal(err)
		}
		verdicts, _, _ := playSwitches(t, adapter, false)
		want := map[string]string{"plain": "pass", "tuned": "pass",
			"switched": "not_applicable: it needs the switch --approval-policy=never, which only the reference adapter has",
			"seamless": "not_applicable: it needs the switch --no-approvals, which only the reference adapter has",
			"wrong":    "not_applicable: it needs the switch --no-aprovals, which only the reference adapter has"}
		if diff := cmp.Diff(want, verdicts); diff != "" {
			t.Errorf("verdicts (-want +got):\n%s", diff)
		}
	})
}

// TestOpenings: what changes the opening of a conversation is in its name.
func TestOpenings(t *testing.T) {
	t.Parallel()
	s := load(t)
	plan, err := runner.NewPlan(fstest.MapFS{"area/switches.feature": {Data: []byte(switchFeature)}}, s.Registry)
	if err != nil {
		t.Fatal(err)
	}
	own := *s
	own.Plan = plan
	got := map[string]string{}
	for _, name := range plan.Names() {
		got[name] = own.Opening(name)
	}
	want := map[string]string{"plain": "baseline", "switched": "baseline+approval-policy-never+sandbox-mode-workspace-write", "seamless": "baseline+no-approvals", "tuned": "baseline", "wrong": "baseline"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if word := steps.Openings()(`the adapter was started with "--hook=/bin/sh {{workspace}}/hook.sh"`); word != "" {
		t.Errorf("a hook changes the opening to %q", word)
	}
}
