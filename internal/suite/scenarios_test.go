package suite

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sebdah/goldie/v2"

	"acp-conform/conform"
	"acp-conform/internal/raced"
	"acp-conform/runner"
)

// The folders that -update writes to.
const (
	goldenDir   = "../../goldens"
	scenarioDir = "../../scenarios"
)

func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// play runs scenarios and gives their results and transcripts.
func play(t *testing.T, s *runner.Suite, adapter conform.Adapter, selected []runner.Planned) (conform.RunResult, *runner.Recorder) {
	t.Helper()
	recorder := runner.NewRecorder()
	engine := s.Engine(adapter, true)
	engine.Env = append(engine.Env, noRaceSleep)
	engine.Goldens = recorder
	if updating() {
		engine.Record = func(file string, data []byte) error {
			t.Errorf("writing scenarios/%s:\n%s", file, data)
			path := filepath.Join(scenarioDir, filepath.FromSlash(file))
			return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644))
		}
	}
	result, err := s.Run(engine, selected, 2).Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if result.Problem != "" {
		t.Fatal(result.Problem)
	}
	return result, recorder
}

// TestScenarios plays every scenario against the reference adapter, in this process and as a process of its own, holds
// the transcripts to the goldens, and compares both ways.
func TestScenarios(t *testing.T) {
	s := load(t)
	result, recorder := play(t, s, inProcess(t), s.Plan.Scenarios)
	files := recorder.Files(s.Plan.Names(), s.Opening)
	for _, sc := range result.Scenarios {
		t.Run(sc.Name, func(t *testing.T) {
			if sc.Verdict != conform.Pass {
				t.Errorf("%s: %s", sc.Verdict, sc.Reason)
				for _, f := range sc.Failures() {
					t.Logf("%s %v: %s %+v", f.Name, f.IDs, f.Message, f.Place)
				}
				if sc.Stderr != "" {
					t.Logf("stderr of the adapter:\n%s", sc.Stderr)
				}
				return
			}
			golden(t, conform.GoldenFile(sc.Name), files)
		})
	}
	for name := range files {
		if strings.HasPrefix(name, "opening/") {
			t.Run(name, func(t *testing.T) { golden(t, name, files) })
		}
	}
	t.Run("every tag is decided", func(t *testing.T) { tagsAreDecided(t, s, result) })
	if updating() {
		return // the files that are embedded here are those from before
	}
	t.Run("both ways give the same bytes", func(t *testing.T) {
		selected := s.Plan.Scenarios
		if raced.On { // it does not look into other processes
			selected = crossSection(t, s)
		}
		outside, outsideTexts := play(t, s, asProcess(t), selected)
		bothWays(t, result, recorder, outside, outsideTexts)
	})
}

// crossSection are the scenarios that are played more often than others.
func crossSection(t *testing.T, s *runner.Suite) []runner.Planned {
	t.Helper()
	selected, err := s.Plan.Select([]string{"@soak"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return selected
}

// golden holds one file to what was accepted. With -update the difference is shown, then written.
func golden(t *testing.T, name string, files map[string]string) {
	t.Helper()
	data := []byte(files[name])
	g := goldie.New(t, goldie.WithFixtureDir(goldenDir), goldie.WithNameSuffix(filepath.Ext(name)), goldie.WithDiffEngine(goldie.Simple))
	base := strings.TrimSuffix(name, filepath.Ext(name))
	if !updating() {
		old, err := os.ReadFile(filepath.Join(goldenDir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatalf("there is no golden %s; see the package's documentation", name)
		}
		if string(old) != string(data) {
			t.Logf("the difference to %s (-golden +now):\n%s", name, cmp.Diff(strings.Split(string(old), "\n"), strings.Split(string(data), "\n")))
		}
		g.Assert(t, base, data)
		return
	}
	old, err := os.ReadFile(filepath.Join(goldenDir, filepath.FromSlash(name)))
	if err == nil && string(old) == string(data) {
		return
	}
	// go test shows nothing of a test that passes, and a difference that nobody sees was not read.
	t.Errorf("writing %s (-golden +now):\n%s", name, cmp.Diff(strings.Split(string(old), "\n"), strings.Split(string(data), "\n")))
	if err := os.MkdirAll(filepath.Dir(filepath.Join(goldenDir, filepath.FromSlash(name))), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := g.Update(t, base, data); err != nil {
		t.Fatal(err)
	}
}
