package guard

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// carriers lists the processes that live in a run's folder, wherever they have hidden: in those variables that an adapter
// gets from the harness they have a path below it. What an adapter starts takes them along. Other variables do not
// count: the shell of somebody who has looked into the folder remembers it too.
func carriers(dir string) []int {
	procs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	var pids []int
	for _, proc := range procs {
		pid, err := strconv.Atoi(filepath.Base(proc))
		if err != nil || pid == os.Getpid() {
			continue
		}
		// Of a process that has ended, or is somebody else's, nothing can be read.
		if environ, err := os.ReadFile(filepath.Join(proc, "environ")); err == nil && livesIn(environ, dir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// livesIn reports whether an environment, as the system gives it, is one that a harness made below a folder.
func livesIn(environ []byte, dir string) bool {
	below := dir + string(filepath.Separator)
	for entry := range strings.SplitSeq(string(environ), "\x00") {
		name, value, _ := strings.Cut(entry, "=")
		switch name {
		case "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "PATH":
			for path := range strings.SplitSeq(value, string(filepath.ListSeparator)) {
				if strings.HasPrefix(path, below) {
					return true
				}
			}
		}
	}
	return false
}
