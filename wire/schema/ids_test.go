package schema_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
	"acp-conform/wire/schema"
)

// What the checker remembers from frame to frame, and what it says about lines that are no messages.
func TestConversations(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	for _, tt := range []struct {
		name    string
		options []schema.CheckOption
		lines   []string
		want    []string // of all lines, in order
	}{
		{"ids by type and value", nil, []string{
			`client -> {"jsonrpc":"2.0","id":1,"method":"session/list"}`,
			askPrompt,
			`client <- {"jsonrpc":"2.0","id":"\u0031","result":{"stopReason":"end_turn"}}`,
			`client <- {"jsonrpc":"2.0","id":1.0,"result":{}}`,
			`client <- {"jsonrpc":"2.0","id":1,"result":{"sessions":[]}}`,
		}, []string{`adapter id /id at 1.0,"r: no request with the id 1.0 is open`}},
		{"an id is free after its answer", nil, []string{
			askPermission,
			`client -> {"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}`,
			askPermission,
			`client <- {"jsonrpc":"2.0","id":0,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}`,
		}, []string{`adapter id /id at 0,"met: the id 0 is that of a session/request_permission, which is not answered yet`}},
		{"directions have ids of their own", nil, []string{
			askPermission,
			`client -> {"jsonrpc":"2.0","id":0,"method":"session/list"}`,
			`client <- {"jsonrpc":"2.0","id":0,"result":{"sessions":[]}}`,
			`client -> {"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}`,
		}, nil},
		{"answered twice", nil, []string{
			askSession,
			`client <- {"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`,
			`client <- {"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`,
		}, []string{`adapter id /id at 1,"res: no request with the id 1 is open`}},
		{"late answers of the harness", nil, []string{
			`client -> {"jsonrpc":"2.0","id":77,"result":{}}`,
		}, nil},
		{"fractional id", nil, []string{
			`client <- {"jsonrpc":"2.0","id":1.5,"method":"_x"}`,
			`client <- {"jsonrpc":"2.0","id":null,"method":"_x"}`,
		}, []string{`adapter id /id at 1.5,"m: expected a string, an integer or null; got 1.5`}},
		{"lines that are no messages", nil, []string{
			`client <- Ready.`,
			`client <- {"level":"info"}`,
			`client <- {"jsonrpc":"2.0","id":1,"result":1,"error":{}}`,
			`client <- []`,
			`client <-  `,
		}, []string{
			`adapter envelope  at nowhere: the line is not JSON: invalid character 'R' looking for beginning of value`,
			`adapter envelope  at {"leve: the member "jsonrpc" is missing`,
			`adapter envelope  at {"json: both a result and an error`,
			`adapter envelope  at []: the line is a JSON array`,
			`adapter envelope  at nowhere: the line is blank; an agent writes nothing but messages`,
		}},
		{"wrong on purpose", []schema.CheckOption{schema.Deliberately(func(r wire.Record) bool { return !r.Frame.IsMessage() })}, []string{
			`client -> {bad`,
			`client <- {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}`,
			`client -> {"jsonrpc":"1.0","id":5,"method":"session/list"}`,
			`client <- {"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"no request"}}`,
			`client -> [{"jsonrpc":"2.0","id":6,"method":"session/list"},{"jsonrpc":"2.0","id":7,"method":"nope/nope"}]`,
			`client <- [{"jsonrpc":"2.0","id":6,"result":{"sessions":7}},{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}]`,
			`client <- []`,
		}, []string{
			`adapter value /0/result/sessions at 7}},{": expected an array; got 7`,
			`adapter envelope  at []: the line is a JSON array`,
		}},
		{"unknown methods of the harness", nil, []string{
			`client -> {"jsonrpc":"2.0","id":1,"method":"nope/nope","params":7}`,
			`client <- {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found","data":{"x":1}}}`,
			`client -> {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s","futureOptionalField":1}}`,
			`muse -> {"jsonrpc":"2.0","method":"session/hologram","params":{},"emittedAtMs":1}`,
		}, nil},
		{"unknown method to the host", nil, []string{
			`muse <- {"jsonrpc":"2.0","id":1,"method":"account/read"}`,
			`muse -> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found","data":{"kind":"sessionNotFound"}}}`,
		}, []string{
			`adapter method /method at "accou: "account/read" is no request that a host takes`,
			`harness error /error/data/kind at "sessi: the code -32601 goes with methodNotFound, experimentalRequired; got sessionNotFound`,
		}},
		{"experimental method to the host", nil, []string{
			`muse <- {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"a","version":"1"},"capabilities":{"experimentalApi":true}}}`,
			`muse <- {"jsonrpc":"2.0","id":2,"method":"account/read"}`,
		}, []string{`adapter info method /method at "accou: "account/read" is no request that a host takes; the adapter asked for experimental methods`}},
		{"null params to the host", nil, []string{
			`muse <- {"jsonrpc":"2.0","method":"initialized","params":null}`,
			`muse <- {"jsonrpc":"2.0","method":"initialized","params":{}}`,
		}, []string{`adapter value /params at null}: empty params are left out, never null`}},
		{"pages", nil, []string{
			`muse <- {"jsonrpc":"2.0","id":1,"method":"view/page","params":{"sessionId":"s","limit":1}}`,
			`muse -> {"jsonrpc":"2.0","id":1,"result":{"nextCursor":null,"events":[{"method":"turn/started","params":{"sessionId":"s","viewCursor":"v","sourceRange":{"stream":{"kind":"session","id":"s"},"first":{"id":"a","sequence":1},"last":{"id":"a","sequence":1}},"commandId":"c","turnId":5}}]}}`,
		}, []string{`harness value /result/events/0/params/turnId at 5}}]}}: expected a string; got 5`}},
		{"old hosts", []schema.CheckOption{schema.Tolerate("cursor-empty", schema.NoDecidedAt, schema.PendingFull)}, []string{
			`muse <- {"jsonrpc":"2.0","id":1,"method":"session/resume","params":{"commandId":"c","sessionId":"s"}}`,
			`muse -> {"jsonrpc":"2.0","id":1,"result":{"session":{"sessionId":"s","path":"","status":"idle","activeTurnId":null,"createdAt":"","updatedAt":"","workspaceRoot":null,"providerId":null,"modelId":null,"turnCount":0,"forkedFrom":null},"viewCursor":"","history":{"mode":"none","items":null,"snapshot":null},"pendingRequests":[{"approvalId":"a","viewCursor":"v"}]}}`,
			`muse -> {"jsonrpc":"2.0","method":"userInput/settled","params":{"sessionId":"s","viewCursor":"v","sourceRange":{"stream":{"kind":"session","id":"s"},"first":{"id":"a","sequence":1},"last":{"id":"a","sequence":1}},"userInputId":"u","outcome":"answered","answers":[],"clarification":null,"reason":null,"decidedByCommandId":null},"emittedAtMs":1}`,
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for i, problems := range talk(t, s.NewChecker(tt.options...), tt.lines...) {
				got = append(got, brief(strings.SplitN(tt.lines[i], " ", 3)[2], problems)...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A frame that is wrong all over is described in bounded time and space.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	b.WriteString(`client <- {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[`)
	for i := range 5000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"content":%d,"x":1}`, i)
	}
	b.WriteString(`]}}}`)
	got := talk(t, schemas(t).NewChecker(), b.String())[0]
	if len(got) != 50 {
		t.Fatalf("got %d problems", len(got))
	}
	if last := got[49].Message; !strings.HasSuffix(last, "more problems in this frame)") {
		t.Errorf("the last problem does not count the rest: %s", last)
	}
}

// Numbers that would keep a careless reader busy for a minute cost next to nothing, and are judged rightly.
func TestExtremeNumbers(t *testing.T) {
	t.Parallel()
	const line = `client <- {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":%s,"size":1}}}`
	const outside, fraction = "expected an integer from 0 to 18446744073709551615", "expected an integer"
	s := schemas(t)
	for number, want := range map[string]string{
		"1e3": "", "18446744073709551615": "", "18446744073709551616": outside, "0e999999": "",
		"1e999999": outside, "-1e999999": outside, "1e-999999": fraction, "1.50e1": "",
		strings.Repeat("9", 1<<20): outside, "0." + strings.Repeat("0", 1<<20) + "1": fraction,
		"1." + strings.Repeat("0", 1<<20): "",
	} {
		got := talk(t, s.NewChecker(), fmt.Sprintf(line, number))[0]
		switch short := number[:min(len(number), 20)]; {
		case want == "" && len(got) > 0:
			t.Errorf("%s: %v", short, got)
		case want != "" && (len(got) != 1 || !strings.HasPrefix(got[0].Message, want+"; got ")):
			t.Errorf("%s: got %v, want %s", short, got, want)
		}
	}
}

func TestProblemString(t *testing.T) {
	t.Parallel()
	got := talk(t, schemas(t).NewChecker(), `muse <- {"jsonrpc":"2.0","id":3,"method":"view/page","params":{"sessionId":4,"limit":1}}`)[0]
	if len(got) != 1 {
		t.Fatalf("got %v", got)
	}
	const want = `muse 1 <- frame 0 (view/page): /params/sessionId: expected a string; got 4 (byte 67)`
	if got[0].String() != want {
		t.Errorf("got  %s\nwant %s", got[0], want)
	}
}

// A line whose LF never came is cut short, even if what is there can be read (ACP-TRN-14).
func TestPartialLine(t *testing.T) {
	t.Parallel()
	log := wire.NewLog(wire.Limits{})
	log.Append(wire.Entry{Lane: wire.Client, Dir: wire.FromAdapter, Data: []byte(`{"jsonrpc":"2.0","method":"_x"}`), Partial: true})
	log.Append(wire.Entry{Lane: wire.Lane{Name: "muse", N: 1}, Dir: wire.Exit, Data: []byte("exit 0")})
	c := schemas(t).NewChecker()
	got := append(c.Check(log.Records()[0]), c.Check(log.Records()[1])...)
	if len(got) != 1 || got[0].Class != schema.ClassEnvelope || got[0].Offset != 0 {
		t.Errorf("got %v", got)
	}
}

// Many scenarios share one Schemas.
func TestSharedSchemas(t *testing.T) {
	t.Parallel()
	s := schemas(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, line := range []string{askSession, askPrompt, askPermission, askTurn, askInput} {
				for _, p := range talk(t, s.NewChecker(), line) {
					if len(p) > 0 {
						t.Errorf("%s: %v", line, p)
					}
				}
			}
		})
	}
	all.Wait()
}

func FuzzCheck(f *testing.F) {
	s := schemas(f)
	for _, line := range []string{askSession, askPrompt, askPermission, askTurn, askInput} {
		_, data, _ := strings.Cut(line, "{")
		f.Add([]byte("{" + data))
	}
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"result":{"sessions":[{}]}}]`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"used":1e999999999}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		lanes := []wire.Lane{wire.Client, {Name: "muse", N: 1}}
		log := wire.NewLog(wire.Limits{})
		for _, lane := range lanes {
			for _, dir := range []wire.Dir{wire.ToAdapter, wire.FromAdapter} {
				for _, method := range []string{"session/new", "session/resume", "view/page", "elicitation/create"} {
					log.Append(wire.Entry{Lane: lane, Dir: dir, Data: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q}`, method)})
				}
				log.Append(wire.Entry{Lane: lane, Dir: dir, Data: []byte(`[]`)})
				log.Append(wire.Entry{Lane: lane, Dir: dir, Data: data})
			}
		}
		c := s.NewChecker()
		for _, r := range log.Records() {
			for _, p := range c.Check(r) {
				if p.Offset >= len(r.Data) || p.Offset < -1 {
					t.Errorf("the offset %d lies outside of %q: %s", p.Offset, r.Data, p)
				}
				if p.Message == "" || (p.Blame == schema.Adapter) != (r.Dir == wire.FromAdapter) {
					t.Errorf("bad problem %+v", p)
				}
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	s := schemas(b)
	chunk := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"}}}}`
	for _, bench := range []struct {
		name string
		lane wire.Lane
		dir  wire.Dir
		data string
	}{
		{"adapter update", wire.Client, wire.FromAdapter, chunk},
		{"adapter update with a custom member", wire.Client, wire.FromAdapter, strings.Replace(chunk, `"content"`, `"x":1,"content"`, 1)},
		{"host delta", wire.Lane{Name: "muse", N: 1}, wire.ToAdapter, `{"jsonrpc":"2.0","method":"item/delta","params":{"sessionId":"s","viewCursor":"v","itemId":"i","delta":"x"},"emittedAtMs":1}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			log := wire.NewLog(wire.Limits{})
			log.Append(wire.Entry{Lane: bench.lane, Dir: bench.dir, Data: []byte(bench.data)})
			r, c := log.Records()[0], s.NewChecker()
			c.Check(r)
			b.ReportAllocs()
			for b.Loop() {
				c.Check(r)
			}
		})
	}
	b.Run("load and compile for the first frame", func(b *testing.B) {
		for b.Loop() {
			talk(b, schemas(b).NewChecker(), "client <- "+chunk)
		}
	})
}
