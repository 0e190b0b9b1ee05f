package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFrame(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		kind       FrameKind
		problem    string // its beginning
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"m"}`, Request, ""},
		{"request with a text id", `{"jsonrpc":"2.0","id":"a","method":"m","params":{}}`, Request, ""},
		{"request with the id null", `{"jsonrpc":"2.0","id":null,"method":"m"}`, Request, ""},
		{"request with a negative id", `{"jsonrpc":"2.0","id":-5,"method":"m"}`, Request, ""},
		{"request with further members", `{"jsonrpc":"2.0","id":1,"method":"m","x":1}`, Request, ""},
		{"notification", `{"jsonrpc":"2.0","method":"m","params":[1]}`, Notification, ""},
		{"spaces and CR around it", " {\"jsonrpc\":\"2.0\",\"method\":\"m\"}\t\r", Notification, ""},
		{"result", `{"jsonrpc":"2.0","id":1,"result":{}}`, Response, ""},
		{"result null", `{"jsonrpc":"2.0","id":1,"result":null}`, Response, ""},
		{"error", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, Response, ""},
		{"escaped names", `{"\u006asonrpc":"2.0","i\u0064":1,"method":"m"}`, Request, ""},
		{"batch", `[{"jsonrpc":"2.0","method":"m"}]`, Batch, "the line is a JSON array"},
		{"empty batch", `[]`, Batch, "the line is a JSON array"},
		{"number", `42`, Scalar, "the line is a JSON scalar"},
		{"null", `null`, Scalar, "the line is a JSON scalar"},
		{"text", `"x"`, Scalar, "the line is a JSON scalar"},
		{"nothing", ``, Blank, ""},
		{"white space", " \t\r", Blank, ""},
		{"byte order mark", "\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"method\":\"m\"}", Malformed, "the line begins with a byte order mark"},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"method\":\"m\xff\"}", Malformed, "byte 28 is not UTF-8"},
		{"not JSON", `{bad`, Malformed, "the line is not JSON: "},
		{"two values", `{} {}`, Malformed, "the line is not JSON: "},
		{"a log line", `INFO started`, Malformed, "the line is not JSON: "},
		{"a raw control character", "{\"a\":\"\x01\"}", Malformed, "the line is not JSON: "},
		{"empty object", `{}`, Invalid, `the member "jsonrpc" is missing`},
		{"no version", `{"id":7,"method":"m"}`, Invalid, `the member "jsonrpc" is missing`},
		{"version 1", `{"jsonrpc":"1.0","id":7,"method":"m"}`, Invalid, `the member "jsonrpc" is "1.0", not "2.0"`},
		{"version as a number", `{"jsonrpc":2.0,"id":7,"method":"m"}`, Invalid, `the member "jsonrpc" is 2.0, not "2.0"`},
		{"object id", `{"jsonrpc":"2.0","id":{},"method":"m"}`, Invalid, "the id is neither"},
		{"true as id", `{"jsonrpc":"2.0","id":true,"method":"m"}`, Invalid, "the id is neither"},
		{"method null", `{"jsonrpc":"2.0","method":null}`, Invalid, "the method is not a string"},
		{"method number", `{"jsonrpc":"2.0","method":3}`, Invalid, "the method is not a string"},
		{"method and result", `{"jsonrpc":"2.0","id":1,"method":"m","result":1}`, Invalid, "a method together with"},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":1,"error":{}}`, Invalid, "both a result and an error"},
		{"result and error null", `{"jsonrpc":"2.0","id":1,"result":1,"error":null}`, Invalid, "both a result and an error"},
		{"nothing in it", `{"jsonrpc":"2.0","id":1}`, Invalid, "neither a method, a result nor an error"},
		{"response without id", `{"jsonrpc":"2.0","result":1}`, Invalid, "a response without an id"},
		{"member twice", `{"jsonrpc":"2.0","id":1,"method":"m","id":2}`, Invalid, `the member "id" is there twice`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := ParseFrame([]byte(tt.line))
			if f.Kind != tt.kind {
				t.Errorf("got a %s, want a %s", f.Kind, tt.kind)
			}
			if !strings.HasPrefix(f.Problem, tt.problem) || (f.Problem == "") != (tt.problem == "") {
				t.Errorf("got the problem %q, want %q", f.Problem, tt.problem)
			}
			if f.IsMessage() != (tt.kind <= Response) {
				t.Errorf("IsMessage is %t", f.IsMessage())
			}
			if string(f.Raw) != tt.line {
				t.Errorf("the bytes became %q", f.Raw)
			}
		})
	}
}

// What an envelope holds is kept byte for byte: spaces, large numbers, escapes, the order of members.
func TestFramesKeepTheirBytes(t *testing.T) {
	t.Parallel()
	f := ParseFrame([]byte(`{ "params" : { "b" : 1e400, "a":9007199254740993.10 , "s":"\u00e9\/" } ,"id": 007e0,"jsonrpc":"2.0"}`))
	if f.Kind != Malformed {
		t.Errorf("a number with leading zeros was read as a %s", f.Kind)
	}
	f = ParseFrame([]byte(`{ "params" : { "b" : 1e400, "a":9007199254740993.10 , "s":"\u00e9\/" } ,"id" : 12345678901234567890 ,"method" : "a\/b","jsonrpc":"2.0"}`))
	want := Frame{Raw: f.Raw, Kind: Request, ID: json.RawMessage(`12345678901234567890`), Method: "a/b",
		Params: json.RawMessage(`{ "b" : 1e400, "a":9007199254740993.10 , "s":"\u00e9\/" }`)}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(ParseFrame([]byte(`{"jsonrpc":"2.0","method":"m","params":`+strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)+`}`)).Problem, "the line is not JSON") {
		t.Error("a nesting without end was accepted")
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	const text = ` { "a" : 1.0 , "b":"x\"y" ,"a": null, "\u0063":[ {"d":1} ] } `
	got, err := Members([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	type member struct{ Name, Value string }
	var short []member
	for _, m := range got {
		short = append(short, member{m.Name, string(m.Value)})
		if text[m.Start:m.End] != string(m.Value) {
			t.Errorf("the range of %q holds %q", m.Name, text[m.Start:m.End])
		}
	}
	if diff := cmp.Diff([]member{{"a", "1.0"}, {"b", `"x\"y"`}, {"a", "null"}, {"c", `[ {"d":1} ]`}}, short); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, bad := range []string{``, `[]`, `1`, `{`, `{"a"`, `{"a":}`, `{"a":1`, `{"a":1,}`, `{} x`, `{}{}`} {
		if m, err := Members([]byte(bad)); err == nil {
			t.Errorf("%q gave %v", bad, m)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	const text = `{"a":{"b":{"c":"x"}},"n":null,"e":"","l":[1]}`
	for _, tt := range []struct {
		path       []string
		want, text string
	}{
		{nil, text, ""}, {[]string{"a", "b", "c"}, `"x"`, "x"}, {[]string{"a", "b"}, `{"c":"x"}`, ""},
		{[]string{"n"}, "null", ""}, {[]string{"n", "x"}, "", ""}, {[]string{"l", "0"}, "", ""}, {[]string{"none"}, "", ""}, {[]string{"e"}, `""`, ""},
	} {
		if got := string(Lookup(json.RawMessage(text), tt.path...)); got != tt.want {
			t.Errorf("Lookup %q gave %q, want %q", tt.path, got, tt.want)
		}
		if got := LookupString(json.RawMessage(text), tt.path...); got != tt.text {
			t.Errorf("LookupString %q gave %q, want %q", tt.path, got, tt.text)
		}
	}
}

// FuzzParseFrame: whatever the line is, it is one kind of thing, its bytes are kept, and what is no message says why.
func FuzzParseFrame(f *testing.F) {
	for _, line := range []string{`{"jsonrpc":"2.0","id":1,"method":"m","params":{}}`, `{"jsonrpc":"2.0","id":"x","error":{}}`, `[]`, "\xef\xbb\xbf", `{"id":`, " \r"} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		was := bytes.Clone(line)
		frame := ParseFrame(line)
		switch {
		case !bytes.Equal(frame.Raw, was):
			t.Errorf("the bytes became %q", frame.Raw)
		case frame.Kind < Request || frame.Kind > Blank || frame.Kind.String() == "unknown":
			t.Errorf("%q is of the kind %d", line, frame.Kind)
		case (frame.Problem == "") != (frame.IsMessage() || frame.Kind == Blank):
			t.Errorf("%q is a %s with the problem %q", line, frame.Kind, frame.Problem)
		case frame.Kind == Response && (frame.Result == nil) == (frame.Error == nil):
			t.Errorf("%q is a response without one outcome", line)
		}
		for _, value := range [][]byte{frame.ID, frame.Params, frame.Result, frame.Error} {
			if value != nil && !bytes.Contains(line, value) {
				t.Errorf("%q is no part of %q", value, line)
			}
		}
	})
}
