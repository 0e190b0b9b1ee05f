package fakemuse

import (
	"bufio"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

// peer is one connection to the loopback server.
type peer struct {
	conn  net.Conn
	in    *bufio.Reader
	pid   int           // of the stand-in; 0 until it is known
	nonce string        // its own identity
	host  *host         // for `serve`
	gone  chan struct{} // closed when the other end is
}

// part ends a connection from our side. The caller holds the server's lock.
func (p *peer) part() {
	if p.host == nil {
		p.conn.Close()
		return
	}
	p.host.finish("lost", exitLost)
	p.host.server.work.Go(func() {
		<-p.host.written
		if c, ok := p.conn.(*net.TCPConn); ok {
			c.CloseWrite()
		}
	})
}

// meet takes a new connection: hello, then what its kind asks for.
func (s *Server) meet(conn net.Conn) {
	p := &peer{conn: conn, in: bufio.NewReaderSize(conn, dataPiece+headLen), gone: make(chan struct{})}
	defer func() {
		conn.Close()
		close(p.gone)
		s.mu.Lock()
		delete(s.peers, p)
		s.mu.Unlock()
	}()
	s.mu.Lock()
	s.peers[p] = true
	select {
	case <-s.closing:
		s.mu.Unlock()
		return
	default:
	}
	s.mu.Unlock()
	greeting, err := p.readHello(s.options.HelloTime)
	if err != nil {
		s.refuse(p, "this is no muse of ours", fmt.Sprintf("a peer did not say who it is: %v", err))
		return
	}
	if text := s.identify(p, greeting); text != "" {
		s.refuse(p, "the harness does not know this process", text)
		return
	}
	switch greeting.Kind {
	case "serve":
		s.host(p, greeting)
	case "call":
		s.answerCall(p, greeting)
	default:
		s.refuse(p, "this is no muse of ours", fmt.Sprintf("a peer wants %q, which there is not", greeting.Kind))
	}
}

func (p *peer) readHello(limit time.Duration) (hello, error) {
	if err := p.conn.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return hello{}, err
	}
	kind, payload, err := readMessage(p.in)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return hello{}, fmt.Errorf("nothing came within %v", limit)
	case err != nil:
		return hello{}, err
	case kind != msgHello:
		return hello{}, fmt.Errorf("it began with the message %q", kind)
	}
	var greeting hello
	if err := json.Unmarshal(payload, &greeting); err != nil {
		return hello{}, fmt.Errorf("its hello cannot be read: %w", err)
	}
	return greeting, p.conn.SetReadDeadline(time.Time{})
}

// identify admits a peer, or says why not.
func (s *Server) identify(p *peer, greeting hello) string {
	if subtle.ConstantTimeCompare([]byte(greeting.Token), []byte(s.token)) != 1 {
		return fmt.Sprintf("a peer (process %d) came with a wrong token", greeting.PID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if greeting.PID <= 0 || greeting.Nonce == "" {
		return "a peer came without an identity"
	}
	if s.nonces[greeting.Nonce] {
		return fmt.Sprintf("a second peer (process %d) came with the identity of an earlier one", greeting.PID)
	}
	for other := range s.peers {
		if other.pid == greeting.PID {
			return fmt.Sprintf("a second peer came as process %d, which is already here", greeting.PID)
		}
	}
	s.nonces[greeting.Nonce] = true
	p.pid, p.nonce = greeting.PID, greeting.Nonce
	return ""
}

// refuse turns a peer away with a line for its user and a text for the problems.
func (s *Server) refuse(p *peer, line, text string) {
	s.mu.Lock()
	select {
	case <-s.closing: // it came too late, that is all
	default:
		s.problem(ProblemPeer, "", "%s", text)
	}
	s.mu.Unlock()
	// The peer may be anything; it gets its answer if it takes it at once.
	p.conn.SetWriteDeadline(time.Now().Add(s.options.HelloTime))
	writeMessage(p.conn, msgRefused, []byte(line))
}

// answerCall answers an invocation other than `serve`.
func (s *Server) answerCall(p *peer, greeting hello) {
	call := parseCall(greeting.Argv, greeting.Cwd)
	reply := call.reply
	s.mu.Lock()
	switch {
	case call.version:
		reply.Stdout = s.options.Version + "\n"
	case call.export != "":
		if err := s.export(call.session, call.export); err != nil {
			reply = callReply{Stderr: "muse: " + err.Error() + "\n", Code: 1}
		}
	}
	s.calls = append(s.calls, CallFact{PID: greeting.PID, Argv: greeting.Argv, Cwd: greeting.Cwd, Env: greeting.Env, Code: reply.Code, Refused: call.refused})
	s.mu.Unlock()
	text, err := json.Marshal(reply)
	if err != nil {
		return
	}
	p.conn.SetWriteDeadline(time.Now().Add(s.options.HelloTime))
	if writeMessage(p.conn, msgReply, text) != nil {
		return
	}
	// The stand-in closes the connection by its end.
	p.conn.SetReadDeadline(time.Now().Add(s.options.HelloTime))
	readMessage(p.in)
}
