package main

import (
	"os"
	"strings"
	"testing"
)

func TestSoakSaysHowManyDiffer(t *testing.T) {
	t.Parallel()
	out := program(t, "soak", "--runs", "3", "--busy", "1", "--scenario", "text-turn")
	if out.code != 0 || !strings.HasSuffix(out.stdout, "3 runs, 0 differ\n") {
		t.Errorf("exit %d: %s%s", out.code, out.stdout, out.stderr)
	}
}

// Where nothing that was selected applies, nothing was compared.
func TestSoakOfNothing(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := program(t, "soak", "--runs", "2", "--busy", "0", "--scenario", "approval-allowed", "--", own, oddWord, "needs-no-host", "")
	if out.code != 3 || !strings.Contains(out.stderr, "none of the selected scenarios applies to the adapter, so there is nothing to compare") {
		t.Errorf("exit %d: %s%s", out.code, out.stdout, out.stderr)
	}
}

// An adapter of one's own is held to its own first run, whatever it is worth.
func TestSoakOfACommand(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for way, want := range map[string]string{
		"":                  "3 runs, 0 differ\n",
		"asks-late":         "3 runs, 0 differ\n",
		"is-never-the-same": "3 runs, 2 differ\n",
	} {
		out := program(t, "soak", "--runs", "3", "--busy", "0", "--scenario", "unknown-session", "--", own, oddWord, "needs-no-host", way)
		if !strings.HasSuffix(out.stdout, want) || (out.code == 0) != strings.Contains(want, " 0 differ") {
			t.Errorf("%s: exit %d: %s%s", way, out.code, out.stdout, out.stderr)
		}
		if differs := strings.Count(out.stdout, "unknown-session: the transcript differs: line "); differs != strings.Count(want, "2 differ")*2 {
			t.Errorf("%s: it is not said where the runs differ:\n%s", way, out.stdout)
		}
	}
}
