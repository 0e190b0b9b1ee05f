package fakemuse

import (
	"encoding/json"
	"errors"
	"fmt"

	"acp-conform/wire"
)

// host is one `muse serve` process, seen from the server: what it was told, and what it says.
type host struct {
	server  *Server
	peer    *peer
	lane    wire.Lane
	fact    StartFact
	flags   serveFlags
	out     *outbox
	written chan struct{} // closed when everything is with the stand-in
	input   hostInput

	// The connection, as MSP sees it.
	initialized  bool // `initialize` was answered
	open         bool // the notification `initialized` came
	experimental bool
	clientName   string
	dialogs      bool // the client can ask the user
	granted      []string
	muted        map[string]bool // notifications that the client opted out of
	held         []func()        // frames that wait for `initialized`
	requests     int             // requests of ours so far
	asked        map[int]string  // our open requests: id and approval

	silent   bool
	kept     *[][]byte // what is sent is kept here; nil: it is sent
	draining func()    // the claim that is held while the host drains
	leave    *int      // the exit code that a script asked for
	ended    bool
}

// who is the name under which this host claims to be at work.
func (h *host) who() string { return h.lane.String() }

// host serves a stand-in of `muse serve` until its process is gone.
func (s *Server) host(p *peer, greeting hello) {
	flags, err := parseServe(greeting.Argv[min(1, len(greeting.Argv)):])
	if err != nil {
		s.refuse(p, err.Error(), fmt.Sprintf("a stand-in let arguments pass that a muse does not know: %v", err))
		return
	}
	argv, err := json.Marshal(greeting.Argv)
	if err != nil {
		s.refuse(p, "the arguments cannot be kept", fmt.Sprintf("an argv cannot be kept: %v", err))
		return
	}
	h := &host{
		server: s, peer: p, flags: flags, out: newOutbox(), written: make(chan struct{}), muted: map[string]bool{},
		asked: map[int]string{},
	}
	s.mu.Lock()
	select {
	case <-s.closing:
		s.mu.Unlock()
		return
	default:
	}
	s.hosts++
	h.lane = wire.Lane{Name: "muse", N: s.hosts}
	h.fact = StartFact{
		Lane: h.lane, PID: greeting.PID, Argv: greeting.Argv, Cwd: greeting.Cwd, Env: greeting.Env, DirFirst: greeting.DirFirst,
		Settings: s.readSettings(greeting.Env),
	}
	s.starts = append(s.starts, h.fact)
	p.host = h
	done := s.options.Log.Receive(wire.Entry{Lane: h.lane, Dir: wire.Start, Data: argv}, h.who())
	h.out.push(appendMessage(nil, msgWelcome, nil))
	s.adopt(h)
	if set := h.fact.Settings; set != nil && set.Broken {
		h.finish(exitText(exitUnhandled), exitUnhandled) // as real hosts do today (msp.md §1.4)
	}
	h.triggered(wire.Frame{Method: "serve"})
	s.mu.Unlock()
	s.work.Go(func() {
		h.out.run(p.conn)
		close(h.written)
	})
	done()
	h.read()
	<-h.written // the last words, if the other end still takes them
}

// read takes what comes from the stand-in until its connection ends.
func (h *host) read() {
	h.input = hostInput{host: h}
	lines := wire.NewLineReader(&h.input, 0)
	for {
		line, err := lines.Next()
		if err != nil {
			h.inputEnded(err)
			break
		}
		h.receive(line)
	}
	h.input.release()
	// What remains is a signal, or the end of the process.
	for {
		kind, payload, err := readMessage(h.peer.in)
		if err == nil && kind != msgSignal {
			continue
		}
		done := h.server.options.Log.Busy(h.who())
		h.server.mu.Lock()
		if err != nil {
			h.finish("lost", exitLost)
		} else {
			h.finishSignal(string(payload))
		}
		h.server.mu.Unlock()
		done()
		if err != nil {
			return
		}
	}
}

// receive takes one line of the adapter.
func (h *host) receive(line wire.Line) {
	s := h.server
	entry := wire.Entry{Lane: h.lane, Dir: wire.FromAdapter, Data: line.Bytes, Partial: line.Partial}
	// The lock comes first: the order of the log is the order in which frames are handled.
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.ended {
		return
	}
	done := s.options.Log.Receive(entry, h.who())
	defer done()
	h.handleLine(line)
}

// inputEnded acts on the end of the adapter's frames: drain on EOF, end on a signal or a lost connection.
func (h *host) inputEnded(err error) {
	s := h.server
	s.mu.Lock()
	defer s.mu.Unlock()
	var tooLong *wire.LineTooLongError
	switch {
	case errors.As(err, &tooLong):
		s.problem(ProblemOverlong, h.who(), "a line is longer than %d bytes", tooLong.Limit)
		h.finish("exit 1", 1)
	case h.input.signal != "":
		h.finishSignal(h.input.signal)
	case h.input.eof:
		h.drain()
	default:
		if garbage := h.input.garbage; garbage != "" {
			s.problem(ProblemPeer, h.who(), "the stand-in speaks garbage: %s", garbage)
		}
		h.finish("lost", exitLost)
	}
}

func (h *host) finishSignal(name string) {
	codes := map[string]int{"SIGINT": 130, "SIGHUP": 129, "SIGTERM": 143}
	code, known := codes[name]
	if !known {
		name, code = "SIGTERM", codes["SIGTERM"]
	}
	h.finish("signal "+name, code)
}

// drain ends the host in order: running turns are cancelled durably, then it exits with 0. The claim that began with
// the end of stdin is held until the Exit entry is in the log.
func (h *host) drain() {
	if h.ended {
		return
	}
	h.draining = h.server.options.Log.Busy(h.who())
	for _, t := range h.running() {
		h.stopTurn(t, cancelCause{reason: "cancelled by host shutdown", by: "policy"})
	}
	h.exitIfDrained()
}

func (h *host) exitIfDrained() {
	if h.draining != nil && !h.ended && len(h.running()) == 0 {
		h.server.announceClose(h)
		h.finish("exit 0", 0)
	}
}

// finish ends the host: its Exit entry is made before the stand-in is told to exit. Turns that still run are left
// behind as they are, to be settled by whoever resumes their session.
func (h *host) finish(how string, code int) {
	if h.ended {
		return
	}
	h.ended = true
	h.server.leaveSessions(h)
	h.server.options.Log.Append(wire.Entry{Lane: h.lane, Dir: wire.Exit, Data: []byte(how)})
	h.out.push(appendMessage(nil, msgExit, []byte{byte(code)}))
	h.out.close()
	if h.draining != nil {
		h.draining()
	}
}

// send puts a frame into the log and on its way. Before `initialized` nothing but answers is sent.
func (h *host) send(frame []byte) { h.sendEntry(frame, false) }

// holding runs something and keeps what it sends. The function that it gives sends that.
func (h *host) holding(run func()) (flush func()) {
	var kept [][]byte
	h.kept = &kept
	run()
	h.kept = nil
	return func() {
		for _, frame := range kept {
			h.send(frame)
		}
	}
}

func (h *host) sendEntry(frame []byte, partial bool) {
	if h.ended || h.silent {
		return
	}
	if h.kept != nil && !partial {
		*h.kept = append(*h.kept, frame)
		return
	}
	h.server.options.Log.Append(wire.Entry{Lane: h.lane, Dir: wire.ToAdapter, Data: frame, Partial: partial})
	bytes := frame
	if !partial {
		bytes = append(bytes[:len(bytes):len(bytes)], '\n')
	}
	h.out.push(appendData(nil, bytes))
}
