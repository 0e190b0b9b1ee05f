package fakemuse

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"
)

const (
	// exitLost is the stand-in's exit code when the server is not there, refuses it, or goes away.
	exitLost = 70
	// exitUnhandled and exitClosed are a real host's codes for what it cannot handle, and for a surface that is
	// switched off (msp.md §1.4).
	exitUnhandled = 1
	exitClosed    = 5
	// dialTime bounds joining the server. It listens on this machine; the time covers one that is very busy.
	dialTime = 5 * time.Second
	// lostTime is how long a stand-in that has lost the server still tries to hand over what it holds. A stand-in
	// must be gone within a second.
	lostTime = 500 * time.Millisecond
)

// runStandIn is the whole life of a stand-in. It gives the exit code.
func runStandIn(args []string, executable string) int {
	invoked := args[min(1, len(args)):]
	if os.Getenv("MUSE_EXPERIMENTAL_SDK_ENABLED") == "off" {
		fmt.Fprintln(os.Stderr, "muse: the SDK surface is switched off")
		return exitClosed
	}
	cwd, err := os.Getwd()
	if err != nil {
		cwd = ""
	}
	if len(invoked) > 0 && invoked[0] == "serve" {
		if flags, err := parseServe(invoked[1:]); err == nil && !flags.Help {
			return runServe(args, executable, cwd)
		}
	}
	return runCall(args, executable, cwd)
}

// join connects to the server and says hello.
func join(kind string, args []string, executable, cwd string) (net.Conn, *bufio.Reader, error) {
	dir := filepath.Dir(executable)
	facts, err := readLink(dir)
	if err != nil {
		return nil, nil, err
	}
	conn, err := net.DialTimeout("tcp", facts.Address, dialTime)
	if err != nil {
		return nil, nil, fmt.Errorf("joining the harness: %w", err)
	}
	text, err := json.Marshal(hello{
		Token: facts.Token, Nonce: randomText(), Kind: kind, Argv: append([]string{}, args[min(1, len(args)):]...),
		PID: os.Getpid(), Cwd: cwd, Env: environmentFacts(), DirFirst: pathBegins(dir),
	})
	if err == nil {
		err = writeMessage(conn, msgHello, text)
	}
	if err != nil {
		conn.Close()
		return nil, nil, fmt.Errorf("joining the harness: %w", err)
	}
	return conn, bufio.NewReaderSize(conn, dataPiece+headLen), nil
}

// runCall is an invocation other than `serve`. Where no server answers it still answers as a muse would, so that a
// probe of the program works from anywhere.
func runCall(args []string, executable, cwd string) int {
	reply, err := askServer(args, executable, cwd)
	if err != nil {
		reply = localReply(parseCall(args[min(1, len(args)):], cwd))
	}
	io.WriteString(os.Stdout, reply.Stdout)
	io.WriteString(os.Stderr, reply.Stderr)
	return reply.Code
}

func askServer(args []string, executable, cwd string) (callReply, error) {
	conn, in, err := join("call", args, executable, cwd)
	if err != nil {
		return callReply{}, err
	}
	defer conn.Close()
	if err := conn.SetReadDeadline(time.Now().Add(dialTime)); err != nil {
		return callReply{}, err
	}
	kind, payload, err := readMessage(in)
	if err != nil {
		return callReply{}, err
	}
	var reply callReply
	switch kind {
	case msgRefused:
		return callReply{Stderr: "muse: " + string(payload) + "\n", Code: exitLost}, nil
	case msgReply:
		return reply, json.Unmarshal(payload, &reply)
	}
	return callReply{}, &garbageError{what: "the harness gave no reply"}
}

func localReply(call invocation) callReply {
	switch {
	case call.version:
		return callReply{Stdout: DefaultVersion + "\n"}
	case call.export != "":
		if err := os.WriteFile(call.export, []byte(exportText), 0o600); err != nil {
			return callReply{Stderr: "muse: " + err.Error() + "\n", Code: 1}
		}
	}
	return call.reply
}

// runServe carries bytes until the server says how to end, or goes away.
func runServe(args []string, executable, cwd string) int {
	stop := make(chan os.Signal, 1)
	notifySignals(stop)
	conn, in, err := join("serve", args, executable, cwd)
	if err != nil {
		fmt.Fprintln(os.Stderr, "muse:", err)
		return exitLost
	}
	defer conn.Close()
	if kind, payload, err := readMessage(in); err != nil || kind != msgWelcome {
		reason := "the harness did not answer"
		if kind == msgRefused {
			reason = string(payload)
		}
		fmt.Fprintln(os.Stderr, "muse:", reason)
		return exitLost
	}
	out := newOutbox()
	up := newOutbox()
	go up.run(conn)
	go carryStdin(up)
	verdict := make(chan ending, 1)
	go func() { verdict <- carryStdout(in, out) }()
	written := make(chan struct{})
	go func() { out.run(ignoreErrors{os.Stdout}); close(written) }()
	return awaitEnd(stop, up, out, verdict, written)
}

// ending is how a stand-in of `serve` ends.
type ending struct {
	code int
	lost bool // the server went away
}

// awaitEnd waits for the end that the server decides, for a signal, or for the loss of the server.
func awaitEnd(stop <-chan os.Signal, up, out *outbox, verdict <-chan ending, written <-chan struct{}) int {
	select {
	case end := <-verdict:
		out.close()
		var late <-chan time.Time
		if end.lost {
			late = time.After(lostTime)
		}
		// The adapter gets all that the host said before its end, however slowly it reads; unless the server is
		// gone or goes away now.
		select {
		case <-written:
		case <-out.gone:
		case <-late:
		case <-stop:
		}
		return end.code
	case sig := <-stop:
		name, code := signalName(sig)
		up.push(appendMessage(nil, msgSignal, []byte(name)))
		select {
		case <-verdict:
		case <-time.After(lostTime):
		}
		return code
	}
}

// carryStdin sends what the adapter writes to the server.
func carryStdin(up *outbox) {
	buf := make([]byte, dataPiece)
	for {
		n, err := os.Stdin.Read(buf)
		if n > 0 {
			up.push(appendMessage(nil, msgData, buf[:n]))
		}
		if err != nil {
			up.push(appendMessage(nil, msgEOF, nil))
			return
		}
	}
}

// carryStdout passes the server's frames on until the server says how to end, or is gone.
func carryStdout(in *bufio.Reader, out *outbox) ending {
	for {
		kind, payload, err := readMessage(in)
		switch {
		case err == nil && kind == msgData:
			out.push(payload)
		case err == nil && kind == msgExit && len(payload) == 1:
			go watch(in, out)
			return ending{code: int(payload[0])}
		default:
			return ending{code: exitLost, lost: true}
		}
	}
}

// watch waits for the server to go away after it said how to end, and then gives up handing over.
func watch(in *bufio.Reader, out *outbox) {
	for {
		if _, _, err := readMessage(in); err != nil {
			out.abandon()
			return
		}
	}
}

// ignoreErrors writes and lets a broken pipe be: a host whose output nobody reads still hears the end of its input.
type ignoreErrors struct{ w io.Writer }

func (i ignoreErrors) Write(p []byte) (int, error) {
	i.w.Write(p)
	return len(p), nil
}
