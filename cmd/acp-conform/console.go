package main

import (
	"errors"
	"io"
	"io/fs"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
)

// console is stdout for everything that a command prints. A write that fails is told to nobody who writes, so that a
// run whose reader has gone is still judged to its end, its files are written and its exit code is right. It is told
// once, at the end: what was printed is not complete, and that is never a success. Of what only informs, a reader may have
// enough.
type console struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first that a write gave; nothing is written after it
	cut bool  // a reader that has seen enough is no trouble
}

// mayBeCut says that the output of a command only informs: whoever reads no more of it, as head does, has what it wants.
func mayBeCut(c *cobra.Command) {
	if out, ok := c.OutOrStdout().(*console); ok {
		out.mu.Lock()
		defer out.mu.Unlock()
		out.cut = true
	}
}

// Write implements io.Writer and never fails.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		_, c.err = c.w.Write(p)
	}
	return len(p), nil
}

// trouble says why not everything was printed; empty when it was.
func (c *console) trouble() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil || c.cut && errors.Is(c.err, syscall.EPIPE) {
		return ""
	}
	var path *fs.PathError
	if errors.As(c.err, &path) {
		return "stdout cannot be written, so what was printed is not complete: " + path.Err.Error()
	}
	return "stdout cannot be written, so what was printed is not complete: " + c.err.Error()
}
