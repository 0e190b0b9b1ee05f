package wire

import "testing"

func TestTwin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"no object", `[1,"a",[],{}]`, ""},
		{"none", `{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}`, ""},
		{"at the top", `{"a":1,"b":{},"a":2}`, "/a"},
		{"in an object", `{"r":{"s":"x","s":"y"}}`, "/r/s"},
		{"in an array", `{"r":[1,[{"a":"a"}],{"a":[],"a":[]}]}`, "/r/2/a"},
		{"written otherwise", `{"r":{"ab":1,"\u0061b":2}}`, "/r/ab"},
		{"a value is no name", `{"r":{"a":"b","b":"a","c":"a"}}`, ""},
		{"a name with a slash", `{"a/b~":{"x":1,"x":1}}`, "/a~1b~0/x"},
		{"in what is apart", `{"r":{"raw":{"x":1,"x":1},"y":1}}`, ""},
		{"behind what is apart", `{"r":{"raw":{"x":1,"x":1},"y":1,"y":2}}`, "/r/y"},
		{"what is apart itself", `{"r":{"raw":1,"raw":2}}`, "/r/raw"},
		{"no JSON", `{"a":1,"a"`, "/a"},
		{"nothing", ``, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Twin([]byte(tt.text), "raw"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
