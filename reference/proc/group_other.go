//go:build !unix

package proc

import "os/exec"

// OwnGroup does nothing here: what a child starts is not reached on these systems.
func OwnGroup(*exec.Cmd) {}

// Terminate cannot ask here; it ends the child at once.
func Terminate(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// Kill ends the child.
func Kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
