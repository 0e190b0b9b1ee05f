package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Program is an adapter as a function: it serves until stdin ends. It must not touch the process's own stdio,
// environment or working directory.
type Program func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, s Surroundings) error

// InProcess is an adapter that runs in a goroutine, over pipes in memory.
type InProcess struct {
	name    string
	program Program
}

// NewInProcess makes an adapter of a function. The name is what reports show as its argv.
func NewInProcess(name string, program Program) *InProcess { return &InProcess{name, program} }

// Argv implements Adapter.
func (a *InProcess) Argv() []string { return []string{a.name} }

// Start implements Adapter.
func (a *InProcess) Start(s Surroundings) (Process, error) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancelCause(context.Background())
	p := &goProcess{stdin: inW, unread: inR, stdout: outR, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		err := run(ctx, a.program, inR, outW, &p.stderr, s)
		p.ending = describe(err)
		// Whoever still writes to the adapter or reads from it sees the end, as with a process.
		inR.CloseWithError(io.ErrClosedPipe)
		outW.Close()
	}()
	return p, nil
}

func run(ctx context.Context, program Program, stdin io.Reader, stdout, stderr io.Writer, s Surroundings) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return program(ctx, stdin, stdout, stderr, s)
}

type goProcess struct {
	stdin  *io.PipeWriter
	unread *io.PipeReader // the adapter's end of stdin
	stdout *io.PipeReader
	stderr tail
	cancel context.CancelCauseFunc
	done   chan struct{}
	ending Ending
}

func (p *goProcess) Stdin() io.WriteCloser { return p.stdin }
func (p *goProcess) Stdout() io.Reader     { return p.stdout }
func (p *goProcess) Done() <-chan struct{} { return p.done }
func (p *goProcess) Ending() Ending        { return p.ending }
func (p *goProcess) StderrTail() string    { return p.stderr.String() }

// Terminate implements Process: a program is told by the end of its context.
func (p *goProcess) Terminate() { p.cancel(errTold) }

var errTold = errors.New("the adapter is told to end")

var errStopped = errors.New("the harness ends the adapter")

// Stop implements Process. A goroutine cannot be killed: after the second grace it is left behind and said so.
func (p *goProcess) Stop(eof, term, kill time.Duration) Ending {
	for _, step := range []struct {
		grace  time.Duration
		forced string
	}{{eof, ""}, {term, "SIGTERM"}, {kill, "SIGKILL"}} {
		switch step.forced {
		case "SIGTERM":
			p.cancel(errStopped)
		case "SIGKILL":
			p.stdout.CloseWithError(errStopped)
			p.unread.CloseWithError(errStopped) // lets go whoever writes to an adapter that does not read
		}
		timer := time.NewTimer(step.grace)
		select {
		case <-p.done:
			timer.Stop()
			p.cancel(errStopped)
			ending := p.ending
			ending.Forced = step.forced
			return ending
		case <-timer.C:
		}
	}
	return Ending{Text: "still running", Forced: "SIGKILL", Left: "the adapter's goroutine did not end"}
}
