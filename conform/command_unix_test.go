//go:build unix

package conform

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The graces of these tests: an instant for steps that must pass, and so long that only a hang meets it for the others.
const (
	instant = time.Millisecond
	ages    = time.Minute
)

// started starts a child and gives its first lines of stdout; the rest is read meanwhile, as the harness does.
func started(t *testing.T, lines int, s Surroundings, words ...string) (p Process, first []string) {
	t.Helper()
	if s.Dir == "" {
		s.Dir = t.TempDir()
	}
	p, err := child(t, words...).Start(s)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(p.Stdout())
	for range lines {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatalf("reading the child: %v; stderr: %s", err, p.StderrTail())
		}
		first = append(first, strings.TrimSuffix(line, "\n"))
	}
	read := make(chan struct{})
	go func() {
		io.Copy(io.Discard, in)
		close(read)
	}()
	t.Cleanup(func() { <-read })
	return p, first
}

// ended stops a child, its stdin closed before.
func ended(p Process, eof, term, kill time.Duration) Ending {
	p.Stdin().Close()
	return p.Stop(eof, term, kill)
}

func TestStop(t *testing.T) {
	t.Parallel()
	tests := []struct {
		words           []string
		ready           int
		eof, term, kill time.Duration
		want            Ending
	}{
		{[]string{"quiet"}, 0, ages, ages, ages, Ending{Text: "exit status 0", Clean: true}},
		{[]string{"noise"}, 0, ages, ages, ages, Ending{Text: "exit status 7"}},
		{[]string{"polite"}, 1, instant, ages, ages, Ending{Text: "exit status 3", Forced: "SIGTERM"}},
		{[]string{"stubborn"}, 1, instant, instant, ages, Ending{Text: "signal: killed", Forced: "SIGKILL"}},
	}
	for _, tt := range tests {
		t.Run(tt.words[0], func(t *testing.T) {
			t.Parallel()
			p, _ := started(t, tt.ready, Surroundings{}, tt.words...)
			if got := ended(p, tt.eof, tt.term, tt.kill); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			<-p.Done()
			if p.Ending().Text != tt.want.Text {
				t.Errorf("the ending is %+v", p.Ending())
			}
		})
	}
}

// A child of the adapter that stays in its group is ended with it, and said.
func TestTheWholeGroupIsEnded(t *testing.T) {
	t.Parallel()
	p, first := started(t, 1, Surroundings{}, "parent", "open")
	pid, err := strconv.Atoi(first[0])
	if err != nil {
		t.Fatal(err)
	}
	p.Stdin().Close()
	<-p.Done()
	<-p.(*commandProcess).stdout.end
	got := p.Stop(instant, instant, ages)
	if want := "a process of the adapter's group was still running"; got.Left != want || !got.Clean || got.Forced != "" {
		t.Errorf("got %+v, want what is left: %q", got, want)
	}
	waitGone(t, pid)
}

// waitGone waits until a killed process is gone; its parent is the system, which collects it in its own time.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	tick := time.NewTicker(strayTick)
	defer tick.Stop()
	for syscall.Kill(pid, 0) == nil && !zombie(pid) {
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatalf("the process %d is still there", pid)
		}
	}
}

// zombie reports whether a process has ended and waits to be collected.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestStderrIsBounded(t *testing.T) {
	t.Parallel()
	p, _ := started(t, 0, Surroundings{}, "noise")
	ended(p, ages, ages, ages)
	tail := p.StderrTail()
	if len(tail) != len("…")+tailLimit || !strings.HasPrefix(tail, "…x") || !strings.HasSuffix(tail, "xthe end") {
		t.Errorf("%d bytes were kept, from %.10q to %q", len(tail), tail, tail[max(0, len(tail)-10):])
	}
}

// The child gets its arguments without a shell, the placeholder filled in, its folder, and nothing but its environment.
func TestSurroundings(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, got := started(t, 3, Surroundings{Dir: dir, Env: []string{"A=1", "B="}, Host: "/x/muse"}, "tell", "$HOME *", "--muse={{muse}}", "")
	ended(p, ages, ages, ages)
	want := []string{`["$HOME *" "--muse=/x/muse" ""]`, dir, `["A=1" "B="]`}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %s, want %s", got[i], want[i])
		}
	}
}

func TestNewCommand(t *testing.T) {
	t.Parallel()
	for name, argv := range map[string][]string{"nothing": nil, "no such program": {"no-such-program-anywhere"}, "no such file": {"./no/such/file"}, "a folder": {"/"}} {
		if c, err := NewCommand(argv); err == nil {
			t.Errorf("%s gave %q", name, c.Argv())
		}
	}
	c, err := NewCommand([]string{"sh", "-c", "{{muse}}"})
	if err != nil {
		t.Fatal(err)
	}
	if argv := c.Argv(); !filepath.IsAbs(argv[0]) || argv[2] != "{{muse}}" {
		t.Errorf("argv: %q", argv)
	}
	if _, err := c.Start(Surroundings{Dir: filepath.Join(t.TempDir(), "none")}); err == nil || !strings.HasPrefix(err.Error(), "starting the adapter /") {
		t.Errorf("a folder that is not there gave the error %v", err)
	}
}

// A process is told to end by SIGTERM. One that is gone cannot be told any more.
func TestTerminate(t *testing.T) {
	t.Parallel()
	p, _ := started(t, 1, Surroundings{}, "polite")
	p.Terminate()
	<-p.Done()
	if got, want := ended(p, ages, ages, ages), (Ending{Text: "exit status 3"}); got != want {
		t.Errorf("it ended as %+v, want %+v", got, want)
	}
	p.Terminate()
}
