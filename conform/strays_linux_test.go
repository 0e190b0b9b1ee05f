package conform

import (
	"os"
	"strconv"
	"testing"
)

// A process that has left the group is found by its HOME, killed after the grace, and said.
func TestStrays(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	p, first := started(t, 1, Surroundings{Env: append(os.Environ(), "HOME="+home)}, "parent", "hidden")
	pid, err := strconv.Atoi(first[0])
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strays(home)); n != 2 {
		t.Errorf("%d processes have this HOME, want the parent and its child", n)
	}
	p.Stdin().Close()
	<-p.Done()
	<-p.(*commandProcess).stdout.end
	// The hidden child holds the parent's stderr, but neither its stdin nor its stdout.
	if got := p.Stop(instant, instant, ages); got.Left != "" {
		t.Errorf("the group held on: %+v", got)
	}
	if got, want := endStrays(home, instant), "1 processes that it started were still running"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	waitGone(t, pid)
	if left := strays(home); len(left) > 0 {
		t.Errorf("still there: %v", left)
	}
	if got := endStrays(home, ages); got != "" {
		t.Errorf("a world without processes gave %q", got)
	}
}

// What ends by itself within the grace is no stray.
func TestNoStrays(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	p, _ := started(t, 0, Surroundings{Env: append(os.Environ(), "HOME="+home)}, "quiet")
	p.Stdin().Close()
	if got := endStrays(home, ages); got != "" {
		t.Errorf("got %q", got)
	}
	p.Stop(ages, ages, ages)
}
