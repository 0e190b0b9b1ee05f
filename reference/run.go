package reference

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/audit"
	"acp-conform/reference/environ"
	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// readSize is how much is read from the client at once. It is larger than what a pipe holds (64 KiB), so what was
// written in one piece and fits into a pipe arrives in one piece.
const readSize = 256 << 10

// adapter is one run of the adapter.
type adapter struct {
	o       Options
	out     *rpc.Writer
	service func() service // gives the approval seam; nil when it is left out
	calls   *calls
	logs    audit.Config // how audit logs are kept
	secrets []string
	stderr  io.Writer

	// Of the goroutine that reads the client.
	initialized bool
	halted      bool                // nothing more is done, for the faults that stop after a refusal
	starts      []*turn             // turns admitted from the lines of this read
	closes      []acp.SessionId     // sessions closed by lines of this read
	aside       []rpc.Message       // for the fault second-request-overtakes
	answers     []rpc.Message       // for the fault last-answer-counts
	stale       *reply              // for the fault stale-reply-answers-another
	misread     func([]byte) []byte // what a fault makes of a line; nil for none
	overlong    bool                // the fault dies-of-long-line has met one
	odd         protocolState       // for the faults in faultconversation.go
	half        bool                // for the fault loses-halves-of-characters: a read ended inside a character
	spoilt      bool                // for the fault first-word-spoils
	forgets     bool                // for the fault second-initialize-forgets

	mu       sync.Mutex
	sessions map[acp.SessionId]*session
	order    []*session
	closing  bool
	leaving  map[acp.SessionId]bool // sessions whose close is not answered yet

	modeOfClosed map[acp.SessionId]string
	grantedIn    map[string]acp.SessionId // arguments that were granted, for the fault remembers-grant-of-other-session
	abandoned    []*muse.Host             // for the fault close-leaves-host
	denied       []*exec.Cmd              // for the fault runs-denied-in-the-end

	forms    atomic.Bool // the client shows forms
	observes atomic.Bool // the client observes approvals

	running sync.WaitGroup // the sessions' goroutines
	dialog  sync.Mutex     // for the fault one-dialog-for-all-sessions
	crashed chan error     // for the fault ends-when-turn-fails
	logging sync.Mutex
}

// Run is the adapter, from the first line on stdin to its end. It returns when stdin has ended (or ctx), every host
// has exited and stdout was written to its end, or when the deadlines for these have passed. It closes none of the
// three streams, except that it closes stdin, where it can, to get out of a read when ctx ends or stdout fails.
func Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, o Options) error {
	a, err := newAdapter(stderr, o)
	if err != nil {
		return err
	}
	return a.run(ctx, stdin, stdout)
}

func newAdapter(stderr io.Writer, o Options) (*adapter, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	a := &adapter{
		o: o, stderr: stderr, calls: newCalls(), secrets: environ.Secrets(o.Env), sessions: map[acp.SessionId]*session{}, crashed: make(chan error, 1),
		leaving: map[acp.SessionId]bool{}, modeOfClosed: map[acp.SessionId]string{}, grantedIn: map[string]acp.SessionId{},
	}
	a.service, err = a.seam()
	return a, err
}

// seam sets the approval seam up, with the adapter's two answerers.
func (a *adapter) seam() (func() service, error) {
	if a.o.NoApprovals {
		return func() service { return nil }, nil
	}
	seam, err := approval.New(approval.Config{Policy: a.o.policy(), NewID: a.o.pairIDs()})
	if err != nil {
		return nil, err
	}
	seam.Prepend(a.automatic)
	seam.Add(a.answer)
	return func() service { return seam }, nil
}

func (a *adapter) run(ctx context.Context, stdin io.Reader, stdout io.Writer) (err error) {
	o := a.o
	a.misread = change(o.Fault, fromClient())
	a.out = rpc.NewWriter(spoil(stdout, o.Fault, toClient()), o.ClientPace)
	a.narrow()
	if o.Fault == StdoutNoise {
		a.out.Send([]byte("reference adapter: ready\n"))
	}

	read := make(chan error, 1)
	go func() { read <- a.read(stdin) }()
	reading, told := true, false
	select {
	case err = <-read:
		reading = false
		a.linger(ctx)
	case err = <-a.crashed:
	case <-a.out.Failed(): // flush says why
	case <-a.deafTo(ctx):
		err, told = context.Cause(ctx), true
	}
	if c, ok := stdin.(io.Closer); ok && reading {
		_ = c.Close()
	}
	a.shutDown(told)
	err = errors.Join(err, a.flush())
	a.lastWords(stdout)
	return errors.Join(err, a.badEnd(stdout))
}

// read admits the client's lines until the stream ends. A line that has no end by then was cut off and counts for
// nothing.
func (a *adapter) read(stdin io.Reader) error {
	var lines rpc.Splitter
	lines.Limit, _ = a.lineLimits()
	buf := make([]byte, readSize)
	for {
		n, err := stdin.Read(buf)
		lines.Feed(a.halved(buf[:n]), a.line)
		a.admitAside()
		a.startTurns()
		switch {
		case a.overlong:
			return nil
		case err == nil:
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe):
			return nil
		default:
			return fmt.Errorf("read the client's lines: %w", err)
		}
	}
}

// shutDown ends all sessions: open questions are told that the client is gone, or are withdrawn where the adapter is
// told to end while the client is there (REQ-ACP-13, REQ-ACP-17); turns are cancelled, hosts closed.
func (a *adapter) shutDown(told bool) {
	a.mu.Lock()
	a.closing = true
	sessions := a.order
	a.mu.Unlock()
	for _, s := range sessions {
		s.inbox.post(clientGone{told})
	}
	a.running.Wait()
	a.endAbandoned()
}

// flush waits until the client has taken what was written.
func (a *adapter) flush() error {
	a.out.Close()
	timer := time.NewTimer(a.o.Deadlines.Flush)
	defer timer.Stop()
	select {
	case <-a.out.Done():
		return a.out.Err()
	case <-timer.C:
		return errors.New("the client did not take what was written to it")
	}
}

// fault reports whether the adapter has that fault.
func (a *adapter) fault(f Fault) bool { return a.o.Fault == f }

// logf writes a line to stderr, when that was asked for.
func (a *adapter) logf(format string, args ...any) {
	if !a.o.Log {
		return
	}
	a.logging.Lock()
	defer a.logging.Unlock()
	_, _ = fmt.Fprintf(a.stderr, "reference: %s\n", redact(fmt.Sprintf(format, args...), a.secrets))
}
