// Package godoginit keeps the initialisation of godog from starting a program.
//
// When godog is linked in, its package internal/builder runs `go env GOTOOLDIR` before main begins, for a feature that
// is not used here. So every process of ours would start the first `go` on its PATH: the harness, the reference adapter
// and each host, in surroundings where only what the user named may be started.
//
// The packages of a program are initialised in the order of their import paths, as soon as what they import is. This
// package imports little and its path sorts before godog's: its init takes PATH away, so that no program is found. The
// one package that imports godog to play features imports this one as well and calls Restore in an init of its own,
// which runs after godog's.
package godoginit

import "os"

// path is what PATH was. It is written once, by init, and read by Restore.
var path, was = take()

func take() (string, bool) {
	path, was := os.LookupEnv("PATH")
	if was {
		if err := os.Setenv("PATH", ""); err != nil {
			return path, false // then it is as it was, and stays so
		}
	}
	return path, was
}

// Restore gives PATH back. It may be called again.
func Restore() error {
	if !was {
		return nil
	}
	return os.Setenv("PATH", path)
}
