// Package guard tidies up after a harness that was killed. A harness that ends in order ends what it has started; one
// that gets SIGKILL cannot, and an adapter behind a wrapper, or a helper of the adapter's, does not notice.
//
// A guard is a second process of our own executable. It holds the reading end of a pipe of the harness. When that ends
// without the agreed good-bye, it kills the process groups that it was told of and every process that carries the path of
// the run's folder in its environment (on Linux), and removes the folder. One guard serves a whole run.
package guard

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// role is the name by which the guard knows itself, in argv[0].
const role = "acp-conform-guard"

// goodBye is the last line of a harness that has ended everything itself.
const goodBye = "good-bye"

// folderPrefix begins the name of every run's folder.
const folderPrefix = "acp-conform-"

// Guard is the guard of one run, as the harness sees it.
type Guard struct {
	// Dir is the run's folder. Everything that the run makes is below it.
	Dir string

	mu   sync.Mutex
	cmd  *exec.Cmd
	pipe *os.File
	once sync.Once
}

// Begin makes the run's folder and starts the guard. End must follow.
func Begin() (*Guard, error) {
	dir, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, fmt.Errorf("making a private folder: %w", err)
	}
	// The path that adapters see in their environment is the one to look for.
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	g := &Guard{Dir: dir}
	if err := g.start(); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("starting the guard of the run: %w", err)
	}
	return g, nil
}

func (g *Guard) start() error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd := exec.Command(own)
	// Nothing of the caller's is kept open or in use: not its output, its folder or its environment.
	cmd.Args, cmd.Env, cmd.Dir, cmd.Stdin = []string{role, g.Dir}, environment(), filepath.Dir(g.Dir), r
	apart(cmd)
	if err := cmd.Start(); err != nil {
		w.Close()
		return err
	}
	g.cmd, g.pipe = cmd, w
	return nil
}

// environment is what a program needs to start at all.
func environment() []string {
	if root := os.Getenv("SYSTEMROOT"); root != "" {
		return []string{"SYSTEMROOT=" + root}
	}
	return []string{}
}

// Watch tells the guard of a process group until it is released.
func (g *Guard) Watch(group int) (release func()) {
	g.tell("+" + strconv.Itoa(group))
	return func() { g.tell("-" + strconv.Itoa(group)) }
}

// patience is how long a guard may take to read a line or to end. It has nothing else to do, so one that takes longer
// does not run, because somebody has stopped it.
const patience = 2 * time.Second

// tell writes one line. A guard that somebody has killed or stopped cannot be told anything, and the run goes on without
// one.
func (g *Guard) tell(line string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pipe.SetWriteDeadline(time.Now().Add(patience))
	io.WriteString(g.pipe, line+"\n")
}

// End says good-bye, waits for the guard and removes the run's folder. It may be called more than once.
func (g *Guard) End() {
	g.once.Do(func() {
		g.tell(goodBye)
		g.pipe.Close()
		late := time.AfterFunc(patience, func() { g.cmd.Process.Kill() })
		g.cmd.Wait()
		late.Stop()
		os.RemoveAll(g.Dir)
	})
}

// Main turns this process into the guard, and never returns, if it was started as one; otherwise it returns at once. It
// must run before flags are parsed and before anything is started.
func Main() {
	if !isGuard(os.Args) {
		return
	}
	ignoreSignals()
	if groups, orphaned := attend(os.Stdin); orphaned {
		sweep(os.Args[1], groups)
	}
	syscall.Exit(0) // not os.Exit, which waits a second in a binary with the race detector
}

// isGuard reports whether a process with these arguments is a guard. A folder that is no run's is never taken for one: a
// guard removes it.
func isGuard(args []string) bool {
	return len(args) == 2 && args[0] == role && filepath.IsAbs(args[1]) && strings.HasPrefix(filepath.Base(args[1]), folderPrefix)
}

// attend follows what the harness tells until it is gone, and reports whether it went without good-bye.
func attend(pipe io.Reader) (groups map[int]bool, orphaned bool) {
	groups = map[int]bool{}
	lines := bufio.NewScanner(pipe)
	for lines.Scan() {
		word := lines.Text()
		if word == goodBye {
			return nil, false
		}
		group, err := strconv.Atoi(strings.TrimLeft(word, "+-"))
		switch {
		case err != nil || group <= 1: // a line that was cut short; 1 and less are no group of ours
		case word[0] == '+':
			groups[group] = true
		default:
			delete(groups, group)
		}
	}
	return groups, true
}
