//go:build unix

package reference_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
	"acp-conform/reference/approval"
)

// denials are what the model was told, and whether the seam was asked, in one turn in which the user allows whatever
// is asked.
func denials(t *testing.T, w *world) (told []string, pairs int) {
	t.Helper()
	w.ready(1).send(w.prompt(2, 0))
	w.answering(`"id":2`, func(id, line string) string {
		option := "allow_once"
		if strings.Contains(line, `"allow-once"`) {
			option = "allow-once"
		}
		return chooses(option, "")(id, line)
	})
	w.close()
	for _, d := range w.decisions() {
		_, feedback, _ := strings.Cut(d, `"feedback":`)
		told = append(told, strings.TrimPrefix(unquote(feedback), "Error: "))
	}
	for _, e := range w.log(0) {
		if strings.HasPrefix(e, "approval/asked") {
			pairs++
		}
	}
	return told, pairs
}

func absent(o *reference.Options) { o.NoApprovals = true }

// C36 (REQ-ASK-01, REQ-ASK-02, REQ-ASK-13, REQ-ESC-08, REQ-AUD-05): without the seam an ask degrades to its asker's
// reason or to a text of its own, and nothing is recorded; a seam that goes away degrades the next ask only.
func TestSeamAbsentOrUnmounted(t *testing.T) {
	t.Parallel()
	hook := func(reason string) string {
		return `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"` + reason + `"}}'`
	}
	for name, c := range map[string]struct {
		script, hook string
		with         func(*reference.Options)
		goesAfter    int32 // questions after which the seam goes away; 0 for never
		told         []string
		pairs        int
	}{
		"no reason":               {"approve", "", absent, 0, []string{`tool "bash" requires approval (not yet supported)`}, 0},
		"a reason":                {"approve", hook("be careful"), absent, 0, []string{"be careful"}, 0},
		"a hook without a reason": {"approve", hook(""), absent, 0, []string{`tool "bash" requires approval (not yet supported)`}, 0},
		"an escalation": {"escalate", "", func(o *reference.Options) { sandboxed(o); absent(o) }, 0,
			[]string{`sandbox escalation to "workspace-write" requires approval, but no approval service is composed`}, 0},
		"unmounted after one ask": {"approve-twice", "", func(*reference.Options) {}, 1, []string{"", `tool "bash" requires approval (not yet supported)`}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.script, c.with)
			if c.hook != "" {
				w.hook(c.hook)
			}
			if c.goesAfter > 0 {
				w.seam = func(seam reference.Service) func() reference.Service {
					one := &counting{Service: seam}
					return func() reference.Service {
						if one.asked.Load() >= c.goesAfter {
							return nil
						}
						return one
					}
				}
			}
			told, pairs := denials(t, w)
			if diff := cmp.Diff(c.told, told); diff != "" || pairs != c.pairs {
				t.Errorf("%d pairs, told (-want +got):\n%s", pairs, diff)
			}
		})
	}
}

// counting counts the questions that a seam was asked.
type counting struct {
	reference.Service
	asked atomic.Int32
}

func (c *counting) Request(ctx context.Context, req *approval.Request) (approval.Outcome, error) {
	defer c.asked.Add(1)
	return c.Service.Request(ctx, req)
}

// C37 (REQ-ASK-03, REQ-ESC-08, REQ-AUD-05): an approval of a session that is none of ours has no agent to ask for;
// nobody is asked, nothing is recorded, and the model of that session reads why.
func TestNoAgent(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"foreign":          `tool "bash" requires approval, but the call has no agent to route it through`,
		"foreign:escalate": `sandbox escalation to "workspace-write" requires approval, but the call has no agent to route it through`,
		"foreign:wrongly":  `sandbox escalation to "workspace-write" is not strictly wider than this call's current "workspace-write" mode`,
	} {
		mode := sandboxed
		if strings.HasSuffix(script, "wrongly") {
			mode = func(o *reference.Options) { o.SandboxMode = "workspace-write" }
		}
		w := newWorld(t, script, mode)
		told, pairs := denials(t, w)
		if diff := cmp.Diff([]string{want}, told); diff != "" || pairs != 0 || w.marker("call1") {
			t.Errorf("%s: %d pairs, told (-want +got):\n%s", script, pairs, diff)
		}
	}
}

// standIn answers in place of the seam.
type standIn struct {
	reference.Service
	outcome approval.Outcome
}

func (s standIn) Request(ctx context.Context, req *approval.Request) (approval.Outcome, error) {
	out, err := s.Service.Request(ctx, req)
	if err == nil {
		out = s.outcome
	}
	return out, err
}

// C51 (REQ-ASK-08): whatever the user chose, an outcome that is none of the four grants nothing, and neither does one
// of the four that is not the user's.
func TestUnreachableOutcome(t *testing.T) {
	t.Parallel()
	for script, with := range map[string]func(*reference.Options){"approve": func(*reference.Options) {}, "escalate": sandboxed} {
		for outcome, want := range map[approval.Outcome]string{
			"yolo": "unreachable", "": "unreachable", "Allowed-Once": "unreachable", approval.Rejected: "rejected", approval.Unavailable: "no approval channel",
		} {
			w := newWorld(t, script, with)
			w.seam = func(seam reference.Service) func() reference.Service {
				return func() reference.Service { return standIn{seam, outcome} }
			}
			told, _ := denials(t, w)
			if len(told) != 1 || !strings.Contains(told[0], want) || w.marker("call1") {
				t.Errorf("%s, %q: told %q", script, outcome, told)
			}
		}
	}
}

// REQ-ACP-17: an adapter that is told to end while the client is there withdraws its questions; the turn is disposed
// of and nothing runs.
func TestContextEndsWhileAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "cancel")
	ctx, cancel := context.WithCancelCause(t.Context())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	w.stdin, w.lines, w.done = inW, make(chan string, 1000), make(chan error, 1)
	go w.readLines(outR)
	go func() {
		w.done <- reference.Run(ctx, inR, outW, io.Discard, w.options)
		_ = outW.Close()
	}()
	w.send(hello)
	w.next()
	w.send(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"` + w.cwd + `","mcpServers":[]}}`)
	w.sessions = []string{sessionOf(w.next())}
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	stop := errors.New("stop")
	cancel(stop)
	for range w.lines {
	}
	if err := <-w.done; !errors.Is(err, stop) {
		t.Errorf("ended with: %v", err)
	}
	_ = inW.Close()
	want := []string{"turn/start", "tool/call", "approval/asked", "approval/decided cancelled", "tool/result", "turn/end aborted"}
	if diff := cmp.Diff(want, w.log(0)); diff != "" || len(w.decisions()) != 0 {
		t.Errorf("%q, audit log (-want +got):\n%s", w.decisions(), diff)
	}
}

// REQ-AUD-01: a question whose approval is resolved elsewhere is withdrawn, and its pair stands before the end of its
// call; the answer to it comes too late.
func TestResolvedWhileAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "resolved-elsewhere").ready(1)
	w.send(w.prompt(2, 0))
	w.until(`"id":2`)
	w.send(selected(0, "allow_once"), w.prompt(3, 0))
	w.until(`"id":3`)
	w.close()
	one := []string{"turn/start", "tool/call", "approval/asked", "approval/decided cancelled", "tool/result", "turn/end completed"}
	if diff := cmp.Diff(append(one, one...), w.log(0)); diff != "" || len(w.decisions()) != 0 {
		t.Errorf("%q, audit log (-want +got):\n%s", w.decisions(), diff)
	}
}

// A tool that ends while it is asked about has nothing left to approve: its question is withdrawn, and the turn does
// not wait for it any more.
func TestEndsWhileAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "ends-anyway", func(o *reference.Options) { o.Deadlines.Stall = 1 }).ready(1)
	w.send(w.prompt(2, 0))
	w.until("ended")
	w.send(selected(0, "allow_once"), `{"jsonrpc":"2.0","id":"probe","method":"_probe"}`)
	w.until(`"probe"`)
	w.send(w.cancel(0))
	w.until(`"id":2,` + cancelled)
	w.close()
	want := []string{"turn/start", "tool/call", "approval/asked", "approval/decided cancelled", "tool/result", "turn/end aborted"}
	if diff := cmp.Diff(want, w.log(0)); diff != "" || len(w.decisions()) != 0 {
		t.Errorf("%q, audit log (-want +got):\n%s", w.decisions(), diff)
	}
}

// An approval that names no tool cannot be asked about, and a turn that Muse cancels by itself was not cancelled by
// the client.
func TestOddTurns(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"lacks:toolName": `"kind":"failed","reason":"malformedApproval"`, "cancels-itself": `"kind":"aborted","reason":"host"`,
	} {
		w := newWorld(t, script).ready(1)
		w.send(w.prompt(2, 0))
		if lines := w.until(`"id":2`); contains(lines, "request_permission") {
			t.Errorf("%s: %q", script, lines)
		}
		w.close()
		data, err := os.ReadFile(w.logFile(0))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v, %s lacks %s", script, err, data, want)
		}
	}
}
