//go:build unix

package conform

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// ownGroup puts the process and its children into a group of their own, so that all can be ended together.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// terminate asks the process alone to end: what it started is its own affair.
func terminate(cmd *exec.Cmd) { cmd.Process.Signal(syscall.SIGTERM) }

func terminateGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// groupTick is how often an ending group is looked at: the system tells nobody when a group becomes empty.
const groupTick = 5 * time.Millisecond

// groupEmpties waits until the group of an ended process has no member, and reports whether that came in time.
func groupEmpties(cmd *exec.Cmd, grace time.Duration) bool {
	tick := time.NewTicker(groupTick)
	defer tick.Stop()
	deadline := time.NewTimer(grace)
	defer deadline.Stop()
	for {
		if errors.Is(syscall.Kill(-cmd.Process.Pid, 0), syscall.ESRCH) {
			return true
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			return false
		}
	}
}
