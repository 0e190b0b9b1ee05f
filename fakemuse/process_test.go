//go:build unix

package fakemuse

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

func TestCalls(t *testing.T) {
	t.Parallel()
	s := newScene(t, "", func(o *Options) { o.Version = "1.4.2" })
	out := filepath.Join(s.workspace, "history.json")
	tests := []struct {
		args   []string
		stdout string
		stderr string
		code   int
	}{
		{[]string{"--version"}, "1.4.2\n", "", 0},
		{[]string{"serve", "--help"}, serveHelp, "", 0},
		{[]string{"skills", "list", "--json"}, "{\"skills\":[]}\n", "", 0},
		{[]string{"skills", "list", "--json", "--workspace", "/w"}, "{\"skills\":[]}\n", "", 0},
		{[]string{"logout"}, "", "", 0},
		{[]string{"export", "--session", "x", "--out", "history.json"}, "", "", 0},
		{[]string{"export", "--session", "x", "--out", "/history.json"}, "", "muse: cannot write the export\n", 1},
		{[]string{"export", "--session", "x"}, "", "muse: error: 'export' requires '--out'\n", 2},
		{[]string{"serve", "--yolo"}, "", "muse: error: unexpected argument '--yolo'\n", 2},
		{[]string{"serve", "--provider"}, "", "muse: error: a value is required for '--provider'\n", 2},
		{[]string{"-test.run", "."}, "", "muse: error: unexpected argument '-test.run'\n", 2},
		{[]string{"run"}, "", "muse: error: unexpected argument 'run'\n", 2},
		{nil, "", "muse: error: a command is required\n", 2},
	}
	for _, tt := range tests {
		cmd := s.command(tt.args...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		stdout, err := cmd.Output()
		if string(stdout) != tt.stdout || stderr.String() != tt.stderr || exitCode(err) != tt.code {
			t.Errorf("muse %q: %q, %q, code %d", tt.args, stdout, stderr.String(), exitCode(err))
		}
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != exportText {
		t.Errorf("the export is %q, %v", text, err)
	}
	var argvs [][]string
	for i, call := range s.Calls() {
		argvs = append(argvs, call.Argv)
		if call.Code != tests[i].code || call.Cwd != s.workspace || call.PID == 0 {
			t.Errorf("the call %v", call)
		}
		if refused, _ := strings.CutPrefix(tests[i].stderr, "muse: error: "); tests[i].code == exitUsage && call.Refused+"\n" != refused || tests[i].code != exitUsage && call.Refused != "" {
			t.Errorf("the call %q was refused because of %q, but it said %q", call.Argv, call.Refused, tests[i].stderr)
		}
	}
	var want [][]string
	for _, tt := range tests {
		want = append(want, append([]string{}, tt.args...))
	}
	if diff := cmp.Diff(want, argvs); diff != "" {
		t.Error(diff)
	}
	if len(s.log.Records()) > 0 {
		t.Error("a call made an entry in the log")
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	off := s.command("serve")
	off.Env = append(off.Env, "MUSE_EXPERIMENTAL_SDK_ENABLED=off")
	if code := exitCode(off.Run()); code != exitClosed {
		t.Errorf("a surface that is switched off exits %d", code)
	}
	dir := filepath.Join(s.root, "home", ".config", "muse")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(s.serve().gone()); code != exitUnhandled {
		t.Errorf("a host with broken settings exits %d", code)
	}
}

// A session is exported as its view tells it.
func TestExport(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"sessions":[{"sessionId":"old","items":[{"itemId":"i1","kind":"userMessage","turnId":"t","revision":1,"status":"completed","text":"hello"}]}],"turns":[{"steps":[{"say":["new ","text"]}]}]}`)
	c := s.open()
	c.ok("session/resume", `{"commandId":"r","sessionId":"old"}`)
	c.ok("turn/start", `{"commandId":"t1","sessionId":"old","input":[{"type":"text","text":"go"}]}`)
	c.terminal()
	if err := s.command("export", "--session", "old", "--out", "x.json").Run(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(s.workspace, "x.json"))
	if err != nil {
		t.Fatal(err)
	}
	hello, new := strings.Index(string(text), `"hello"`), strings.Index(string(text), `"new text"`)
	if !strings.HasPrefix(string(text), `{"export_schema_version":1,"events":[{"method":"item/completed"`) || hello < 0 || new < hello || strings.Contains(string(text), "item/delta") {
		t.Errorf("the export is %s", text)
	}
}

func TestStartFacts(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	c := s.serve("--disable-write", "--sandbox-network", "enabled")
	c.handshake()
	c.end()
	starts := s.Starts()
	want := []StartFact{{
		Lane: wire.Lane{Name: "muse", N: 1}, PID: c.cmd.Process.Pid, Argv: []string{"serve", "--disable-write", "--sandbox-network", "enabled"},
		Cwd: s.workspace, Env: map[string]string{"HOME": filepath.Join(s.root, "home")}, DirFirst: true,
	}}
	if diff := cmp.Diff(want, starts); diff != "" {
		t.Error(diff)
	}
	first := s.log.Records()[0]
	if first.Dir != wire.Start || string(first.Data) != `["serve","--disable-write","--sandbox-network","enabled"]` {
		t.Errorf("the log begins with %c %s", first.Dir, first.Data)
	}
	if strings.Contains(fmt.Sprint(starts), "SECRET") {
		t.Error("the facts hold a secret")
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		signal syscall.Signal
		code   int
		entry  string
	}{
		{syscall.SIGTERM, 143, "muse 1 signal SIGTERM"},
		{syscall.SIGINT, 130, "muse 1 signal SIGINT"},
		{syscall.SIGKILL, -1, "muse 1 lost"},
	} {
		t.Run(tt.signal.String(), func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"sleep 600"}}}]}]}`)
			c := s.open()
			c.session()
			c.prompt("go")
			c.cmd.Process.Signal(tt.signal)
			if code := exitCode(c.gone()); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			s.awaitExit(strings.TrimPrefix(tt.entry, "muse 1 "))
			if diff := cmp.Diff([]string{tt.entry}, s.exits()); diff != "" {
				t.Error(diff)
			}
			s.quiet()
		})
	}
}

// The end of stdin cancels the running turn durably, then the host exits with 0; the claim covers all of it.
func TestDrain(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"sleep 600"}}}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	c.until("item/started")
	c.stdin.Close()
	s.quiet()
	if err := c.gone(); err != nil {
		t.Errorf("the host exited with %v", err)
	}
	want := []string{"item/started", "item/completed", "turn/completed"}
	if diff := cmp.Diff(want, tail(c.methods(), "item/started")); diff != "" {
		t.Error(diff)
	}
	records := s.log.Records()
	if last := records[len(records)-1]; last.Dir != wire.Exit || string(last.Data) != "exit 0" {
		t.Errorf("the log ends with %s", last.Data)
	}
}

// Nobody who waits for an idle log sees it between a frame, the end of stdin behind it, and the Exit entry.
func TestNoIdleGap(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	for n := 1; n <= 50; n++ {
		conn, err := net.Dial("tcp", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		h := hello{Token: s.token, Nonce: fmt.Sprint(n), Kind: "serve", Argv: []string{"serve"}, PID: 1<<22 + n}
		if _, err := conn.Write(helloOf(t, h)); err != nil {
			t.Fatal(err)
		}
		if kind, _, err := readMessage(bufio.NewReader(conn)); err != nil || kind != msgWelcome {
			t.Fatal(kind, err)
		}
		s.quiet()
		lane := wire.Lane{Name: "muse", N: n}
		line := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"a","version":"1"}}}` + "\n"
		sent := appendMessage(appendData(nil, []byte(line+line)), msgEOF, nil)
		if _, err := conn.Write(sent); err != nil {
			t.Fatal(err)
		}
		var kinds string
		s.await("something came and nobody works", func(v wire.View) bool {
			kinds = ""
			for _, r := range v.Records() {
				if r.Lane == lane {
					kinds += string(r.Dir)
				}
			}
			return len(kinds) > 1 && v.Idle()
		})
		if kinds != "+<><>-" {
			t.Errorf("the log was idle after %q", kinds)
		}
		conn.Close()
	}
}

func TestLastLineWithoutLF(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	c := s.serve()
	io.WriteString(c.stdin, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"a","version":"1"}}}`)
	c.end()
	records := s.log.Records()
	if !records[1].Partial || len(records) != 4 || records[2].Frame.Result == nil {
		t.Errorf("the log is\n%s", s.dump())
	}
}

// A stand-in whose server is gone exits with 70 within a second, even if its stdin stays open.
func TestServerCloses(t *testing.T) {
	t.Parallel()
	s := newScene(t, "")
	c := s.open()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if code := exitCode(c.gone()); code != exitLost {
		t.Errorf("exit code %d", code)
	}
	if diff := cmp.Diff([]string{"muse 1 lost"}, s.exits()); diff != "" {
		t.Error(diff)
	}
}

// A stand-in that cannot go by itself is killed.
func TestCloseKillsStuckStandIn(t *testing.T) {
	t.Parallel()
	s := newScene(t, "", func(o *Options) { o.Grace = 50 * time.Millisecond })
	c := s.open()
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(c.cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the stand-in does not stop: %v, %v", status, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := c.gone(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("it ended with %v", err)
	}
}

// An adapter that does not read its host's output does not keep the harness from closing.
func TestCloseWithFullPipe(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"`+strings.Repeat("x", 200<<10)+`"},{"exit":4}]}]}`)
	cmd := s.command("serve")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(stdin, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"a","version":"1"}}}
{"jsonrpc":"2.0","method":"initialized"}
{"jsonrpc":"2.0","id":2,"method":"session/start","params":{"commandId":"a","sessionId":%q}}
{"jsonrpc":"2.0","id":3,"method":"turn/start","params":{"commandId":"b","sessionId":%q,"input":[]}}
`, sessionOne, sessionOne)
	s.awaitExit("exit 4")
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	io.Copy(io.Discard, stdout)
	if code := exitCode(cmd.Wait()); code != 4 {
		t.Errorf("exit code %d", code)
	}
}

// A slow adapter gets everything that the host said before it exited.
func TestOutputIsCompleteAtExit(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"`+strings.Repeat("x", 200<<10)+`"},{"exit":4}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	s.awaitExit("exit 4")
	if code := exitCode(c.gone()); code != 4 {
		t.Errorf("exit code %d", code)
	}
	sent := 0
	for _, r := range s.log.Records() {
		if r.Dir == wire.ToAdapter {
			sent++
		}
	}
	if len(c.seen) != sent {
		t.Errorf("%d of %d frames came", len(c.seen), sent)
	}
}

// A harness that is killed leaves no stand-in behind.
func TestHarnessIsKilled(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	harness := exec.CommandContext(patient(t), own, doomedHarness)
	hold, keep, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer keep.Close()
	harness.Stdin = hold
	out, err := harness.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Start(); err != nil {
		t.Fatal(err)
	}
	hold.Close()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	var dir string
	if _, err := fmt.Sscan(line, &pid, &dir); err != nil {
		t.Fatalf("the harness said %q: %v", line, err)
	}
	defer os.RemoveAll(dir)
	harness.Process.Kill()
	begin := time.Now()
	// Its output ends when the last process that holds it is gone: the stand-in.
	io.Copy(io.Discard, out)
	if took := time.Since(begin); took > patience/2 {
		t.Errorf("the stand-in took %v to go", took)
	}
	harness.Wait()
}

func TestServeWithoutServer(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Link(own, filepath.Join(dir, "muse")); err != nil {
		t.Skip(err)
	}
	cmd := exec.CommandContext(patient(t), filepath.Join(dir, "muse"), "serve")
	cmd.Env = []string{}
	out, err := cmd.CombinedOutput()
	if exitCode(err) != exitLost || strings.Count(string(out), "\n") != 1 {
		t.Errorf("serve without a server: %q, %v", out, err)
	}
}
