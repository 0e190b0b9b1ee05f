package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTheHarnessDies kills and interrupts the program in the middle of a run. Nothing that it started may outlive it, and
// no folder of it may stay.
func TestTheHarnessDies(t *testing.T) {
	t.Parallel()
	onLinux(t)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	odd := oddWord + " "
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM} {
		for name, tt := range map[string]struct {
			command []string
			started string // in the command line of what must have been started before the signal
		}{
			"reference":             {[]string{"--jobs=2"}, " reference "},
			"a host":                {[]string{"--", "sh", "-c", "sleep 1000 | muse serve > /dev/null"}, "muse serve"}, // it stays until it is seen
			"deaf":                  {[]string{"--", own, oddWord, "deaf"}, odd + "deaf"},
			"stubborn":              {[]string{"--", own, oddWord, "stays"}, odd + "stays"},
			"gone from its group":   {[]string{"--", own, oddWord, "leaves-its-group"}, odd + "stays"},
			"deaf behind a wrapper": {[]string{"--", "sh", "-c", own + " " + oddWord + " stays; true"}, own + " " + odd + "stays"},
			"with a helper":         {[]string{"--", own, oddWord, "hides-a-child"}, "sleep 1000"},
		} {
			t.Run(signal.String()+" "+name, func(t *testing.T) {
				t.Parallel()
				temp := t.TempDir()
				cmd := exec.Command(binary, append([]string{"run", "--stop-timeout=1s", "--term-timeout=200ms"}, tt.command...)...)
				cmd.Env = append(os.Environ(), "TMPDIR="+temp)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				awaitCondition(t, "an adapter is started", func() bool {
					return slices.ContainsFunc(processesWith(t, temp), func(line string) bool {
						return strings.Contains(line, tt.started) && !strings.Contains(line, " run ") && !strings.HasPrefix(line, "sh ")
					})
				})
				cmd.Process.Signal(signal)
				cmd.Wait()
				if code := cmd.ProcessState.ExitCode(); signal != syscall.SIGKILL && code != 3 {
					t.Errorf("exit %d, not 3", code)
				}
				awaitCondition(t, "every process is gone", func() bool { return len(processesWith(t, temp)) == 0 })
				empty := func() bool {
					left, err := filepath.Glob(filepath.Join(temp, "*"))
					return err == nil && len(left) == 0
				}
				if signal != syscall.SIGKILL && !empty() {
					t.Error("the program has ended and left a folder behind")
				}
				awaitCondition(t, "every folder is gone", empty)
			})
		}
	}
}

// awaitCondition looks at the system again and again: nobody tells when a process comes or goes.
func awaitCondition(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("it did not come to pass that %s", what)
		}
	}
}
