package guard

import (
	"strings"
	"testing"
)

func TestLivesIn(t *testing.T) {
	t.Parallel()
	const dir = "/tmp/acp-conform-1"
	for _, tt := range []struct {
		name    string
		environ []string
		want    bool
	}{
		{"an adapter", []string{"LANG=C", "HOME=/tmp/acp-conform-1/acp-conform-2/home"}, true},
		{"an adapter with a home of its own", []string{"HOME=/root", "PATH=/tmp/acp-conform-1/fake-muse-2:/usr/bin"}, true},
		{"somewhere in PATH", []string{"PATH=/usr/bin:/tmp/acp-conform-1/x"}, true},
		{"a shell that was there", []string{"OLDPWD=/tmp/acp-conform-1/acp-conform-2", "HOME=/root"}, false},
		{"a variable that the harness does not set", []string{"WATCH=/tmp/acp-conform-1/", "PATH=/usr/bin"}, false},
		{"another run", []string{"HOME=/tmp/acp-conform-11/home"}, false},
		{"the folder itself", []string{"TMPDIR=/tmp/acp-conform-1"}, false},
		{"a value that only mentions it", []string{"HOME=x/tmp/acp-conform-1/home"}, false},
		{"nothing", nil, false},
	} {
		if got := livesIn([]byte(strings.Join(tt.environ, "\x00")), dir); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
