package fakemuse

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// standInName is the name by which the stand-in knows itself. It is the name that adapters look for.
const standInName = "muse"

// Main turns this process into the stand-in, and never returns, if it was started as `muse`; otherwise it returns at
// once. It must run before flags are parsed and before anything is started: in a stand-in nothing else runs, and a
// stand-in that went on as a test binary would run the tests again, without end.
func Main() {
	own, is := standIn()
	if !is {
		return
	}
	// Not os.Exit: that waits a second for the race detector in a binary built with it, and a stand-in has nothing
	// to tidy up.
	syscall.Exit(runStandIn(os.Args, own))
}

// IsStandIn reports whether this process was started as `muse`, so that Main would not return.
func IsStandIn() bool {
	_, is := standIn()
	return is
}

func standIn() (executable string, is bool) {
	own, err := os.Executable()
	if err != nil {
		own = ""
	}
	return own, isStandIn(os.Args, own)
}

// isStandIn reports whether a process with these arguments and this executable is the stand-in. Either name will do:
// a caller may set argv[0] as it likes, and a link may be resolved.
func isStandIn(args []string, executable string) bool {
	if len(args) > 0 && namedMuse(args[0]) {
		return true
	}
	return namedMuse(executable)
}

func namedMuse(path string) bool {
	base := filepath.Base(path)
	return base == standInName || strings.EqualFold(base, standInName+".exe")
}

// programName is the file name of the stand-in on this system.
func programName() string {
	if runtime.GOOS == "windows" {
		return standInName + ".exe"
	}
	return standInName
}
