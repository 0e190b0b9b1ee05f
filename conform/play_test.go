package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// peer is an adapter's end of its stdio, for adapters that are functions of a test.
type peer struct {
	in       *wire.LineReader
	out      io.Writer
	host     *fakeHost
	sessions int
	nextID   int
	stopped  <-chan struct{} // closed when the harness ends the adapter
}

// say writes one line.
func (p *peer) say(format string, args ...any) { fmt.Fprintf(p.out, format+"\n", args...) }

// read gives the next message of the client; ok is false at the end.
func (p *peer) read() (f wire.Frame, ok bool) {
	line, err := p.in.Next()
	if err != nil {
		return f, false
	}
	return wire.ParseFrame(line.Bytes), true
}

// answer gives the next response of the client.
func (p *peer) answer() wire.Frame {
	for {
		f, ok := p.read()
		if !ok || f.Kind == wire.Response {
			return f
		}
	}
}

func (p *peer) reply(to wire.Frame, result string) {
	p.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, to.ID, result)
}

func (p *peer) update(session, update string) {
	p.say(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":%s}}`, session, update)
}

// ask announces a tool call and asks for permission, with the options "Allow once" and "Reject".
func (p *peer) ask(session, call string) {
	p.update(session, fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":%q,"title":"x","status":"pending"}`, call))
	p.nextID++
	p.say(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":%q,"toolCall":{"toolCallId":%q},"options":[{"optionId":"a","name":"Allow once","kind":"allow_once"},{"optionId":"r","name":"Reject","kind":"reject_once"}]}}`, p.nextID, session, call)
}

// end closes a tool call.
func (p *peer) end(session, call string) {
	p.update(session, fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":%q,"status":"failed"}`, call))
}

// handlers say what an adapter does about a method; what is not there is done as a good adapter does it.
type handlers map[string]func(p *peer, f wire.Frame)

func (h handlers) serve(p *peer) {
	for {
		f, ok := p.read()
		if !ok {
			return
		}
		switch do := h[f.Method]; {
		case do != nil:
			do(p, f)
		case f.Method == "initialize":
			p.reply(f, `{"protocolVersion":1,"agentCapabilities":{},"agentInfo":{"name":"fake","version":"7"}}`)
		case f.Method == "session/new":
			p.sessions++
			p.reply(f, fmt.Sprintf(`{"sessionId":"session-%d"}`, p.sessions))
		case f.Method == "session/prompt":
			p.reply(f, `{"stopReason":"end_turn"}`)
		case f.Kind == wire.Request:
			p.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, f.ID)
		}
	}
}

// game is one scenario with an adapter that is a function.
type game struct {
	files   fstest.MapFS // files of the scenario's folder, without the folder
	tags    []string     // requirements
	host    fakeHost
	engine  func(*Engine) // changes the engine
	adapter func(p *peer) // the adapter; nil is a good one
	do      func(s *Scenario)
}

// adapterOf makes an adapter of a function.
func adapterOf(host *fakeHost, f func(p *peer)) Adapter {
	return NewInProcess("fake", func(ctx context.Context, stdin io.Reader, stdout, _ io.Writer, _ Surroundings) error {
		f(&peer{stopped: ctx.Done(), in: wire.NewLineReader(stdin, 0), out: stdout, host: host})
		return nil
	})
}

// play plays a game in a bubble, so that deadlines pass at once.
func play(t *testing.T, g *game) (result ScenarioResult, records []wire.Record) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, g)
		if g.do != nil {
			g.do(s)
		}
		result = s.End(nil)
		records = s.Records()
	})
	return result, records
}

func begin(t *testing.T, g *game) *Scenario {
	t.Helper()
	s, err := engineOf(g).Begin(t.Context(), Names{Name: "game", Title: "Game", Feature: "area/game.feature", Requirements: g.tags})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func engineOf(g *game) *Engine {
	adapter := g.adapter
	if adapter == nil {
		adapter = handlers{}.serve
	}
	files := fstest.MapFS{}
	for name, f := range g.files {
		files["game/"+name] = f
	}
	e := &Engine{Adapter: adapterOf(&g.host, adapter), Hosts: fakeHosts{host: &g.host}, Deadlines: DefaultDeadlines(), Scenarios: files,
		Record: func(string, []byte) error { return nil }}
	if g.engine != nil {
		g.engine(e)
	}
	return e
}

// input is an input.json, as a file of a game.
func input(text string) fstest.MapFS { return fstest.MapFS{"input.json": {Data: []byte(text)}} }

// perform does steps and fails the test on harness errors.
func perform(t *testing.T, steps ...scenarios.Step) func(*Scenario) {
	return func(s *Scenario) {
		for _, step := range steps {
			if err := s.Perform(step); err != nil {
				t.Errorf("%s: %v", compact(step), err)
			}
		}
	}
}

func prompt(text string) scenarios.Step { return scenarios.Step{Op: "prompt", Text: text} }

// failed lists the failures as "name: message".
func failed(r ScenarioResult) (list []string) {
	for _, c := range r.Failures() {
		list = append(list, c.Name+": "+c.Message)
	}
	return list
}

// wantVerdict checks a verdict and a part of its reason.
func wantVerdict(t *testing.T, r ScenarioResult, verdict Verdict, reason string) {
	t.Helper()
	if r.Verdict != verdict || !strings.Contains(r.Reason, reason) || (reason == "") != (r.Reason == "") {
		t.Errorf("got %s: %q, want %s: %q; failures %q", r.Verdict, r.Reason, verdict, reason, failed(r))
	}
}

// wantFailure checks that a check of this name failed with this message.
func wantFailure(t *testing.T, r ScenarioResult, failure string) {
	t.Helper()
	if !slices.ContainsFunc(failed(r), func(f string) bool { return strings.Contains(f, failure) }) {
		t.Errorf("no failure %q among %q", failure, failed(r))
	}
}

// outcomes lists the results that the client sent to the adapter.
func outcomes(records []wire.Record) (list []string) {
	for _, r := range records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Response {
			var o struct {
				Outcome struct{ Outcome, OptionID string }
			}
			json.Unmarshal(r.Frame.Result, &o)
			list = append(list, strings.TrimSpace(o.Outcome.Outcome+" "+o.Outcome.OptionID))
		}
	}
	return list
}

// handshake tries the handshake in a bubble.
func handshake(t *testing.T, g *game) (info AdapterInfo, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { info, err = engineOf(g).Handshake(t.Context()) })
	return info, err
}
