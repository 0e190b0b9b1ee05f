package conform

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"acp-conform/wire"
)

// claimClient is the name under which the client's reader claims to be at work.
const claimClient = "client"

// client is the scripted editor's end of the adapter's stdio. It reads everything at once and writes in order; what
// to say is decided elsewhere.
type client struct {
	log    *wire.Log
	stdin  io.WriteCloser
	stdout io.Reader
	queue  chan []byte
	closed sync.Once
	deaf   atomic.Bool   // what comes is not kept any more
	wrote  chan struct{} // closed when the writer has ended
	read   chan struct{} // closed when stdout was read to its end

	mu       sync.Mutex
	paused   chan struct{} // closed when reading goes on; nil while it does
	writeErr error
	readErr  error
}

// queueLength is how many writes may wait: more than any scenario sends, so that the engine never blocks on an
// adapter that does not read.
const queueLength = 4096

func newClient(log *wire.Log, p Process, lineLimit int) *client {
	c := &client{log: log, stdin: p.Stdin(), stdout: p.Stdout(), queue: make(chan []byte, queueLength), wrote: make(chan struct{}), read: make(chan struct{})}
	go c.writeAll()
	go c.readAll(lineLimit)
	return c
}

// send records the frames and hands them to the writer as one write.
func (c *client) send(frames ...[]byte) {
	var bytes []byte
	for _, f := range frames {
		c.log.Append(wire.Entry{Lane: wire.Client, Dir: wire.ToAdapter, Data: f})
		bytes = append(append(bytes, f...), '\n')
	}
	c.queue <- bytes
}

// close ends the adapter's stdin once everything queued is written.
func (c *client) close() { c.closed.Do(func() { close(c.queue) }) }

// pause has nothing more read, but for what a read brings that waits already; resume has reading go on.
func (c *client) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paused = make(chan struct{})
}

func (c *client) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.paused)
	c.paused = nil
}

// rest waits while reading is paused.
func (c *client) rest() {
	c.mu.Lock()
	paused := c.paused
	c.mu.Unlock()
	if paused != nil {
		<-paused
	}
}

// hangUp closes both ends of the connection, as the end of the editor's process does. What the adapter says from now on
// is not kept.
func (c *client) hangUp() {
	c.deaf.Store(true)
	if stdout, ok := c.stdout.(io.Closer); ok {
		stdout.Close()
	}
	c.close()
}

func (c *client) writeAll() {
	defer close(c.wrote)
	defer c.stdin.Close()
	for b := range c.queue {
		if _, err := c.stdin.Write(b); err != nil {
			c.mu.Lock()
			c.writeErr = err
			c.mu.Unlock()
			c.log.Busy(claimClient)()
			for range c.queue { // nobody reads any more
			}
			return
		}
	}
}

func (c *client) readAll(lineLimit int) {
	defer func() { c.log.Busy(claimClient)() }() // wakes whoever waits for the end
	defer close(c.read)
	in := &arrivals{stdout: c.stdout, log: c.log, rest: c.rest}
	defer in.release()
	lines := wire.NewLineReader(in, lineLimit)
	for {
		line, err := lines.Next()
		if err != nil {
			c.mu.Lock()
			if !errors.Is(err, io.EOF) {
				c.readErr = err
			}
			c.mu.Unlock()
			var tooLong *wire.LineTooLongError
			if errors.As(err, &tooLong) {
				c.log.Busy(claimClient)()
				io.Copy(io.Discard, c.stdout) // keep the adapter from blocking until it is stopped
			}
			return
		}
		if !c.deaf.Load() {
			c.log.Append(wire.Entry{Lane: wire.Client, Dir: wire.FromAdapter, Data: line.Bytes, Partial: line.Partial})
		}
	}
}

// arrivals is the adapter's stdout. From each read until more is asked for it claims to be at work, so that the lines of
// one read count as one instant: nothing is done because of the first while the second is there already.
type arrivals struct {
	stdout io.Reader
	log    *wire.Log
	rest   func() // waits while nothing is to be read; nil where that is never so
	claim  func()
}

func (in *arrivals) Read(p []byte) (int, error) {
	in.release()
	if in.rest != nil {
		in.rest()
	}
	n, err := in.stdout.Read(p)
	if n > 0 {
		in.claim = in.log.Busy(claimClient)
	}
	return n, err
}

func (in *arrivals) release() {
	if in.claim != nil {
		in.claim()
		in.claim = nil
	}
}

// trouble says why the adapter cannot be talked to any more; nil while it can.
func (c *client) trouble() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var tooLong *wire.LineTooLongError
	switch {
	case errors.As(c.readErr, &tooLong):
		return fmt.Errorf("reading the adapter's stdout: %w", tooLong)
	case c.atEnd():
		return errStdoutEnded
	case c.writeErr != nil:
		return errStdinClosed
	}
	return nil
}

var (
	errStdoutEnded = errors.New("the adapter closed its stdout")
	errStdinClosed = errors.New("the adapter does not read its stdin any more")
)

func (c *client) atEnd() bool {
	select {
	case <-c.read:
		return true
	default:
		return false
	}
}
