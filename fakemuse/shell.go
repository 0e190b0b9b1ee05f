package fakemuse

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"time"
)

// shellRun is one command that runs for a turn.
type shellRun struct {
	pid      int
	killed   atomic.Bool
	timedOut atomic.Bool
	done     bool // guarded by the server's lock, as the result is
	output   []byte
	err      error
}

// strayTime is how long output may still come after a command and its group are gone. What they wrote is in the pipe
// already; only a process that hid from the group can take longer, and nobody waits for that.
const strayTime = time.Second

// kill ends the command and everything that it started.
func (r *shellRun) kill() {
	r.killed.Store(true)
	killGroup(r.pid)
}

// bash runs a scripted command in the session's workspace. The turn is parked meanwhile; the claim is the command's.
// Commands that run at the same time end, for whoever looks at the host, in the order in which they began: which of
// them is faster is no part of a script.
func (c *toolCall) bash() (outcome, error) {
	t := c.turn
	command := argsOf(*c.subject().Args).text("command")
	if command == "" {
		return toolFailed("invalid arguments: command is missing"), nil
	}
	dir, err := t.workspace()
	if err != nil {
		return toolFailed("%v", err), nil
	}
	run, err := t.startShell(dir, command, c.speaks())
	if err != nil {
		t.host.server.problem(ProblemInternal, t.host.who(), "a command cannot be started: %v", err)
		return toolFailed("environment failure: the command was never started"), nil
	}
	t.shells = append(t.shells, run)
	for !run.done || t.shells[0] != run {
		if err := c.park(); err != nil {
			return outcome{}, err
		}
	}
	t.shells = t.shells[1:]
	return run.outcome(t.host.server.options.OutputLimit), nil
}

func (r *shellRun) outcome(limit int) outcome {
	shown, cut := bounded(r.output, limit)
	end := outcome{status: "completed", output: shown, truncated: cut}
	var exit *exec.ExitError
	switch {
	case r.timedOut.Load():
		end.status, end.reason = "timedOut", "the command ran too long"
	case errors.As(r.err, &exit) && exit.ExitCode() >= 0:
		end.status, end.reason = "failed", fmt.Sprintf("exit status %d", exit.ExitCode())
	case r.err != nil:
		end.status, end.reason = "failed", "the command was ended by a signal"
	}
	return end
}

// startShell starts `/bin/sh -c` in a process group of its own, with an environment that does not depend on ours.
//
// When the command writes something for the first time, speaks is called.
func (t *turn) startShell(dir, command string, speaks func()) (*shellRun, error) {
	s := t.host.server
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "PWD=" + dir, "LANG=C", "LC_ALL=C"}
	cmd.Stdout, cmd.Stderr = write, write
	ownGroup(cmd)
	claim := s.options.Log.Busy(t.host.who())
	err = cmd.Start()
	write.Close()
	if err != nil {
		read.Close()
		claim()
		return nil, err
	}
	run := &shellRun{pid: cmd.Process.Pid}
	timer := time.AfterFunc(s.options.ShellTime, func() {
		run.timedOut.Store(true)
		killGroup(run.pid)
	})
	s.work.Go(func() {
		defer claim()
		run.output, run.err = collect(cmd, read, s.options.OutputLimit, speaks)
		timer.Stop()
		t.shellDone(run)
	})
	return run, nil
}

// collect waits for the command, ends what it left running, and gives what it wrote.
func collect(cmd *exec.Cmd, read *os.File, limit int, speaks func()) ([]byte, error) {
	output := make(chan []byte, 1)
	go func() {
		first := make([]byte, 1)
		n, _ := io.ReadFull(read, first)
		if n > 0 && speaks != nil {
			speaks()
		}
		rest, _ := io.ReadAll(io.LimitReader(read, int64(limit)+1-int64(n)))
		io.Copy(io.Discard, read)
		output <- append(first[:n], rest...)
	}()
	err := cmd.Wait()
	killGroup(cmd.Process.Pid) // a process that stays behind would hold the pipe, and act after the tool has ended
	// One that left the group too holds the pipe; its output is not waited for.
	read.SetReadDeadline(time.Now().Add(strayTime))
	kept := <-output
	read.Close()
	return kept, err
}

// shellDone takes a command's result and lets its turn go on, if there still is one.
func (t *turn) shellDone(run *shellRun) {
	s := t.host.server
	s.mu.Lock()
	defer s.mu.Unlock()
	run.done = true
	if s.turns[t] && (t.cancelled == nil || !t.works()) {
		t.host.advance(t)
	}
}

// works reports whether a command still runs for the turn.
func (t *turn) works() bool {
	return slices.ContainsFunc(t.shells, func(r *shellRun) bool { return !r.done })
}

// killShells ends the commands that run for the turn, and reports whether there were any.
func (t *turn) killShells() bool {
	for _, r := range t.shells {
		if !r.done {
			r.kill()
		}
	}
	return t.works()
}
