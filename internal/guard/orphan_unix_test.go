//go:build unix

package guard

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const (
	harnessWord = "be-a-harness"
	helperWord  = "be-a-helper"
)

// beHarness begins a run with a helper in a group of its own, tells of both, and waits for its end.
func beHarness() {
	g, err := Begin()
	if err != nil {
		panic(err)
	}
	locked := filepath.Join(g.Dir, "locked")
	if err := errors.Join(os.Mkdir(locked, 0o700), os.WriteFile(filepath.Join(locked, "file"), nil, 0o600), os.Chmod(locked, 0o500)); err != nil {
		panic(err)
	}
	helper := exec.Command(os.Args[0], helperWord)
	helper.Env = []string{} // found by its group alone
	helper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := helper.Start(); err != nil {
		panic(err)
	}
	g.Watch(helper.Process.Pid)
	fmt.Println(helper.Process.Pid, g.cmd.Process.Pid, g.Dir)
	select {}
}

// TestOrphaned kills a harness: its guard ends what it was told of, removes the folder, and is gone too.
func TestOrphaned(t *testing.T) {
	t.Parallel()
	harness := exec.Command(os.Args[0], harnessWord)
	harness.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := harness.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Start(); err != nil {
		t.Fatal(err)
	}
	var helper, guard int
	var dir string
	_, scanned := fmt.Fscan(bufio.NewReader(out), &helper, &guard, &dir)
	harness.Process.Kill()
	harness.Wait()
	if scanned != nil {
		t.Fatal(scanned)
	}
	await(t, "the helper is gone", func() bool { return gone(helper) })
	await(t, "the folder is gone", func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) })
	await(t, "the guard is gone", func() bool { return gone(guard) })
}

// gone reports whether a process has ended. One that nobody has waited for yet has.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	var state string
	if err == nil {
		var id int
		var name string
		fmt.Sscan(string(stat), &id, &name, &state)
	}
	return state == "Z"
}

// await looks at the system again and again: nobody tells when somebody else's child ends.
func await(t *testing.T, what string, holds func() bool) {
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

// TestStopped: a guard that somebody has stopped does not hold up the end of the run.
func TestStopped(t *testing.T) {
	t.Parallel()
	g, err := Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); g.End() }()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		g.cmd.Process.Kill()
		t.Fatal("the run waits for its guard")
	}
	if _, err := os.Stat(g.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the run: %v", err)
	}
}
