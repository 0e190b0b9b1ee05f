//go:build !unix

package conform

import "os/exec"

func ownSession(*exec.Cmd) {}
