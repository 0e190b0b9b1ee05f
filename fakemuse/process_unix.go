//go:build unix

package fakemuse

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// notifySignals asks for the signals that end a host in order, and makes a broken pipe an error instead of the end.
func notifySignals(stop chan<- os.Signal) {
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
}

// signalName gives a signal's name and the exit code that shells use for it.
func signalName(sig os.Signal) (string, int) {
	number, _ := sig.(syscall.Signal)
	switch number {
	case syscall.SIGINT:
		return "SIGINT", 128 + int(number)
	case syscall.SIGHUP:
		return "SIGHUP", 128 + int(number)
	}
	return "SIGTERM", 128 + int(syscall.SIGTERM)
}

// ownGroup puts a command into a process group of its own, so that it can be killed with all its children.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a command that was started with ownGroup, and all that it started.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

// killProcess kills one process.
func killProcess(pid int) { syscall.Kill(pid, syscall.SIGKILL) }
