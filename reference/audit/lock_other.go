//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package audit

import "os"

// lock takes nothing here: two logs of one file are told apart by what they find in it, when they open it.
func lock(*os.File) error { return nil }

func unlock(*os.File) {}
