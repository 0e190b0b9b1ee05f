//go:build unix && !linux

package conform

import "syscall"

// endWithParent has no means here; the adapter sees the end of its stdin.
func endWithParent(*syscall.SysProcAttr) {}
