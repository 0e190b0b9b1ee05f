//go:build unix

package reference_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// An approval that nobody can decide fails the prompt at once and says what Muse left out; it is not lost, and nothing
// waits for it.
func TestApprovalThatLacksSomething(t *testing.T) {
	t.Parallel()
	for script, lacks := range map[string]string{
		"lacks:currentRequirementId":      "currentRequirementId",
		"lacks:currentRequirementId:null": "currentRequirementId",
		`lacks:currentRequirementId:"0"`:  "currentRequirementId",
		"lacks:toolName":                  "toolName",
		"lacks:toolName:7":                "toolName",
		"lacks:approvalId":                "approvalId",
		"lacks:turnId":                    "turnId",
		"lacks:sessionId":                 "sessionId",
		"lacks:rawArgs:[]":                "rawArgs",
		"lacks:availableChoices:7":        "availableChoices",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, script).ready(1)
			w.send(w.prompt(2, 0))
			lines := w.until(`"id":2`)
			w.close()
			last := lines[len(lines)-1]
			if !strings.Contains(last, `"error":{"code":-32603`) || !strings.Contains(last, "Muse asked for an approval without a valid "+lacks+".") {
				t.Errorf("answer: %s", last)
			}
			if contains(lines, "request_permission") || len(w.decisions()) != 0 {
				t.Errorf("lines: %q, decisions: %q", lines, w.decisions())
			}
			if log := w.log(0); !slices.Equal(log, []string{"turn/start", "turn/end failed"}) {
				t.Errorf("audit log: %q", log)
			}
		})
	}
}

// What belongs to another session or to a subagent is denied between two turns too (REQ-ACP-19): once, without a question
// and without a record, for which no turn is open.
func TestNobodysBetweenTurns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "between-turns")
	pipe := filepath.Join(w.bin, "decided")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	w.ready(1)
	w.send(w.prompt(2, 0))
	lines := w.until(`"id":2,"result"`)
	both := make(chan string, 1)
	go func() {
		text, _ := os.ReadFile(pipe)
		both <- string(text)
	}()
	select {
	case text := <-both:
		if text != "both" {
			t.Fatalf("the host says %q", text)
		}
	case <-time.After(longTime):
		t.Fatal("the host waits for its decisions")
	}
	w.send(w.prompt(3, 0))
	lines = append(lines, w.until(`"id":3,"result":{"stopReason":"end_turn"}`)...)
	lines = append(lines, w.close()...)
	if contains(lines, "request_permission") || w.marker("call1") || w.marker("call2") {
		t.Errorf("lines: %q", lines)
	}
	denied := func(call, text string) string {
		return `"approvalId":"a-` + call + `","choiceId":"abort","requirementId":{"approvalId":"a-` + call + `","sourceIndex":0},"feedback":"Error: ` + text + `"`
	}
	want := []string{
		denied("call1", `tool \"bash\" requires approval, but the call has no agent to route it through`),
		denied("call2", `tool \"bash\" requires approval, but no approval channel is available`),
	}
	got := w.decisions()
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"turn/start", "turn/end completed", "turn/start", "turn/end completed"}, w.log(0)); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// What Muse tells of an approval of another session changes nothing about one of this session that has the same id.
func TestNewsOfAnotherSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "strange-news").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.until("moved")
	w.send(selected(0, "allow_once"))
	if lines := w.until(`"id":2`); contains(lines, "request_permission") || !contains(lines, "end_turn") {
		t.Errorf("lines: %q", lines)
	}
	w.close()
	if d := w.decisions(); len(d) != 1 || d[0] != `"approvalId":"a-call1","choiceId":"allow_once",`+stage0 {
		t.Errorf("decisions: %q", d)
	}
}

// An approval of another turn is not of this one: it is not asked about, and not decided.
func TestApprovalOfAnotherTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "of-earlier-turn").ready(1)
	w.send(w.prompt(2, 0))
	if lines := w.until(`"id":2`); contains(lines, "request_permission") || !contains(lines, "moved") || !contains(lines, "end_turn") {
		t.Errorf("lines: %q", lines)
	}
	w.close()
	if d, log := w.decisions(), w.log(0); len(d) != 0 || contains(log, "approval/") {
		t.Errorf("decisions: %q, audit log: %q", d, log)
	}
}

// A stage that was decided and is published once more takes nothing from the question about the next one.
func TestFirstStageOnceMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "asks-once-more").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(selected(0, "allow_once"))
	w.until("request_permission")
	w.until("moved")
	w.send(selected(1, "abort"))
	if lines := w.until(`"id":2`); contains(lines, "request_permission") || !contains(lines, "end_turn") {
		t.Errorf("lines: %q", lines)
	}
	w.close()
	if d := w.decisions(); len(d) != 2 || !strings.Contains(d[0], `"choiceId":"allow_once"`) || !strings.Contains(d[1], `"choiceId":"abort"`) || !strings.Contains(d[1], `"sourceIndex":1`) {
		t.Errorf("decisions: %q", d)
	}
}
