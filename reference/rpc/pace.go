package rpc

import (
	"fmt"
	"strings"
	"time"
)

// Pace says how late, and in what pieces, a Writer writes. The zero Pace is at once, and as the lines come. Whoever reads
// must get along with all of them; they make a race show every time that luck hides for months.
type Pace struct {
	Join bool          // wait once, then write all that is queued by then in one piece; otherwise wait before each piece
	Wait time.Duration // how long to wait
}

// ParsePace reads a Pace as it is written: "join:3ms" or "split:3ms".
func ParsePace(text string) (Pace, error) {
	how, long, _ := strings.Cut(text, ":")
	wait, err := time.ParseDuration(long)
	if err != nil || wait < 0 || how != "join" && how != "split" {
		return Pace{}, fmt.Errorf("%q is no pace such as join:3ms or split:3ms", text)
	}
	return Pace{Join: how == "join", Wait: wait}, nil
}
