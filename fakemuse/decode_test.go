package fakemuse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeScript(t *testing.T) {
	t.Parallel()
	text := `{
  "version": "1.4.2",
  "variants": ["request-first"],
  "turns": [
    {"prompt": "x", "steps": [
      {"think": ["a", "b"]}, {"say": "c"},
      {"tool": {"name": "bash", "args": {"command": "ls",  "n": 1.0}, "callId": "call_x", "output": "", "approval": {
        "choices": [{"choiceId": "y", "label": "Yes", "decision": "approved", "scope": "once"},
                    {"choiceId": "z", "label": "Zap", "decision": "vendorZap", "scope": "galaxy", "grants": true, "acceptsFeedback": true, "rulePreview": "r"}],
        "stages": [["ls"], {"argv": ["id"], "argvComplete": false, "resolution": "knownSafe"}],
        "subject": {"kind": "network", "host": "h", "port": 80, "origin": {"kind": "tool", "url": "u"}},
        "protectedWrite": true, "judgeEscalated": true,
        "subagentOrigin": {"subagentId": "a", "childSessionId": "b", "childRunId": "c"}}}},
      {"tool": {"name": "t", "rawArgs": "{oops", "fails": "no", "approval": {"choices": "once"}}},
      {"wait": "e"}, {"raw": "r"}, {"fail": {"kind": "vendorError", "message": "m", "retryable": true}}
    ]},
    {"steps": [{"hang": true}]}, {"steps": [{"exit": 3}]}, {"steps": [{"silence": true}]}
  ]
}`
	got, err := DecodeScript("muse.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	empty, port, three := "", 80, 3
	want := &Script{Version: "1.4.2", Variants: []string{"request-first"}, Turns: []Turn{
		{Line: 5, Prompt: "x", Steps: []Step{
			{Line: 6, Think: []string{"a", "b"}}, {Line: 6, Say: []string{"c"}},
			{Line: 7, Tool: &Tool{Name: "bash", Args: `{"command": "ls",  "n": 1.0}`, CallID: "call_x", Output: &empty, Approval: &Approval{
				Choices: []Choice{
					{ChoiceID: "y", Label: "Yes", Decision: "approved", Scope: "once", Grants: true},
					{ChoiceID: "z", Label: "Zap", Decision: "vendorZap", Scope: "galaxy", Grants: true, AcceptsFeedback: true, RulePreview: "r"},
				},
				Stages:         []Stage{{Argv: []string{"ls"}}, {Argv: []string{"id"}, Incomplete: true, Known: "knownSafe"}},
				Subject:        &Subject{Kind: "network", Host: "h", Port: &port, Origin: &Origin{Kind: "tool", URL: "u"}},
				ProtectedWrite: true, JudgeEscalated: true,
				SubagentOrigin: &SubagentOrigin{SubagentID: "a", ChildSessionID: "b", ChildRunID: "c"},
			}}},
			{Line: 14, Tool: &Tool{Name: "t", Args: "{oops", Fails: "no", Approval: &Approval{ChoiceSet: "once"}}},
			{Line: 15, Wait: "e"}, {Line: 15, Raw: &Raw{Bytes: []byte("r")}},
			{Line: 15, Fail: &Failure{Kind: "vendorError", Message: "m", Retryable: true}},
		}},
		{Line: 17, Steps: []Step{{Line: 17, Hang: true}}},
		{Line: 17, Steps: []Step{{Line: 17, Exit: &three}}},
		{Line: 17, Steps: []Step{{Line: 17, Silence: true}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeScriptErrors(t *testing.T) {
	t.Parallel()
	step := func(s string) string { return "{\"turns\":[{\"steps\":[\n" + s + "]}]}" }
	approval := func(s string) string { return step(`{"tool":{"name":"bash","approval":` + s + `}}`) }
	tests := []struct{ name, text, want string }{
		{"no JSON", "{\n\"turns\":[}", `m.json:2: the script is not JSON: invalid character '}'`},
		{"nothing", "", `m.json:1: the script is not JSON: unexpected end`},
		{"not UTF-8", "\"\xff\"", `m.json:1: the script is not UTF-8`},
		{"no object", "[]", `m.json:1: the script must be an object, not an array`},
		{"no turns", "{}", `m.json:1: the script needs a member "turns"`},
		{"unknown member", "{\n\"turn\":[]}", `m.json:2: the script has no member "turn"; did you mean "turns"?`},
		{"far member", `{"x":1}`, `the script has no member "x"; there are: version, variants, turns`},
		{"twin", `{"turns":[],"turns":[]}`, `turns is there twice`},
		{"variant", `{"variants":["ack-first"],"turns":[]}`, `there is no host variant "ack-first"; did you mean "acks-first"?`},
		{"exclusive variants", `{"variants":["cursor-empty","cursor-numbered"],"turns":[]}`, `exclude each other`},
		{"no steps", `{"turns":[{}]}`, `turns[0] needs a member "steps"`},
		{"unknown step", step(`{"sya":"x"}`), `m.json:2: turns[0].steps[0] has no member "sya"; did you mean "say"?`},
		{"two steps in one", step(`{"say":"x","think":"y"}`), `must have exactly one of the members`},
		{"empty step", step(`{}`), `must have exactly one of the members`},
		{"empty text", step(`{"say":""}`), `turns[0].steps[0].say must not be empty`},
		{"empty chunks", step(`{"say":[]}`), `turns[0].steps[0].say must not be empty`},
		{"chunks of another type", step(`{"say":[1]}`), `turns[0].steps[0].say[0] must be a string, not a number`},
		{"no hang", step(`{"hang":false}`), `can only be true`},
		{"exit code", step(`{"exit":256}`), `turns[0].steps[0].exit must be between 0 and 255, not 256`},
		{"exit of another type", step(`{"exit":"1"}`), `must be a whole number, not a string`},
		{"never reached", step("{\"exit\":1},\n{\"say\":\"x\"}"), `m.json:3: turns[0].steps[1] is never reached: "exit" before it ends the turn`},
		{"failure without message", step(`{"fail":{"kind":"modelError"}}`), `needs a member "message"`},
		{"failure kind", step(`{"fail":{"kind":"modlError","message":"x"}}`), `did you mean "modelError"?`},
		{"tool without name", step(`{"tool":{}}`), `turns[0].steps[0].tool needs a member "name"`},
		{"elsewhere, two ways", approval(`{"elsewhere":{"choice":"a","decision":"denied"}}`), `must have either "choice" or "decision"`},
		{"elsewhere, two times", approval(`{"elsewhere":{"choice":"a","atOnce":true,"wait":"x"}}`), `"atOnce" and "wait" exclude each other`},
		{"elsewhere, by nobody", approval(`{"elsewhere":{"choice":"a","by":"me"}}`), `me`},
		{"widened to nothing", approval(`{"widened":{"wait":"x"}}`), `needs a member "choices"`},
		{"a tool call that is there", approval(`{"noCall":false}`), `can only be true`},
		{"a stage instead of nothing", approval(`{"stages":[{"argv":["x"],"instead":[]}]}`), `must be an object`},
		{"not stuck", step(`{"ask":{"stuck":false,"questions":[]}}`), `can only be true`},
		{"one tool side by side", step(`{"tools":[{"name":"x"}]}`), `must have two or more tools; one alone is a "tool"`},
		{"no tools", step(`{"tools":[]}`), `must have two or more tools`},
		{"a step behind tools that hang", step(`{"tools":[{"name":"x"},{"name":"y","hang":true}]},{"say":"x"}`), `is never reached: "hang" before it ends the turn`},
		{"arguments", step(`{"tool":{"name":"x","args":"{}"}}`), `must be an object (other texts go into rawArgs), not a string`},
		{"two arguments", step(`{"tool":{"name":"x","args":{},"rawArgs":""}}`), `"args" and "rawArgs" exclude each other`},
		{"output and fails", step(`{"tool":{"name":"x","output":"","fails":"y"}}`), `"output" and "fails" exclude each other`},
		{"choice set", approval(`{"choices":"shel"}`), `did you mean "shell"?`},
		{"no choices", approval(`{"choices":[]}`), `must not be empty`},
		{"choice without label", approval(`{"choices":[{"choiceId":"a","decision":"abort","scope":"once"}]}`), `needs a member "label"`},
		{"decision", approval(`{"choices":[{"choiceId":"a","label":"b","decision":"aproved","scope":"once"}]}`), `did you mean "approved"?`},
		{"unknown decision", approval(`{"choices":[{"choiceId":"a","label":"b","decision":"vendorSays","scope":"once"}]}`), `say with "grants" whether it lets the tool run`},
		{"needless grants", approval(`{"choices":[{"choiceId":"a","label":"b","decision":"abort","scope":"once","grants":true}]}`), `says itself whether it grants`},
		{"same choice twice", approval(`{"choices":[{"choiceId":"a","label":"b","decision":"abort","scope":"once"},{"choiceId":"a","label":"b","decision":"abort","scope":"once"}]}`), `the choiceId "a" is there twice`},
		{"no stages", approval(`{"stages":[]}`), `must not be empty`},
		{"nothing to ask", approval(`{"stages":[{"argv":["a"],"resolution":"knownSafe"}]}`), `no stage needs a decision`},
		{"subject kind", approval(`{"subject":{"kind":"shel"}}`), `did you mean "shell"?`},
		{"text without chunks", step(`{"say":{"whole":true}}`), `turns[0].steps[0].say needs a member "chunks"`},
		{"chunk of another kind", step(`{"say":{"chunks":[{"wiat":"x"}]}}`), `has no member "wiat"; did you mean "wait"?`},
		{"behind a text that hangs", step(`{"say":{"chunks":"a","hang":true}},{"say":"b"}`), `is never reached: "hang" before it ends the turn`},
		{"ask nothing", step(`{"ask":{"questions":[]}}`), `asks nothing`},
		{"question without id", step(`{"ask":{"questions":[{"question":"?"}]}}`), `question 1 needs an id`},
		{"ids of another type", "{\n\"turns\":[],\"ids\":\"x\"}", `m.json:2: ids: this is a string where a whole number that is not negative is expected`},
		{"a member of a question of another type", step(`{"ask":{"questions":[{"id":5}]}}`), `m.json:2: turns[0].steps[0].ask.questions[0]: "id" holds the number 5 where a string is expected`},
		{"null for a question", step(`{"ask":{"questions":[null]}}`), `m.json:2: turns[0].steps[0].ask.questions[0]: this is null where an object is expected`},
		{"todos of another type", step(`{"todos":[{"content":true}]}`), `m.json:2: turns[0].steps[0].todos[0]: `},
		{"usage of another type", step(`{"usage":"much"}`), `m.json:2: turns[0].steps[0].usage: this is a string where an object is expected`},
		{"unknown member of a question", step(`{"ask":{"questions":[{"ids":"a"}]}}`), `m.json:2: turns[0].steps[0].ask.questions[0]: unknown member "ids"; did you mean "id"?`},
		{"show without kind", step(`{"show":{"status":"completed"}}`), `needs the members "kind" and "status"`},
		{"event without method", step(`{"event":{"params":{}}}`), `needs a member "method"`},
		{"prompt and goal", `{"turns":[{"prompt":"a","goal":"b","steps":[]}]}`, `"prompt" and "goal" exclude each other`},
		{"timing", `{"turns":[{"timings":["durations"],"steps":[]}]}`, `did you mean "duration"?`},
		{"session twice", `{"sessions":[{"sessionId":"a"},{"sessionId":"a"}],"turns":[]}`, `the sessionId "a" is there twice`},
		{"session id", `{"sessions":[{"sessionId":"../a"}],"turns":[]}`, `cannot be the name of a folder`},
		{"stored cursors", `{"sessions":[{"sessionId":"a","events":[{"cursor":2,"method":"m","params":{}},{"cursor":2,"method":"m","params":{}}]}],"turns":[]}`, `its cursor must be greater than 2`},
		{"open without step", `{"sessions":[{"sessionId":"a","turn":{"turnId":"t","open":{"itemId":"i"}}}],"turns":[]}`, `needs an itemId, and a first step`},
		{"trigger", `{"on":[{"method":"serve","exit":1,"silence":true}],"turns":[]}`, `exactly one of the members`},
		{"clock", `{"clock":"today","turns":[]}`, `is no instant`},
		{"raw", step(`{"raw":{}}`), `must have either "text" or "base64"`},
		{"raw base64", step(`{"raw":{"base64":"?"}}`), `is not base64`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := DecodeScript("m.json", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want …%s…", err, tt.want)
			}
		})
	}
}

// FuzzDecodeScript: no text makes the decoder fail in another way than by an error that names the file.
func FuzzDecodeScript(f *testing.F) {
	f.Add([]byte(touchScript))
	f.Add([]byte(`{"turns":[{"prompt":"x","steps":[{"fail":{"kind":"a","message":"b"}},{"raw":{"base64":"AA=="}}]}]}`))
	f.Add([]byte(`{"turns":[{"steps":[{"tool":{"name":"x","approval":{"choices":[{"choiceId":"a"}],"stages":[["a"],{}]}}}]}]}`))
	for _, script := range []string{askScript, storedScript, anyScript} {
		f.Add([]byte(script))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		script, err := DecodeScript("m.json", data)
		if err != nil {
			if script != nil || !strings.HasPrefix(err.Error(), "m.json:") {
				t.Errorf("%v, %v", script, err)
			}
			return
		}
		if _, err := chooseVariants(script.Variants, nil); err != nil {
			t.Error(err)
		}
		// What can be read can be stored.
		s := &Server{options: Options{Script: script}, stored: map[string]*session{}, variants: variants{}}
		if err := s.openStore(); err != nil && !strings.Contains(err.Error(), "reading") {
			t.Error(err)
		}
	})
}

func TestVariants(t *testing.T) {
	t.Parallel()
	got, err := chooseVariants([]string{"approval-request"}, []string{"request-first", "events-first"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"events-first", "approval-request"}, got.names()); diff != "" {
		t.Error(diff)
	}
	if err := CheckVariants([]string{"pending"}); err == nil {
		t.Error("an unknown variant is taken")
	}
}

func TestSplitCommand(t *testing.T) {
	t.Parallel()
	got := splitCommand(`echo "a b" 'c d'\ e  "" \"f`)
	if diff := cmp.Diff([]string{"echo", "a b", "c d e", "", `"f`}, got); diff != "" {
		t.Error(diff)
	}
}

// Waiting by time hides what a test or a host really waits for.
func TestNoSleep(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "time."+"Sleep") {
			t.Errorf("%s sleeps", file)
		}
	}
}
