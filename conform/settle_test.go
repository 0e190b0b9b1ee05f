package conform

import (
	"io"
	"strings"
	"testing"
	"time"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

func TestAGoodAdapterPasses(t *testing.T) {
	t.Parallel()
	g := &game{do: perform(t, prompt("hello"))}
	r, records := play(t, g)
	wantVerdict(t, r, Pass, "")
	var methods []string
	for _, rec := range records {
		if rec.Frame.Kind == wire.Request {
			methods = append(methods, rec.Frame.Method)
		}
	}
	if got := strings.Join(methods, " "); got != "initialize session/new session/prompt" {
		t.Errorf("the requests were %q", got)
	}
	if !g.host.stopped {
		t.Error("the host was not stopped")
	}
}

// What ends the driving: who is to blame, and whether the message names what was waited for.
func TestWhatCannotGoOn(t *testing.T) {
	t.Parallel()
	silent := func(*peer, wire.Frame) {}
	onPrompt := func(f func(p *peer, f wire.Frame)) func(p *peer) { return handlers{"session/prompt": f}.serve }
	dies := func(p *peer) {
		for f, ok := p.read(); ok && f.Method != "session/prompt"; f, ok = p.read() {
			handlers{f.Method: nil}.serveOne(p, f)
		}
	}
	tests := []struct {
		name    string
		adapter func(p *peer)
		engine  func(*Engine)
		verdict Verdict
		reason  string
	}{
		{"initialize is never answered", handlers{"initialize": silent}.serve, nil,
			CouldNotRun, "there was no answer to initialize within 20s (--start-timeout)"},
		{"initialize is refused", handlers{"initialize": func(p *peer, f wire.Frame) {
			p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"not today"}}`, f.ID)
		}}.serve, nil, CouldNotRun, `initialize was answered with the error {"code":-32603,"message":"not today"}`},
		{"initialize has no version", handlers{"initialize": func(p *peer, f wire.Frame) { p.reply(f, `{}`) }}.serve, nil,
			CouldNotRun, "the answer to initialize has no protocolVersion: {}"},
		{"session/new makes none", handlers{"session/new": func(p *peer, f wire.Frame) { p.reply(f, `{"id":"x"}`) }}.serve, nil,
			Fail, "session/new made no session: "},
		{"the prompt is never answered", onPrompt(silent), nil,
			Fail, "the prompt was not answered within 10s (--reply-timeout)"},
		{"a request of the host is never answered", onPrompt(func(p *peer, f wire.Frame) {
			p.host.send(`{"jsonrpc":"2.0","id":1,"method":"approval/request"}`)
			p.reply(f, `{"stopReason":"end_turn"}`)
		}), nil, Fail, "the prompt was not answered within 10s (--reply-timeout); still open: approval/request on muse 1"},
		{"a request of the host is left open on purpose, and so is one of the adapter", onPrompt(func(p *peer, f wire.Frame) {
			p.host.send(`{"jsonrpc":"2.0","id":1,"method":"approval/request"}`)
			p.host.log.LeaveOpen(len(p.host.log.Records()) - 1)
			p.host.get(`{"jsonrpc":"2.0","id":1,"method":"session/read"}`) // the host has no claim to be at work on it
			p.reply(f, `{"stopReason":"end_turn"}`)
		}), nil, Pass, ""},
		{"the host owes its script", onPrompt(func(p *peer, f wire.Frame) {
			p.host.log.Busy("muse 1")
			p.reply(f, `{"stopReason":"end_turn"}`)
		}), nil, Fail, "within 10s (--reply-timeout); still open: the host's script is still at work"},
		{"the whole scenario takes too long", onPrompt(silent), func(e *Engine) { e.Deadlines.Scenario = time.Second },
			Fail, "the scenario took longer than 1s (--scenario-timeout)"},
		{"the adapter dies at once", func(*peer) {}, nil,
			CouldNotRun, "the adapter ended (exit status 0): there was no answer to initialize"},
		{"the adapter panics", func(*peer) { panic("oh") }, nil,
			CouldNotRun, "the adapter ended (panic: oh): there was no answer to initialize"},
		{"the adapter dies in the middle of a turn", dies, nil,
			Fail, "the adapter ended (exit status 0): the prompt was not answered"},
		{"the adapter closes its stdout and lives on", onPrompt(func(p *peer, f wire.Frame) { p.out.(io.Closer).Close() }), nil,
			Fail, "the adapter closed its stdout: the prompt was not answered"},
		{"the adapter floods", onPrompt(func(p *peer, f wire.Frame) {
			for range 100 {
				p.update("session-1", `{}`)
			}
		}), func(e *Engine) { e.Limits.Entries = 50 }, Fail, "more than 50 frames were exchanged, which is over the harness's limit"},
		{"a line has no end", onPrompt(func(p *peer, f wire.Frame) { io.WriteString(p.out, strings.Repeat("x", 5000)) }),
			func(e *Engine) { e.LineLimit = 1000 }, Fail, "reading the adapter's stdout: a line is longer than the limit of 1000 bytes: the prompt was not answered"},
		{"a hello under another id", handlers{"initialize": func(p *peer, f wire.Frame) {
			p.say(`{"jsonrpc":"2.0","id":"%s","result":{"protocolVersion":1}}`, f.ID)
		}}.serve, nil, CouldNotRun,
			`there was no answer to initialize within 20s (--start-timeout); it sent a response with the id "1", and the id of initialize is 1`},
		{"an answer under another id, and the end", func(p *peer) {
			for f, ok := p.read(); ok && f.Method != "session/prompt"; f, ok = p.read() {
				handlers{f.Method: nil}.serveOne(p, f)
			}
			p.say(`{"jsonrpc":"2.0","id":0,"result":{"stopReason":"end_turn"}}`)
		}, nil, Fail, "the adapter ended (exit status 0): the prompt was not answered; it sent a response with the id 0, and the id of session/prompt is 3"},
		{"an echo", func(p *peer) {
			for {
				line, err := p.in.Next()
				if err != nil {
					return
				}
				p.say("%s", line.Bytes)
			}
		}, nil, CouldNotRun, "there was no answer to initialize: the program echoes what it reads"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, _ := play(t, &game{adapter: tt.adapter, engine: tt.engine, do: perform(t, prompt("hello"))})
			wantVerdict(t, r, tt.verdict, tt.reason)
		})
	}
}

// serveOne does what serve does about one frame.
func (h handlers) serveOne(p *peer, f wire.Frame) {
	one := &peer{in: wire.NewLineReader(strings.NewReader(string(f.Raw)+"\n"), 0), out: p.out, host: p.host, sessions: p.sessions, nextID: p.nextID}
	h.serve(one)
	p.sessions, p.nextID = one.sessions, one.nextID
}

// After the driving has ended, sentences go on being checked against the script, and nothing more is sent.
func TestAfterTheEndOfTheDriving(t *testing.T) {
	t.Parallel()
	g := &game{tags: []string{"ACP-PR-01"}, adapter: handlers{"session/prompt": func(*peer, wire.Frame) {}}.serve}
	g.do = func(s *Scenario) {
		perform(t, prompt("one"), prompt("two"), scenarios.Step{Op: "cancel"})(s)
		if s.Broken() == nil {
			t.Error("the scenario is not broken")
		}
	}
	r, records := play(t, g)
	n := 0
	for _, rec := range records {
		if rec.Frame.Method == "session/prompt" || rec.Frame.Method == "session/cancel" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d frames were sent", n)
	}
	wantFailure(t, r, "the scenario comes to its end: the prompt was not answered within 10s")
	broke := false
	for _, c := range r.Failures() {
		broke = broke || c.Name == "the scenario comes to its end" && len(c.IDs) == 1 && c.IDs[0] == "ACP-PR-01"
	}
	if !broke {
		t.Error("ACP-PR-01 was not decided by the prompt without an answer")
	}
}

func TestHandshake(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		adapter func(p *peer)
		want    AdapterInfo
		err     string
	}{
		{"good", nil, AdapterInfo{Name: "fake", Version: "7"}, ""},
		{"without a name", handlers{"initialize": func(p *peer, f wire.Frame) { p.reply(f, `{"protocolVersion":1}`) }}.serve, AdapterInfo{}, ""},
		{"dead", func(*peer) {}, AdapterInfo{}, "the adapter ended (exit status 0): there was no answer to initialize"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{adapter: tt.adapter}
			info, err := handshake(t, g)
			if info.Name != tt.want.Name || info.Version != tt.want.Version || info.Argv[0] != "fake" {
				t.Errorf("got %+v", info)
			}
			if (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("got the error %v, want %q", err, tt.err)
			}
			if !g.host.stopped {
				t.Error("the host was not stopped")
			}
		})
	}
}
