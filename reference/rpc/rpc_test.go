package rpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"acp-conform/reference/rpc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func split(limit int, chunks ...string) []string {
	s := rpc.Splitter{Limit: limit}
	var got []string
	for _, c := range chunks {
		s.Feed([]byte(c), func(l rpc.Line) {
			if l.TooLong {
				got = append(got, "(too long)")
				return
			}
			got = append(got, string(l.Data))
		})
	}
	if s.Open() {
		got = append(got, "(open)")
	}
	return got
}

func TestSplitter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit  int
		chunks []string
		want   []string
	}{
		"one":                  {0, []string{"a\n"}, []string{"a"}},
		"several in one chunk": {0, []string{"a\nb\n\nc\n"}, []string{"a", "b", "", "c"}},
		"byte by byte":         {0, strings.Split("ab\nc\n", ""), []string{"ab", "c"}},
		"inside a character":   {0, []string{"\xc3", "\xa9\n"}, []string{"é"}},
		"other line ends":      {0, []string{"a\r\u2028\u2029\u0085\v\fb\n"}, []string{"a\r\u2028\u2029\u0085\v\fb"}},
		"no end":               {0, []string{"a\nb"}, []string{"a", "(open)"}},
		"at the limit":         {3, []string{"abc\nabcd\nab\n"}, []string{"abc", "(too long)", "ab"}},
		"too long in pieces":   {3, []string{"ab", "cd", "ef", "g\nab\n"}, []string{"(too long)", "ab"}},
		"too long, no end":     {3, []string{"abcd"}, []string{"(open)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, split(c.limit, c.chunks...)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20000)
	for name, c := range map[string]struct {
		line string
		want string
	}{
		"blank":             {" \t\r", "blank"},
		"request":           {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"n":1.50}}`, `request 1 "m" {"n":1.50}`},
		"big id":            {`{"jsonrpc":"2.0","id":1e400,"method":"m"}`, `request 1e400 "m" `},
		"string id":         {`{"jsonrpc":"2.0","id":"ключ","method":"m","params":null}`, `request "ключ" "m" null`},
		"null id":           {`{"jsonrpc":"2.0","id":null,"method":"m"}`, `request null "m" `},
		"CR":                {"{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\r", `notification "m" `},
		"result":            {`{"jsonrpc":"2.0","id":0,"result":null}`, `response 0 null`},
		"error":             {`{"jsonrpc":"2.0","id":0,"error":{}}`, `response 0 {}`},
		"both":              {`{"jsonrpc":"2.0","id":0,"result":1,"error":{}}`, `response 0 1{} broken`},
		"result twice":      {`{"jsonrpc":"2.0","id":0,"result":1,"result":2}`, `response 0 2 broken`},
		"twice in escapes":  {`{"jsonrpc":"2.0","id":0,"result":1,"res\u0075lt":2}`, `response 0 2 broken`},
		"response version":  {`{"id":0,"result":1}`, `response 0 1 broken`},
		"not UTF-8":         {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", `-32700 null`},
		"not JSON":          {`{bad`, `-32700 null`},
		"truncated":         {`{"jsonrpc":"2.0","id":1`, `-32700 null`},
		"BOM":               {"\uFEFF{}", `-32700 null`},
		"too deep":          {deep, `-32700 null`},
		"number":            {`42`, `-32600 null`},
		"string":            {`"s"`, `-32600 null`},
		"batch":             {`[{"jsonrpc":"2.0","id":1,"method":"m"}]`, `-32600 null`},
		"empty batch":       {`[]`, `-32600 null`},
		"empty object":      {`{}`, `-32600 null`},
		"no method":         {`{"jsonrpc":"2.0","id":1}`, `-32600 1`},
		"no version":        {`{"id":"a","method":"m"}`, `-32600 "a"`},
		"old version":       {`{"jsonrpc":"1.0","id":1,"method":"m"}`, `-32600 1`},
		"method of a kind":  {`{"jsonrpc":"2.0","id":1,"method":7}`, `-32600 1`},
		"id of a kind":      {`{"jsonrpc":"2.0","id":{},"method":"m"}`, `-32600 null`},
		"boolean id":        {`{"jsonrpc":"2.0","id":true,"method":"m"}`, `-32600 null`},
		"names are exact":   {`{"jsonrpc":"2.0","ID":1,"Method":"m"}`, `-32600 null`},
		"the last counts":   {`{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`, `request 2 "m" `},
		"line separators":   {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":\"\u2028\"}", "request 1 \"m\" \"\u2028\""},
		"notification, odd": {`{"jsonrpc":"2.0","method":""}`, `notification "" `},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := describe(rpc.Parse([]byte(c.line))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func describe(m rpc.Message, e *rpc.Error) string {
	switch m.Kind {
	case rpc.Blank:
		return "blank"
	case rpc.Request:
		return fmt.Sprintf("request %s %q %s", m.ID, m.Method, m.Params)
	case rpc.Notification:
		return fmt.Sprintf("notification %q %s", m.Method, m.Params)
	case rpc.Response:
		s := fmt.Sprintf("response %s %s%s", m.ID, m.Result, m.Error)
		if m.Broken {
			s += " broken"
		}
		return s
	default:
		return fmt.Sprintf("%d %s", e.Code, m.ID)
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	got, err := rpc.EncodeRequest(json.RawMessage("0"), "m", struct {
		Text string          `json:"text"`
		Raw  json.RawMessage `json:"raw"`
	}{"<&>", json.RawMessage(`{"n": 12345678901234567890.10}`)})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"jsonrpc":"2.0","id":0,"method":"m","params":{"text":"<&>","raw":{"n":12345678901234567890.10}}}` + "\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
}

func TestWriter(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	out := rpc.NewWriter(w, rpc.Pace{})
	for i := range 100 {
		out.Send([]byte(fmt.Sprintln(i)))
		out.Send([]byte("-\n"))
	}
	out.Close()
	out.Send([]byte("late\n"))
	go func() { <-out.Done(); _ = w.Close() }()
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	for i := range 100 {
		fmt.Fprintf(&want, "%d\n-\n", i)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	if err := out.Err(); err != nil {
		t.Error(err)
	}
}

// pieces keeps what came in each write.
type pieces struct{ got []string }

func (p *pieces) Write(b []byte) (int, error) {
	p.got = append(p.got, string(b))
	return len(b), nil
}

func TestWriterTogether(t *testing.T) {
	t.Parallel()
	var p pieces
	out := rpc.NewWriter(&p, rpc.Pace{})
	out.Send([]byte("a\n"))
	out.Together(func() {
		out.Send([]byte("b\n"))
		out.Send([]byte("c\n"))
	})
	out.Together(func() {})
	out.Send([]byte("d\n"))
	out.Close()
	<-out.Done()
	if diff := cmp.Diff([]string{"a\n", "b\nc\n", "d\n"}, p.got); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func TestWriterFails(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	gone := errors.New("gone")
	_ = r.CloseWithError(gone)
	out := rpc.NewWriter(w, rpc.Pace{})
	out.Send([]byte("a\n"))
	<-out.Failed()
	<-out.Done()
	if !errors.Is(out.Err(), gone) {
		t.Errorf("got %v", out.Err())
	}
	out.Send([]byte("b\n"))
	out.Close()
}

// Cutting a stream in pieces never changes its lines.
func FuzzSplitter(f *testing.F) {
	f.Add([]byte("a\nbc\n\nd"), 2, 3)
	f.Fuzz(func(t *testing.T, data []byte, step, limit int) {
		step, limit = 1+abs(step)%16, 1+abs(limit)%64
		var pieces []string
		for rest := data; len(rest) > 0; {
			n := min(step, len(rest))
			pieces = append(pieces, string(rest[:n]))
			rest = rest[n:]
		}
		if diff := cmp.Diff(split(limit, string(data)), split(limit, pieces...)); diff != "" {
			t.Errorf("in pieces of %d (-whole +pieces):\n%s", step, diff)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

// Whatever comes, a message is of one kind, and what is invalid has an answer.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"m"}`, `[]`, `{"id":[]}`, "\xff", `{"jsonrpc":"2.0","id":0,"result":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, e := rpc.Parse(line)
		if (m.Kind == rpc.Invalid) != (e != nil) {
			t.Fatalf("kind %d with error %v", m.Kind, e)
		}
		if e != nil {
			if _, err := rpc.EncodeError(m.ID, e); err != nil {
				t.Fatal(err)
			}
		}
		if m.Kind == rpc.Request && m.ID == nil {
			t.Fatal("a request without an id")
		}
	})
}
