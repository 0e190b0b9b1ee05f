package otheradapter_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"acp-conform/fakemuse"
	"acp-conform/internal/otheradapter"
	"acp-conform/wire"
)

// session is an adapter in this process with a Muse of a script, and the client's ends of its pipes.
type session struct {
	t      *testing.T
	id     string
	in     *io.PipeWriter
	out    *bufio.Reader
	code   chan int
	cancel context.CancelFunc
	log    *wire.Log
}

func begin(t *testing.T, script string) *session {
	t.Helper()
	return beginAs(t, script, `{}`)
}

// beginAs begins with a client of these capabilities.
func beginAs(t *testing.T, script, capabilities string) *session {
	t.Helper()
	root := t.TempDir()
	decoded, err := fakemuse.DecodeScript("muse.json", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	log := wire.NewLog(wire.Limits{})
	server, err := fakemuse.Start(fakemuse.Options{Log: log, Script: decoded, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	s := &session{t: t, in: inW, out: bufio.NewReader(outR), code: make(chan int, 1), cancel: cancel, log: log}
	go func() {
		defer cancel()
		s.code <- otheradapter.Run(ctx, inR, outW, io.Discard, []string{"PATH=" + server.Dir(), "HOME=" + root})
		inR.Close()
		outW.Close()
	}()
	s.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":` + capabilities + `}}`)
	s.hear(`"protocolVersion":1`)
	s.say(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"` + root + `","mcpServers":[]}}`)
	id := s.hear(`"sessionId":"`)
	id = id[strings.Index(id, `talk_`):]
	id = id[:strings.Index(id, `"`)]
	s.id = id
	s.say(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"` + id + `","prompt":[{"type":"text","text":"go"}]}}`)
	return s
}

func (s *session) say(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// hear reads up to the line that holds a text.
func (s *session) hear(text string) string {
	s.t.Helper()
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			s.t.Fatalf("%q never came: %v", text, err)
		}
		if strings.Contains(line, text) {
			return line
		}
	}
}

// ends checks that the prompt is answered as cancelled, that nothing was decided, and that everything is over.
func (s *session) ends() {
	s.t.Helper()
	s.hear(`{"result":{"stopReason":"cancelled"},"id":3`)
	if rest, err := io.ReadAll(s.out); err != nil || len(rest) > 0 {
		s.t.Errorf("behind the answer came %q (%v)", rest, err)
	}
	if code := <-s.code; code != 0 {
		s.t.Errorf("the exit code is %d", code)
	}
	exits := 0
	for _, r := range s.log.Records() {
		if r.Dir == wire.Exit {
			exits++
		}
		if r.Frame.Method == "approval/decide" {
			s.t.Errorf("Muse was sent a decision: %s", r.Data)
		}
	}
	if exits != 1 {
		s.t.Errorf("%d hosts ended, not 1", exits)
	}
	s.in.Close()
}

// The client may go at any moment: a running turn is answered, nothing is decided, and Muse ends too.
func TestEnds(t *testing.T) {
	t.Parallel()
	const (
		silence  = `{"turns":[{"steps":[{"say":["I begin."]},{"hang":true}]}]}`
		question = `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"touch x"},"approval":{}}}]}]}`
	)
	for _, c := range []struct {
		name, script, until string
		end                 func(*session)
	}{
		{"stdin ends in a turn", silence, "begin.", func(s *session) { s.in.Close() }},
		{"stdin ends at a question", question, "session/request_permission", func(s *session) { s.in.Close() }},
		{"the adapter is told to end", question, "session/request_permission", func(s *session) { s.cancel() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, c.script)
			s.hear(c.until)
			c.end(s)
			s.ends()
		})
	}
}
