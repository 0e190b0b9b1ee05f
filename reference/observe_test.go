//go:build unix

package reference_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

func helloWith(capabilities string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":` + capabilities + `}}`
}

const observes = `{"_meta":{"muse/approval":1}}`

// Only the number 1 opts in, however it is written (muse-adapter.md §1).
func TestOptIn(t *testing.T) {
	t.Parallel()
	meta := func(value string) string { return `{"_meta":{"muse/approval":` + value + `}}` }
	for capabilities, want := range map[string]bool{
		meta("1"): true, meta("1.0"): true, meta("1e0"): true, meta("10e-1"): true,
		meta("true"): false, meta(`"1"`): false, meta("2"): false, meta("0"): false, meta("-1"): false, meta("1.5"): false, meta("null"): false,
		meta(`{"version":1}`): false, meta("[1]"): false, `{"_meta":null}`: false, `{"_meta":1}`: false, `{"_meta":[]}`: false, `{}`: false,
		`null`: false, `{"muse/approval":1}`: false, `{"_meta":{"muse/review":1}}`: false, `{"_meta":{"Muse/Approval":1}}`: false,
	} {
		w := newWorld(t, "text").start()
		w.send(helloWith(capabilities))
		line := w.next()
		w.close()
		has := strings.Contains(line, `"_meta":{"muse/approval":{"version":1}}`)
		if has != want || !want && strings.Contains(line, "_meta") || !strings.Contains(line, `"result"`) {
			t.Errorf("%s: %s", capabilities, line)
		}
	}
}

// metas are the observation metadata of questions (with their kind of line in front) and of updates.
func metas(lines []string) []string {
	var all []string
	for _, line := range lines {
		var f struct {
			Method string `json:"method"`
			Params struct {
				Meta   map[string]json.RawMessage `json:"_meta"`
				Update struct {
					Kind string                     `json:"sessionUpdate"`
					Meta map[string]json.RawMessage `json:"_meta"`
				} `json:"update"`
			} `json:"params"`
		}
		_ = json.Unmarshal([]byte(line), &f)
		switch {
		case f.Method == "session/request_permission":
			all = append(all, "ask "+string(f.Params.Meta["muse/approval"]))
		case f.Params.Update.Meta != nil:
			all = append(all, f.Params.Update.Kind+" "+string(f.Params.Update.Meta["muse/approval"]))
		}
	}
	return all
}

func shown(call string, index, position, total int, kind string) string {
	return fmt.Sprintf(`{"position":%d,"totalStages":%d,"requirementId":{"approvalId":"a-%s","sourceIndex":%d},"resolutionKind":%q}`, position, total, call, index, kind)
}

// The metadata says what the host said, nothing more, and the final decision comes once (§6.2, §6.5).
func TestObservation(t *testing.T) {
	t.Parallel()
	allow := chooses("allow_once", "")
	for name, c := range map[string]struct {
		script string
		turns  int
		answer func(id, line string) string
		want   []string
	}{
		"staged": {"observed", 1, allow, []string{
			`ask {"judgeEscalated":false,"protectedWrite":true,"subjectKind":"shellCommand","stages":[` + shown("call1", 0, 1, 3, "unresolved") + "," + shown("call1", 1, 2, 3, "known_safe") + "," + shown("call1", 2, 3, 3, "brandNew") + `]}`,
			`ask {"judgeEscalated":false,"protectedWrite":true,"subjectKind":"shellCommand","stages":[` + shown("call1", 0, 1, 3, "allowOnce") + "," + shown("call1", 1, 2, 3, "known_safe") + "," + shown("call1", 2, 3, 3, "brandNew") + `]}`,
			`session_info_update {"approvalId":"a-call1","turnId":"{id:1}","decision":"approved","resolvedBy":"user","stages":[` + shown("call1", 0, 1, 3, "allowOnce") + `]}`,
		}},
		"odd facts": {"odd-facts", 5, chooses("abort", ""), []string{
			`ask {}`, `session_info_update {"approvalId":"a-call1","turnId":"{id:1}","decision":"abort","resolvedBy":"somebodyNew"}`,
			`ask {}`, `session_info_update {"approvalId":"a-call1","turnId":"{id:2}","decision":"abort","resolvedBy":"somebodyNew"}`,
			`ask {}`, `session_info_update {"approvalId":"a-call1","turnId":"{id:3}","decision":"abort","resolvedBy":"somebodyNew"}`,
			`ask {"judgeEscalated":true,"stages":[{},{}]}`, `session_info_update {"approvalId":"a-call1","turnId":"{id:4}","decision":"abort","resolvedBy":"somebodyNew"}`,
			`ask {"subjectKind":"new","stages":[]}`, `session_info_update {"approvalId":"a-call1","turnId":"{id:5}","decision":"abort","resolvedBy":"somebodyNew"}`,
		}},
		"resolved by itself": {"by-itself", 1, allow, []string{
			`session_info_update {"approvalId":"a-call1","turnId":"{id:1}","decision":"denied","resolvedBy":"policy","stages":[]}`,
			`session_info_update {"approvalId":"a-call2","turnId":"{id:1}","decision":"approved","resolvedBy":"llmJudge"}`,
		}},
	} {
		for _, hello := range []string{helloWith(observes), helloWith("{}")} {
			w := newWorld(t, c.script)
			w.hello = hello
			w.ready(1)
			var lines []string
			for n := range c.turns {
				w.send(w.prompt(n+2, 0))
				lines = append(lines, w.answering(fmt.Sprintf(`"id":%d,"result":{"stopReason":"end_turn"}`, n+2), c.answer)...)
			}
			lines = append(lines, w.close()...)
			got := w.plain(metas(lines))
			if strings.Contains(hello, "{}") {
				if all := strings.Join(lines, "\n"); strings.Contains(all, "muse/approval") || strings.Contains(all, "session_info_update") {
					t.Errorf("%s, nothing asked for: %q", name, got)
				}
				continue
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// A question of an escalation stays bare, and nothing is published once the turn is cancelled (§2.1, §6.5).
func TestObservationEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "escalate", sandboxed)
	w.hello = helloWith(observes)
	w.ready(1).send(w.prompt(2, 0))
	lines := w.plain(w.until("request_permission"))
	if diff := cmp.Diff(oneShot, lines[len(lines)-1]); diff != "" {
		t.Errorf("question (-want +got):\n%s", diff)
	}
	w.send(selected(0, "reject-once"))
	if got := metas(w.until(`"id":2`)); len(got) != 1 {
		t.Errorf("final decisions: %q", got)
	}
	w.close()

	w = newWorld(t, "resolved-by-cancel")
	w.hello = helloWith(observes)
	w.ready(1).send(w.prompt(2, 0))
	w.until("request_permission")
	w.send(w.cancel(0))
	if got := metas(append(w.until(`"id":2,`+cancelled), w.close()...)); len(got) != 0 {
		t.Errorf("published after the cancel: %q", got)
	}
}

// Metadata of the client settles nothing: with an answer, with a prompt while a question is open, with a later one
// (B59).
func TestMetadataSettlesNothing(t *testing.T) {
	t.Parallel()
	const claim = `"_meta":{"muse/approval":{"approvalId":"a-call1","decision":"approved"}}`
	w := newWorld(t, "approve-each")
	w.hello = helloWith(observes)
	w.ready(1).send(w.prompt(2, 0))
	w.until("request_permission")
	claiming := strings.Replace(w.prompt(3, 0), `"params":{`, `"params":{`+claim+`,`, 1)
	w.send(claiming)
	w.until(`"id":3,"error":{"code":-32600`)
	w.send(`{"jsonrpc":"2.0","id":0,"result":{` + claim + `,"outcome":{"outcome":"cancelled",` + claim + `}}}`)
	w.until(`"id":2`)
	w.send(claiming)
	w.until("request_permission")
	w.send(selected(1, "abort"))
	w.until(`"id":3`)
	w.close()
	if w.marker("call1") || w.marker("call2") {
		t.Error("metadata granted")
	}
}

// observeStories are the stories of the faults of metadata.
func observeStories() []story {
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	// talks is a turn in which every question gets the same answer, from a client with these capabilities.
	talks := func(capabilities, option string) func(*world) []string {
		return func(w *world) []string {
			w.hello = helloWith(capabilities)
			return oneTurn(option, "")(w)
		}
	}
	count := func(text string, n int) func(*world, []string) bool {
		return func(_ *world, lines []string) bool { return strings.Count(strings.Join(lines, "\n"), text) != n }
	}
	return []story{
		{"approve", one(reference.LooseOptIn), nil, talks(`{"_meta":{"muse/approval":true}}`, "abort"), says(`"muse/approval"`)},
		{"approve", one(reference.UnaskedObservation), nil, talks(`{}`, "abort"), says(`"muse/approval"`)},
		{"approve", one(reference.UnaskedFinal), nil, talks(`{}`, "abort"), says("session_info_update")},
		{"approve", one(reference.FinalMissing), nil, talks(observes, "abort"), count("session_info_update", 1)},
		{"approve", one(reference.FinalTwice), nil, talks(observes, "abort"), count("session_info_update", 1)},
		{"approve", one(reference.FinalAfterResponse), nil, talks(observes, "abort"), func(_ *world, lines []string) bool {
			return contains(lines[len(lines)-1:], "session_info_update")
		}},
		{"resolved-by-cancel", one(reference.FinalAfterCancel), nil, func(w *world) []string {
			w.hello = helloWith(observes)
			w.ready(1).send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(w.cancel(0))
			return append(w.until(`"id":2`), w.close()...)
		}, says("session_info_update")},
		{"by-itself", one(reference.FinalOnlyAsked), nil, talks(observes, ""), count("session_info_update", 2)},
		{"approve", one(reference.FinalApproved), nil, talks(observes, "abort"), says(`"decision":"approved"`)},
		{"bare", one(reference.InventsFacts), nil, talks(observes, "abort"), says(`"judgeEscalated":false`)},
		{"observed", one(reference.RenamesKinds), nil, talks(observes, "allow_once"), count("brandNew", 2)},
		{"observed", one(reference.FirstStagesStay), nil, talks(observes, "allow_once"), count("allowOnce", 2)},
		{"escalate", one(reference.ObservesOneShot), sandboxed, talks(observes, "reject-once"), func(_ *world, lines []string) bool {
			return strings.HasPrefix(strings.Join(metas(lines), ""), "ask {")
		}},
		{"approve", one(reference.MetaSettles), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			return append(w.answering(`"id":2`, func(id, _ string) string {
				return `{"jsonrpc":"2.0","id":` + id + `,"result":{"outcome":{"outcome":"cancelled"},"_meta":{"muse/approval":{"decision":"approved"}}}}`
			}), w.close()...)
		}, runs("call1")},
		{"approve", one(reference.PromptMetaSettles), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(strings.Replace(w.prompt(3, 0), `"params":{`, `"params":{"_meta":{"muse/approval":{"decision":"approved"}},`, 1), selected(0, "abort"))
			return append(w.until(`"id":2`), w.close()...)
		}, runs("call1")},
	}
}
