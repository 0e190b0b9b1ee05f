package guard

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// carriers lists the processes that have the path of a folder in their environment, wherever they have hidden. The
// environment of an adapter does, in PATH and HOME and more, and what it starts takes that along.
func carriers(dir string) []int {
	procs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	mark := []byte(dir + string(filepath.Separator))
	var pids []int
	for _, proc := range procs {
		pid, err := strconv.Atoi(filepath.Base(proc))
		if err != nil || pid == os.Getpid() {
			continue
		}
		// Of a process that has ended, or is somebody else's, nothing can be read.
		if environ, err := os.ReadFile(filepath.Join(proc, "environ")); err == nil && bytes.Contains(environ, mark) {
			pids = append(pids, pid)
		}
	}
	return pids
}
