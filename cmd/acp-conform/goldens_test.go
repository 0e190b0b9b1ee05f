package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoldensThatNothingIsComparedWith: what was recorded once and cannot be had any more is a failure, and so is a file
// that is no golden.
func TestGoldensThatNothingIsComparedWith(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if out := program(t, "record", "--goldens", dir, "--scenario", "text-turn", "--", binary, "reference"); out.code != 0 {
		t.Fatalf("recording: exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	out := program(t, "run", "--goldens", dir, "--scenario", "text-turn", "--", own, oddWord, "needs-no-host")
	const says = "nothing was compared with text-turn.golden, since the scenario is not applicable now: never started a host"
	if out.code != 1 || !strings.Contains(out.stdout, says) {
		t.Errorf("exit %d, want 1 and %q in\n%s%s", out.code, says, out.stdout, out.stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "text-turn.gold"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	out = program(t, "run", "--goldens", dir, "--scenario", "text-turn", "--", binary, "reference")
	if out.code != 1 || !strings.Contains(out.stdout, "which is a failure:\n  text-turn.gold\n") {
		t.Errorf("a stray file: exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
}
