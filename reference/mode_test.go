//go:build unix

package reference_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

func (w *world) setMode(id, session int, mode string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/set_mode","params":{"sessionId":%q,"modeId":%q}}`, id, w.sessions[session], mode)
}

func modeUpdates(session int, mode, policy string) []string {
	update := func(u string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"{session:%d}","update":{"sessionUpdate":%s}}}`, session+1, u)
	}
	return []string{update(fmt.Sprintf(`"current_mode_update","currentModeId":%q`, mode)), update(`"config_option_update",` + optionsIn(mode, "", policy))}
}

// Both methods are one way to a mode: a change is announced on both surfaces before the answer, no change is not, and
// an unknown mode is refused (muse-adapter.md §2.3).
func TestChangeMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").ready(2)
	unknown := func(mode, data string) []string {
		return []string{`{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Invalid params: unknown session mode \"` + mode + `\"; choose an advertised mode","data":{"availability":"` + data + `"}}}`}
	}
	wrong := func(message string) []string {
		return []string{`{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Invalid params: ` + message + `"}}`}
	}
	for _, c := range []struct {
		name, line string
		want       []string
	}{
		{"equal", w.setMode(5, 0, "default"), []string{answered(5, "")}},
		{"change", w.setMode(5, 0, "bypassApprovals"), append(modeUpdates(0, "bypassApprovals", "ask"), answered(5, ""))},
		{"equal again", w.setMode(5, 0, "bypassApprovals"), []string{answered(5, "")}},
		{"by option", w.set(5, 0, "mode", `"rejectApprovals"`), append(modeUpdates(0, "rejectApprovals", "ask"), answered(5, optionsIn("rejectApprovals", "", "ask")))},
		{"equal by option", w.set(5, 0, "mode", `"rejectApprovals"`), []string{answered(5, optionsIn("rejectApprovals", "", "ask"))}},
		{"the other session", w.set(5, 1, "mode", `"default"`), []string{answered(5, options("", "ask"))}},
		{"unknown", w.setMode(5, 0, "yolo"), unknown("yolo", "unknown")},
		{"not advertised", w.setMode(5, 0, "plan"), unknown("plan", "unknown")},
		{"unknown by option", w.set(5, 0, "mode", `"Default"`), unknown("Default", "unknown")},
		{"boolean", w.set(5, 0, "mode", `true`), wrong("config option mode is a select; boolean values are not accepted")},
		{"number", w.set(5, 0, "mode", `7`), wrong("config option mode is a select; its value must be a string")},
		{"unknown session", strings.Replace(w.setMode(5, 0, "default"), w.sessions[0], "x", 1), wrong("unknown session: x")},
		{"no mode", `{"jsonrpc":"2.0","id":5,"method":"session/set_mode","params":{"sessionId":"` + w.sessions[0] + `"}}`, wrong("modeId must be a string")},
		{"no params", `{"jsonrpc":"2.0","id":5,"method":"session/set_mode"}`, wrong("session/set_mode needs an object")},
		{"nothing was changed", w.set(5, 0, "approval-policy", `"never"`), []string{answered(5, optionsIn("rejectApprovals", "", "never"))}},
	} {
		w.send(c.line)
		if diff := cmp.Diff(c.want, w.plain(w.until(`"id":5`))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	w.close()
}

// A privileged user is not offered the mode that approves by itself, and cannot select it.
func TestPrivilegedModes(t *testing.T) {
	t.Parallel()
	hidden := func(privileged string) bool {
		w := newWorld(t, "text", func(o *reference.Options) { o.Privileged = privileged }).start()
		w.send(hello, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, w.cwd))
		w.next()
		line := w.next()
		w.sessions = []string{sessionOf(line)}
		w.send(w.setMode(5, 0, "bypassApprovals"), w.set(6, 0, "mode", `"bypassApprovals"`))
		first, second := w.until(`"id":5`), w.until(`"id":6`)
		w.close()
		const guard = `"data":{"availability":"guard"}`
		refused := contains(first, guard) && contains(second, guard)
		if refused == strings.Contains(line, "bypassApprovals") {
			t.Errorf("%s: advertised and selectable differ: %s, %q, %q", privileged, line, first, second)
		}
		return refused
	}
	for privileged, want := range map[string]bool{"yes": true, "no": false, "auto": os.Geteuid() == 0} {
		if got := hidden(privileged); got != want {
			t.Errorf("%s: hidden: %t", privileged, got)
		}
	}
}

// In an automatic mode nobody is asked, every stage is decided by a choice that holds once, and the pair is recorded;
// where there is no such choice the turn ends without a decision (muse-adapter.md §6.3).
func TestAutomaticModes(t *testing.T) {
	t.Parallel()
	pair := func(outcome string) []string { return []string{"approval/asked", "approval/decided " + outcome} }
	for name, c := range map[string]struct {
		script, mode string
		with         func(*reference.Options)
		decisions    []string
		end          string
		log          []string
	}{
		"approve each stage":          {"stages-of:all", "bypassApprovals", nil, []string{"allow_once", "allow_once"}, "end_turn", append(pair("allowed-once"), pair("allowed-once")...)},
		"reject":                      {"stages-of:all", "rejectApprovals", nil, []string{"abort"}, "end_turn", pair("rejected")},
		"approve, no once":            {"stages-of:lasting", "bypassApprovals", nil, nil, "Automatic approve unavailable", pair("unavailable")},
		"reject, no once":             {"stages-of:lasting", "rejectApprovals", nil, nil, "Automatic reject unavailable", pair("unavailable")},
		"approve, unknown":            {"stages-of:strange", "bypassApprovals", nil, nil, "Automatic approve unavailable", pair("unavailable")},
		"reject, unknown":             {"stages-of:strange", "rejectApprovals", nil, nil, "Automatic reject unavailable", pair("unavailable")},
		"approve under never":         {"approve", "bypassApprovals", never, []string{"abort"}, "end_turn", pair("rejected")},
		"approve escalation":          {"escalate", "bypassApprovals", sandboxed, []string{"allow_once"}, "end_turn", pair("allowed-once")},
		"reject escalation":           {"escalate", "rejectApprovals", sandboxed, []string{"abort"}, "end_turn", pair("rejected")},
		"approve escalation, no once": {"escalate-lasting:lasting", "bypassApprovals", sandboxed, nil, "Automatic approve unavailable", pair("unavailable")},
		"a subagent's":                {"subagent", "bypassApprovals", nil, []string{"abort", "abort"}, "end_turn", pair("unavailable")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.with == nil {
				c.with = func(*reference.Options) {}
			}
			w := newWorld(t, c.script, c.with).ready(1)
			w.send(w.setMode(5, 0, c.mode), w.prompt(2, 0))
			lines := w.until(`"id":2`)
			w.close()
			if contains(lines, "request_permission") || !strings.Contains(lines[len(lines)-1], c.end) {
				t.Errorf("lines: %q", lines)
			}
			var decisions []string
			for _, d := range w.decisions() {
				_, d, _ = strings.Cut(d, `"choiceId":"`)
				d, _, _ = strings.Cut(d, `"`)
				decisions = append(decisions, d)
			}
			if diff := cmp.Diff(c.decisions, decisions); diff != "" {
				t.Errorf("decisions (-want +got):\n%s", diff)
			}
			var pairs []string
			for _, e := range w.log(0) {
				if strings.HasPrefix(e, "approval/") {
					pairs = append(pairs, e)
				}
			}
			if diff := cmp.Diff(c.log, pairs); diff != "" {
				t.Errorf("audit log (-want +got):\n%s", diff)
			}
		})
	}
}

// A change of mode while a question is open is refused and decides nothing; one behind the answer, or behind a
// cancel, in the same write is not. During a turn that asks nothing it is accepted, and counts for the next question.
func TestChangeModeWhileAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "approve-each").ready(2)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(w.setMode(5, 0, "bypassApprovals"), w.set(6, 0, "mode", `"bypassApprovals"`), w.setMode(7, 0, "default"), w.setMode(8, 1, "rejectApprovals"))
	lines := w.until(`"id":8`)
	for _, want := range []string{`"id":5,"error":{"code":-32600`, `"id":6,"error":{"code":-32600`, `"data":{"availability":"busy"}`, `"id":7,"result":{}`, `"id":8,"result":{}`} {
		if !contains(lines, want) {
			t.Errorf("%s is missing: %q", want, lines)
		}
	}
	if w.marker("call1") {
		t.Error("the change of mode granted")
	}
	w.send(selected(0, "abort"), w.setMode(9, 0, "bypassApprovals"))
	lines = w.until(`"id":9`)
	if !contains(lines, `"id":9,"result":{}`) {
		t.Errorf("behind the answer: %q", lines)
	}
	if !contains(lines, `"id":2`) {
		w.until(`"id":2`)
	}
	w.send(w.prompt(3, 0))
	if lines := w.until(`"id":3`); contains(lines, "request_permission") || !w.marker("call2") || w.marker("call1") {
		t.Errorf("the next turn: %q", lines)
	}
	w.close()

	w = newWorld(t, "cancel").ready(1)
	w.send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(w.cancel(0), w.setMode(5, 0, "bypassApprovals"))
	if lines := w.until(`"id":2`); !contains(append(lines, w.close()...), `"id":5,"result":{}`) || len(w.decisions()) != 0 {
		t.Errorf("behind the cancel: %q", lines)
	}
}

// modeStories are the stories of the faults of modes.
func modeStories() []story {
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	privileged := func(o *reference.Options) { o.Privileged = "yes" }
	in := func(mode string) func(*world) []string {
		return func(w *world) []string {
			w.ready(1).send(w.setMode(5, 0, mode))
			lines := w.until(`"id":5`)
			w.send(w.prompt(2, 0))
			lines = append(lines, w.answering(`"id":2`, chooses("abort", ""))...)
			return append(lines, w.close()...)
		}
	}
	set := func(mode string) func(*world) []string {
		return func(w *world) []string {
			w.ready(1).send(w.setMode(5, 0, mode))
			return append(w.until(`"id":5`), w.close()...)
		}
	}
	asking := func(w *world) []string {
		w.ready(1).send(w.prompt(2, 0))
		w.until("request_permission")
		w.send(w.setMode(5, 0, "bypassApprovals"))
		lines := w.until(`"id":5`)
		w.send(selected(0, "abort"))
		return append(append(lines, w.until(`"id":2`)...), w.close()...)
	}
	lacks := func(text string) func(*world, []string) bool {
		return func(_ *world, lines []string) bool { return !contains(lines, text) }
	}
	decided := func(text string) func(*world, []string) bool {
		return func(w *world, _ []string) bool { return contains(w.decisions(), text) }
	}
	return []story{
		{"text", one(reference.ShowsBypass), privileged, set("bypassApprovals"), says("current_mode_update")},
		{"text", one(reference.AnnouncesSameMode), nil, set("default"), says("current_mode_update")},
		{"approve", one(reference.ChangesWhileAsking), nil, asking, says(`"id":5,"result"`)},
		{"approve", one(reference.ModeAnswersOpen), nil, asking, runs("call1")},
		{"approve", one(reference.ModeWithoutEffect), nil, in("bypassApprovals"), says("request_permission")},
		{"text", one(reference.NoModeUpdate), nil, set("rejectApprovals"), lacks("current_mode_update")},
		{"text", one(reference.NoModeMirror), nil, set("rejectApprovals"), lacks("config_option_update")},
		{"stages-of:lasting", one(reference.BypassPicksLasting), nil, in("bypassApprovals"), decided(`"always"`)},
		{"approve", one(reference.RejectPicksLasting), nil, in("rejectApprovals"), decided("deny_forever")},
		{"approve", one(reference.RejectApproves), nil, in("rejectApprovals"), runs("call1")},
		{"approve", one(reference.AutomaticAsks), nil, in("rejectApprovals"), says("request_permission")},
		{"approve", one(reference.AutomaticUnderNever), never, in("bypassApprovals"), runs("call1")},
		{"stages-of:lasting", one(reference.AsksWithoutOnce), nil, func(w *world) []string {
			w.ready(1).send(w.setMode(5, 0, "bypassApprovals"), w.prompt(2, 0))
			return append(w.answering(`"id":2`, chooses("never", "")), w.close()...)
		}, says("request_permission")},
		{"approve", one(reference.ModeOfAll), nil, func(w *world) []string {
			w.ready(2).send(w.setMode(5, 0, "bypassApprovals"), w.prompt(2, 1))
			return append(w.answering(`"id":2`, chooses("abort", "")), w.close()...)
		}, runs("call1")},
		{"approve", one(reference.BypassUnlogged), nil, in("rejectApprovals"), func(w *world, _ []string) bool { return !contains(w.log(0), "approval/") }},
		{"stages-of:all", one(reference.GrantsFirstStage), nil, in("bypassApprovals"), says("request_permission")},
		{"text", one(reference.UnknownModeOK), nil, set("yolo"), says(`"id":5,"result"`)},
	}
}

// A session that was closed comes back in its own mode, whatever mode another one was closed in.
func TestModeOfAnotherClosedSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "text").ready(2)
	w.store(1, w.cwd)
	w.send(w.closing(5, 1))
	w.until(`"id":5,"result"`)
	w.send(w.setMode(6, 0, "bypassApprovals"), w.closing(7, 0))
	w.until(`"id":7,"result"`)
	w.send(w.resuming(8, 1, ""))
	if line := w.next(); !strings.Contains(line, `"id":8,"result":{"modes":{"currentModeId":"default"`) {
		t.Error(line)
	}
	w.close()
}
