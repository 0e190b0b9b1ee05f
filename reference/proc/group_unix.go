//go:build unix

package proc

import (
	"os/exec"
	"syscall"
)

// OwnGroup makes the child the leader of a process group. To be called before it is started.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Terminate asks the child and what it started to end.
func Terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// Kill ends the child and what it started; also what is left of its group when the child is gone.
func Kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
