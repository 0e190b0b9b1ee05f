//go:build !unix

package fakemuse

import (
	"os"
	"os/exec"
	"os/signal"
)

func notifySignals(stop chan<- os.Signal) { signal.Notify(stop, os.Interrupt) }

func signalName(os.Signal) (string, int) { return "SIGINT", 130 }

func ownGroup(*exec.Cmd) {}

func killGroup(pid int) { killProcess(pid) }

func killProcess(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
	}
}
