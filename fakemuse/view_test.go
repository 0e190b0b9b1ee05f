package fakemuse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

// storedScript has a session whose view begins at 5, with an event that gets lost.
const storedScript = `{"sessions":[{"sessionId":"old","name":"Old","turnCount":2,"createdAt":"2026-10-01T08:00:00Z","updatedAt":"2026-10-02T08:00:00Z",
	"earliest":5,"events":[
	{"cursor":5,"method":"item/completed","params":{"item":{"itemId":"i5","kind":"userMessage","turnId":"t","revision":1,"status":"completed","recordedAt":"2026-10-01T08:00:00Z","text":"five"}}},
	{"cursor":6,"method":"item/completed","dropped":true,"params":{"item":{"itemId":"i6","kind":"agentMessage","turnId":"t","revision":1,"status":"completed","recordedAt":"2026-10-01T08:00:00Z","text":"six"}}},
	{"cursor":7,"method":"turn/completed","params":{"turnId":"t","terminal":"completed"}}]}],
	"turns":[{"steps":[{"say":"more"}]}]}`

func TestStoredSession(t *testing.T) {
	t.Parallel()
	home := ""
	s := newScene(t, storedScript, func(o *Options) {
		home = filepath.Join(o.Root, "home", ".local/share/muse")
		o.MuseHome, o.Workspace = home, filepath.Join(o.Root, "work")
	})
	log := filepath.Join(home, "sessions/2026/10/01/old/session.jsonl")
	if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), s.workspace) {
		t.Errorf("the log on disk is %q, %v", text, err)
	}
	c := s.open()
	list := c.ok("session/list", `{}`)
	if rows := string(wire.Lookup(list, "sessions")); !strings.Contains(rows, `"status":"notLoaded"`) || !strings.Contains(rows, `"name":"Old"`) || strings.Contains(rows, "approvalMode") {
		t.Errorf("the list is %s", rows)
	}
	c.bad("turn/start", `{"commandId":"x","sessionId":"old","input":[]}`, -32024, "sessionNotLoaded")
	e := c.bad("session/resume", `{"commandId":"r0","sessionId":"old","cursor":"v:old:2"}`, -32040, "viewTruncated")
	if got := wire.LookupString(e, "data", "earliestCursor"); got != "v:old:5" {
		t.Errorf("earliest %q", got)
	}
	at := len(c.seen)
	result := c.ok("session/resume", `{"commandId":"r","sessionId":"old","cursor":"v:old:5"}`)
	if got := wire.LookupString(result, "session", "workspaceRoot"); got != s.workspace {
		t.Errorf("workspace %q", got)
	}
	c.until("view/gap")
	if diff := cmp.Diff([]string{"=", "turn/completed", "view/gap"}, c.methods()[at:]); diff != "" {
		t.Error(diff)
	}
	page := c.ok("view/page", `{"sessionId":"old","limit":1,"cursor":"v:old:5"}`)
	if !strings.Contains(string(page), `"text":"six"`) || wire.LookupString(page, "nextCursor") != "v:old:6" {
		t.Errorf("the page is %s", page)
	}
	page = c.ok("view/page", `{"sessionId":"old","limit":2,"direction":"backward"}`)
	if strings.Contains(string(page), "five") || wire.LookupString(page, "nextCursor") != "v:old:6" {
		t.Errorf("the last page is %s", page)
	}
	c.bad("view/page", `{"sessionId":"old","limit":0}`, -32602, "invalidParams")
	c.bad("view/page", `{"sessionId":"old","limit":1,"direction":"sideways"}`, -32602, "invalidParams")
	c.bad("view/page", `{"sessionId":"old","limit":1,"anchor":"latestCompaction"}`, -32042, "noBoundary")
	c.ok("view/unsubscribe", `{"sessionId":"old"}`)
	c.ok("turn/start", `{"commandId":"t1","sessionId":"old","input":[{"type":"text","text":"go"}]}`)
	s.quiet()
	head := wire.LookupString(c.ok("view/subscribe", `{"sessionId":"old","after":"v:old:7"}`), "viewCursor")
	if head == "v:old:7" || strings.Contains(strings.Join(c.methods()[at+3:], " "), "turn/started") {
		t.Errorf("nobody is subscribed, but: %v, head %s", c.methods()[at+3:], head)
	}
	c.until("turn/completed")
	s.noProblems()
}

func TestSnapshotAndCompaction(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"branch":{"branch":"main","vcs":"git"},"turns":[{"steps":[{"say":"one"},{"todos":[{"text":"x","status":"pending"}]}]},{"steps":[{"say":"two"}]}]}`)
	c := s.open()
	c.session()
	if got := wire.LookupString(c.ok("session/compact", c.inSession("")), "status"); got != "noop" {
		t.Errorf("an empty session is compacted: %q", got)
	}
	c.prompt("go")
	c.terminal()
	c.ok("session/compact", c.inSession(""))
	if got := wire.LookupString(c.until("item/completed").Params, "item", "kind"); got != "compaction" {
		t.Errorf("kind %q", got)
	}
	c.prompt("go")
	c.terminal()
	resume := func(history string) string {
		return string(c.ok("session/resume", c.inSession(fmt.Sprintf(`"history":%q`, history))))
	}
	if shot := resume("snapshot"); !strings.Contains(shot, `"text":"one"`) || !strings.Contains(shot, `"todoList":{"items":[{"text":"x"`) || !strings.Contains(shot, `"branch":"main"`) {
		t.Errorf("the snapshot is %s", shot)
	}
	if shot := resume("anchored"); strings.Contains(shot, `"text":"one"`) || !strings.Contains(shot, `"text":"two"`) || !strings.Contains(shot, "anchoredSnapshot") {
		t.Errorf("the anchored snapshot is %s", shot)
	}
	page := c.ok("view/page", fmt.Sprintf(`{"sessionId":%q,"limit":100,"anchor":"latestCompaction"}`, sessionOne))
	if strings.Contains(string(page), `"text":"one"`) || wire.LookupString(page, "resolvedAnchor", "boundaryCursor") == "" {
		t.Errorf("the page is %s", page)
	}
}

func TestForks(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"one"}]},{"steps":[{"say":"two"}]}]}`)
	c := s.serve()
	c.ok("initialize", `{"clientInfo":{"name":"test","version":"1"},"capabilities":{"requestedCapabilities":["sessionMcp"]}}`)
	c.write(`{"jsonrpc":"2.0","method":"initialized"}`)
	c.session()
	first := c.prompt("go")
	c.terminal()
	c.prompt("go")
	c.terminal()
	c.bad("session/fork", c.inSession(`"cutPoint":{"lastTurnId":"nobody"}`), -32023, "forkBoundaryInvalid")
	params := c.inSession(fmt.Sprintf(`"cutPoint":{"lastTurnId":%q}`, first))
	fork := c.ok("session/fork", params)
	if strings.Contains(string(fork), `"text":"two"`) || !strings.Contains(string(fork), `"text":"one"`) {
		t.Errorf("the fork is %s", fork)
	}
	if again := c.ok("session/fork", params); string(again) != string(fork) {
		t.Errorf("again: %s", again)
	}
	id := wire.LookupString(fork, "session", "sessionId")
	e := c.bad("session/resume", fmt.Sprintf(`{"commandId":"m","sessionId":%q,"config":{"mcpServers":{"a":{"transport":"stdio","command":"a"}}}}`, id), -32030, "commandRejected")
	if got := wire.LookupString(e, "data", "reason"); got != "session_configuration_conflict" {
		t.Errorf("reason %q", got)
	}
	side := c.ok("session/sideChat", c.inSession(""))
	if wire.LookupString(side, "session", "sideFrom", "sessionId") != sessionOne || string(wire.Lookup(side, "session", "forkedFrom")) != "null" {
		t.Errorf("the side chat is %s", side)
	}
	c.ok("session/rename", c.inSession(`"name":" Fine "`))
	if got := wire.LookupString(c.until("session/nameChanged").Params, "name"); got != "Fine" {
		t.Errorf("name %q", got)
	}
	e = c.bad("session/rename", fmt.Sprintf(`{"commandId":"n","sessionId":%q,"name":"Fine"}`, id), -32030, "commandRejected")
	if got := wire.LookupString(e, "data", "reason"); got != "name_taken" {
		t.Errorf("reason %q", got)
	}
	rows := c.ok("session/list", `{"limit":1}`)
	next := wire.LookupString(rows, "nextCursor")
	rest := c.ok("session/list", fmt.Sprintf(`{"limit":2,"cursor":%q}`, next))
	if !strings.HasPrefix(next, "p:k:") || string(wire.Lookup(rest, "nextCursor")) != "null" {
		t.Errorf("pages %s and %s", rows, rest)
	}
	for filter, want := range map[string]int{
		`{"text":{"fields":["name"],"anyOf":["fin"]}}`: 1, `{"sessionId":{"anyOf":["x"]}}`: 0, `{"branch":{"anyOf":[null]}}`: 3, `{}`: 3,
	} {
		got := c.ok("session/list", fmt.Sprintf(`{"filter":%s,"workspaceRoot":%q}`, filter, s.workspace))
		if n := strings.Count(string(got), `"turnCount"`); n != want {
			t.Errorf("filter %s finds %d, want %d", filter, n, want)
		}
	}
	c.bad("session/list", `{"cursor":"p:k:1:x"}`, -32602, "invalidParams")
}
