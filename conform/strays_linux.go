package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// strays lists the processes that run in the private world with this home, wherever they have hidden: a process that
// made a session of its own has left its group, but it has taken its environment along.
func strays(home string) []int {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	mark := []byte("HOME=" + home)
	var pids []int
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || pid == os.Getpid() {
			continue
		}
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil {
			continue // it has ended, or is somebody else's
		}
		for _, kv := range bytes.Split(environ, []byte{0}) {
			if bytes.Equal(kv, mark) {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}
