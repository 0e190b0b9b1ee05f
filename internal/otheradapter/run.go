package otheradapter

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"
)

const (
	// relays is through how many goroutines every line to the client goes, one after the other.
	relays = 3
	// hesitation is how long this adapter thinks before it writes. A client must not count on a quick answer; a
	// millisecond is enough to come behind everything that was going on when the line was made.
	hesitation = time.Millisecond
	// scoop is how many bytes are written at once, wherever in a line that ends. It divides no size of a buffer.
	scoop = 8191
	// flushBound is how long the client may take to read the last lines after it closed stdin.
	flushBound = 2 * time.Second
)

// Run is the adapter: it serves a client on stdin and stdout until stdin ends or the context does, and gives the exit
// code. The environment is what it passes to Muse, and where it looks for Muse (PATH). The caller ends the read of
// stdin when the context ended first.
func Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	f := &front{out: newMailbox[[]byte](), keeper: newKeeper(env, stderr), work: &sync.WaitGroup{}, talks: map[string]*talk{},
		going: map[*talk]bool{}, shelf: map[string]*talk{}, asked: map[string]func(message){}}
	written := make(chan struct{})
	go func() {
		defer close(written)
		write(stdout, f.out)
	}()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.listen(stdin)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	f.mu.Lock()
	f.shut = true
	talks := f.everyone()
	f.mu.Unlock()
	for _, t := range talks {
		t.inbox.put(t.leave)
	}
	f.keeper.close()
	for _, t := range talks {
		t.inbox.close()
	}
	f.work.Wait()
	f.out.close()
	timer := time.NewTimer(flushBound)
	defer timer.Stop()
	select {
	case <-written:
	case <-timer.C:
	}
	return 0
}

// write sends lines through the relays to the client, until the mailbox is closed.
func write(w io.Writer, lines *mailbox[[]byte]) {
	for range relays {
		next := newMailbox[[]byte]()
		go func(from *mailbox[[]byte]) {
			defer next.close()
			for {
				some, more := from.take()
				if !more {
					return
				}
				for _, line := range some {
					next.put(line)
				}
			}
		}(lines)
		lines = next
	}
	broken := false
	for {
		some, more := lines.take()
		if !more {
			return
		}
		time.Sleep(hesitation)
		for piece := range slices.Chunk(slices.Concat(some...), scoop) {
			if !broken {
				_, err := w.Write(piece)
				broken = err != nil
			}
		}
	}
}
