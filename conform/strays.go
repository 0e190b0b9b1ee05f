package conform

import (
	"fmt"
	"os"
	"time"
)

// strayTick is how often processes that outlived the adapter are looked for: the system tells nobody when they end.
const strayTick = 10 * time.Millisecond

// endStrays waits until no process of the private world is left, and kills what is there after the grace. It says
// what it had to kill.
func endStrays(home string, grace time.Duration) string {
	// A process that forks again and again may slip through one look.
	if len(strays(home)) == 0 && len(strays(home)) == 0 {
		return ""
	}
	tick := time.NewTicker(strayTick)
	defer tick.Stop()
	deadline := time.NewTimer(grace)
	defer deadline.Stop()
	for {
		select {
		case <-tick.C:
			if len(strays(home)) == 0 {
				return ""
			}
		case <-deadline.C:
			return killStrays(home)
		}
	}
}

// killRounds is how often strays are killed: a process that forks while it is being looked for leaves a child behind.
const killRounds = 50

func killStrays(home string) string {
	killed := map[int]bool{}
	for range killRounds {
		pids := strays(home)
		if len(pids) == 0 {
			break
		}
		for _, pid := range pids {
			killed[pid] = true
			if p, err := os.FindProcess(pid); err == nil {
				p.Kill()
			}
		}
	}
	if len(killed) == 0 {
		return ""
	}
	return fmt.Sprintf("%d processes that it started were still running", len(killed))
}
