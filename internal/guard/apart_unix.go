//go:build unix

package guard

import (
	"os/exec"
	"os/signal"
	"syscall"
)

// apart puts the guard into a session of its own: what ends the harness with its whole group must not end the guard.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// ignoreSignals leaves the end of the guard to the harness.
func ignoreSignals() { signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE) }

func killGroup(group int) { syscall.Kill(-group, syscall.SIGKILL) }
