//go:build unix

package reference_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"acp-conform/reference"
	"acp-conform/reference/audit"
)

func TestMain(m *testing.M) {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	switch filepath.Base(exe) {
	case "muse":
		os.Exit(playPeer(exe))
	case "adapter":
		os.Exit(playAdapter())
	}
	goleak.VerifyTestMain(m)
}

// playAdapter is the adapter as a process. Its environment is all that it gets.
func playAdapter() int {
	dir, err := os.Getwd()
	if err != nil {
		return 1
	}
	o, err := reference.ParseFlags(os.Args[1:], os.Environ(), dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if err := reference.Run(context.Background(), os.Stdin, os.Stdout, os.Stderr, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// longTime is more than any step of a test takes, however slow the machine.
const longTime = time.Minute

// world is a place for an adapter: its folders and the host that it finds.
type world struct {
	t              *testing.T
	dir, cwd, bin  string
	options        reference.Options
	stdin          io.WriteCloser
	stdout         *bufio.Reader
	done           chan error
	lines          chan string
	sessions       []string
	hello          string // the initialize request, where it is not hello
	asWholeProcess bool
	seam           func(reference.Service) func() reference.Service // stands in for the seam
	logs           audit.Config                                     // how the adapter keeps its audit logs
}

// newWorld makes a place with a host that plays the script. The options may be changed by with.
func newWorld(t *testing.T, script string, with ...func(*reference.Options)) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, cwd: filepath.Join(dir, "work"), bin: filepath.Join(dir, "bin")}
	for _, d := range []string{w.cwd, w.bin, filepath.Join(dir, "home")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.link("muse")
	w.script(script)
	w.options = reference.Options{
		Privileged: "no",
		Env:        []string{"PATH=" + w.bin + ":/usr/bin:/bin", "HOME=" + filepath.Join(dir, "home"), "X_TOKEN=topsecret1", noRaceSleep}, Dir: dir,
		Deadlines: reference.Deadlines{
			Start: longTime, Submit: longTime, Page: longTime, Read: longTime, Cancel: longTime, Stall: longTime, Hook: longTime, Stop: longTime,
		},
	}
	for _, f := range with {
		f(&w.options)
	}
	return w
}

func (w *world) link(name string) {
	w.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := os.Link(exe, filepath.Join(w.bin, name)); err != nil {
		w.t.Skipf("a hard link to the test binary cannot be made: %v", err)
	}
}

func (w *world) script(name string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.bin, "script"), []byte(name), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// start starts the adapter, in this process or as one of its own, and reads its lines.
func (w *world) start() *world {
	w.t.Helper()
	w.done, w.lines = make(chan error, 1), make(chan string, 1000)
	var out io.Reader
	if w.asWholeProcess {
		w.link("adapter")
		cmd := exec.Command(filepath.Join(w.bin, "adapter"), "--stop-grace", "1m")
		cmd.Env, cmd.Dir, cmd.Stderr = w.options.Env, w.dir, os.Stderr
		stdin, err1 := cmd.StdinPipe()
		stdout, err2 := cmd.StdoutPipe()
		if err1 != nil || err2 != nil || cmd.Start() != nil {
			w.t.Fatal("the adapter cannot be started")
		}
		w.stdin, out = stdin, stdout
		go func() { w.readLines(out); w.done <- cmd.Wait() }()
	} else {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		w.stdin, out = inW, outR
		go func() {
			w.done <- reference.RunWith(w.t.Context(), inR, outW, os.Stderr, w.options, w.seam, w.logs)
			_ = outW.Close()
		}()
		go w.readLines(out)
	}
	w.t.Cleanup(func() { _ = w.stdin.Close() })
	return w
}

func (w *world) readLines(out io.Reader) {
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			w.lines <- line
		}
		if err != nil {
			close(w.lines)
			return
		}
	}
}

// send writes lines in one piece.
func (w *world) send(lines ...string) {
	w.t.Helper()
	if _, err := io.WriteString(w.stdin, strings.Join(lines, "\n")+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// next is the adapter's next line.
func (w *world) next() string {
	w.t.Helper()
	select {
	case line, ok := <-w.lines:
		if !ok {
			w.t.Fatal("the adapter has ended its output")
		}
		return strings.TrimSuffix(line, "\n")
	case <-time.After(longTime):
		w.t.Fatal("the adapter says nothing")
		return ""
	}
}

// until collects lines up to the one that contains the text.
func (w *world) until(text string) []string {
	w.t.Helper()
	var got []string
	for {
		line := w.next()
		got = append(got, line)
		if strings.Contains(line, text) {
			return got
		}
	}
}

// close ends the adapter's stdin and gives what it still says.
func (w *world) close() []string {
	w.t.Helper()
	_ = w.stdin.Close()
	var rest []string
	for line := range w.lines {
		rest = append(rest, strings.TrimSuffix(line, "\n"))
	}
	if err := <-w.done; err != nil {
		w.t.Errorf("the adapter ended with: %v", err)
	}
	return rest
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`

// ready starts the adapter with that many sessions.
func (w *world) ready(sessions int) *world {
	w.t.Helper()
	w.start()
	if w.hello == "" {
		w.hello = hello
	}
	w.send(w.hello)
	w.next()
	for range sessions {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, w.cwd))
		line := w.next()
		if sessionOf(line) == "" {
			w.t.Fatalf("no session: %s", line)
		}
		w.sessions = append(w.sessions, sessionOf(line))
	}
	return w
}

// sessionOf is the id in the answer to session/new.
func sessionOf(line string) string {
	var r struct{ Result struct{ SessionID string } }
	_ = json.Unmarshal([]byte(line), &r)
	return r.Result.SessionID
}

func (w *world) prompt(id, session int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"hello"}]}}`, id, w.sessions[session])
}

func (w *world) cancel(session int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, w.sessions[session])
}

// selected is the answer to a question.
func selected(id int, option string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"outcome":{"outcome":"selected","optionId":%q}}}`, id, option)
}

// hostFrames are what the hosts got: "+ argv" at a start, "-" at an end, frames in between.
func (w *world) hostFrames() []string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.bin, "frames"))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// methods are the methods of the frames that the hosts got; answers are shown as they are.
func (w *world) methods() []string {
	var out []string
	for _, line := range w.hostFrames() {
		var f frame
		if json.Unmarshal([]byte(line), &f) == nil && f.Method != "" {
			line = f.Method
		}
		out = append(out, line)
	}
	return out
}

// count is how often a method reached the hosts.
func (w *world) count(method string) int {
	n := 0
	for _, m := range w.methods() {
		if m == method {
			n++
		}
	}
	return n
}

func (w *world) marker(call string) bool {
	_, err := os.Stat(filepath.Join(w.bin, "marker-"+call))
	return err == nil
}

// logFile is a session's audit log.
func (w *world) logFile(session int) string {
	return filepath.Join(w.dir, "home/.local/share/acp-conform-reference/audit", w.sessions[session]+".jsonl")
}

// logLines are the lines of a session's audit log.
func (w *world) logLines(session int) []string {
	data, err := os.ReadFile(w.logFile(session))
	if err != nil {
		return nil
	}
	return strings.Split(string(data), "\n")
}

// log are the types of the events in a session's audit log, with the outcome of decisions.
func (w *world) log(session int) []string {
	w.t.Helper()
	data, err := os.ReadFile(w.logFile(session))
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		var e struct {
			Type string
			Data struct{ Outcome, Decision, Kind, Policy, Mode, Text string }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			w.t.Fatal(err)
		}
		out = append(out, strings.TrimSpace(e.Type+" "+e.Data.Outcome+e.Data.Decision+e.Data.Kind+e.Data.Policy+e.Data.Mode+e.Data.Text))
	}
	return out
}

// plain replaces what differs from run to run.
func (w *world) plain(lines []string) []string {
	seen := map[string]string{}
	ids := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	out := slices.Clone(lines)
	for i, line := range out {
		line = strings.ReplaceAll(line, w.dir, "{dir}")
		out[i] = ids.ReplaceAllStringFunc(line, func(id string) string {
			if n := slices.Index(w.sessions, id); n >= 0 {
				return fmt.Sprintf("{session:%d}", n+1)
			}
			if seen[id] == "" {
				seen[id] = fmt.Sprintf("{id:%d}", len(seen)+1)
			}
			return seen[id]
		})
	}
	return out
}

// contains reports whether one of the lines contains the text.
func contains(lines []string, text string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, text) })
}

// noRaceSleep lets hosts that are built with the race detector exit at once, instead of a second later.
const noRaceSleep = "GORACE=atexit_sleep_ms=0"
