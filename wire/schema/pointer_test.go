package schema_test

import (
	"strings"
	"testing"

	"acp-conform/wire/schema"
)

func TestPointerOffset(t *testing.T) {
	t.Parallel()
	const frame = ` {"a" : {"b":[10, [ ], {"c~/d":"x"}]},"":1,"é":"ü","t":1,"t":2}` + "\r"
	for _, tt := range []struct {
		pointer string
		want    string // what begins at the offset; "" where there is nothing
	}{
		{"", `{"a" :`},
		{"/a", `{"b":`},
		{"/a/b", `[10, [`},
		{"/a/b/0", `10, [`},
		{"/a/b/1", `[ ], {`},
		{"/a/b/2/c~0~1d", `"x"}]`},
		{"/", `1,"é"`},
		{"/é", `"ü"`},
		{"/t", `2}`}, // the last of twins
		{"/a/b/3", ""},
		{"/a/b/-1", ""},
		{"/a/b/01", ""},
		{"/a/b/+1", ""},
		{"/a/b/-", ""},
		{"/a/b/0/x", ""},
		{"/a/c", ""},
		{"a", ""},
	} {
		got := schema.PointerOffset([]byte(frame), tt.pointer)
		switch {
		case tt.want == "" && got != -1:
			t.Errorf("%q: got %d, want nothing", tt.pointer, got)
		case tt.want != "" && (got < 0 || !strings.HasPrefix(frame[got:], tt.want)):
			t.Errorf("%q: got %d, want the offset of %s", tt.pointer, got, tt.want)
		}
	}
	for _, broken := range []string{"", " ", "{", `{"a":`, `[1,`, `nope`, `{"a":1}}`} {
		for _, pointer := range []string{"", "/a", "/1"} {
			if got := schema.PointerOffset([]byte(broken), pointer); got != -1 {
				t.Errorf("%q in %q: got %d", pointer, broken, got)
			}
		}
	}
}

func FuzzPointerOffset(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":2}]}`), "/a/1/b")
	f.Add([]byte(`[]`), "/0")
	f.Fuzz(func(t *testing.T, raw []byte, pointer string) {
		if got := schema.PointerOffset(raw, pointer); got < -1 || got >= len(raw) {
			t.Errorf("%q in %q: %d lies outside", pointer, raw, got)
		}
	})
}
