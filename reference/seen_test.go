//go:build unix

package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

// events are the data of the events of a type in the audit log of the first session, with the ids of pairs left out.
func (w *world) events(typ string) (data []string) {
	w.t.Helper()
	log, err := os.ReadFile(filepath.Join(w.dir, "home/.local/share/acp-conform-reference/audit", w.sessions[0]+".jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	id := regexp.MustCompile(`"id":"[^"]+",`)
	for line := range strings.Lines(string(log)) {
		if strings.HasPrefix(line, `{"type":"`+typ+`"`) {
			_, d, _ := strings.Cut(strings.TrimSuffix(line, "}\n"), `"data":`)
			data = append(data, id.ReplaceAllString(d, ""))
		}
	}
	return data
}

// What is asked, as the log has it: the tool, the call, and the reason of whoever asks, which nobody else gets to see
// (REQ-ASK-09, REQ-ASK-11, REQ-ESC-04).
func TestWhatIsAsked(t *testing.T) {
	t.Parallel()
	const hookLine = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"be careful"}}'`
	for name, c := range map[string]struct {
		script, hook, reject string
		data, secret         string
	}{
		"the call itself": {"approve", "", "abort", `{"toolName":"bash","callId":"call1"}`, "approval/asked"},
		"an escalation": {"escalate", "", "reject-once",
			`{"toolName":"bash","callId":"call1","reason":"escalate sandbox to workspace-write: the user asked"}`, "escalate sandbox to"},
		"a hook": {"approve", hookLine, "reject-once", `{"toolName":"bash","callId":"call1","reason":"be careful"}`, "be careful"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.script, sandboxed)
			if c.hook != "" {
				path := filepath.Join(w.dir, "hook.sh")
				if err := os.WriteFile(path, []byte(c.hook), 0o600); err != nil {
					t.Fatal(err)
				}
				w.options.Hooks = []string{"/bin/sh " + path}
			}
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(selected(0, c.reject))
			lines = append(append(lines, w.until(`"id":2`)...), w.close()...)
			if diff := cmp.Diff([]string{c.data}, w.events("approval/asked")); diff != "" {
				t.Errorf("what was asked (-want +got):\n%s", diff)
			}
			if contains(lines, c.secret) || contains(w.hostFrames(), c.secret) {
				t.Errorf("%q is for the log alone; the client got %q, the host %q", c.secret, lines, w.hostFrames())
			}
		})
	}
}

// The notice of a switch is logged as the seam's (REQ-POL-13).
func TestNoticeInTheLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text", never).ready(1)
	w.send(w.prompt(2, 0))
	w.until(`"id":2`)
	w.close()
	text := strings.ReplaceAll(switched("ask", "never", "the operator/config"), `"`, `\"`)
	want := []string{fmt.Sprintf(`{"source":{"kind":"plugin","plugin":"user-approval"},"text":"%s"}`, text)}
	if diff := cmp.Diff(want, w.events("context/message")); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
}

// Without the seam there is no policy, so the model is told of none (REQ-POL-14).
func TestNoSeamSaysNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text", never, func(o *reference.Options) { o.NoApprovals = true }).ready(1)
	w.send(w.prompt(2, 0))
	w.until(`"id":2`)
	w.close()
	if diff := cmp.Diff([]string{sayHello}, w.turnInputs()); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

// C42 (REQ-POL-14): the seam goes away in a session that was told never, with a switch that waits for the next turn. The
// model is told nothing more, the option is not there any more, and the switch is gone. When the seam is back, the
// sentence is, and there is no notice: the policy is the one that the model was told last.
func TestSeamUnmountedUnderNever(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	w := newWorld(t, "text")
	w.seam = func(seam reference.Service) func() reference.Service {
		return func() reference.Service {
			if gone.Load() {
				return nil
			}
			return seam
		}
	}
	w.ready(1)
	turn := func(id int) {
		t.Helper()
		w.send(w.prompt(id, 0))
		w.until(fmt.Sprintf(`"id":%d,"result":{"stopReason":"end_turn"}`, id))
	}
	set := func(id int, value, want string) {
		t.Helper()
		w.send(w.set(id, 0, "approval-policy", `"`+value+`"`))
		lines := w.until(fmt.Sprintf(`"id":%d`, id))
		if !contains(lines, want) {
			t.Errorf("%q instead of %s", lines, want)
		}
	}
	set(2, "never", `"currentValue":"never"`)
	turn(3)
	set(4, "ask", `"currentValue":"ask"`)
	gone.Store(true)
	turn(5)
	set(6, "ask", `Invalid params: unknown approval-policy value \"ask\"`)
	gone.Store(false)
	turn(7)
	w.close()
	want := []string{sayNever + "," + notice("ask", "never", "the user") + "," + sayHello, sayHello, sayNever + "," + sayHello}
	if diff := cmp.Diff(want, w.turnInputs()); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`{"policy":"never"}`}, w.events("approval/policy")); diff != "" {
		t.Errorf("switches (-want +got):\n%s", diff)
	}
}

// Of a question and its decision the model sees what the host makes of the call, and nothing comes with the next turn;
// the client sees neither (REQ-AUD-03).
func TestTheModelSeesTheResultAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "approve-each").ready(1)
	var lines []string
	for turn, option := range []string{"allow_once", "abort"} {
		w.send(w.prompt(turn+2, 0))
		lines = append(lines, w.answering(fmt.Sprintf(`"id":%d`, turn+2), chooses(option, ""))...)
	}
	w.send(w.prompt(4, 0))
	lines = append(append(lines, w.answering(`"id":4`, chooses("abort", ""))...), w.close()...)
	if n := len(w.events("approval/decided")); n != 3 {
		t.Errorf("%d decisions were logged, want 3", n)
	}
	if diff := cmp.Diff([]string{sayHello, sayHello, sayHello}, w.turnInputs()); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	for _, word := range []string{"approval/asked", "approval/decided", "allowed-once"} {
		if contains(lines, word) || contains(w.hostFrames(), word) {
			t.Errorf("%q is for the log alone; the client got %q, the host %q", word, lines, w.hostFrames())
		}
	}
}
