//go:build unix

package reference_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

const cancelled = `"result":{"stopReason":"cancelled"}`

// A prompt and its cancel in one write: none is lost, and no host is started (ACP-CAN-08).
func TestCancelInOneWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").ready(1)
	for i := range 200 {
		id := 100 + i
		w.send(w.prompt(id, 0), w.cancel(0))
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, id, cancelled)
		if got := w.next(); got != want {
			t.Fatalf("try %d: got %s, want %s", i, got, want)
		}
	}
	// A cancel before a prompt, and one that nobody needs, harm nothing (ACP-CAN-07).
	w.send(w.cancel(0), w.prompt(2, 0))
	w.until(`"id":2,"result":{"stopReason":"end_turn"}`)
	w.send(w.cancel(0), w.prompt(3, 0))
	w.until(`"id":3,"result":{"stopReason":"end_turn"}`)
	w.close()
	if n := strings.Count(strings.Join(w.methods(), "\n"), "+ serve"); n != 1 {
		t.Errorf("%d hosts were started, want 1", n)
	}
}

// What stands beside a prompt in one write keeps its place: its answer comes before anything of the turn.
func TestOneWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").ready(1)
	w.send(w.prompt(2, 0), w.prompt(3, 0), `{"jsonrpc":"2.0","id":4,"method":"nope"}`, `{"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{"sessionId":"x","prompt":[]}}`)
	for _, want := range []string{`"id":3,"error":{"code":-32600`, `"id":4,"error":{"code":-32601`, `"id":5,"error":{"code":-32602`} {
		if got := w.next(); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	w.until(`"id":2,"result":{"stopReason":"end_turn"}`)
	w.close()
}

// A cancel while a question is open settles the prompt without waiting for the answer, and a late allow does nothing.
func TestCancelWhileAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "cancel").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(w.cancel(0), w.cancel(0))
	want := []string{
		card("tool_call_update", "failed", touch, texts(`"Error: approval for tool \"bash\" was cancelled"`)),
		`{"jsonrpc":"2.0","id":2,` + cancelled + `}`,
	}
	if diff := cmp.Diff(want, w.plain(w.until(`"id":2`))); diff != "" {
		t.Errorf("after the cancel (-want +got):\n%s", diff)
	}
	if frames := w.hostFrames(); frames[len(frames)-1] != "-" || w.count("turn/cancel") != 1 {
		t.Errorf("the host: %q", w.methods())
	}
	w.send(selected(0, "allow_once"))
	w.script("text")
	w.send(w.prompt(3, 0))
	w.until(`"id":3,"result":{"stopReason":"end_turn"}`)
	w.close()
	if w.marker("call1") || len(w.decisions()) != 0 {
		t.Error("the late answer did something")
	}
	events := []string{
		"turn/start", "tool/call", "approval/asked", "approval/decided cancelled", "tool/result", "turn/end aborted",
		"turn/start", "turn/end completed",
	}
	if diff := cmp.Diff(events, w.log(0)); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// An answer and a cancel in one write are taken in their order.
func TestAnswerThenCancel(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := newWorld(t, "cancel").ready(1)
		w.send(w.prompt(2, 0))
		w.until("request_permission")
		w.send(w.cancel(0), selected(0, "allow_once"))
		w.until(`"id":2,` + cancelled)
		w.close()
		if len(w.decisions()) != 0 {
			t.Error("an answer behind the cancel was sent")
		}
		w = newWorld(t, "cancel").ready(1)
		w.send(w.prompt(2, 0))
		w.until("request_permission")
		w.send(selected(0, "allow_once"), w.cancel(0))
		w.until(`"id":2,` + cancelled)
		w.close()
		if len(w.decisions()) != 1 {
			t.Error("an answer before the cancel was not sent")
		}
	}
}

// The end of stdin: an open question ends unavailable, the turn is cancelled, the host has gone (REQ-ACP-13,
// ACP-TRN-11, ACP-TRN-12).
func TestEndWhileAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "cancel").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	rest := w.close()
	if !contains(rest, `"id":2,`+cancelled) || !contains(rest, "no approval channel is available") {
		t.Errorf("the rest: %q", rest)
	}
	if frames := w.hostFrames(); frames[len(frames)-1] != "-" || len(w.decisions()) != 0 || w.count("turn/cancel") != 1 {
		t.Errorf("the host: %q", w.methods())
	}
	if !contains(w.log(0), "approval/decided unavailable") {
		t.Errorf("audit log: %q", w.log(0))
	}
}

// The end of the context ends a run as the end of stdin does, though the client stays.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "silent", func(o *reference.Options) { o.Deadlines.Cancel = time.Millisecond })
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	w.stdin, w.lines, w.done = inW, make(chan string, 1000), make(chan error, 1)
	go w.readLines(outR)
	go func() {
		w.done <- reference.Run(ctx, inR, outW, io.Discard, w.options)
		_ = outW.Close()
	}()
	w.send(hello, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, w.cwd))
	w.next()
	w.sessions = []string{sessionOf(w.next())}
	w.send(w.prompt(2, 0))
	w.until("tool_call")
	cancel(stop)
	if err := <-w.done; !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	if frames := w.hostFrames(); frames[len(frames)-1] != "-" {
		t.Error("the host was left running")
	}
}

// A host that ignores everything, with a child that holds its stdout, is ended with it.
func TestStubbornHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "stubborn", func(o *reference.Options) {
		o.Deadlines.Cancel, o.Deadlines.Stop, o.Deadlines.Term = time.Millisecond, time.Millisecond, time.Millisecond
	}).ready(1)
	w.send(w.prompt(2, 0))
	w.until("here")
	w.send(w.cancel(0))
	w.until(`"id":2,` + cancelled)
	w.close()
	data, err := os.ReadFile(filepath.Join(w.bin, "child"))
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(data), &pid); err != nil {
		t.Fatal(err)
	}
	// SIGKILL was sent; how soon the system acts on it is not ours. A zombie counts as gone.
	there := func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err == nil && !strings.Contains(string(stat), ") Z ") && syscall.Kill(pid, 0) == nil
	}
	tick, limit := time.NewTicker(time.Millisecond), time.After(longTime)
	defer tick.Stop()
	for there() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("the host's child %d is still there", pid)
		}
	}
}

// A silent host with an approval that nobody is asked about fails the prompt after its bound; deadlines are named.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		with   func(*reference.Options)
		want   string
	}{
		"stall":  {"stages-silent", func(o *reference.Options) { o.Deadlines.Stall = 50 * time.Millisecond }, "still pending at requirement 0; stages unreported"},
		"start":  {"deaf", func(o *reference.Options) { o.Deadlines.Start = 50 * time.Millisecond }, `"kind":"deadlineExceeded"`},
		"submit": {"never-acks", func(o *reference.Options) { o.Deadlines.Submit = 50 * time.Millisecond }, `"phase":"submitting","execution":"possiblySubmitted"`},
		"read":   {"never-reads", func(o *reference.Options) { o.Deadlines.Read = 50 * time.Millisecond }, "end_turn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.script, func(o *reference.Options) { o.Deadlines.Cancel = time.Millisecond }, c.with).ready(1)
			w.send(w.prompt(2, 0))
			if name == "stall" {
				w.until("request_permission")
				w.send(selected(0, "allow_once"))
			}
			if lines := w.until(`"id":2`); !contains(lines, c.want) {
				t.Errorf("got %q, want %s", lines, c.want)
			}
			w.close()
			if n := w.count("turn/start"); n > 1 {
				t.Errorf("%d turns were sent", n)
			}
		})
	}
}
