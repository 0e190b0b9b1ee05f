//go:build !unix

package guard

import "os/exec"

func apart(*exec.Cmd) {}

func ignoreSignals() {}

// killGroup has no means here: there are no process groups.
func killGroup(int) {}
