//go:build unix

package reference_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

// What the host's answers to a decision lead to: nothing is sent twice, whatever they are (muse-adapter.md §6.3).
func TestDecideReplies(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"refuse:-32051:approvalAlreadyResolved":     "end_turn",
		"refuse:-32051:internal":                    "(MSP -32051)",
		"refuse:-32001:overloaded":                  "(MSP -32001)",
		"refuse:-32031:backpressured":               "(MSP -32031)",
		"refuse:-32030:commandRejected":             "(MSP -32030)",
		"refuse:-32050:approvalNotFound":            "(MSP -32050)",
		"refuse:-32052:approvalChoiceInvalid":       "(MSP -32052)",
		"refuse:-32054:approvalReviewerUnavailable": "(MSP -32054)",
		"refuse:-32602:invalidParams":               "(MSP -32602)",
		"refuse:-32603:internal":                    "(MSP -32603)",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, script).ready(1)
			w.send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(selected(0, "allow_once"))
			lines := w.until(`"id":2`)
			if frames := w.hostFrames(); want != "end_turn" && frames[len(frames)-1] != "-" {
				t.Errorf("the host was kept: %q", frames)
			}
			w.close()
			if !contains(lines, want) || contains(lines, "secret") || contains(lines, "request_permission") {
				t.Errorf("lines: %q, want %s", lines, want)
			}
			if len(w.decisions()) != 1 || w.count("turn/start") != 1 || w.marker("call1") {
				t.Errorf("the host got %q", w.methods())
			}
		})
	}
	// The next stage may be published before the refusal that says so.
	w := newWorld(t, "stale-first").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(selected(0, "allow_once"))
	w.until("request_permission")
	w.send(selected(1, "allow_once"))
	w.until(`"id":2,"result":{"stopReason":"end_turn"}`)
	w.close()
	if d := w.decisions(); len(d) != 2 || !w.marker("call1") {
		t.Errorf("decisions: %q", d)
	}
}

// Every kind of failure that a host reports (muse-adapter.md §7.5, msp.md §6.4).
func TestFailureKinds(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"stepLimit":           `"result":{"stopReason":"max_turn_requests"}`,
		"authRequired":        `"code":-32000`,
		"modelError":          `"source":"provider","kind":"modelError"`,
		"configError":         `"source":"host","kind":"configError"`,
		"projectionError":     `"source":"host","kind":"projectionError"`,
		"logError":            `"source":"host","kind":"logError"`,
		"workflowLaunchError": `"source":"host","kind":"workflowLaunchError"`,
		"environmentError":    `"source":"host","kind":"environmentError"`,
		"launchError":         `"source":"host","kind":"launchError"`,
		"somethingNew":        `"source":"host","kind":"somethingNew"`,
		"":                    `"source":"host","kind":"unknown"`,
	} {
		w := newWorld(t, "kind:"+kind).ready(1)
		w.send(w.prompt(2, 0))
		if line := w.next(); !strings.Contains(line, want) || !strings.Contains(line, `"id":2`) || strings.Contains(want, "source") && !strings.Contains(line, `"code":-32603`) {
			t.Errorf("%s: got %s, want %s", kind, line, want)
		}
		w.close()
	}
}

// A host that dies, at every step: before the turn was sent nothing was submitted; a reading after a good turn is
// not worth an error; no turn is sent twice.
func TestHostDies(t *testing.T) {
	t.Parallel()
	phase := func(p, execution string) string { return `"phase":"` + p + `","execution":"` + execution + `"` }
	for script, want := range map[string]string{
		"dies-at:initialize":              phase("initializing", "notSubmitted"),
		"dies-at:session/resume":          phase("preparing", "notSubmitted"),
		"dies-at:session/start":           phase("preparing", "notSubmitted"),
		"dies-at:session/setApprovalMode": phase("preparing", "notSubmitted"),
		"dies-at:session/setModel":        phase("preparing", "notSubmitted"),
		"dies-at:session/read":            phase("preparing", "notSubmitted"),
		"dies-at:turn/start":              phase("submitting", "possiblySubmitted"),
		"dies-asking:approval/decide":     phase("running", "possiblySubmitted"),
		"dies-with-question":              phase("running", "possiblySubmitted"),
		"dies":                            phase("running", "possiblySubmitted"),
		"dies-reading":                    "end_turn",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			w := newFormWorld(t, script).ready(1)
			w.send(w.prompt(2, 0))
			var lines []string
			if strings.HasPrefix(script, "dies-asking") {
				w.until("request_permission")
				w.send(selected(0, "allow_once"))
			}
			if lines = append(lines, w.until(`"id":2`)...); !contains(lines, want) {
				t.Errorf("lines: %q, want %s", lines, want)
			}
			// Answers that come now are for nothing, and the session goes on with a new host.
			w.send(selected(0, "allow_once"), accept(1, `{"q1":"red"}`))
			w.script("text")
			w.send(w.prompt(3, 0))
			w.until(`"id":3,"result":{"stopReason":"end_turn"}`)
			w.close()
			if n := w.count("turn/start"); n > 2 || len(w.inputs()) > 0 || w.marker("call1") {
				t.Errorf("the hosts got %q", w.methods())
			}
		})
	}
}

// Lines of a host that mean nothing are skipped.
func TestGarbage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "garbage").ready(1)
	w.send(w.prompt(2, 0))
	if lines := w.until(`"id":2`); len(lines) != 2 || !contains(lines, `"text":"fine"`) || !contains(lines, "end_turn") {
		t.Errorf("lines: %q", lines)
	}
	w.close()
}

// What a host did not deliver is fetched, and nothing is shown or asked twice; where it cannot be fetched the turn
// fails and the session goes on (muse-adapter.md §7.4).
func TestGap(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"before", "behind"} {
		w := newWorld(t, "gap:"+how).ready(1)
		w.send(w.prompt(2, 0))
		lines := w.plain(w.until("request_permission"))
		text := func(s string) string {
			return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"{session:1}","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + s + `"}}}}`
		}
		want := []string{text("one "), text("two three"), card("tool_call", "pending", touch, "")}
		if diff := cmp.Diff(want, lines[:len(lines)-1]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", how, diff)
		}
		if !contains(lines, `"museRequirementId":{"approvalId":"a-call1","sourceIndex":1}`) {
			t.Errorf("%s: asked about another stage: %q", how, lines)
		}
		w.send(selected(0, "allow_once"))
		if lines := w.until(`"id":2`); contains(lines, "request_permission") || contains(lines, "agent_message_chunk") || !contains(lines, "end_turn") {
			t.Errorf("%s: %q", how, lines)
		}
		w.close()
		if w.count("turn/start") != 1 || w.count("view/page") != 2 || len(w.decisions()) != 1 {
			t.Errorf("%s: the host got %q", how, w.methods())
		}
	}
	for how, want := range map[string]string{
		"refused": "gap fill failed: Muse rejected the page (MSP -32040)",
		"stuck":   "gap fill failed: Muse gave a page that does not go on",
		"silent":  "gap fill failed: Muse did not answer in time",
	} {
		w := newWorld(t, "gap:"+how, func(o *reference.Options) {
			if how == "silent" {
				o.Deadlines.Page, o.Deadlines.Cancel = time.Millisecond, time.Millisecond
			}
		}).ready(1)
		w.send(w.prompt(2, 0))
		if lines := w.until(`"id":2`); !contains(lines, want) || contains(lines, "request_permission") {
			t.Errorf("%s: %q", how, lines)
		}
		w.script("text")
		w.send(w.prompt(3, 0))
		w.until(`"id":3`)
		w.close()
	}
	// A cancel does not wait for what is missing.
	w := newWorld(t, "gap:silent").ready(1)
	w.send(w.prompt(2, 0))
	w.until("one ")
	w.send(w.cancel(0))
	w.until(`"id":2,` + cancelled)
	w.close()
}

// Without a log nothing is decided: the turn fails, or the decision is no grant (REQ-APPR-21).
func TestNoAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "approve", func(o *reference.Options) { o.DataDir = "data" })
	if err := os.WriteFile(filepath.Join(w.dir, "data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.send(hello, strings.Replace(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"{cwd}","mcpServers":[]}}`, "{cwd}", w.cwd, 1))
	w.next()
	line := w.next()
	if id := sessionOf(line); id != "" { // the folder is looked at when the first event is written
		w.sessions = []string{id}
		w.send(w.prompt(2, 0))
		line = w.next()
	}
	if !strings.Contains(line, `"code":-32603`) || len(w.hostFrames()) != 0 {
		t.Errorf("got %s; host: %q", line, w.hostFrames())
	}
	w.close()
}
