package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"acp-conform/internal/strictjson"
)

func ptr[T any](v T) *T { return &v }

// every holds each operation and each kind of answer once.
func every() *Input {
	return &Input{
		Steps: []Step{
			{Op: "initialize"},
			{Op: "initialize", Forms: true, Meta: json.RawMessage(`{"muse/approval":1}`)},
			{Op: "initialize", Capabilities: json.RawMessage(`null`)},
			{Op: "newSession"},
			{Op: "prompt", Text: "a < b & \"c\"", Session: 1},
			{Op: "prompt", Text: "x", Until: "asked"},
			{Op: "prompt", Text: "x", Until: "said", Said: "half"},
			{Op: "prompts", Until: "asked", Prompts: []Prompt{{Text: "x", Session: 2}, {Text: "y"}}},
			{Op: "promptAndCancelInOneWrite", Text: "x", Times: 200},
			{Op: "cancel", Session: 2},
			{Op: "answer", Answer: &Answer{Name: "Allow once"}},
			{Op: "answer", About: "touch", Answer: &Answer{Disconnect: true}},
			{Op: "answerForm", Session: 1, FormAnswer: &FormAnswer{Fill: []Field{{Field: "q", Value: json.RawMessage(`["a","b"]`)}}}},
			{Op: "line", Line: ptr(`{"a":1}\x0d`)},
			{Op: "line", Line: ptr("")},
			{Op: "terminate"},
			{Op: "request", Method: ptr("x/y"), Params: json.RawMessage(`{"n":9007199254740993.10,"s":"<&>"}`)},
		},
		PermissionAnswers: []Answer{{Kind: "allow_once"}, {Name: "Reject"}, {OptionID: "o"}, {Cancelled: true}, {Withhold: true}, {Result: json.RawMessage(`{"outcome":1}`)}, {Error: json.RawMessage("null")}, {Disconnect: true},
			{Name: "Allow", After: &Event{Asked: 2}, Expect: &Expectation{Session: 1, ToolCall: "touch", Title: "t", Kinds: []string{"allow_once"}}}},
		FormAnswers: []FormAnswer{{Content: json.RawMessage(`{}`)}, {Declined: true}, {Cancelled: true}, {Withhold: true}, {Disconnect: true}, {Result: json.RawMessage(`1`)},
			{Error: json.RawMessage(`{"code":1}`), After: &Event{Shown: "x"}}, {Declined: true, After: &Event{Called: "m"}}, {Declined: true, After: &Event{Closed: "touch"}}, {Declined: true, After: &Event{Ended: true}},
			{Cancelled: true, Expect: &FormExpectation{Session: 2, Message: "?", Fields: []string{"q"}}}},
		Strict: ptr(false),
	}
}

func TestEncodeAndDecode(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]*Input{
		"everything": every(), "nothing": {}, "only strict": {Strict: ptr(true)},
		"one step": {Steps: []Step{{Op: "initialize"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := in.Encode()
			if err != nil {
				t.Fatal(err)
			}
			back, err := DecodeInput("input.json", text)
			if err != nil {
				t.Fatalf("%v in:\n%s", err, text)
			}
			if diff := cmp.Diff(in, back, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := back.Encode()
			if err != nil || !bytes.Equal(text, again) {
				t.Errorf("written again it is (%v):\n%s", err, again)
			}
		})
	}
}

// The form is pinned, because git shows it: one step a line, nothing escaped that need not be.
func TestEncode(t *testing.T) {
	t.Parallel()
	in := &Input{Steps: []Step{{Op: "initialize"}, {Op: "prompt", Text: "a < b & c"}}, PermissionAnswers: []Answer{{Cancelled: true}}, Strict: ptr(false)}
	got, err := in.Encode()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
  "steps": [
    {"op":"initialize"},
    {"op":"prompt","text":"a < b & c"}
  ],
  "permissionAnswers": [
    {"cancelled":true}
  ],
  "strict": false
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStrictIsTheDefault(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		strict *bool
		want   bool
	}{{nil, true}, {ptr(true), true}, {ptr(false), false}} {
		if got := (&Input{Strict: tt.strict}).IsStrict(); got != tt.want {
			t.Errorf("IsStrict() = %t, want %t", got, tt.want)
		}
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	step := func(s string) string { return "{\"steps\": [\n{\"op\": \"initialize\"},\n" + s + "]}" }
	answer := func(a string) string {
		return "{\"steps\": [],\n\"permissionAnswers\": [{\"cancelled\": true},\n" + a + "]}"
	}
	form := func(a string) string { return "{\"steps\": [],\n\"formAnswers\": [{\"cancelled\": true},\n" + a + "]}" }
	tests := []struct{ name, text, want string }{
		{"no steps", `{}`, `i:1: the member "steps" is missing`},
		{"unknown member", "{\"steps\": [],\n\"permissionAnswer\": []}", `i:2: unknown member "permissionAnswer"; did you mean "permissionAnswers"?`},
		{"unknown member of a step", step(`{"op": "prompt", "txt": "x"}`), `i:3: steps[1] ("prompt"): unknown member "txt"; did you mean "text"?`},
		{"unknown operation", step(`{"op": "promt", "text": "x"}`), `i:3: steps[1]: unknown operation "promt"; did you mean "prompt"?`},
		{"hopeless operation", step(`{"op": "juggle"}`), `i:3: steps[1]: unknown operation "juggle"`},
		{"no operation", step(`{"text": "x"}`), `i:3: steps[1]: the member "op" is missing`},
		{"missing member", step(`{"op": "prompt"}`), `i:3: steps[1] ("prompt"): it needs "text"`},
		{"missing line", step(`{"op": "line"}`), `i:3: steps[1] ("line"): it needs "line"`},
		{"a member too much", step(`{"op": "newSession", "text": "x"}`), `i:3: steps[1] ("newSession"): it takes no "text"`},
		{"times of a prompt", step(`{"op": "prompt", "text": "x", "times": 2}`), `i:3: steps[1] ("prompt"): it takes no "times"`},
		{"negative session", step(`{"op": "cancel", "session": -1}`), `i:3: steps[1] ("cancel"): a count is negative`},
		{"negative session in prompts", step(`{"op": "prompts", "prompts": [{"text": "x", "session": -1}]}`), `i:3: steps[1] ("prompts"): a count is negative`},
		{"no prompts in prompts", step(`{"op": "prompts", "prompts": []}`), `i:3: steps[1] ("prompts"): "prompts" holds at least one prompt, and each has a "text"`},
		{"a prompt without text", step(`{"op": "prompts", "prompts": [{"session": 1}]}`), `i:3: steps[1] ("prompts"): "prompts" holds at least one prompt, and each has a "text"`},
		{"unknown until", step(`{"op": "prompt", "text": "x", "until": "answered"}`), `i:3: steps[1] ("prompt"): "until" is "answered"; it can be "response", "asked", "said"`},
		{"said without until", step(`{"op": "prompt", "text": "x", "said": "y"}`), `i:3: steps[1] ("prompt"): "said" goes with "until": "said"`},
		{"until said without said", step(`{"op": "prompt", "text": "x", "until": "said"}`), `i:3: steps[1] ("prompt"): "said" goes with "until": "said"`},
		{"until called without method", step(`{"op": "prompt", "text": "x", "until": "called"}`), `i:3: steps[1] ("prompt"): "method" goes with "until": "called"`},
		{"an answer that withholds", step(`{"op": "answer", "answer": {"withhold": true}}`), `i:3: steps[1] ("answer"): an "answer" step answers at once`},
		{"an answer that waits", step(`{"op": "answer", "answer": {"name": "x", "after": {"ended": true}}}`), `i:3: steps[1] ("answer"): an "answer" step answers at once`},
		{"a form's answer that withholds", step(`{"op": "answerForm", "formAnswer": {"withhold": true}}`), `i:3: steps[1] ("answerForm"): an "answerForm" step answers at once`},
		{"an empty answer to a form", step(`{"op": "answerForm", "formAnswer": {}}`), `i:3: steps[1] ("answerForm"): the answer to a form has exactly one of fill, content, declined, cancelled, withhold, disconnect, result and error`},
		{"capabilities and forms", step(`{"op": "initialize", "forms": true, "capabilities": {}}`), `i:3: steps[1] ("initialize"): "capabilities" are all of them, so they go with no other member`},
		{"meta that is no object", step(`{"op": "initialize", "meta": 1}`), `i:3: steps[1] ("initialize"): "meta" is an object`},
		{"an empty answer", step(`{"op": "answer", "answer": {}}`), `i:3: steps[1] ("answer"): an answer has exactly one of `},
		{"no time to think", step(`{"op": "think"}`), `i:3: steps[1] ("think"): it needs "seconds"`},
		{"a long thought", step(`{"op": "think", "seconds": 6}`), `i:3: steps[1] ("think"): a user thinks for 1 to 5 seconds`},
		{"an id of the other type alone", answer(`{"name": "x", "otherId": true}`), `i:3: permissionAnswers[1]: what "otherId" sends answers nothing: it needs a "then"`},
		{"withheld, then answered", answer(`{"withhold": true, "then": {"name": "x"}}`), `i:3: permissionAnswers[1]: "then" goes with an answer that is sent`},
		{"answered, then withheld", answer(`{"name": "x", "then": {"withhold": true}}`), `i:3: permissionAnswers[1]: "then" is sent at once, to the same question`},
		{"a second answer that is two", answer(`{"name": "x", "then": {"name": "y", "kind": "allow_once"}}`), `i:3: permissionAnswers[1]: an answer has exactly one of `},
		{"a long text of nothing", step(`{"op": "promptLong", "long": {"repeat": "", "bytes": 3}}`), `i:3: steps[1] ("promptLong"): "long" needs "repeat"`},
		{"a long text of no length", step(`{"op": "promptLong", "long": {"repeat": "a"}}`), `i:3: steps[1] ("promptLong"): "long" needs "repeat"`},
		{"a long text with a slip", step(`{"op": "promptLong", "long": {"repeat": "a", "byte": 3}}`), `i:3: `},
		{"a text and a long one", step(`{"op": "promptLong", "text": "b", "long": {"repeat": "a", "bytes": 3}}`), `i:3: steps[1] ("promptLong"): it takes no "text"`},
		{"two answers in one", answer(`{"kind": "allow_once", "name": "Allow"}`), `i:3: permissionAnswers[1]: an answer has exactly one of `},
		{"no answer in one", answer(`{}`), `i:3: permissionAnswers[1]: an answer has exactly one of `},
		{"not cancelled", answer(`{"cancelled": false}`), `i:3: permissionAnswers[1]: an answer has exactly one of `},
		{"unknown kind", answer(`{"kind": "allow_onec"}`), `i:3: permissionAnswers[1]: unknown kind "allow_onec"; did you mean "allow_once"?`},
		{"hopeless kind", answer(`{"kind": "yes"}`), `i:3: permissionAnswers[1]: unknown kind "yes"`},
		{"only an expectation", answer(`{"expect": {"session": 1}}`), `i:3: permissionAnswers[1]: an answer has exactly one of kind, name, optionId, cancelled, withhold, disconnect, result, error and body`},
		{"an empty expectation", answer(`{"cancelled": true, "expect": {}}`), `i:3: permissionAnswers[1]: "expect" holds at least one of`},
		{"an unknown kind is expected", answer(`{"cancelled": true, "expect": {"kinds": ["alow_once"]}}`), `i:3: permissionAnswers[1]: unknown kind "alow_once"; did you mean "allow_once"?`},
		{"an event that is none", answer(`{"cancelled": true, "after": {}}`), `i:3: permissionAnswers[1]: "after" has exactly one of asked, shown, called, closed and ended`},
		{"two events", answer(`{"cancelled": true, "after": {"asked": 1, "ended": true}}`), `i:3: permissionAnswers[1]: "after" has exactly one of`},
		{"an unknown event", answer(`{"cancelled": true, "after": {"file": "x"}}`), `i:3: permissionAnswers[1].after: unknown member "file"; here can be asked, called, closed, ended and shown`},
		{"a negative count of questions", answer(`{"cancelled": true, "after": {"asked": -1}}`), `i:3: permissionAnswers[1]: a count is negative`},
		{"what is withheld waits", answer(`{"withhold": true, "after": {"ended": true}}`), `i:3: permissionAnswers[1]: what is withheld waits for nothing`},
		{"a field without a value", form(`{"fill": [{"field": "q"}]}`), `i:3: formAnswers[1]: each field of "fill" has a "field" and a "value"`},
		{"content that is no object", form(`{"content": "x"}`), `i:3: formAnswers[1]: "content" is an object`},
		{"an empty expectation of a form", form(`{"declined": true, "expect": {}}`), `i:3: formAnswers[1]: "expect" holds at least one of session, message and fields`},
		{"an event of a form", form(`{"declined": true, "after": {"asked": 1, "ended": true}}`), `i:3: formAnswers[1]: "after" has exactly one of`},
		{"a later operation", step(`{"op": "waitForFile"}`), `i:3: steps[1]: the operation "waitForFile" belongs to a later state of the format (H)`},
		{"a later operation with its members", step(`{"op": "waitForFile", "path": "x", "timeoutMs": 5}`), `i:3: steps[1]: the operation "waitForFile" belongs to a later state of the format (H)`},
		{"a later operation behind a mistake", "{\"steps\": [\n{\"op\": \"prompt\", \"txt\": \"x\"},\n{\"op\": \"waitForFile\", \"path\": \"x\"}]}", `i:2: steps[0] ("prompt"): unknown member "txt"`},
		{"a mistake behind a later operation", "{\"steps\": [\n{\"op\": \"waitForTurnEnd\"},\n{\"op\": \"prompt\", \"txt\": \"x\"}]}", `i:2: steps[0]: the operation "waitForTurnEnd" belongs to a later state`},
		{"a file in an operation of both states", step(`{"op": "promptAndCancel", "text": "x", "waitForFile": {"path": "x", "timeoutMs": 5}}`), `i:3: steps[1]: the operation "promptAndCancel" with "waitForFile" belongs to a later state of the format (H)`},
		{"a file in a cancel", step(`{"op": "cancel", "waitForFile": {"path": "x"}}`), `i:3: steps[1]: the operation "cancel" with "waitForFile" belongs to a later state of the format (H)`},
		{"a file in an operation that never has one", step(`{"op": "prompt", "text": "x", "waitForFile": {}}`), `i:3: steps[1] ("prompt"): unknown member "waitForFile"`},
		{"wrong type", step(`{"op": "prompt", "text": 3}`), `i:3: steps[1] ("prompt"): "text" holds the number 3 where a string is expected`},
		{"wrong type of an operation", step(`{"op": 3}`), `i:3: steps[1]: "op" holds the number 3 where a string is expected`},
		{"no step", step(`"prompt"`), `i:3: steps[1]: this is a string where an object is expected`},
		{"null for a step", step(`null`), `i:3: steps[1]: this is null where an object is expected`},
		{"an operation twice", step(`{"op": "prompt", "op": "cancel"}`), `i:3: steps[1] ("cancel"): the member "op" is there twice`},
		{"unknown member of an answer in a step", step(`{"op": "answer", "answer": {"expect": {"toolName": "x"}}}`), `i:3: steps[1] ("answer"): answer.expect: unknown member "toolName"; did you mean "toolCall"?`},
		{"unknown member of a prompt", step(`{"op": "prompts", "prompts": [{"text": "x"}, {"txt": "x"}]}`), `i:3: steps[1] ("prompts"): prompts[1]: unknown member "txt"; did you mean "text"?`},
		{"steps that are no list", `{"steps": {"op": "prompt"}}`, `i:1: "steps" holds an object where an array is expected`},
		{"a kind of another type", answer(`{"kind": 5}`), `i:3: permissionAnswers[1]: "kind" holds the number 5 where a string is expected`},
		{"only a kind", answer(`"allow_once"`), `i:3: permissionAnswers[1]: this is a string where an object is expected`},
		{"null for an answer", answer(`null`), `i:3: permissionAnswers[1]: this is null where an object is expected`},
		{"unknown member of an answer", answer(`{"expct": {}}`), `i:3: permissionAnswers[1]: unknown member "expct"; did you mean "expect"?`},
		{"unknown expectation", answer(`{"kind": "allow_once", "expect": {"toolName": "x"}}`), `i:3: permissionAnswers[1].expect: unknown member "toolName"; did you mean "toolCall"?`},
		{"an expectation of another type", answer(`{"kind": "allow_once", "expect": {"kinds": ["allow_once", 1]}}`), `i:3: permissionAnswers[1].expect.kinds[1]: this is the number 1 where a string is expected`},
		{"a switch that is none", answer(`{"cancelled": "yes"}`), `i:3: permissionAnswers[1]: "cancelled" holds a string where true or false is expected`},
		{"a form's answer of another type", form(`{"fill": {"q": "x"}}`), `i:3: formAnswers[1]: "fill" holds an object where an array is expected`},
		{"null for a form's answer", form(`null`), `i:3: formAnswers[1]: this is null where an object is expected`},
		{"a form's field of another type", form(`{"fill": ["x"]}`), `i:3: formAnswers[1].fill[0]: this is a string where an object is expected`},
		{"strict in words", "{\"steps\": [],\n\"strict\": \"no\"}", `i:2: "strict" holds a string where true or false is expected`},
		{"no object", `[]`, `i:1: this is an array where an object is expected`},
		{"no JSON", "{\n", `i:2: the file ends too early`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := DecodeInput("i", []byte(tt.text))
			if err == nil {
				t.Fatal("the mistake was accepted")
			}
			if !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got:\n%v\nwant at its beginning:\n%s", err, tt.want)
			}
			var e *strictjson.Error
			if !errors.As(err, &e) {
				t.Errorf("the error is a %T", err)
			}
		})
	}
}

// Every operation of the later state is named as one, with the members that it has there (approval-seam.md §6.2).
func TestLaterOperations(t *testing.T) {
	t.Parallel()
	for _, step := range []string{
		`{"op": "promptContent", "content": [{"type": "text", "text": "x"}]}`,
		`{"op": "promptAndWaitForAgentMessage", "text": "x", "waitForText": "y"}`,
		`{"op": "waitForFile", "path": "x", "timeoutMs": 10000}`,
		`{"op": "waitForTurnStart", "minimumTurn": 1, "timeoutMs": 10000}`,
		`{"op": "waitForTurnEnd", "minimumTurn": 2}`,
		`{"op": "waitForSubagentTurnEnd", "child": 1, "minimumTurn": 1, "timeoutMs": 10000}`,
		`{"op": "waitForGoalPhase", "phase": "done", "timeoutMs": 10000}`,
		`{"op": "waitForInboxMessage", "text": "x", "timeoutMs": 10000}`,
		`{"op": "waitForTitleAfterTurnEnd", "timeoutMs": 10000}`,
		`{"op": "waitForEventAfterTurnEnd", "type": "x", "timeoutMs": 10000}`,
		`{"op": "promptAndCancel", "text": "x", "waitForFile": {"path": "x", "timeoutMs": 10000}}`,
		`{"op": "cancel", "waitForFile": {"path": "x", "timeoutMs": 10000}}`,
	} {
		var s struct{ Op string }
		if err := json.Unmarshal([]byte(step), &s); err != nil {
			t.Fatal(err)
		}
		_, err := DecodeInput("dir/input.json", []byte("{\"steps\": [{\"op\": \"initialize\"},\n"+step+"]}"))
		if want := fmt.Sprintf("dir/input.json:2: steps[1]: the operation %q ", s.Op); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "belongs to a later state of the format (H)") {
			t.Errorf("got:\n%v\nwant at its beginning:\n%s", err, want)
		}
	}
}

// Every operation works with its required members alone, and each of its members is one of a step.
func TestOperations(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"text": `"x"`, "session": `1`, "until": `"asked"`, "said": `"x"`, "times": `2`, "prompts": `[{"text":"x"}]`,
		"answer": `{"cancelled":true}`, "line": `""`, "event": `"x"`,
		"method": `"x"`, "params": `{"a":[null]}`, "terminalOutput": `true`, "additionalDirectories": `["/x"]`, "configId": `"x"`, "value": `"y"`,
		"forms": `true`, "meta": `{}`, "capabilities": `null`, "about": `"x"`, "formAnswer": `{"declined":true}`,
		"seconds": `4`, "unread": `true`, "long": `{"repeat":"#é","bytes":7}`,
	}
	for _, op := range Operations() {
		text := `{"op":"` + op.Name + `"`
		for _, m := range op.Required {
			text += `,"` + m + `":` + values[m]
		}
		if _, err := DecodeInput(op.Name, []byte(`{"steps":[`+text+`}]}`)); err != nil {
			t.Error(err)
		}
		for _, m := range op.Optional {
			more := text + `,"` + m + `":` + values[m] + `}`
			switch {
			case m == "said":
				more = text + `,"said":"x","until":"said"}`
			case m == "method" && op.Name == "prompt":
				more = text + `,"method":"x","until":"called"}`
			}
			if _, err := DecodeInput(op.Name, []byte(`{"steps":[`+more+`]}`)); err != nil {
				t.Error(err)
			}
		}
	}
}

// FuzzDecodeInput: decoding ends, and what it accepts can be written and read again.
func FuzzDecodeInput(f *testing.F) {
	text, err := every().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, s := range []string{`{"steps":[{"op":"promt"}]}`, `{"steps":["steps"]}`, `{"steps":[[{}]]}`, `{"steps":null}`, `{"steps":[null],"permissionAnswers":[null]}`, `{"steps":[],"formAnswers":[{"after":null},{"fill":[{}]}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := DecodeInput("f", text)
		if err != nil {
			var e *strictjson.Error
			if !errors.As(err, &e) || e.Line < 1 || e.Line > 1+strings.Count(string(text), "\n") {
				t.Errorf("%T: %v", err, err)
			} else if strings.Contains(e.Problem, "cannot unmarshal") {
				t.Errorf("the error speaks of Go: %v", err)
			}
			return
		}
		again, err := in.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeInput("again", again)
		if err != nil {
			t.Fatalf("%v in:\n%s", err, again)
		}
		if twice, err := back.Encode(); err != nil || !bytes.Equal(again, twice) {
			t.Errorf("written once:\n%s\nwritten twice (%v):\n%s", again, err, twice)
		}
	})
}
