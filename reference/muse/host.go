package muse

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"acp-conform/reference/proc"
	"acp-conform/reference/rpc"
)

// Spec says how a host is started.
type Spec struct {
	Path  string        // the program
	Args  []string      // its arguments, from "serve" on
	Env   []string      // its whole environment
	Dir   string        // its working directory
	Drain time.Duration // how long to wait for what should follow at once: the exit after stdout ended, and the reverse

	// Immortal gives the host a writing end of its own stdin, so that it never sees it close. For the fault
	// keeps-host-after-exit only.
	Immortal bool

	// Fragile makes a line that is no message count as the end of the host. For the fault trips-over-noise only.
	Fragile bool

	// Limit is the longest line of the host that is taken, in bytes; 0 means rpc.MaxLine. For the fault
	// loses-long-lines-of-host only.
	Limit int

	// Pace is how late the host is written to.
	Pace rpc.Pace

	// Spoil wraps what is written to the host, line by line, for faults; nil leaves it as it is.
	Spoil func(io.Writer) io.Writer
}

// Event is something that a host did: a message, or its end.
type Event struct {
	Host    *Host
	Message rpc.Message
	Gone    *Gone // set when the host ended; nothing follows
}

// Gone says how a host ended by itself.
type Gone struct {
	Exited bool   // false when its stdout ended but the process is still there
	Code   int    // exit code, -1 for a signal
	Stderr string // the end of what it wrote there
}

// Host is one `muse serve`. Start, Request, Notify, Answer, Take and Close are for its owner, from one goroutine.
type Host struct {
	cmd     *exec.Cmd
	stdin   *os.File
	stdout  *os.File
	out     *rpc.Writer
	stderr  *tail
	drain   time.Duration
	fragile bool
	limit   int

	exited  chan struct{} // closed when the process was waited for
	drained chan struct{} // closed when stdout was read to its end

	nextID int
	waits  map[string]func(Reply)
}

// Start starts a host. deliver is called for each of its events, in order, from one goroutine; the last is Gone.
func Start(spec Spec, deliver func(Event)) (*Host, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make the host's stdin: %w", err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make the host's stdout: %w", err), inR.Close(), inW.Close())
	}
	h := &Host{
		stdin: inW, stdout: outR, stderr: &tail{}, drain: spec.Drain, fragile: spec.Fragile, limit: spec.Limit,
		exited: make(chan struct{}), drained: make(chan struct{}), waits: map[string]func(Reply){},
	}
	h.cmd = exec.Command(spec.Path, spec.Args...)
	h.cmd.Dir = spec.Dir
	h.cmd.Env = append([]string{}, spec.Env...) // never nil: nil would mean our own environment
	h.cmd.Stdin, h.cmd.Stdout, h.cmd.Stderr = inR, outW, h.stderr
	h.cmd.WaitDelay = spec.Drain
	proc.OwnGroup(h.cmd)
	if spec.Immortal {
		h.cmd.ExtraFiles = []*os.File{inW}
	}
	err = h.cmd.Start()
	_ = inR.Close()
	_ = outW.Close()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the host: %w", err), inW.Close(), outR.Close())
	}
	var out io.Writer = inW
	if spec.Spoil != nil {
		out = spec.Spoil(out)
	}
	h.out = rpc.NewWriter(out, spec.Pace)
	go h.wait()
	go h.read(deliver)
	return h, nil
}

// wait waits for the process, then bounds the time in which somebody else may hold its stdout open.
func (h *Host) wait() {
	_ = h.cmd.Wait()
	proc.Kill(h.cmd)
	h.out.Close() // nobody reads any more
	close(h.exited)
	select {
	case <-h.drained:
	case <-time.After(h.drain):
		_ = h.stdout.Close()
	}
}

func (h *Host) read(deliver func(Event)) {
	h.readLines(deliver)
	close(h.drained)
	gone := &Gone{}
	select {
	case <-h.exited:
		gone.Exited, gone.Code, gone.Stderr = true, h.cmd.ProcessState.ExitCode(), h.stderr.String()
	case <-time.After(h.drain):
	}
	_ = h.stdout.Close()
	deliver(Event{Host: h, Gone: gone})
}

func (h *Host) readLines(deliver func(Event)) {
	lines := rpc.Splitter{Limit: h.limit}
	buf := make([]byte, 64<<10)
	for {
		n, err := h.stdout.Read(buf)
		lines.Feed(buf[:n], func(l rpc.Line) {
			if l.TooLong {
				return
			}
			m, bad := rpc.Parse(l.Data)
			if bad != nil && h.fragile {
				deliver(Event{Host: h, Gone: &Gone{}})
			}
			if bad == nil && m.Kind != rpc.Blank {
				deliver(Event{Host: h, Message: m})
			}
		})
		if err != nil {
			return
		}
	}
}

// Request sends a request. then gets the answer, when Take sees it; nil means that nobody waits.
func (h *Host) Request(method string, params any, then func(Reply)) error {
	h.nextID++
	id := strconv.Itoa(h.nextID)
	line, err := rpc.EncodeRequest(json.RawMessage(id), method, params)
	if err != nil {
		return fmt.Errorf("send %s: %w", method, err)
	}
	if then != nil {
		h.waits[id] = then
	}
	h.out.Send(line)
	return nil
}

// Together writes in one piece what f sends.
func (h *Host) Together(f func()) { h.out.Together(f) }

// Notify sends a notification without params.
func (h *Host) Notify(method string) error {
	line, err := rpc.EncodeRequest(nil, method, nil)
	if err != nil {
		return fmt.Errorf("send %s: %w", method, err)
	}
	h.out.Send(line)
	return nil
}

// Answer answers a request of the host: with an empty result, or with the error.
func (h *Host) Answer(id json.RawMessage, e *rpc.Error) error {
	var line []byte
	var err error
	if e != nil {
		line, err = rpc.EncodeError(id, e)
	} else {
		line, err = rpc.EncodeResult(id, struct{}{})
	}
	if err != nil {
		return fmt.Errorf("answer the host: %w", err)
	}
	h.out.Send(line)
	return nil
}

// Take hands a response to whom it was for. An id that nobody waits for is ignored.
func (h *Host) Take(m rpc.Message) {
	if then := h.waits[string(m.ID)]; then != nil {
		delete(h.waits, string(m.ID))
		then(readReply(m))
	}
}

// Close ends the host and returns when it is gone and its stdout was read: its stdin is closed; after stop it gets
// SIGTERM, after another term SIGKILL, and so does its process group.
func (h *Host) Close(stop, term time.Duration) {
	h.out.Close()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		select {
		case <-h.out.Done(): // what is queued goes out first
		case <-h.exited:
		}
		_ = h.stdin.Close()
	}()
	if !h.exitedWithin(stop) {
		proc.Terminate(h.cmd)
		if !h.exitedWithin(term) {
			proc.Kill(h.cmd)
			<-h.exited
		}
	}
	<-closed
	<-h.out.Done()
	<-h.drained
}

func (h *Host) exitedWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-h.exited:
		return true
	case <-timer.C:
		return false
	}
}

// tail keeps the end of what is written to it: enough for the sentence that says why a host ended.
type tail struct {
	mu   sync.Mutex
	data []byte
}

var _ io.Writer = (*tail)(nil)

const tailSize = 8 << 10 // bytes of stderr that are kept

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if extra := len(t.data) - tailSize; extra > 0 {
		t.data = append(t.data[:0], t.data[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}
