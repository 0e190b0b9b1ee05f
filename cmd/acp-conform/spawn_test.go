package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestNothingIsStartedUnasked: no process of ours starts the `go` that is on its PATH, neither the harness nor the
// reference adapter nor a host, though a library would like to.
func TestNothingIsStartedUnasked(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the program in the way is a shell script")
	}
	dir := t.TempDir()
	mark := filepath.Join(dir, "started")
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\n: > '"+mark+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := dir + string(os.PathListSeparator) + os.Getenv("PATH")
	if out, err := exec.Command("env", "PATH="+path, "sh", "-c", "go env").CombinedOutput(); err != nil {
		t.Fatalf("the program in the way does not start: %v\n%s", err, out)
	}
	if err := os.Remove(mark); err != nil {
		t.Fatalf("the program in the way leaves no mark: %v", err)
	}
	cmd := exec.Command(binary, "run", "--scenario", "text-turn")
	cmd.Env = append(os.Environ(), "PATH="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the scenario did not pass, so nothing can be told: %v\n%s", err, out)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("`go` was started")
	}
}
