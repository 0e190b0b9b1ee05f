//go:build unix

package reference_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

// The first turn and a second on the same host, byte by byte, in this process and as one of its own.
func TestTextTurn(t *testing.T) {
	t.Parallel()
	update := func(text string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"{session:1}","update":` + text + `}}`
	}
	chunk := func(kind, text string) string {
		return update(`{"sessionUpdate":"` + kind + `","content":{"type":"text","text":"` + text + `"}}`)
	}
	turn := []string{
		chunk("agent_thought_chunk", "think"), chunk("agent_thought_chunk", "ing"), chunk("agent_thought_chunk", `\nmore`),
		chunk("agent_message_chunk", "Hi <you> "), chunk("agent_message_chunk", "there"), chunk("agent_message_chunk", "!"),
		`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`,
	}
	for _, process := range []bool{false, true} {
		w := newWorld(t, "text")
		w.asWholeProcess = process
		w.ready(1)
		for range 2 {
			w.send(w.prompt(2, 0))
			if diff := cmp.Diff(turn, w.plain(w.until("stopReason"))); diff != "" {
				t.Errorf("process %t: lines (-want +got):\n%s", process, diff)
			}
		}
		if rest := w.close(); len(rest) > 0 {
			t.Errorf("after the end: %q", rest)
		}
		want := []string{
			"+ serve",
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"acp_conform_reference","version":"0.0.0"}}}`,
			`{"jsonrpc":"2.0","method":"initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"model/list"}`,
			`{"jsonrpc":"2.0","id":3,"method":"session/resume","params":{"commandId":"{id:1}","sessionId":"{session:1}","excludeItems":true}}`,
			`{"jsonrpc":"2.0","id":4,"method":"session/start","params":{"commandId":"{id:2}","sessionId":"{session:1}","workspaceRoot":"{dir}/work","modelId":"muse-spark-1.3","providerId":"meta","approvalMode":"onRequest"}}`,
			`{"jsonrpc":"2.0","id":5,"method":"session/setApprovalMode","params":{"commandId":"{id:3}","sessionId":"{session:1}","mode":"onRequest"}}`,
			`{"jsonrpc":"2.0","id":6,"method":"session/setModel","params":{"commandId":"{id:4}","sessionId":"{session:1}","model":{"modelId":"muse-spark-1.3","providerId":"meta"}}}`,
			`{"jsonrpc":"2.0","id":7,"method":"session/read","params":{"sessionId":"{session:1}","includeTurns":false}}`,
			`{"jsonrpc":"2.0","id":8,"method":"turn/start","params":{"commandId":"{id:5}","sessionId":"{session:1}","input":[{"type":"text","text":"hello"}]}}`,
			`{"jsonrpc":"2.0","id":9,"method":"session/read","params":{"sessionId":"{session:1}","excludeItems":true}}`,
			`{"jsonrpc":"2.0","id":10,"method":"session/setApprovalMode","params":{"commandId":"{id:6}","sessionId":"{session:1}","mode":"onRequest"}}`,
			`{"jsonrpc":"2.0","id":11,"method":"turn/start","params":{"commandId":"{id:7}","sessionId":"{session:1}","input":[{"type":"text","text":"hello"}]}}`,
			`{"jsonrpc":"2.0","id":12,"method":"session/read","params":{"sessionId":"{session:1}","excludeItems":true}}`,
			"-",
		}
		if diff := cmp.Diff(want, w.plain(w.hostFrames())); diff != "" {
			t.Errorf("process %t: host (-want +got):\n%s", process, diff)
		}
		if diff := cmp.Diff([]string{"turn/start", "turn/end completed", "turn/start", "turn/end completed"}, w.log(0)); diff != "" {
			t.Errorf("audit log (-want +got):\n%s", diff)
		}
	}
}

// How turns end that do not end well.
func TestFailures(t *testing.T) {
	t.Parallel()
	internal := func(message, data string) string {
		if strings.Contains(data, "possiblySubmitted") {
			message = "Internal error: " + message
		}
		return `"error":{"code":-32603,"message":"` + message + `","data":{"failure":{` + data + `}}}`
	}
	const (
		unknown   = "Reload and inspect the session before deciding whether to submit again; execution may have occurred."
		not       = "No model turn was submitted by this operation. Check that Muse can be started, then try again."
		again     = "Send the prompt again when the cause is removed."
		submitted = `,"phase":"running","execution":"possiblySubmitted"`
		unsent    = `,"phase":"preparing","execution":"notSubmitted"`
	)
	for script, want := range map[string]string{
		"step-limit": `"result":{"stopReason":"max_turn_requests"}`,
		"auth": `"error":{"code":-32000,"message":"Authentication required: Muse turn failed: log in. ` + again +
			`","data":{"failure":{"source":"provider","kind":"authRequired","retryable":false,"recovery":"` + again + `","outcome":"failed"` + submitted + `}}}`,
		"model-error": internal("Muse turn failed: HTTP 503 Bearer [redacted] [redacted]. "+again,
			`"source":"provider","kind":"modelError","retryable":true,"recovery":"`+again+`","outcome":"failed"`+submitted),
		"dies": internal("Muse turn failed: the Muse host exited with code 3. "+unknown,
			`"source":"transport","kind":"transportError","recovery":"`+unknown+`","outcome":"unknown"`+submitted),
		"dies-early": internal("Muse does not serve: its SDK tier is disabled. "+not,
			`"source":"host","kind":"environmentError","recovery":"`+not+`","outcome":"failed"`+unsent),
		"in-use": internal("the session is in use by another Muse. "+not,
			`"source":"host","kind":"sessionInUse","recovery":"`+not+`","outcome":"failed"`+unsent),
		"no-kind": internal("Muse broke its protocol: an error without a code or without data.kind. "+not,
			`"source":"transport","kind":"transportError","recovery":"`+not+`","outcome":"failed"`+unsent),
		"rejects-turn": internal("Muse turn failed: Muse rejected the turn (MSP -32030). "+again,
			`"source":"host","kind":"commandRejected","recovery":"`+again+`","outcome":"failed","phase":"submitting","execution":"possiblySubmitted"`),
		"user-input": internal("Muse turn failed: Muse requested user input but the client did not advertise form elicitation. "+unknown,
			`"source":"adapter","kind":"userInputUnsupported","recovery":"`+unknown+`","outcome":"unknown"`+submitted),
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, script).ready(1)
			w.send(w.prompt(2, 0))
			lines := w.until(`"id":2`)
			if diff := cmp.Diff(`{"jsonrpc":"2.0","id":2,`+want+`}`, lines[len(lines)-1]); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			if frames := w.hostFrames(); script != "dies" && script != "dies-early" && frames[len(frames)-1] != "-" {
				t.Errorf("the host had not exited when the prompt was answered: %q", w.methods())
			}
			// The session goes on with a new host, and the turn is not sent again.
			w.script("text")
			w.send(w.prompt(3, 0))
			w.until(`"id":3,"result":{"stopReason":"end_turn"}`)
			w.close()
			if n := w.count("turn/start"); n > 2 {
				t.Errorf("%d turns reached the hosts", n)
			}
		})
	}
}

// A program that is not there.
func TestNoMuse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text", func(o *reference.Options) { o.MusePath = "nothing-of-that-name" }).ready(1)
	w.send(w.prompt(2, 0))
	line := w.next()
	want := `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Muse was not found: nothing-of-that-name is not in any folder of PATH. No model turn was submitted by this operation. Check that Muse can be started, then try again.","data":{"failure":{"source":"adapter","kind":"environmentError","recovery":"No model turn was submitted by this operation. Check that Muse can be started, then try again.","outcome":"failed","phase":"initializing","execution":"notSubmitted"}}}}`
	if diff := cmp.Diff(want, line); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	w.close()
}

// Tools without approvals, and what hosts say that no adapter knows.
func TestOutput(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "output").ready(1)
	w.send(w.prompt(2, 0))
	card := func(update, status, rest string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"{session:1}","update":{"sessionUpdate":"` + update +
			`","toolCallId":"call1","title":"touch marker","kind":"execute","status":"` + status + `","rawInput":` + touch + rest + `}}}`
	}
	content := func(text string) string {
		return `,"content":[{"type":"content","content":{"type":"text","text":"` + text + `"}}]`
	}
	want := []string{
		card("tool_call", "pending", ""),
		card("tool_call_update", "in_progress", content(`a\n`)),
		card("tool_call_update", "in_progress", content(`a\nb\n`)),
		card("tool_call_update", "failed", content(`a\nb\n\n[Failure: exit 1]`)),
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"{session:1}","update":{"sessionUpdate":"tool_call","toolCallId":"i-2","title":"compaction: completed","kind":"other","status":"completed"` + content("compacted") + `}}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`,
	}
	if diff := cmp.Diff(want, w.plain(w.until(`"id":2`))); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	w.close()
	if frames := w.hostFrames(); w.count("what/isThis") != 0 || !contains(frames, `"id":77,"error":{"code":-32601`) {
		t.Errorf("the host's request was not refused: %q", frames)
	}
}

// Whatever order a host takes, a status only goes forward and nothing is lost.
func TestHostOrders(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "events-first").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(selected(0, "allow_once"))
	lines := w.until(`"id":2`)
	if len(lines) != 2 || !contains(lines, `"status":"completed"`) {
		t.Errorf("events first: %q", lines)
	}
	w.close()
	w = newWorld(t, "ack-last").ready(1)
	w.send(w.prompt(2, 0))
	if lines := w.until(`"id":2`); len(lines) != 2 || !contains(lines, "quick") || !contains(lines, "end_turn") {
		t.Errorf("acknowledgement last: %q", lines)
	}
	w.close()
}
