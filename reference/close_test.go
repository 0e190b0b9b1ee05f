//go:build unix

package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

func (w *world) closing(id, session int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/close","params":{"sessionId":%q}}`, id, w.sessions[session])
}

func (w *world) resuming(id, session int, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/resume","params":{"sessionId":%q,"cwd":%q%s}}`, id, w.sessions[session], w.cwd, more)
}

// store writes what Muse keeps of a session.
func (w *world) store(session int, workspace string) {
	w.t.Helper()
	dir := filepath.Join(w.dir, "home/.local/share/muse/sessions/2026/10/05", w.sessions[session])
	record := fmt.Sprintf(`{"stream":{"kind":"session","id":%q},"payload_type":"runtime.session.metadata","payload":{"record":{"workspace_root":%q}}}`+"\n",
		w.sessions[session], workspace)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "session.jsonl"), []byte(record), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

const closed = `"result":{}}`

// A close while a question is open: the question is decided as cancelled, the turn is cancelled at the host, the host
// has exited, and then the close is answered. The other session is left alone (CI1).
func TestCloseWhileAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "approve-each").ready(2)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(w.prompt(3, 1))
	w.until("request_permission")
	w.send(w.closing(4, 0))
	got := w.until(`"id":4`)
	want := []string{`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}}`, `{"jsonrpc":"2.0","id":4,"result":{}}`}
	if diff := cmp.Diff(want, got[len(got)-2:]); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if n := w.count("turn/cancel"); n != 1 || w.count("-") != 1 {
		t.Errorf("%d cancels, %d hosts have exited: %q", n, w.count("-"), w.methods())
	}
	w.send(selected(0, "allow_once"), w.prompt(5, 0), w.closing(6, 0), selected(1, "allow_once"))
	for _, id := range []string{`"id":5`, `"id":6`} {
		if lines := w.until(id); !contains(lines, id+`,"error":{"code":-32602,"message":"Invalid params: unknown session`) {
			t.Errorf("%s: %q", id, lines)
		}
	}
	w.until(`"id":3,"result":{"stopReason":"end_turn"}`)
	w.close()
	if w.count("approval/decide") != 1 {
		t.Errorf("the host got %q", w.methods())
	}
	log := []string{"turn/start", "tool/call", "approval/asked", "approval/decided cancelled", "tool/result", "turn/end aborted", ""}
	if diff := cmp.Diff(log[:len(log)-1], w.log(0)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// What comes in one write with the close: a prompt is answered and starts nothing, an answer is too late, and a second
// close and a resume are refused.
func TestCloseInOneWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "approve-each").ready(1)
	w.send(w.prompt(2, 0), w.closing(3, 0), w.resuming(4, 0, ""), w.closing(5, 0))
	refused := map[string]int{`"id":4`: -32600, `"id":5`: -32602}
	for range 4 {
		line := w.next()
		for id, code := range refused {
			if strings.Contains(line, id) && !strings.Contains(line, fmt.Sprintf(`"error":{"code":%d`, code)) {
				t.Errorf("want %d: %s", code, line)
			}
		}
		if strings.Contains(line, `"id":2`) && !strings.Contains(line, "cancelled") || strings.Contains(line, `"id":3`) && !strings.Contains(line, closed) {
			t.Error(line)
		}
	}
	w.close()
	if frames := w.hostFrames(); frames != nil {
		t.Errorf("a host was started: %q", frames)
	}

	w = newWorld(t, "approve-each").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(w.closing(3, 0), selected(0, "allow_once"))
	w.until(`"id":3,` + closed)
	w.close()
	if n := w.count("approval/decide"); n != 0 || w.marker("call1") {
		t.Errorf("an answer behind the close decided: %q", w.methods())
	}
}

// A session that was closed is resumed from what is on disk: its options, how many turns it had, and what the model was
// told last. Nothing is sent but the answer; the next turn goes on at the host (REQ-POL-09, REQ-POL-11).
func TestResumeAfterClose(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text", sandboxed).ready(1)
	w.send(w.set(2, 0, "approval-policy", `"never"`), w.set(3, 0, "mode", `"rejectApprovals"`), w.prompt(4, 0))
	w.until(`"id":4`)
	w.send(w.set(5, 0, "sandbox-mode", `"workspace-write"`)) // no turn has it: it is lost
	w.store(0, w.cwd)
	w.send(w.closing(6, 0))
	w.until(`"id":6`)
	w.send(w.resuming(7, 0, ""))
	line := w.next()
	for _, part := range []string{`"id":7,"result":{"modes":{"currentModeId":"rejectApprovals"`, `"configOptions":[{"id":"mode"`, `"currentValue":"read-only"`, `"currentValue":"never"`} {
		if !strings.Contains(line, part) {
			t.Errorf("the answer has no %s: %s", part, line)
		}
	}
	w.send(w.prompt(8, 0))
	w.until(`"id":8`)
	w.close()
	told := []string{sayNever + "," + notice("ask", "never", "the user") + "," + sayHello, sayNever + "," + sayHello}
	if diff := cmp.Diff(told, w.turnInputs()); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if n := w.count("session/start"); n != 1 {
		t.Errorf("%d sessions were started: %q", n, w.methods())
	}
	if all := strings.Join(w.logLines(0), "\n"); !strings.Contains(all, `"data":{"turn":2}`) {
		t.Errorf("log:\n%s", all)
	}
}

// A session that is open stays as it is.
func TestResumeOpenSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "approve-each").ready(1)
	w.send(w.set(2, 0, "mode", `"rejectApprovals"`))
	w.until(`"id":2`)
	w.send(w.resuming(3, 0, ""))
	if line := w.next(); !strings.Contains(line, `"id":3,"result":{"modes":{"currentModeId":"rejectApprovals"`) {
		t.Error(line)
	}
	w.send(w.set(4, 0, "mode", `"default"`))
	w.until(`"id":4`)
	w.send(w.prompt(5, 0))
	w.until("request_permission")
	w.send(w.resuming(6, 0, ""))
	if line := w.next(); !strings.Contains(line, `"id":6,"error":{"code":-32600`) {
		t.Error(line)
	}
	w.send(selected(0, "abort"))
	w.until(`"id":5,"result":{"stopReason":"end_turn"}`)
	w.close()
}

// What cannot be resumed is refused, and says why.
func TestResumeRefused(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	for name, c := range map[string]struct {
		stored func(w *world)
		line   func(w *world) string
		want   string
	}{
		"not stored":       {nil, func(w *world) string { return w.resuming(2, 0, "") }, "was not found in the session store"},
		"a path":           {nil, func(w *world) string { return strings.Replace(w.resuming(2, 0, ""), w.sessions[0], "../x", 1) }, "was not found in the session store"},
		"a pattern":        {func(w *world) { w.store(0, w.cwd) }, func(w *world) string { return strings.Replace(w.resuming(2, 0, ""), w.sessions[0], "*", 1) }, "was not found in the session store"},
		"other workspace":  {func(w *world) { w.store(0, other) }, func(w *world) string { return w.resuming(2, 0, "") }, "belongs to " + resolved(t, other)},
		"workspace gone":   {func(w *world) { w.store(0, "/no/such/folder") }, func(w *world) string { return w.resuming(2, 0, "") }, "the stored workspace directory is not available: /no/such/folder"},
		"more directories": {func(w *world) { w.store(0, w.cwd) }, func(w *world) string { return w.resuming(2, 0, `,"additionalDirectories":["/tmp"]`) }, "one workspace root"},
		"servers":          {func(w *world) { w.store(0, w.cwd) }, func(w *world) string { return w.resuming(2, 0, `,"mcpServers":[{}]`) }, "MCP servers are not supported"},
		"relative": {func(w *world) { w.store(0, w.cwd) }, func(w *world) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"session/resume","params":{"sessionId":%q,"cwd":"work"}}`, w.sessions[0])
		}, "cwd must be an absolute path"},
		"no id":     {nil, func(*world) string { return `{"jsonrpc":"2.0","id":2,"method":"session/resume","params":{"cwd":"/"}}` }, "sessionId must be a string"},
		"no params": {nil, func(*world) string { return `{"jsonrpc":"2.0","id":2,"method":"session/resume"}` }, "session/resume needs an object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "text").ready(1)
			w.send(w.closing(9, 0))
			w.until(`"id":9`)
			if c.stored != nil {
				c.stored(w)
			}
			w.send(c.line(w))
			if line := w.next(); !strings.Contains(line, `"error":{"code":-32602`) || !strings.Contains(line, c.want) {
				t.Errorf("want %q: %s", c.want, line)
			}
			w.send(w.prompt(3, 0))
			w.until(`"id":3,"error":{"code":-32602`)
			w.close()
		})
	}
}

func resolved(t *testing.T, dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// restarted is a second adapter on the data of the first, with the same sessions.
func (w *world) restarted(with ...func(*reference.Options)) *world {
	w.t.Helper()
	next := *w
	for _, f := range with {
		f(&next.options)
	}
	next.start()
	next.send(hello)
	next.next()
	return &next
}

// C44: the log says that the model was told never, and the adapter was started anew with the default. Nobody switched
// in between, so the notice names the operator; a prompt that quotes all of the sentence changes nothing (REQ-POL-11,
// REQ-POL-12).
func TestNoticeAfterRestart(t *testing.T) {
	t.Parallel()
	ask := func(o *reference.Options) { o.ApprovalPolicy = "ask" }
	for name, c := range map[string]struct {
		first, second func(*reference.Options)
		user          bool // the user switches to never before the first turn
		want          string
	}{
		"operator's never, then ask":   {never, ask, false, notice("never", "ask", "the operator/config") + "," + sayHello},
		"ask, then operator's never":   {ask, never, false, sayNever + "," + notice("ask", "never", "the operator/config") + "," + sayHello},
		"the user's never stays never": {ask, ask, true, sayNever + "," + sayHello},
		"the same":                     {never, never, false, sayNever + "," + sayHello},
		"ask stays ask":                {ask, ask, false, sayHello},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "text", c.first).ready(1)
			if c.user {
				w.send(w.set(9, 0, "approval-policy", `"never"`))
				w.until(`"id":9`)
			}
			w.send(strings.Replace(w.prompt(2, 0), sayHello, sayNever, 1))
			w.until(`"id":2`)
			if inputs := w.turnInputs(); !strings.HasSuffix(inputs[0], sayNever) {
				t.Fatalf("the prompt quotes nothing: %s", inputs[0])
			}
			w.close()
			w.store(0, w.cwd)
			next := w.restarted(c.second)
			next.send(next.resuming(3, 0, ""), next.prompt(4, 0))
			next.until(`"id":4,"result":{"stopReason":"end_turn"}`)
			next.close()
			inputs := next.turnInputs()
			if diff := cmp.Diff(c.want, inputs[len(inputs)-1]); diff != "" {
				t.Errorf("the turn after the restart (-want +got):\n%s", diff)
			}
		})
	}
}

// What a crash left open is ended when the session is resumed, so that no switch is recorded in a turn that is not
// there, and no question stays undecided.
func TestResumeAfterCrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").ready(1)
	w.send(w.closing(2, 0))
	w.until(`"id":2`)
	w.store(0, w.cwd)
	if err := os.MkdirAll(filepath.Dir(w.logFile(0)), 0o700); err != nil {
		t.Fatal(err)
	}
	lost := `{"type":"turn/start","seq":0,"time":"","data":{"turn":1}}
{"type":"approval/asked","seq":1,"time":"","data":{"id":"1","toolName":"bash"}}
{"type":"approval/decided","seq":2,"time":"","data":{"id":"1","outcome":"rejected"}}
{"type":"approval/asked","seq":3,"time":"","data":{"id":"2","toolName":"bash"}}
{"type":"approval/dec`
	if err := os.WriteFile(w.logFile(0), []byte(lost), 0o600); err != nil {
		t.Fatal(err)
	}
	w.send(w.resuming(3, 0, ""))
	w.until(`"id":3,"result"`)
	w.send(w.set(4, 0, "approval-policy", `"never"`))
	w.until(`"id":4,"result"`)
	w.close()
	want := []string{"turn/start", "approval/asked", "approval/decided rejected", "approval/asked", "approval/decided cancelled", "turn/end aborted"}
	if diff := cmp.Diff(want, w.log(0)); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// A notice that came with a turn that the host refused was told to nobody: it is given once more, with the same words.
func TestNoticeOfARefusedTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "refuses-first-turn").ready(1)
	w.send(w.set(2, 0, "approval-policy", `"never"`), w.prompt(3, 0))
	w.until(`"id":3,"error"`)
	w.store(0, w.cwd)
	w.send(w.closing(4, 0))
	w.until(`"id":4`)
	w.send(w.resuming(5, 0, ""), w.prompt(6, 0))
	w.until(`"id":6,"result"`)
	w.close()
	want := sayNever + "," + notice("ask", "never", "the user") + "," + sayHello
	if diff := cmp.Diff([]string{want, want}, w.turnInputs()); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}
