package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoldensOfWhatPasses: where a scenario fails and was not recorded, the missing golden is no further failure. One that
// passes needs its golden, and one that is there is compared.
func TestGoldensOfWhatPasses(t *testing.T) {
	t.Parallel()
	dir, known := t.TempDir(), filepath.Join(t.TempDir(), "known.txt")
	if err := os.WriteFile(known, []byte("ACP-TOOL-15: it asks late\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	adapter := []string{"--scenario", "text-turn", "--scenario", "approval-allowed", "--", binary, "reference", "--fault=asks-about-completed-call"}
	record := program(t, append([]string{"record", "--goldens", dir}, adapter...)...)
	if record.code != 1 || !strings.Contains(record.stdout, "1 of 2 scenarios recorded") {
		t.Fatalf("recording: exit %d\n%s%s", record.code, record.stdout, record.stderr)
	}
	if out := program(t, append([]string{"run", "--goldens", dir}, adapter...)...); out.code != 1 || strings.Contains(out.stdout, "there is no golden") {
		t.Errorf("nothing is known: exit %d, not 1, or a golden is missed\n%s", out.code, out.stdout)
	}
	run := func() outcome {
		return program(t, append([]string{"run", "--goldens", dir, "--known-failures", known}, adapter...)...)
	}
	if out := run(); out.code != 0 || strings.Contains(out.stdout, "with it failed") {
		t.Errorf("what fails has no golden: exit %d, not 0\n%s", out.code, out.stdout)
	}
	if err := os.WriteFile(filepath.Join(dir, "approval-allowed.golden"), []byte("another\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(); out.code != 0 || !strings.Contains(out.stdout, "with it failed: golden") {
		t.Errorf("what fails has a golden, which differs: exit %d, not 0\n%s", out.code, out.stdout)
	}
	if err := os.Remove(filepath.Join(dir, "text-turn.golden")); err != nil {
		t.Fatal(err)
	}
	if out := run(); out.code != 1 || !strings.Contains(out.stdout, "there is no golden text-turn.golden") {
		t.Errorf("what passes has no golden: exit %d, not 1\n%s", out.code, out.stdout)
	}
}

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
