package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
	"acp-conform/wire/schema"
)

func schemas(t testing.TB) *schema.Schemas {
	t.Helper()
	s, err := schema.Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// talk feeds lines to a checker and gives what it says about each. A line begins with the lane, "client" or "muse",
// and the mark of the direction.
func talk(t testing.TB, c *schema.Checker, lines ...string) [][]schema.Problem {
	t.Helper()
	log := wire.NewLog(wire.Limits{})
	for _, line := range lines {
		lane, rest, _ := strings.Cut(line, " ")
		mark, data, ok := strings.Cut(rest, " ")
		if !ok {
			t.Fatalf("bad line %q", line)
		}
		e := wire.Entry{Lane: wire.Client, Dir: wire.ToAdapter, Data: []byte(data)}
		if lane == "muse" {
			e.Lane = wire.Lane{Name: "muse", N: 1}
		}
		if mark == "<-" {
			e.Dir = wire.FromAdapter
		}
		log.Append(e)
	}
	var out [][]schema.Problem
	for _, r := range log.Records() {
		out = append(out, c.Check(r))
	}
	return out
}

// brief writes problems so that a table can hold them: blame, severity unless it is an error, class, pointer, the text
// at the offset, and the message.
func brief(data string, problems []schema.Problem) []string {
	var out []string
	for _, p := range problems {
		severity := ""
		if p.Severity == schema.Info {
			severity = "info "
		}
		at := "nowhere"
		if p.Offset >= 0 {
			at = data[p.Offset:min(len(data), p.Offset+6)]
		}
		out = append(out, fmt.Sprintf("%s %s%s %s at %s: %s", p.Blame, severity, p.Class, p.Pointer, at, p.Message))
	}
	return out
}

const (
	askSession    = `client -> {"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}`
	askPrompt     = `client -> {"jsonrpc":"2.0","id":"1","method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"hi"}]}}`
	askPermission = `client <- {"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[{"optionId":"a","name":"Allow","kind":"allow_once"}]}}`
	askTurn       = `muse <- {"jsonrpc":"2.0","id":3,"method":"turn/start","params":{"commandId":"c","sessionId":"s","input":[{"type":"text","text":"hi"}]}}`
	askInput      = `muse -> {"jsonrpc":"2.0","id":1,"method":"userInput/request","params":{"sessionId":"s","userInputId":"u","turnId":"t","itemId":"u","toolCallId":"c","toolName":"request_user_input","viewCursor":"","sourceRange":{"stream":{"kind":"session","id":"s"},"first":{"id":"a","sequence":1},"last":{"id":"a","sequence":1}},"questions":[]}}`
)

// One valid and one invalid frame for every lane, direction and kind: who is blamed, where, and in what words.
func TestBlame(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	for _, tt := range []struct {
		name   string
		before []string
		valid  string
		wrong  string
		want   []string
	}{{
		name:  "client request",
		valid: askSession,
		wrong: `client -> {"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":42,"mcpServers":[]}}`,
		want:  []string{`harness value /params/cwd at 42,"mc: expected a string; got 42`},
	}, {
		name:  "client notification",
		valid: `client -> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`,
		wrong: `client -> {"jsonrpc":"2.0","method":"session/cancel","params":{}}`,
		want:  []string{`harness missing /params at {}}: the member "sessionId" is missing`},
	}, {
		name:   "client response",
		before: []string{askPermission},
		valid:  `client -> {"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected","optionId":"a"}}}`,
		wrong:  `client -> {"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected"}}}`,
		want:   []string{`harness missing /result/outcome at {"outc: the member "optionId" is missing`},
	}, {
		name:  "adapter request to the client",
		valid: askPermission,
		wrong: `client <- {"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[{"optionId":"a","name":"Allow","kind":"maybe"}]}}`,
		want:  []string{`adapter variant /params/options/0/kind at "maybe: expected one of "allow_once", "allow_always", "reject_once", "reject_always"; got "maybe"`},
	}, {
		name:  "adapter notification to the client",
		valid: `client <- {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}}}`,
		wrong: `client <- {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":null}}}}`,
		want:  []string{`adapter value /params/update/content/text at null}}: expected a string; got null`},
	}, {
		name:   "adapter response to the client",
		before: []string{askSession, askPrompt},
		valid:  `client <- {"jsonrpc":"2.0","id":"1","result":{"stopReason":"end_turn"}}`,
		wrong:  `client <- {"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}`,
		want: []string{
			`adapter missing /result at {"stop: the member "sessionId" is missing`,
		},
	}, {
		name:  "adapter request to the host",
		valid: askTurn,
		wrong: `muse <- {"jsonrpc":"2.0","id":3,"method":"turn/start","params":{"commandId":"c","sessionId":"s","input":[{"type":"sound"}]}}`,
		want:  []string{`adapter variant /params/input/0/type at "sound: expected one of "text", "image", "skill", "video"; got "sound"`},
	}, {
		name:  "adapter notification to the host",
		valid: `muse <- {"jsonrpc":"2.0","method":"initialized"}`,
		wrong: `muse <- {"jsonrpc":"2.0","method":"userInput/engaged","params":{"sessionId":"s"}}`,
		want:  []string{`adapter missing /params at {"sess: the member "userInputId" is missing`},
	}, {
		name:   "adapter response to the host",
		before: []string{askInput},
		valid:  `muse <- {"jsonrpc":"2.0","id":1,"result":{}}`,
		wrong:  `muse <- {"jsonrpc":"2.0","id":1,"result":null}`,
		want:   []string{`adapter value /result at null}: expected an object; got null`},
	}, {
		name:  "host request",
		valid: askInput,
		wrong: `muse -> {"jsonrpc":"2.0","id":null,"method":"userInput/request","params":[]}`,
		want: []string{
			`harness value /id at null,": expected an integer or a string; got null`,
			`harness value /params at []}: expected an object; got []`,
		},
	}, {
		name:  "host notification",
		valid: `muse -> {"jsonrpc":"2.0","method":"item/delta","params":{"sessionId":"s","viewCursor":"v","itemId":"i","delta":"x"},"emittedAtMs":1}`,
		wrong: `muse -> {"jsonrpc":"2.0","method":"item/delta","params":{"sessionId":"s","viewCursor":7,"itemId":"i","delta":"x"},"emittedAtMs":"1"}`,
		want: []string{
			`harness value /params/viewCursor at 7,"ite: expected a string; got 7`,
			`harness value /emittedAtMs at "1"}: expected an integer; got "1"`,
		},
	}, {
		name:   "host response",
		before: []string{askTurn},
		valid:  `muse -> {"jsonrpc":"2.0","id":3,"result":{"commandId":"c","status":"accepted","turnId":"t","startedNewTurn":true,"disposition":"whatever"}}`,
		wrong:  `muse -> {"jsonrpc":"2.0","id":3,"result":{"commandId":"c","status":"accepted","turnId":"t","startedNewTurn":1,"disposition":"started"}}`,
		want:   []string{`harness value /result/startedNewTurn at 1,"dis: expected a boolean; got 1`},
	}, {
		name:   "host error",
		before: []string{askTurn},
		valid:  `muse -> {"jsonrpc":"2.0","id":3,"error":{"code":-32020,"message":"no","data":{"kind":"sessionNotFound"}}}`,
		wrong:  `muse -> {"jsonrpc":"2.0","id":3,"error":{"code":-32020,"message":"no"}}`,
		want:   []string{`harness error /error at {"code: a host's error says its kind in "data"`},
	}, {
		name:   "adapter error",
		before: []string{askSession},
		valid:  `client <- {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"sign in"}}`,
		wrong:  `client <- {"jsonrpc":"2.0","id":1,"error":{"code":"auth","message":"sign in"}}`,
		want:   []string{`adapter value /error/code at "auth": expected an integer; got "auth"`},
	}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, line := range []struct {
				text string
				want []string
			}{{tt.valid, nil}, {tt.wrong, tt.want}} {
				all := append(append([]string(nil), tt.before...), line.text)
				got := talk(t, s.NewChecker(), all...)
				for i, p := range got[:len(tt.before)] {
					if len(p) > 0 {
						t.Errorf("the opening frame %d: %v", i, p)
					}
				}
				data := strings.SplitN(line.text, " ", 3)[2]
				if diff := cmp.Diff(line.want, brief(data, got[len(tt.before)])); diff != "" {
					t.Errorf("%s\n(-want +got)\n%s", line.text, diff)
				}
			}
		})
	}
}

const stableUpdates = `one of "user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan", ` +
	`"available_commands_update", "current_mode_update", "config_option_update", "session_info_update", "usage_update"`

// What an ACP adapter sends is held strictly, and each complaint points at the smallest thing that is wrong.
func TestStrictACP(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	update := func(u string) string {
		return `client <- {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + u + `}}`
	}
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"custom member", []string{update(`{"sessionUpdate":"plan","entries":[],"note":1}`)},
			[]string{`adapter custom-member /params/update/note at 1}}}: the protocol has no member "note" here; data of one's own goes into _meta`}},
		{"custom member deep", []string{update(`{"sessionUpdate":"plan","entries":[{"content":"a","priority":"low","status":"pending","id":"1","_meta":{"id":1}}]}`)},
			[]string{`adapter custom-member /params/update/entries/0/id at "1","_: the protocol has no member "id" here; data of one's own goes into _meta`}},
		{"custom member beside a wrong value elsewhere", []string{update(`{"sessionUpdate":"plan","entries":[{"content":1,"priority":"low","status":"pending"},{"content":"a","priority":"low","status":"pending","x":2}]}`)},
			[]string{
				`adapter value /params/update/entries/0/content at 1,"pri: expected a string; got 1`,
				`adapter custom-member /params/update/entries/1/x at 2}]}}}: the protocol has no member "x" here; data of one's own goes into _meta`}},
		{"free data", []string{update(`{"sessionUpdate":"tool_call","toolCallId":"t","title":"x","rawInput":{"a":[{"b":1}]},"rawOutput":7,"_meta":{"x":{"y":1}}}`)}, nil},
		{"unknown variant", []string{update(`{"sessionUpdate":"agent_message","text":"x"}`)},
			[]string{`adapter variant /params/update/sessionUpdate at "agent: expected ` + stableUpdates + `; got "agent_message"`}},
		{"variant of one's own", []string{update(`{"sessionUpdate":"_acme","anything":{"x":1}}`)}, nil},
		{"variant of the unstable schema", []string{update(`{"sessionUpdate":"plan_removed","planId":"p"}`)},
			[]string{`adapter info variant /params/update/sessionUpdate at "plan_: expected ` + stableUpdates + ` (the unstable schema takes it); got "plan_removed"`}},
		{"member of the unstable schema", []string{update(`{"sessionUpdate":"tool_call","toolCallId":"t","title":"x","name":"bash"}`)},
			[]string{`adapter info custom-member /params/update/name at "bash": the protocol has no member "name" here; data of one's own goes into _meta (the unstable schema takes it)`}},
		{"the mode's name", []string{update(`{"sessionUpdate":"current_mode_update","modeId":"plan"}`)},
			[]string{`adapter missing /params/update at {"sess: the member "currentModeId" is missing`}},
		{"text block in tool content", []string{update(`{"sessionUpdate":"tool_call_update","toolCallId":"t","content":[{"type":"text","text":"x"}]}`)},
			[]string{`adapter variant /params/update/content/0/type at "text": expected one of "content", "diff", "terminal"; got "text"`}},
		{"resource without text or blob", []string{update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"resource","resource":{"uri":"a:b"}}}`)},
			[]string{`adapter missing /params/update/content/resource at {"uri": the member "text" is missing`}},
		{"number out of range", []string{update(`{"sessionUpdate":"usage_update","used":-1,"size":1.5}`)},
			[]string{
				`adapter value /params/update/used at -1,"si: expected an integer from 0 to 18446744073709551615; got -1`,
				`adapter value /params/update/size at 1.5}}}: expected an integer; got 1.5`}},
		{"huge number", []string{update(`{"sessionUpdate":"usage_update","used":1e999999999,"size":18446744073709551615}`)},
			[]string{`adapter value /params/update/used at 1e9999: expected an integer from 0 to 18446744073709551615; got 1e999999999`}},
		{"number beyond a double", []string{update(`{"sessionUpdate":"usage_update","used":1,"size":1,"cost":{"amount":1e999,"currency":"EUR"}}`)},
			[]string{`adapter value /params/update/cost/amount at 1e999,: expected a number that fits a double; got 1e999`}},
		{"answer of a form", []string{`client <- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","requestId":1,"message":"?","elicitationId":"e","url":"https://x.test/"}}`,
			`client -> {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"a":["x"],"b":{}}}}`},
			[]string{`harness value /result/content/b at {}}}}: expected a string or an integer or a number or a boolean or an array; got {}`}},
		{"nullable", []string{update(`{"sessionUpdate":"session_info_update","title":null,"updatedAt":3}`)},
			[]string{`adapter value /params/update/updatedAt at 3}}}: expected a string or null; got 3`}},
		{"no params", []string{`client <- {"jsonrpc":"2.0","method":"session/update"}`},
			[]string{`adapter missing  at {"json: session/update needs params with sessionId, update`}},
		{"method of one's own", []string{`client <- {"jsonrpc":"2.0","id":4,"method":"_acme/x"}`, `client <- {"jsonrpc":"2.0","method":"$/x","params":[1]}`}, nil},
		{"method without underscore", []string{`client <- {"jsonrpc":"2.0","method":"acme/x"}`},
			[]string{`adapter method /method at "acme/: "acme/x" is no method of a client; methods of one's own begin with an underscore`}},
		{"method of the other side", []string{`client <- {"jsonrpc":"2.0","id":1,"method":"session/list"}`},
			[]string{`adapter method /method at "sessi: session/list is a method of an agent, not of a client`}},
		{"notification with an id", []string{`client <- {"jsonrpc":"2.0","id":1,"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[]}}}`},
			[]string{`adapter method /method at "sessi: session/update is no request`}},
		{"method of the unstable schema", []string{`client <- {"jsonrpc":"2.0","id":1,"method":"mcp/disconnect","params":{"connectionId":"c"}}`},
			[]string{`adapter info method /method at "mcp/d: mcp/disconnect is known only to the unstable schema`}},
		{"stranger in the envelope", []string{`client <- {"jsonrpc":"2.0","method":"_x","seq":4}`},
			[]string{`adapter custom-member /seq at 4}: a notification has no member "seq"`}},
		{"empty result", []string{`client -> {"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"s","cwd":"/w","mcpServers":[]}}`, `client <- {"jsonrpc":"2.0","id":1,"result":null}`}, nil},
		{"null where there must be more", []string{askSession, `client <- {"jsonrpc":"2.0","id":1,"result":null}`},
			[]string{`adapter value /result at null}: expected an object; got null`}},
		{"nil slice", []string{`client -> {"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}`, `client <- {"jsonrpc":"2.0","id":1,"result":{"sessions":null}}`},
			[]string{`adapter value /result/sessions at null}}: expected an array; got null`}},
		{"config options", []string{askSession, `client <- {"jsonrpc":"2.0","id":1,"result":{"sessionId":"s","configOptions":[{"type":"select","id":"m","name":"Model","category":"engine","currentValue":"a","options":[{"value":"a"}]}]}}`},
			[]string{
				`adapter variant /result/configOptions/0/category at "engin: expected one of "mode", "model", "model_config", "thought_level"; got "engine"`,
				`adapter missing /result/configOptions/0/options/0 at {"valu: the member "name" is missing`}},
		{"category of one's own", []string{askSession, `client <- {"jsonrpc":"2.0","id":1,"result":{"sessionId":"s","configOptions":[{"type":"select","id":"m","name":"Model","category":"_x","currentValue":"a","options":[{"group":"g","name":"G","options":[{"value":"a","name":"A"}]}]}]}}`}, nil},
		{"auth methods", []string{`client -> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`,
			`client <- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"authMethods":[{"id":"a","name":"A"},{"type":"agent","id":"a","name":"A"},{"type":"terminal","id":"t","name":"T","args":["x"]},{"id":"b","name":"B","args":[]}]}}`},
			[]string{`adapter custom-member /result/authMethods/3/args at []}]}}: the protocol has no member "args" here; data of one's own goes into _meta`}},
		{"form", []string{`client <- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","sessionId":"s","message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string","title":"A","oneOf":[{"const":"x","title":"X"}]}},"required":["a"]}}}`}, nil},
		{"form of nobody", []string{`client <- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object"}}}`},
			[]string{`adapter missing /params at {"mode: the member "sessionId" is missing`}},
		{"link", []string{`client <- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","sessionId":"s","message":"?","elicitationId":"e","url":"nowhere"}}`},
			[]string{`adapter value /params/url at "nowhe: expected an absolute URI; got "nowhere"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := talk(t, s.NewChecker(), tt.lines...)
			data := strings.SplitN(tt.lines[len(tt.lines)-1], " ", 3)[2]
			have := brief(data, got[len(got)-1])
			if diff := cmp.Diff(tt.want, have); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
