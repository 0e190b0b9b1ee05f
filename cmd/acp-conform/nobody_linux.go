package main

import (
	"os"
	"syscall"
)

// nobodyReads reports whether stdout is the null device for reading and writing, while stderr is not. That is what the
// runtime puts in the place of a stdout that was closed (a shell's >&-), where a report is lost by mistake; and it is
// also what Python's DEVNULL and Node's "ignore" are, where it is lost on purpose. The system does not tell the two
// apart, so this is worth a word, and no error. A shell's >/dev/null is open for writing only.
func nobodyReads() bool { return placeholder(os.Stdout) && !placeholder(os.Stderr) }

func placeholder(f *os.File) bool {
	var stat syscall.Stat_t
	const null = 1<<8 | 3 // the device number of /dev/null
	if err := syscall.Fstat(int(f.Fd()), &stat); err != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFCHR || stat.Rdev != null {
		return false
	}
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), syscall.F_GETFL, 0)
	return errno == 0 && flags&syscall.O_ACCMODE == syscall.O_RDWR
}
