package wire

import "testing"

func TestPointerAt(t *testing.T) {
	t.Parallel()
	const text = `{"a":{"b":[10,{"c/d":"x"}]},"e":true}`
	tests := []struct {
		at   string // the byte at the beginning of this text
		want string
	}{
		{`10`, "/a/b/0"}, {`"x"`, "/a/b/1/c~1d"}, {`true`, "/e"}, {`"b"`, "/a/b"}, {`{"c`, "/a/b/1"}, {`"e"`, "/e"}, {`},"e`, "/a"},
	}
	for _, tt := range tests {
		t.Run(tt.at, func(t *testing.T) {
			t.Parallel()
			if got := PointerAt([]byte(text), indexOf(text, tt.at)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func indexOf(s, sub string) int {
	for i := range s {
		if len(s)-i >= len(sub) && s[i:i+len(sub)] == sub {
			return i
		}
	}
	return -1
}
