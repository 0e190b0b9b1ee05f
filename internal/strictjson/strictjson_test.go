package strictjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// play is a file such as people write by hand.
type play struct {
	Title string          `json:"title"`
	Acts  []act           `json:"acts"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	Parts map[string]uint `json:"parts,omitempty"`
	Price float64         `json:"price,omitempty"`
}

type act struct {
	Length int    `json:"length"`
	Mood   mood   `json:"mood,omitempty"`
	Next   *act   `json:"next,omitempty"`
	Silent bool   `json:"-"`
	Dark   bool   `json:"dark,omitempty"`
	Cast   []name `json:"cast,omitempty"`
}

type name struct {
	First string `json:"firstName"`
}

// mood is an enumeration that checks itself.
type mood string

func (m *mood) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	if s != "gay" && s != "grave" {
		return fmt.Errorf("unknown mood %q", s)
	}
	*m = mood(s)
	return nil
}

func TestDecode(t *testing.T) {
	t.Parallel()
	var got play
	const text = "{\n  \"title\": \"x\",\n  \"acts\": [{\"length\": 3, \"mood\": \"gay\", \"next\": {\"length\": 3}, \"cast\": null}],\n  \"raw\": {\"a\": 1.0}\n}\n"
	if err := Decode("play.json", []byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := play{Title: "x", Acts: []act{{Length: 3, Mood: "gay", Next: &act{Length: 3}}}, Raw: json.RawMessage(`{"a": 1.0}`)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"unknown member", "{\n \"titel\": \"x\"\n}", `p:2: unknown member "titel"; did you mean "title"?`},
		{"unknown member inside", "{\"acts\": [\n {\"length\": 1},\n {\"lenght\": 1}\n]}", `p:3: acts[1]: unknown member "lenght"; did you mean "length"?`},
		{"unknown member far inside", "{\"acts\": [\n{\"cast\": [\n{\"fristName\": \"\"}]}]}", `p:3: acts[0].cast[0]: unknown member "fristName"; did you mean "firstName"?`},
		{"another case", "{\n\"Title\": \"x\"}", `p:2: unknown member "Title"; did you mean "title"?`},
		{"a name that is known elsewhere", "{\"acts\": [{\"length\": 1}],\n\"length\": 1}", `p:2: unknown member "length"; here can be acts, parts, price, raw and title`},
		{"nothing like it", "{\"publisher\": 1}", `p:1: unknown member "publisher"; here can be acts, parts, price, raw and title`},
		{"a member that is no member", "{\"acts\": [{\"Silent\": true}]}", `p:1: acts[0]: unknown member "Silent"; here can be cast, dark, length, mood and next`},
		{"the same words as a value", "{\n \"title\": \"titel\",\n \"titel\": 1\n}", `p:3: unknown member "titel"; did you mean "title"?`},
		{"wrong type", "{\n \"title\": \"x\",\n \"acts\": 3\n}", `p:3: "acts" holds the number 3 where an array is expected`},
		{"wrong type inside", "{\"acts\": [\n{\"length\": 1},\n{\"length\": \"long\"}]}", `p:3: acts[1]: "length" holds a string where a whole number is expected`},
		{"wrong type of an element", "{\"acts\": [{},\n\"long\"]}", `p:2: acts[1]: this is a string where an object is expected`},
		{"wrong type below a pointer", "{\"acts\": [{\"next\": [\n]}]}", `p:1: acts[0]: "next" holds an array where an object is expected`},
		{"wrong type in a map", "{\"parts\": {\"Puck\": 1,\n\"Moth\": true}}", `p:2: parts: "Moth" holds true where a whole number that is not negative is expected`},
		{"a negative number", "{\"parts\": {\"Puck\": -1}}", `p:1: parts: "Puck" holds the number -1 where a whole number that is not negative is expected`},
		{"a number for a switch", "{\"acts\": [{\"dark\": 1}]}", `p:1: acts[0]: "dark" holds the number 1 where true or false is expected`},
		{"a switch for a text", "{\"title\": false}", `p:1: "title" holds false where a string is expected`},
		{"null for an element", "{\"acts\": [{},\nnull]}", `p:2: acts[1]: this is null where an object is expected`},
		{"null for a text", "{\"title\": null}", `p:1: "title" holds null where a string is expected`},
		{"a text for a price", "{\"price\": \"1\"}", `p:1: "price" holds a string where a number is expected`},
		{"too large a price", "{\"price\": 1e999}", `p:1: "price" holds the number 1e999 where a number is expected`},
		{"fraction for a count", "{\"acts\": [\n{\"length\": 1.5}]}", `p:2: acts[0]: "length" holds the number 1.5 where a whole number is expected`},
		{"too large a count", "{\"acts\": [{\"length\": 1e400}]}", `p:1: acts[0]: "length" holds the number 1e400 where a whole number is expected`},
		{"wrong type of all", "[]", `p:1: this is an array where an object is expected`},
		{"twin", "{\n\"title\": \"a\",\n\"title\": \"b\"}", `p:3: the member "title" is there twice`},
		{"twin inside", "{\"acts\": [{\"length\": 1},\n{\"length\": 1,\n\"length\": 1}]}", `p:3: acts[1]: the member "length" is there twice`},
		{"twin written in another way", "{\"title\": \"a\",\n\"t\\u0069tle\": \"b\"}", `p:2: the member "title" is there twice`},
		{"twin in a raw value", "{\"raw\": {\"a\": [{\"a\": 1,\n\"a\": 2}]}}", `p:2: raw.a[0]: the member "a" is there twice`},
		{"bad enumeration", "{\"acts\": [\n{\"mood\": \"gray\"}]}", `p:2: unknown mood "gray"`},
		{"text behind", "{}\n{}", "p:2: there is more text behind the value"},
		{"a bracket behind", "{}\n]", "p:2: there is more text behind the value"},
		{"not JSON", "{\n\"title\": x}", "p:2: this is not JSON: invalid character 'x' looking for beginning of value"},
		{"a comma too much", "{\"title\": \"x\",\n}", "p:2: this is not JSON: invalid character '}' looking for beginning of object key string"},
		{"cut short", "{\"title\": \"x\",\n\"acts\": [", "p:2: the file ends too early"},
		{"empty", "", "p:1: the file ends too early"},
		{"only space", "\n\n", "p:3: the file ends too early"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var v play
			err := Decode("p", []byte(tt.text), &v)
			if err == nil {
				t.Fatal("the mistake was accepted")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var e *Error
			if !errors.As(err, &e) || e.File != "p" || e.Line < 1 {
				t.Errorf("the error is a %T: %+v", err, err)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		word, want string
		from       []string
	}{
		{"promt", "prompt", []string{"cancel", "prompt", "prompts"}},
		{"ohst", "host", []string{"guest", "host"}}, // a swap of neighbours is one mistake
		{"PROMPT", "prompt", []string{"prompt"}},
		{"x", "a", []string{"a", "b"}}, // of equals the first
		{"entirely", "", []string{"prompt", "cancel"}},
		{"", "a", []string{"a"}},
		{"word", "", nil},
	} {
		if got := Nearest(tt.word, tt.from); got != tt.want {
			t.Errorf("Nearest(%q, %q) = %q, want %q", tt.word, tt.from, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"ab", "ba", 1}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"same", "same", 0}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := distance(tt.b, tt.a); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}

// FuzzDecode: decoding ends, an error names a line that is there, and what is accepted is what the lenient decoder
// reads too.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"{}", "{\"title\":\"x\",\"acts\":[{\"length\":1}]}", "{\"a\":{\"a\":[]}}", "[}", "{\"titel\":1}", "\xff", "{\"raw\":{\"\":{}}}", "{\"parts\":{\"a\":1e2},\"price\":1e999}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var strict, lenient play
		err := Decode("f", text, &strict)
		if err == nil {
			if json.Unmarshal(text, &lenient) != nil {
				t.Errorf("%q was accepted", text)
			}
			if diff := cmp.Diff(lenient, strict); diff != "" {
				t.Errorf("%q (-lenient +strict):\n%s", text, diff)
			}
			return
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("the error is a %T", err)
		}
		if strings.Contains(e.Problem, "cannot unmarshal") {
			t.Errorf("the error speaks of Go: %v", err)
		}
		lines := 1
		for _, c := range text {
			if c == '\n' {
				lines++
			}
		}
		if e.Line < 1 || e.Line > lines {
			t.Errorf("line %d of %d", e.Line, lines)
		}
	})
}
