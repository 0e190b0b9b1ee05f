//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package audit

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this log alone, or fails at once with ErrBusy. The lock belongs to the open file: a second
// log of the same process is kept out as well, and the end of the process frees it.
func lock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrBusy
		default:
			return err
		}
	}
}

// unlock frees the file. Closing it is not enough: a child that was forked meanwhile has it open until it runs.
func unlock(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
