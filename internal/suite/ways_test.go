package suite

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
	"acp-conform/runner"
	"acp-conform/wire"
)

// bothWays compares the transcripts of the reference adapter in this process with those of it as a process of its own.
// It counts the child processes of both: the hosts, and the adapter itself.
func bothWays(t *testing.T, inside conform.RunResult, insideTexts *runner.Recorder, outside conform.RunResult, outsideTexts *runner.Recorder) {
	byName := map[string]conform.ScenarioResult{}
	for _, sc := range inside.Scenarios {
		byName[sc.Name] = sc
	}
	adapters := 0
	for _, sc := range outside.Scenarios {
		here := byName[sc.Name]
		if sc.Verdict != conform.Pass || here.Verdict != conform.Pass {
			t.Errorf("%s: in this process %s, as a process %s", sc.Name, here.Verdict, sc.Verdict)
		}
		if diff := cmp.Diff(insideTexts.Text(sc.Name), outsideTexts.Text(sc.Name)); diff != "" {
			t.Errorf("%s: the transcripts differ (-in this process +as a process):\n%s", sc.Name, diff)
		}
		a, b := hosts(t, insideTexts.Text(sc.Name)), hosts(t, outsideTexts.Text(sc.Name))
		if a != b || sc.Processes != b+1 || here.Processes != a {
			t.Errorf("%s: in this process %d hosts and %d child processes, as a process %d hosts and %d child processes", sc.Name, a, here.Processes, b, sc.Processes)
		}
		adapters += sc.Processes
	}
	if adapters <= len(outside.Scenarios) {
		t.Errorf("only %d processes were started for %d scenarios: hosts are no processes", adapters, len(outside.Scenarios))
	}
}

// hosts counts the host starts of a printed transcript.
func hosts(t *testing.T, text string) int {
	t.Helper()
	rows, err := wire.ParseTranscript([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return len(slices.DeleteFunc(rows, func(r wire.Row) bool { return r.Gap || r.Dir != wire.Start }))
}
