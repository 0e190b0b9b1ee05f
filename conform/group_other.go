//go:build !unix

package conform

import (
	"os/exec"
	"time"
)

func ownGroup(*exec.Cmd) {}

// terminate ends the process: where there are no signals nothing gentler can be done.
func terminate(cmd *exec.Cmd) { cmd.Process.Kill() }

func terminateGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }

// groupEmpties has nothing to wait for where there are no process groups.
func groupEmpties(*exec.Cmd, time.Duration) bool { return true }
