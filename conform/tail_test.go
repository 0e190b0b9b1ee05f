package conform

import (
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("x", tailLimit)
	tests := []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, ""},
		{"little", []string{"a", "b"}, "ab"},
		{"just at the limit", []string{full}, full},
		{"one over it", []string{full, "y"}, "…" + full[1:] + "y"},
		{"much at once", []string{full + full + "y"}, "…" + full[1:] + "y"},
		{"not UTF-8", []string{"a\xffb"}, "a\uFFFDb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var tail tail
			for _, w := range tt.writes {
				if n, err := tail.Write([]byte(w)); n != len(w) || err != nil {
					t.Errorf("Write gave %d, %v", n, err)
				}
			}
			if got := tail.String(); got != tt.want {
				t.Errorf("got %d bytes %.20q…", len(got), got)
			}
		})
	}
}
