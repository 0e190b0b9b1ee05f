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

// The handshake, byte by byte, whatever version the client asks for.
func TestInitialize(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text", func(o *reference.Options) { o.Version = "1.2.3" }).start()
	want := `{"jsonrpc":"2.0","id":0,"result":{"agentCapabilities":{"auth":{},"mcpCapabilities":{},"promptCapabilities":{"embeddedContext":true,"image":true},"sessionCapabilities":{"close":{},"resume":{}}},"agentInfo":{"name":"acp-conform-reference","version":"1.2.3"},"authMethods":[],"protocolVersion":1}}`
	for _, params := range []string{
		`{"protocolVersion":1}`, `{"protocolVersion":0}`, `{"protocolVersion":2}`, `{"protocolVersion":65535}`, `{"protocolVersion":1.0}`,
		`{"protocolVersion":1,"clientInfo":null,"clientCapabilities":null}`,
		`{"protocolVersion":1,"clientCapabilities":42,"_meta":[],"x":{}}`,
		`{"protocolVersion":1,"clientCapabilities":{"_meta":{"muse/approval":true}}}`,
	} {
		w.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":` + params + `}`)
		if diff := cmp.Diff(want, w.next()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", params, diff)
		}
	}
	for _, params := range []string{`{}`, `null`, `"x"`, `[]`, `{"protocolVersion":"1"}`, `{"protocolVersion":1.5}`, `{"protocolVersion":null}`, `{"protocolVersion":1e999999999}`} {
		w.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":` + params + `}`)
		if got := w.next(); !strings.Contains(got, `"code":-32602`) {
			t.Errorf("%s: %s", params, got)
		}
	}
	w.send(`{"jsonrpc":"2.0","id":0,"method":"initialize"}`)
	if got := w.next(); !strings.Contains(got, `"code":-32602`) {
		t.Errorf("no params: %s", got)
	}
	w.close()
}

// Lines that are no proper requests, and what they get; after each the connection works (ACP-RPC-06 to -21).
func TestEnvelopes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").ready(1)
	for name, c := range map[string]struct {
		line string
		want string // of the answer; empty for none
	}{
		"unknown method":           {`{"jsonrpc":"2.0","id":7,"method":"nope/nope","params":{"x":1}}`, `"id":7,"error":{"code":-32601,`},
		"empty method":             {`{"jsonrpc":"2.0","id":7,"method":""}`, `"id":7,"error":{"code":-32601,`},
		"client's method":          {`{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file"}`, `"id":7,"error":{"code":-32601,`},
		"custom method":            {`{"jsonrpc":"2.0","id":"a","method":"_zz/none"}`, `"id":"a","error":{"code":-32601,`},
		"null id":                  {`{"jsonrpc":"2.0","id":null,"method":"nope"}`, `"id":null,"error":{"code":-32601,`},
		"odd ids are kept":         {`{"jsonrpc":"2.0","id":1e15,"method":"nope"}`, `"id":1e15,"error"`},
		"not JSON":                 {`{bad`, `"id":null,"error":{"code":-32700,`},
		"not UTF-8":                {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", `"id":null,"error":{"code":-32700,`},
		"scalar":                   {`42`, `"id":null,"error":{"code":-32600,`},
		"batch":                    {`[{"jsonrpc":"2.0","id":1,"method":"nope"}]`, `"id":null,"error":{"code":-32600,`},
		"no version":               {`{"id":7,"method":"nope"}`, `"id":7,"error":{"code":-32600,`},
		"blank":                    {"", ""},
		"blank with CR":            {" \r", ""},
		"CR":                       {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"nope\"}\r", `"id":7,"error":{"code":-32601,`},
		"notification":             {`{"jsonrpc":"2.0","method":"nope"}`, ""},
		"custom notification":      {`{"jsonrpc":"2.0","method":"_x/y"}`, ""},
		"protocol notification":    {`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`, ""},
		"request without id":       {`{"jsonrpc":"2.0","method":"session/new","params":{"cwd":"/","mcpServers":[]}}`, ""},
		"cancel, unknown session":  {`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"x"}}`, ""},
		"cancel, bad params":       {`{"jsonrpc":"2.0","method":"session/cancel","params":7}`, ""},
		"cancel with id":           {`{"jsonrpc":"2.0","id":7,"method":"session/cancel","params":{"sessionId":"x"}}`, `"id":7,"result":{}`},
		"answer to nothing":        {`{"jsonrpc":"2.0","id":999,"result":{}}`, ""},
		"error to nothing":         {`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, ""},
		"prompt, no session":       {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"prompt":[]}}`, `"id":7,"error":{"code":-32602,`},
		"prompt, unknown session":  {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"x","prompt":[{"type":"text","text":"a"}]}}`, `"id":7,"error":{"code":-32602,"message":"Invalid params: unknown session: x"`},
		"prompt, params a string":  {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":"x"}`, `"id":7,"error":{"code":-32602,`},
		"prompt, other case":       {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"SessionID":"{s}","prompt":[]}}`, `"id":7,"error":{"code":-32602,`},
		"prompt, none":             {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"{s}"}}`, `"id":7,"error":{"code":-32602,`},
		"prompt, empty":            {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"{s}","prompt":[]}}`, `"id":7,"error":{"code":-32602,`},
		"prompt, null":             {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"{s}","prompt":null}}`, `"id":7,"error":{"code":-32602,`},
		"prompt, unknown block":    {`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":"{s}","prompt":[{"type":"video"}]}}`, `"id":7,"error":{"code":-32602,`},
		"new, params null":         {`{"jsonrpc":"2.0","id":7,"method":"session/new","params":null}`, `"id":7,"error":{"code":-32602,`},
		"new, no params":           {`{"jsonrpc":"2.0","id":7,"method":"session/new"}`, `"id":7,"error":{"code":-32602,`},
		"new, cwd of a kind":       {`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":42,"mcpServers":[]}}`, `"id":7,"error":{"code":-32602,`},
		"new, relative":            {`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"./a","mcpServers":[]}}`, `"id":7,"error":{"code":-32602,`},
		"new, not there":           {`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/nonexistent","mcpServers":[]}}`, `"id":7,"error":{"code":-32602,`},
		"new, NUL":                 {`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/\u0000","mcpServers":[]}}`, `"id":7,"error":{"code":-32602,`},
		"new, more directories":    {`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/","mcpServers":[],"additionalDirectories":["/tmp"]}}`, `"data":{"availability":"unsupported"}`},
		"new, servers missing":     {`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/"}}`, `"id":7,"result":{"sessionId":"`},
		"new, a server":            {`{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/","mcpServers":[{}]}}`, `"id":7,"error":{"code":-32602,`},
		"new, separators in _meta": {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"session/new\",\"params\":{\"cwd\":\"/\",\"_meta\":{\"x\":\"\u2028\u2029\"}}}", `"id":7,"result":{"sessionId":"`},
	} {
		w.send(strings.ReplaceAll(c.line, "{s}", w.sessions[0]), `{"jsonrpc":"2.0","id":"probe","method":"nope"}`)
		got := w.next()
		if c.want != "" {
			if !strings.Contains(got, c.want) {
				t.Errorf("%s: got %s, want %s", name, got, c.want)
			}
			got = w.next()
		}
		if !strings.Contains(got, `"id":"probe"`) {
			t.Errorf("%s: unexpected %s", name, got)
			w.until(`"id":"probe"`)
		}
	}
	w.close()
}

// Before initialize there are no sessions; a file is no workspace; links are resolved.
func TestSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").start()
	newIn := func(dir string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, dir)
	}
	w.send(newIn(w.cwd))
	if got := w.next(); !strings.Contains(got, `"code":-32600`) {
		t.Errorf("before initialize: %s", got)
	}
	link, file := filepath.Join(w.dir, "link"), filepath.Join(w.dir, "file")
	if os.Symlink(w.cwd, link) != nil || os.WriteFile(file, nil, 0o600) != nil {
		t.Fatal("the workspace cannot be prepared")
	}
	w.send(hello, newIn(file), newIn(link), newIn(link))
	w.next()
	if got := w.next(); !strings.Contains(got, `"code":-32602`) {
		t.Errorf("a file: %s", got)
	}
	for range 2 {
		w.sessions = append(w.sessions, sessionOf(w.next()))
	}
	if w.sessions[0] == w.sessions[1] || len(w.sessions[0]) != 36 || w.sessions[0][14] != '7' {
		t.Errorf("session ids: %q", w.sessions)
	}
	w.send(w.prompt(2, 0))
	w.until("end_turn")
	w.close()
	if !contains(w.hostFrames(), fmt.Sprintf(`"workspaceRoot":%q`, w.cwd)) {
		t.Errorf("the host got: %q", w.hostFrames())
	}
}

// Chunks of any size make the same lines, and a line that is too long is refused and skipped (ACP-TRN-06, -08).
func TestChunks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").start()
	for _, b := range []byte(hello + "\n") {
		if _, err := w.stdin.Write([]byte{b}); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.next(); !strings.Contains(got, `"protocolVersion":1`) {
		t.Errorf("byte by byte: %s", got)
	}
	pad := strings.Repeat("x", 17<<20)
	w.send(`{"jsonrpc":"2.0","id":7,"method":"nope","params":"` + pad + `"}`)
	if got := w.next(); !strings.Contains(got, `"id":7,"error":{"code":-32601`) {
		t.Errorf("17 MiB: %s", got)
	}
	w.send(strings.Repeat(pad, 4)+"\n"+`{"jsonrpc":"2.0","id":8,"method":"nope"}`, `{"jsonrpc":"2.0","id":9,"method":"cut off`[:20])
	if got := w.next(); !strings.Contains(got, `"id":null,"error":{"code":-32700`) {
		t.Errorf("68 MiB: %s", got)
	}
	if got := w.next(); !strings.Contains(got, `"id":8,"error":{"code":-32601`) {
		t.Errorf("after it: %s", got)
	}
	w.close()
}

// Options are checked with the value and the choices in the message.
func TestOptions(t *testing.T) {
	t.Parallel()
	env := []string{"HOME=/h"}
	for name, c := range map[string]struct {
		args []string
		want []string // in the error; none for a good one
	}{
		"good":        {[]string{"--approval-policy", "never", "--no-approvals", "--hook", "a b", "--hook", "c", "--sandbox-mode=read-only", "--privileged", "no", "--data", "d", "--muse", "m", "--start-deadline", "1s", "--fault", "text-twice"}, nil},
		"nothing":     {nil, nil},
		"no sandbox":  {[]string{"--sandbox-mode=none"}, nil},
		"policy":      {[]string{"--approval-policy", "sometimes"}, []string{`"sometimes"`, `"ask" or "never"`}},
		"sandbox":     {[]string{"--sandbox-mode", "yolo"}, []string{`"yolo"`, "read-only, workspace-write, danger-full-access"}},
		"privileged":  {[]string{"--privileged", "maybe"}, []string{`"maybe"`, "auto, yes, no"}},
		"fault":       {[]string{"--fault", "nope"}, []string{`"nope"`}},
		"deadline":    {[]string{"--stop-grace", "-1s"}, []string{"stop-grace", "-1s"}},
		"no duration": {[]string{"--stop-grace", "soon"}, []string{"stop-grace"}},
		"hook":        {[]string{"--hook", " "}, []string{"hook", "names no program"}},

		// What is given but empty is no wish for the default.
		"empty policy":     {[]string{"--approval-policy="}, []string{"approval-policy", `""`, `"ask" or "never"`}},
		"policy emptied":   {[]string{"--approval-policy", "never", "--approval-policy", ""}, []string{`""`}},
		"empty sandbox":    {[]string{"--sandbox-mode="}, []string{"sandbox-mode", `""`, "read-only, workspace-write, danger-full-access"}},
		"empty privileged": {[]string{"--privileged="}, []string{"privileged", `""`, "auto, yes, no"}},
		"empty hook":       {[]string{"--hook="}, []string{"hook", "names no program"}},
		"empty fault":      {[]string{"--fault="}, []string{"fault", "names no fault"}},
		"empty muse":       {[]string{"--muse="}, []string{"muse", "names no program"}},
		"empty data":       {[]string{"--data="}, []string{"data", "names no folder"}},
		"empty model":      {[]string{"--model="}, []string{"model", "names no model"}},
		"empty provider":   {[]string{"--provider= "}, []string{"provider", "names no provider"}},
		"no switch":        {[]string{"--no-approvals="}, []string{"no-approvals"}},
		"deadline of zero": {[]string{"--stall-deadline=0"}, []string{"stall-deadline", "must be above zero"}},
		"empty deadline":   {[]string{"--hook-deadline="}, []string{"hook-deadline", `""`}},
		"argument":         {[]string{"extra"}, []string{`"extra"`}},
		"flag":             {[]string{"--nope"}, []string{"nope"}},
	} {
		o, err := reference.ParseFlags(c.args, env, "/d")
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", name, err)
		}
		for _, part := range c.want {
			if err != nil && !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v does not name %s", name, err, part)
			}
		}
		if name == "good" && (len(o.Hooks) != 2 || o.Fault != reference.TextTwice || !o.NoApprovals) {
			t.Errorf("options: %+v", o)
		}
	}
	if err := reference.Run(t.Context(), strings.NewReader(""), os.Stderr, os.Stderr, reference.Options{}); err == nil {
		t.Error("no folder for the data, and no error")
	}
}
