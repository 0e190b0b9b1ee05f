package wire

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzScan holds the scanner against the decoder: the same members, and the same values behind a path.
func FuzzScan(f *testing.F) {
	for _, text := range []string{
		`{}`, ` { } `, `{"a":1}`, "\t{ \"a\" : -1.5e3 ,\r\n\"b\":[ ] , \"c\" : {\"a\":{}} }\n", `{"a":"\"}","b":"\\","a\"b":"]"}`,
		`{"a":1,"a":{"a":2}}`, `{"a":null}`, `{"a":{"a":null}}`, `{"\u0061":true,"é":[false,[{"x":"}"}]]}`, "{\"\xff\":\"\xfe\"}", `{"":{"":""}}`,
		`null`, `[]`, `"{}"`, `1`, ``, ` `, `{`, `{"a"}`, `{"a":1}}`, `{"a":1} {}`, `{"a":"x}`, `{"a":1,}`, `[{"a":1}]`,
	} {
		f.Add([]byte(text), "a")
	}
	f.Fuzz(func(t *testing.T, text []byte, name string) {
		got, err := Members(text)
		want, wrong := decodeMembers(text)
		if (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
			t.Errorf("%q: the error is %v, not %v", text, err, wrong)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: members (-decoder +scanner):\n%s", text, diff)
		}
		for _, path := range [][]string{{name}, {name, name}} {
			if got, want := Lookup(text, path...), decodeLookup(text, path...); (got == nil) != (want == nil) || string(got) != string(want) {
				t.Errorf("%q at %q: %q, not %q", text, path, got, want)
			}
		}
	})
}

func decodeLookup(object json.RawMessage, path ...string) json.RawMessage {
	for _, name := range path {
		var next map[string]json.RawMessage
		if json.Unmarshal(object, &next) != nil {
			return nil
		}
		if object = next[name]; object == nil {
			return nil
		}
	}
	return object
}
