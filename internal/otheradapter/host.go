package otheradapter

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// hostGrace is how long a host may take to end after the end of its stdin: it cancels its turns and writes them
	// down, which takes well under a second.
	hostGrace = 3 * time.Second
	// pipeGrace is how long the pipes of an ended host are still read; something that it started may hold them.
	pipeGrace = time.Second
)

// host is one running `muse serve`.
type host struct {
	process *os.Process
	input   *mailbox[[]byte]
	relay   *mailbox[message]
	event   func(*host, message) // called for every request and notification of the host, in their order
	gone    chan struct{}        // closed when nothing more comes from the host and it has ended

	mu      sync.Mutex
	waiting map[string]func(object, *refusal)
	last    []func() // called when the host is gone
	calls   int
	dead    bool
	doomed  bool // it was killed, and takes nothing new
}

// findMuse looks for the program on the PATH of an environment.
func findMuse(env []string) (string, error) {
	path := ""
	for _, kv := range env {
		if value, is := strings.CutPrefix(kv, "PATH="); is {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		for _, name := range []string{"muse", "muse.exe"} {
			file := filepath.Join(dir, name)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && filepath.IsAbs(file) {
				return file, nil
			}
		}
	}
	return "", errors.New("there is no program muse on PATH")
}

// startHost starts `muse serve`.
func startHost(env []string, dir string, stderr io.Writer, event func(*host, message)) (*host, error) {
	program, err := findMuse(env)
	if err != nil {
		return nil, err
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe to muse: %w", err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		inR.Close()
		inW.Close()
		return nil, fmt.Errorf("making a pipe from muse: %w", err)
	}
	cmd := exec.Command(program, "serve")
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = env, dir, inR, outW, stderr, pipeGrace
	err = cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		inW.Close()
		outR.Close()
		return nil, fmt.Errorf("starting %s serve: %w", program, err)
	}
	h := &host{process: cmd.Process, input: newMailbox[[]byte](), relay: newMailbox[message](), event: event,
		gone: make(chan struct{}), waiting: map[string]func(object, *refusal){}}
	go h.write(inW)
	drained, relayed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(drained)
		h.read(outR)
	}()
	go func() {
		defer close(relayed)
		h.pass()
	}()
	go func() {
		cmd.Wait()
		outR.SetReadDeadline(time.Now().Add(pipeGrace))
		<-drained
		outR.Close()
		h.input.close()
		h.relay.close()
		<-relayed
		h.bury()
	}()
	return h, nil
}

// write sends lines until the mailbox is closed, then ends the host's stdin.
func (h *host) write(stdin *os.File) {
	defer stdin.Close()
	for {
		lines, more := h.input.take()
		if !more {
			return
		}
		for _, line := range lines {
			if _, err := stdin.Write(line); err != nil {
				return // the host ends, which its reader notices
			}
		}
	}
}

func (h *host) read(stdout io.Reader) {
	in := bufio.NewReader(stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		h.relay.put(read(line))
	}
}

// pass hands the host's messages on, answers and events in one order.
func (h *host) pass() {
	for {
		messages, more := h.relay.take()
		if !more {
			return
		}
		for _, m := range messages {
			switch m.sort {
			case isAnswer:
				h.answered(m)
			case isRequest:
				h.acknowledge(m)
				h.event(h, m)
			case isNotice:
				h.event(h, m)
			}
		}
	}
}

// acknowledge answers a request of the host. The answer is a receipt; what was asked is settled by a command.
func (h *host) acknowledge(m message) {
	if m.method == "approval/request" || m.method == "userInput/request" {
		h.send(answerTo(m.id, struct{}{}, nil))
		return
	}
	h.send(answerTo(m.id, nil, refuse(codeNoMethod, "not known here: "+m.method)))
}

func (h *host) answered(m message) {
	id := ""
	json.Unmarshal(m.id, &id)
	h.mu.Lock()
	done := h.waiting[id]
	delete(h.waiting, id)
	h.mu.Unlock()
	if done == nil {
		return
	}
	if m.failed == nil {
		done(asObject(m.result), nil)
		return
	}
	o := asObject(m.failed)
	code, _ := o.integer("code")
	done(nil, refuse(code, o.text("message")))
}

// call sends a request. The function is called once, with the result or with why there is none; it must not wait.
func (h *host) call(method string, params any, done func(object, *refusal)) {
	h.mu.Lock()
	if h.dead {
		h.mu.Unlock()
		done(nil, hostLost())
		return
	}
	h.calls++
	id := "call " + strconv.Itoa(h.calls)
	h.waiting[id] = done
	h.mu.Unlock()
	h.send(outgoing{ID: id, Method: method, Params: params, Version: "2.0"})
}

func hostLost() *refusal {
	return &refusal{Code: codeInternal, Message: "muse ended", lost: true}
}

func (h *host) send(v any) { h.input.put(append(encoded(v), '\n')) }

// bury tells everybody who waits that the host is gone.
func (h *host) bury() {
	h.mu.Lock()
	h.dead = true
	left, last := h.waiting, h.last
	h.waiting = nil
	h.mu.Unlock()
	for _, done := range left {
		done(nil, hostLost())
	}
	for _, tell := range last {
		tell()
	}
	close(h.gone)
}

// atEnd has the function called when nothing more comes from the host; at once when that is so already.
func (h *host) atEnd(tell func()) {
	h.mu.Lock()
	dead := h.dead
	if !dead {
		h.last = append(h.last, tell)
	}
	h.mu.Unlock()
	if dead {
		tell()
	}
}

// isDead reports whether the host is gone, or about to be.
func (h *host) isDead() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead || h.doomed
}

// kill ends the host at once.
func (h *host) kill() {
	h.mu.Lock()
	h.doomed = true
	h.mu.Unlock()
	h.process.Kill()
}

// end closes the host's stdin and waits until the host is gone.
func (h *host) end() {
	h.input.close()
	timer := time.AfterFunc(hostGrace, h.kill)
	defer timer.Stop()
	<-h.gone
}
