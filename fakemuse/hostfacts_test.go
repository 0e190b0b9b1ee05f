package fakemuse

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

func TestCatalogues(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"skills":[{"selector":"pdf","displayName":"PDF","description":"d","source":"bundled"}],
		"hooks":[{"key":"k","event":"stop","handlerKind":"user","enabled":true}],
		"plugins":[{"id":"p","source":"curated","version":"1","enabled":false}],
		"quota":{"observedAtMs":1,"tier":"pro","weekly":{"resetsAtMs":2,"usedPercent":3},"window":{"resetsAtMs":4,"usedPercent":5,"windowDurationMins":300}},
		"models":{"providerId":"muse","profileId":null,"source":"bundledCatalog","models":[{"modelId":"large","displayLabel":"L","providerId":"muse","profileId":null,"releaseDate":null,"description":null,"contextLimit":1,"outputLimit":null,"cost":null,"isDefault":true}]},
		"turns":[]}`)
	c := s.open()
	c.session()
	in := fmt.Sprintf(`{"sessionId":%q}`, sessionOne)
	for method, want := range map[string]string{"skill/list": "PDF", "hook/list": "handlerKind", "plugin/list": "curated", "usage/read": "pro", "model/list": `"isActive":true`} {
		if got := c.ok(method, in); !strings.Contains(string(got), want) {
			t.Errorf("%s gives %s", method, got)
		}
	}
	e := c.bad("skill/setActivation", c.inSession(`"selector":"x","activation":"off","scope":"user"`), -32032, "skillNotFound")
	if got := wire.LookupString(e, "data", "selector"); got != "x" {
		t.Errorf("selector %q", got)
	}
	c.ok("skill/setActivation", c.inSession(`"selector":"pdf","activation":"off","scope":"user"`))
	c.until("skill/changed")
	got := c.ok("skill/setActivation", c.inSession(`"selector":"pdf","activation":"on","scope":"user"`))
	if wire.LookupString(got, "previous") != "off" {
		t.Errorf("the answer is %s", got)
	}
	c.ok("session/setReasoningEffort", c.inSession(`"reasoningEffort":"max"`))
	c.until("session/reasoningEffortChanged")
}

func TestReadOutput(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"x"},"output":"h\u00e9llo","stored":true,"deltas":["h","\u00e9llo"],"patch":{"files":1,"added":2,"removed":3,"text":"+a"},"ends":{}}}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	patch := c.until("item/updated").Params
	end := c.toolEnd()
	read := func(ref, more string) string {
		return fmt.Sprintf(`{"sessionId":%q,"itemId":%q,"outputRef":%q%s}`, sessionOne, end.ItemID, ref, more)
	}
	if end.OutputRef == nil || wire.LookupString(patch, "item", "patchRef", "kind") != "patch" {
		t.Fatalf("no references: %+v, %s", end, patch)
	}
	if got := c.ok("item/readOutput", read(end.OutputRef.ID, "")); wire.LookupString(got, "content") != "héllo" || string(wire.Lookup(got, "eof")) != "true" {
		t.Errorf("got %s", got)
	}
	got := c.ok("item/readOutput", read(end.OutputRef.ID, `,"offsetBytes":2,"lengthBytes":2`))
	if text, _ := base64.StdEncoding.DecodeString(wire.LookupString(got, "content")); string(text) != "\xa9l" || string(wire.Lookup(got, "eof")) != "false" {
		t.Errorf("got %s", got)
	}
	if got := c.ok("item/readOutput", read(end.PatchRef.ID, "")); wire.LookupString(got, "content") != "+a" {
		t.Errorf("got %s", got)
	}
	e := c.bad("item/readOutput", read("other", ""), -32041, "outputUnavailable")
	if wire.LookupString(e, "data", "availability") != "missing" {
		t.Errorf("got %s", e)
	}
	c.bad("item/readOutput", read(end.OutputRef.ID, `,"offsetBytes":-1`), -32602, "invalidParams")
}

func TestTriggers(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"on":[
		{"method":"model/list","call":1,"fails":{"code":-32001,"kind":"overloaded","message":"busy","retryable":true,"data":{"capacity":3}}},
		{"method":"model/list","call":2,"wait":"now"},
		{"method":"session/start","event":{"method":"session/auraChanged","params":{"aura":1}}},
		{"method":"session/start","event":{"method":"vendor/note","params":{"n":1},"bare":true}},
		{"method":"session/read","exit":4},
		{"method":"session/compact","silence":true}],"turns":[]}`)
	s.wrong = func(r wire.Record) bool {
		return strings.Contains(r.Frame.Method, "aura") || strings.Contains(r.Frame.Method, "vendor")
	}
	c := s.open()
	e := c.bad("model/list", `{}`, -32001, "overloaded")
	if string(wire.Lookup(e, "data", "capacity")) != "3" || string(wire.Lookup(e, "data", "retryable")) != "true" {
		t.Errorf("the error is %s", e)
	}
	late := c.send("model/list", `{}`)
	c.session()
	if got := wire.LookupString(c.until("session/auraChanged").Params, "viewCursor"); got == "" {
		t.Error("the event has no place in the view")
	}
	c.until("vendor/note")
	s.Release("now")
	c.answer(late)
	if left := s.Unused(); len(left) != 2 || left[0].What != "trigger" {
		t.Errorf("unused: %v", left)
	}
	c.send("session/read", fmt.Sprintf(`{"sessionId":%q}`, sessionOne))
	if code := exitCode(c.gone()); code != 4 {
		t.Errorf("exit code %d", code)
	}
}

func TestStartTrigger(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"on":[{"method":"serve","call":1,"exit":3}],"turns":[]}`)
	if code := exitCode(s.serve().gone()); code != 3 {
		t.Errorf("exit code %d", code)
	}
	s.open().session()
}

func TestLateAndFailingDecisions(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"lateAck":true,"steps":[
		{"tool":{"name":"bash","args":{"command":"touch marker"},"approval":{"lateAck":true,"decideFails":{"choice":"abort","code":-32603,"kind":"internal","message":"retained acknowledgement records unflushed"}}}}]}]}`)
	c := s.open()
	c.session()
	at := len(c.seen)
	c.prompt("go")
	if diff := cmp.Diff([]string{"turn/started", "item/completed", "session/tokenUsage", "session/contextUsage", "item/started", "approval/requested", "?approval/request", "="}, tail(c.methods()[at:], "turn/started")); diff != "" {
		t.Error(diff)
	}
	id := c.asked()
	c.bad("approval/decide", decide(c.command(), id, 0, "abort", ""), -32603, "internal")
	if list := c.ok("approval/listPending", fmt.Sprintf(`{"sessionId":%q}`, sessionOne)); !strings.Contains(string(list), id) {
		t.Error("the approval is not open any more")
	}
	at = len(c.seen)
	c.ok("approval/decide", decide(c.command(), id, 0, "allow_once", ""))
	if got := c.methods()[at:]; got[0] != "approval/resolved" {
		t.Errorf("the decision led to %v", got)
	}
	c.terminal()
	if !s.exists("marker") {
		t.Error("the command did not run")
	}
}

// MCP servers come from the settings that the host was given.
func TestServers(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, settings, terminal string }{
		{"none", `{"schema_version":1}`, "completed"},
		{"optional", `{"mcpServers":{"a":{"transport":"stdio","command":"no-such-program","mode":"optional"}}}`, "completed"},
		{"required", `{"mcpServers":{"a":{"transport":"stdio","command":"no-such-program"}}}`, "failed"},
		{"required and there", `{"mcpServers":{"a":{"command":"sh","mode":"required"}}}`, "completed"},
		{"old name", `{"mcp_servers":{"a":{"command":"no-such-program"}}}`, "failed"},
		{"broken by script", `{"mcpServers":{"broken":{"transport":"streamableHttp","url":"http://x"}}}`, "failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `{"brokenServers":["broken"],"turns":[{"repeat":true,"steps":[]}]}`)
			dir := filepath.Join(s.root, "home", ".config", "muse")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(tt.settings), 0o600); err != nil {
				t.Fatal(err)
			}
			c := s.open()
			c.session()
			c.prompt("go")
			end := c.until("turn/completed").Params
			if got := wire.LookupString(end, "terminal"); got != tt.terminal {
				t.Errorf("terminal %q", got)
			}
			if tt.terminal == "failed" && wire.LookupString(end, "error", "kind") != "configError" {
				t.Errorf("the turn ends with %s", end)
			}
			if set := s.Starts()[0].Settings; set == nil || tt.name == "required" && !set.Servers["a"].required() {
				t.Errorf("the settings are %+v", set)
			}
		})
	}
}

func TestReviewerProfileIsRefused(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	dir := filepath.Join(s.root, "home", ".config", "muse")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"model":"m","reasoning_effort":"high","permissions":{"default_profile":":auto-review"}}`
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.open().bad("session/start", `{"commandId":"c"}`, -32603, "internal")
}

func TestEphemeralHost(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[]}]}`)
	c := s.open("--no-session-log")
	made := c.ok("session/start", fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"workspaceRoot":%q}`, c.command(), sessionOne, s.workspace))
	if got := wire.LookupString(made, "session", "path"); got != "" {
		t.Errorf("path %q", got)
	}
	for _, method := range []string{"session/resume", "session/fork", "session/read", "session/rename"} {
		c.bad(method, c.inSession(`"name":"x"`), -32601, "methodNotFound")
	}
	c.rejected("session/setApprovalMode", `"mode":"allowAll"`, "approval-mode-ceiling")
	c.ok("session/setApprovalMode", c.inSession(`"mode":"denyUnmatched"`))
	c.prompt("go")
	c.terminal()
}
