package guard

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	// sweepTick is how often what is left is looked for: a process that forks meanwhile leaves a child behind, and one
	// that is being killed may write a file.
	sweepTick = 10 * time.Millisecond
	// sweepRounds bounds that, to half a minute.
	sweepRounds = 3000
)

// sweep kills what belongs to the run, and removes its folder.
func sweep(dir string, groups map[int]bool) {
	for group := range groups {
		killGroup(group)
	}
	tick := time.NewTicker(sweepTick)
	defer tick.Stop()
	for range sweepRounds {
		left := carriers(dir)
		for _, pid := range left {
			if p, err := os.FindProcess(pid); err == nil {
				p.Kill()
			}
		}
		if len(left) == 0 && remove(dir) == nil {
			return
		}
		<-tick.C
	}
}

// remove takes a folder away, also where something made a part of it unreadable.
func remove(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
