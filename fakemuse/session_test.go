package fakemuse

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

func TestHandshake(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	c := s.serve()
	c.bad("model/list", `{}`, -32600, "notInitialized")
	c.bad("initialize", `{"clientInfo":{"name":"Not Allowed","version":"1"}}`, -32602, "invalidParams")
	c.bad("initialize", `{"clientInfo":{"name":"a"}}`, -32602, "invalidParams")
	result := c.ok("initialize", `{"clientInfo":{"name":"a","version":"1"},"capabilities":{"requestedCapabilities":["sessionMcp","telepathy"]}}`)
	if got := string(wire.Lookup(result, "grantedCapabilities")); got != `["sessionMcp"]` {
		t.Errorf("granted %s", got)
	}
	if got, want := wire.LookupString(result, "museHome"), filepath.Join(s.root, "home", ".local/share/muse"); got != want {
		t.Errorf("museHome %q, want %q", got, want)
	}
	c.bad("initialize", `{"clientInfo":{"name":"a","version":"1"}}`, -32600, "alreadyInitialized")
	// Before `initialized` the host answers, and says nothing by itself.
	c.session()
	s.quiet()
	for _, m := range c.methods() {
		if m != "=" {
			t.Errorf("%s came before initialized", m)
		}
	}
	c.write(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	c.until("session/started")
	c.bad("account/read", `{}`, -32601, "experimentalRequired")
	c.bad("session/teleport", `{}`, -32601, "methodNotFound")
	c.bad("session/start", `{"commandId":"m","config":{"mcpServers":{}},"workspaceRoot":"relative"}`, -32602, "invalidParams")
}

func TestEnvelopes(t *testing.T) {
	t.Parallel()
	s := newScene(t, "", func(o *Options) { o.FrameLimit = 1000 })
	c := s.open()
	tests := []struct{ line, id, kind string }{
		{"{broken", "null", "parseError"},
		{`[]`, "null", "invalidRequest"},
		{`1`, "null", "invalidRequest"},
		{`{"jsonrpc":"1.0","id":"x","method":"model/list"}`, `"x"`, "invalidRequest"},
		{`{"jsonrpc":"2.0","id":null,"method":"model/list"}`, "null", "invalidRequest"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"model/list"}`, "null", "invalidRequest"},
		{`{"jsonrpc":"2.0","id":9,"method":"model/list","params":{"x":"` + strings.Repeat("x", 1000) + `"}}`, "9", "inputTooLarge"},
		{strings.Repeat("x", 1001), "null", "parseError"},
		{`{"jsonrpc":"2.0","id":8,"method":"model/list","params":[]}`, "8", "invalidParams"},
	}
	for _, tt := range tests {
		c.write(tt.line)
		f := c.next()
		if string(f.ID) != tt.id || wire.LookupString(f.Error, "data", "kind") != tt.kind {
			t.Errorf("%.60s: got %s", tt.line, f.Raw)
		}
	}
	for _, line := range []string{"", "  \r", "{\"jsonrpc\":\"2.0\",\"id\":\"<é>\",\"method\":\"model/list\"}\r"} {
		c.write(line)
	}
	if f := c.next(); string(f.ID) != `"<é>"` || f.Result == nil {
		t.Errorf("got %s", f.Raw)
	}
}

func TestStartCursorAndMode(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, variant, mode string
		cursor              string
		want                []string
	}{
		{"default mode", "", "", "", []string{"session/started", "="}},
		{"default mode said", "", "promptUnmatched", "", []string{"session/started", "="}},
		{"default mode, numbered", "cursor-numbered", "", ":3", []string{"session/started", "="}},
		{"other mode", "", "onRequest", ":1", []string{"session/started", "=", "session/approvalModeChanged"}},
		{"other mode, empty", "cursor-empty", "onRequest", "", []string{"session/started", "=", "session/approvalModeChanged"}},
		{"other mode, events first", "events-first", "onRequest", ":1", []string{"session/started", "session/approvalModeChanged", "="}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, "", func(o *Options) {
				if tt.variant != "" {
					o.Variants = []string{tt.variant}
				}
			})
			c := s.open()
			at := len(c.seen)
			mode := ""
			if tt.mode != "" {
				mode = fmt.Sprintf(`,"approvalMode":%q`, tt.mode)
			}
			result := c.ok("session/start", fmt.Sprintf(`{"commandId":"c","sessionId":"s"%s,"workspaceRoot":null}`, mode))
			if tt.want[len(tt.want)-1] == "session/approvalModeChanged" {
				c.until("session/approvalModeChanged")
			}
			want := tt.cursor
			if want != "" {
				want = "v:s" + want
			}
			if got := wire.LookupString(result, "viewCursor"); got != want {
				t.Errorf("cursor %q, want %q", got, want)
			}
			if diff := cmp.Diff(tt.want, c.methods()[at:]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSessionCommands(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	c := s.open()
	first := c.ok("session/start", fmt.Sprintf(`{"commandId":"c","sessionId":%q}`, sessionOne))
	again := c.ok("session/start", fmt.Sprintf(`{"sessionId":%q, "commandId":"c"}`, sessionOne))
	if diff := cmp.Diff(string(first), string(again)); diff != "" {
		t.Error(diff)
	}
	e := c.bad("session/start", `{"commandId":"c","sessionId":"other"}`, -32030, "commandRejected")
	if got := wire.LookupString(e, "data", "reason"); got != "command_id_conflict" {
		t.Errorf("reason %q", got)
	}
	e = c.bad("session/start", fmt.Sprintf(`{"commandId":"d","sessionId":%q}`, sessionOne), -32030, "commandRejected")
	if got := wire.LookupString(e, "data", "reason"); got != "session_id_conflict" {
		t.Errorf("reason %q", got)
	}
	c.bad("session/setApprovalMode", fmt.Sprintf(`{"commandId":"e","sessionId":%q,"mode":"yolo"}`, sessionOne), -32602, "invalidParams")
	result := c.ok("session/setApprovalMode", fmt.Sprintf(`{"commandId":"e","sessionId":%q,"mode":"onRequest"}`, sessionOne))
	if got := wire.LookupString(result, "applyOutcome"); got != "completed" {
		t.Errorf("applyOutcome %q", got)
	}
	c.until("session/approvalModeChanged")
	result = c.ok("session/setApprovalMode", fmt.Sprintf(`{"commandId":"f","sessionId":%q,"mode":"onRequest"}`, sessionOne))
	if got := wire.LookupString(result, "applyOutcome"); got != "noop" {
		t.Errorf("applyOutcome %q", got)
	}
	c.bad("session/setModel", fmt.Sprintf(`{"commandId":"g","sessionId":%q,"model":{"providerId":"meta"}}`, sessionOne), -32602, "invalidParams")
	c.ok("session/setModel", fmt.Sprintf(`{"commandId":"g","sessionId":%q,"model":{"modelId":"m","providerId":"p","profileId":null}}`, sessionOne))
	c.until("session/modelChanged")
	read := c.ok("session/read", fmt.Sprintf(`{"sessionId":%q,"includeTurns":false}`, sessionOne))
	if model, provider := wire.LookupString(read, "session", "modelId"), wire.LookupString(read, "session", "providerId"); model != "m" || provider != "p" {
		t.Errorf("the session reads %s", read)
	}
	c.ok("model/list", fmt.Sprintf(`{"sessionId":%q}`, sessionOne))
	c.bad("turn/start", `{"commandId":"h","sessionId":"nobody","input":[]}`, -32020, "sessionNotFound")
	c.bad("session/read", `{"sessionId":"nobody"}`, -32020, "sessionNotFound")
	c.bad("turn/start", fmt.Sprintf(`{"commandId":"h","sessionId":%q,"input":[{"type":"mention"}]}`, sessionOne), -32602, "invalidParams")
	c.bad("turn/start", fmt.Sprintf(`{"commandId":"h","sessionId":%q,"input":[{"type":"text"}]}`, sessionOne), -32602, "invalidParams")
	c.bad("turn/start", fmt.Sprintf(`{"commandId":"h","sessionId":%q,"input":[],"reasoningEffort":"most"}`, sessionOne), -32602, "invalidParams")
	c.bad("turn/start", fmt.Sprintf(`{"sessionId":%q,"input":[]}`, sessionOne), -32602, "invalidParams")
}

// A session is stored once it had a turn; one host at a time has it.
func TestSessionsOverHosts(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"one"}]},{"steps":[{"say":"two"}]}]}`)
	resume := fmt.Sprintf(`{"commandId":"r","sessionId":%q,"excludeItems":true}`, sessionOne)
	first := s.open()
	first.bad("session/resume", resume, -32020, "sessionNotFound")
	first.session()
	other := s.open()
	other.bad("session/resume", resume, -32020, "sessionNotFound")
	first.prompt("go")
	first.terminal()
	other.bad("session/resume", resume, -32021, "sessionInUse")
	other.bad("turn/start", fmt.Sprintf(`{"commandId":"h","sessionId":%q,"input":[]}`, sessionOne), -32024, "sessionNotLoaded")
	if got := wire.LookupString(other.ok("session/read", fmt.Sprintf(`{"sessionId":%q}`, sessionOne)), "session", "status"); got != "idle" {
		t.Errorf("status %q", got)
	}
	log := wire.LookupString(other.ok("session/read", fmt.Sprintf(`{"sessionId":%q}`, sessionOne)), "session", "path")
	if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), `"payload_type":"runtime.session.metadata"`) || !strings.Contains(string(text), s.workspace) {
		t.Errorf("the session log is %q, %v", text, err)
	}
	first.end()
	s.awaitExit("exit 0")
	if got := wire.LookupString(other.ok("session/read", fmt.Sprintf(`{"sessionId":%q}`, sessionOne)), "session", "status"); got != "notLoaded" {
		t.Errorf("status %q", got)
	}
	result := other.ok("session/resume", strings.Replace(resume, `"r"`, `"r2"`, 1))
	if got := wire.LookupString(result, "history", "noneReason"); got != "excluded" {
		t.Errorf("noneReason %q", got)
	}
	if got := wire.LookupString(result, "session", "approvalMode", "source"); got != "replay" {
		t.Errorf("source %q", got)
	}
	read := other.ok("session/read", fmt.Sprintf(`{"sessionId":%q,"excludeItems":false}`, sessionOne))
	var history struct {
		History struct{ Items []item }
	}
	if err := json.Unmarshal(read, &history); err != nil || len(history.History.Items) != 2 {
		t.Errorf("history %s, %v", read, err)
	}
	other.prompt("go")
	if got := other.terminal(); got != "completed" {
		t.Errorf("terminal %q", got)
	}
	s.noProblems()
}

// The turn that a lost host left behind is settled before the answer to resume.
func TestOrphan(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"touch marker"},"approval":{}}}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	c.asked()
	c.cmd.Process.Kill()
	c.gone()
	s.awaitExit("lost")
	c = s.open()
	at := len(c.seen)
	c.ok("session/resume", fmt.Sprintf(`{"commandId":"r","sessionId":%q}`, sessionOne))
	want := []string{"approval/resolved", "item/completed", "turn/completed", "="}
	if diff := cmp.Diff(want, c.methods()[at:]); diff != "" {
		t.Error(diff)
	}
	c.ok("approval/listPending", fmt.Sprintf(`{"sessionId":%q}`, sessionOne))
	if s.exists("marker") {
		t.Error("the command ran")
	}
}

// Whoever resumes with an approval open is asked again.
func TestPendingIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, variant := range []string{"acks-first", "pending-full"} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, touchScript, func(o *Options) { o.Variants = []string{variant} })
			c := s.open()
			c.session()
			c.prompt("go")
			id := c.asked()
			result := c.ok("session/resume", fmt.Sprintf(`{"commandId":"r","sessionId":%q}`, sessionOne))
			if !strings.Contains(string(wire.Lookup(result, "pendingRequests")), id) {
				t.Errorf("pending: %s", wire.Lookup(result, "pendingRequests"))
			}
			if again := c.asked(); again != id {
				t.Errorf("asked again for %q, want %q", again, id)
			}
			if list := c.ok("approval/listPending", fmt.Sprintf(`{"sessionId":%q}`, sessionOne)); !strings.Contains(string(list), id) {
				t.Errorf("pending: %s", list)
			}
			c.ok("approval/decide", decide(c.command(), id, 0, "allow_once", ""))
			c.terminal()
		})
	}
}

func TestResumeWithCursor(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"one"}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	c.terminal()
	for _, cursor := range []string{"v:other:1", "v:" + sessionOne + ":99", "v:" + sessionOne + ":01", "x"} {
		e := c.bad("session/resume", fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"cursor":%q}`, c.command(), sessionOne, cursor), -32011, "notFound")
		if got := wire.LookupString(e, "data", "reason"); got != "missingAnchor" {
			t.Errorf("reason %q", got)
		}
	}
	result := c.ok("session/resume", fmt.Sprintf(`{"commandId":"k","sessionId":%q,"cursor":"v:%s:2"}`, sessionOne, sessionOne))
	if got := wire.LookupString(result, "history", "noneReason"); got != "cursorSuffix" {
		t.Errorf("noneReason %q", got)
	}
	c.terminal()
}
