//go:build unix

package reference_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

// withForms is the handshake of a client that shows forms.
const withForms = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"elicitation":{"form":{}}}}}`

func newFormWorld(t *testing.T, script string, with ...func(*reference.Options)) *world {
	w := newWorld(t, script, with...)
	w.hello = withForms
	return w
}

func accept(id int, content string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept","content":%s}}`, id, content)
}

// inputs are the commands about user input that the hosts got.
func (w *world) inputs() []string {
	var out []string
	for _, line := range w.hostFrames() {
		if strings.Contains(line, `"userInput/`) {
			_, method, _ := strings.Cut(line, `"method":"`)
			name, _, _ := strings.Cut(method, `"`)
			_, params, _ := strings.Cut(line, `"userInputId"`)
			out = append(out, name+` "userInputId"`+strings.TrimSuffix(params, "}}"))
		}
	}
	return out
}

// Every answer to a form (muse-adapter.md §8, ACP-ELIC-07, ACP-ELIC-09).
func TestForms(t *testing.T) {
	t.Parallel()
	const (
		declined = `userInput/cancel "userInputId":"ui","reason":"client declined"`
		invalid  = `userInput/cancel "userInputId":"ui","reason":"client input failed validation or delivery"`
	)
	answered := func(answers string) string {
		return `userInput/answer "userInputId":"ui","answers":[` + answers + `]`
	}
	long := strings.Repeat("ö", 500)
	for name, c := range map[string]struct{ questions, answer, sent, end string }{
		"one option":         {"1", accept(0, `{"q1":"red"}`), answered(`{"questionId":"q1","selectedLabel":"red"}`), "end_turn"},
		"several":            {"2", accept(0, `{"q2":["b","a"]}`), answered(`{"questionId":"q2","selectedLabels":["b","a"]}`), "end_turn"},
		"words":              {"3", accept(0, `{"q3":"`+long+`"}`), answered(`{"questionId":"q3","freeText":"` + long + `"}`), "end_turn"},
		"no words":           {"3", accept(0, `{"q3":""}`), answered(`{"questionId":"q3","freeText":""}`), "end_turn"},
		"all, and more":      {"123", accept(0, `{"x":1,"q3":"w","q2":["c"],"q1":"blue"}`), answered(`{"questionId":"q1","selectedLabel":"blue"},{"questionId":"q2","selectedLabels":["c"]},{"questionId":"q3","freeText":"w"}`), "end_turn"},
		"decline":            {"1", `{"jsonrpc":"2.0","id":0,"result":{"action":"decline"}}`, declined, "end_turn"},
		"cancel":             {"1", `{"jsonrpc":"2.0","id":0,"result":{"action":"cancel","content":{"q1":"red"}}}`, declined, "end_turn"},
		"unknown option":     {"1", accept(0, `{"q1":"green"}`), invalid, "elicitation selected unknown option for q1"},
		"option of a kind":   {"1", accept(0, `{"q1":7}`), invalid, "elicitation selected unknown option for q1"},
		"options for one":    {"1", accept(0, `{"q1":["red"]}`), invalid, "elicitation selected unknown option for q1"},
		"too many":           {"2", accept(0, `{"q2":["a","b","c"]}`), invalid, "invalid selections for q2"},
		"too few":            {"2", accept(0, `{"q2":[]}`), invalid, "invalid selections for q2"},
		"twice":              {"2", accept(0, `{"q2":["a","a"]}`), invalid, "invalid selections for q2"},
		"one for several":    {"2", accept(0, `{"q2":"a"}`), invalid, "invalid selections for q2"},
		"unknown of several": {"2", accept(0, `{"q2":["d"]}`), invalid, "invalid selections for q2"},
		"too long":           {"3", accept(0, `{"q3":"`+long+`x"}`), invalid, "exceeds 500 characters for q3"},
		"no text":            {"3", accept(0, `{"q3":true}`), invalid, "no text for q3"},
		"one of two missing": {"13", accept(0, `{"q1":"red"}`), invalid, "missing required answer for q3"},
		"null":               {"1", accept(0, `{"q1":null}`), invalid, "missing required answer for q1"},
		"no content":         {"1", `{"jsonrpc":"2.0","id":0,"result":{"action":"accept"}}`, invalid, "missing required answer for q1"},
		"no action":          {"1", `{"jsonrpc":"2.0","id":0,"result":{"content":{"q1":"red"}}}`, invalid, "no action that is known"},
		"other action":       {"1", `{"jsonrpc":"2.0","id":0,"result":{"action":"Accept","content":{"q1":"red"}}}`, invalid, "no action that is known"},
		"empty":              {"1", `{"jsonrpc":"2.0","id":0,"result":{}}`, invalid, "no action that is known"},
		"result of a kind":   {"1", `{"jsonrpc":"2.0","id":0,"result":null}`, invalid, "no action that is known"},
		"both":               {"1", `{"jsonrpc":"2.0","id":0,"result":{"action":"decline"},"error":{"code":1,"message":"x"}}`, invalid, "both a result and an error"},
		"error":              {"1", `{"jsonrpc":"2.0","id":0,"error":{"code":-32801,"message":"no window","data":{"a":1}}}`, invalid, `"error":{"code":-32801,"message":"no window","data":{"a":1,"failure":{"source":"adapter","kind":"requestError"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFormWorld(t, "input:"+c.questions).ready(1)
			w.send(w.prompt(2, 0))
			if lines := w.until("elicitation/create"); len(lines) != 1 {
				t.Errorf("before the form: %q", lines)
			}
			w.send(c.answer)
			if lines := w.until(`"id":2`); !contains(lines, c.end) || contains(lines, "elicitation/create") {
				t.Errorf("lines: %q, want %s", lines, c.end)
			}
			w.close()
			if diff := cmp.Diff([]string{c.sent}, w.inputs()); diff != "" {
				t.Errorf("the host got (-want +got):\n%s", diff)
			}
			if c.end != "end_turn" && w.count("turn/start") != 1 {
				t.Error("the turn was sent again")
			}
		})
	}
}

// The form, byte by byte: all questions in one, each of them required (ACP-ELIC-03, ACP-ELIC-04).
func TestFormWire(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t, "input:123").ready(1)
	w.send(w.prompt(2, 0))
	want := `{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"mode":"form","sessionId":"{session:1}","message":"Pick a color\nPick some\nSay why",` +
		`"requestedSchema":{"type":"object","required":["q1","q2","q3"],"properties":{` +
		`"q1":{"type":"string","title":"Choice","description":"Pick a color","enum":["red","blue"]},` +
		`"q2":{"type":"array","title":"More","description":"Pick some","items":{"type":"string","enum":["a","b","c"]},"minItems":1,"maxItems":2},` +
		`"q3":{"type":"string","title":"Why","description":"Say why","maxLength":500}}},` +
		`"_meta":{"museUserInputId":"ui","museTurnId":"{id:1}","museToolCallId":"call-ui","museToolName":"ask_user"}}}`
	if diff := cmp.Diff([]string{want}, w.plain(w.until("elicitation/create"))); diff != "" {
		t.Errorf("the form (-want +got):\n%s", diff)
	}
	w.close()
	if got := w.inputs(); len(got) != 0 {
		t.Errorf("a client that is gone answered: %q", got)
	}
}

// Only an object under elicitation.form advertises forms; without it nothing is asked (ACP-ELIC-01, ACP-ELIC-02).
func TestNoForms(t *testing.T) {
	t.Parallel()
	for _, capabilities := range []string{`{}`, `null`, `7`, `{"elicitation":null}`, `{"elicitation":{}}`, `{"elicitation":{"form":null}}`, `{"elicitation":{"form":true}}`, `{"elicitation":{"url":{}}}`} {
		w := newWorld(t, "input:1")
		w.hello = strings.Replace(hello, `"protocolVersion":1`, `"protocolVersion":1,"clientCapabilities":`+capabilities, 1)
		w.ready(1).send(w.prompt(2, 0))
		lines := w.until(`"id":2`)
		w.close()
		if contains(lines, "elicitation") && !contains(lines, "did not advertise form elicitation") || len(lines) != 1 {
			t.Errorf("%s: %q", capabilities, lines)
		}
		if diff := cmp.Diff([]string{`userInput/cancel "userInputId":"ui","reason":"client has no form elicitation support"`}, w.inputs()); diff != "" {
			t.Errorf("%s: the host got (-want +got):\n%s", capabilities, diff)
		}
	}
	w := newFormWorld(t, "input:0").ready(1)
	w.send(w.prompt(2, 0))
	if lines := w.until(`"id":2`); !contains(lines, "cannot be shown") || len(w.inputs()) != 1 {
		t.Errorf("a question without an id: %q", lines)
	}
	w.close()
}

// Several forms and a permission are open at once and are answered in any order.
func TestFormsAtOnce(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t, "two-inputs").ready(1)
	w.send(w.prompt(2, 0))
	w.until(`"id":2,"method":"elicitation/create"`)
	w.send(accept(2, `{"q3":"w"}`), selected(1, "allow_once"), accept(0, `{"q1":"red"}`))
	w.until(`"id":2,"result":{"stopReason":"end_turn"}`)
	w.close()
	want := []string{
		`userInput/answer "userInputId":"ui2","answers":[{"questionId":"q3","freeText":"w"}]`,
		`userInput/answer "userInputId":"ui1","answers":[{"questionId":"q1","selectedLabel":"red"}]`,
	}
	if diff := cmp.Diff(want, w.inputs()); diff != "" || !w.marker("call1") {
		t.Errorf("marker %t, the host got (-want +got):\n%s", w.marker("call1"), diff)
	}
}

// A form of a cancelled turn is given up: its answer does nothing, not even in the next turn.
func TestCancelWithForm(t *testing.T) {
	t.Parallel()
	w := newFormWorld(t, "input:1").ready(1)
	w.send(w.prompt(2, 0))
	w.until("elicitation/create")
	w.send(w.cancel(0), accept(0, `{"q1":"red"}`))
	if lines := w.until(`"id":2`); len(lines) != 1 || !contains(lines, cancelled) {
		t.Errorf("after the cancel: %q", lines)
	}
	w.send(accept(0, `{"q1":"red"}`), w.prompt(3, 0))
	w.until(`"id":1,"method":"elicitation/create"`)
	w.send(accept(0, `{"q1":"red"}`), accept(1, `{"q1":"blue"}`))
	w.until(`"id":3,"result":{"stopReason":"end_turn"}`)
	w.close()
	want := []string{`userInput/answer "userInputId":"ui","answers":[{"questionId":"q1","selectedLabel":"blue"}]`}
	if diff := cmp.Diff(want, w.inputs()); diff != "" || w.count("turn/cancel") != 1 {
		t.Errorf("the host got (-want +got):\n%s", diff)
	}
}

// What hosts do with user input: it settles without the client, refuses what comes, or says nothing more.
func TestFormHosts(t *testing.T) {
	t.Parallel()
	for script, c := range map[string]struct{ end, sent string }{
		"input-settled": {"end_turn", ""},
		"input-refused:-32056:userInputAlreadySettled": {"end_turn", "userInput/answer"},
		"input-refused:-32057:userInputAnswerInvalid":  {"(MSP -32057)", "userInput/answer"},
		"input-refused:-32001:overloaded":              {"(MSP -32001)", "userInput/answer"},
		"input-silent":                                 {"Muse user input ui is still pending", "userInput/answer"},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			w := newFormWorld(t, script, func(o *reference.Options) {
				if script == "input-silent" {
					o.Deadlines.Stall, o.Deadlines.Cancel = time.Millisecond, time.Millisecond
				}
			}).ready(1)
			w.send(w.prompt(2, 0))
			lines := w.until("elicitation/create")
			if script != "input-settled" {
				w.send(accept(0, `{"q1":"red"}`))
			}
			lines = append(lines, w.until(`"id":2`)...)
			w.send(accept(0, `{"q1":"red"}`))
			w.close()
			if !contains(lines, c.end) || contains(lines, "secret") || strings.Count(strings.Join(lines, ""), "elicitation/create") != 1 {
				t.Errorf("lines: %q, want %s", lines, c.end)
			}
			if got := w.inputs(); c.sent == "" && len(got) != 0 || c.sent != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.sent)) {
				t.Errorf("the host got %q", got)
			}
		})
	}
}
