package fakemuse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

// TestExitInATool: the host ends at a point of a tool call; what had begun is ended with it, and nothing else begins.
func TestExitInATool(t *testing.T) {
	t.Parallel()
	const command = `echo begun > begun; echo begun; sleep 1000; touch finished`
	tests := []struct {
		at, name string
		decided  bool
		begun    bool
		want     []string // frames behind item/started
	}{
		{"asked", "bash", false, false, []string{"approval/requested", "?approval/request"}},
		{"granted", "bash", true, false, []string{"approval/requested", "?approval/request", "=", "approval/resolved"}},
		{"running", "bash", true, true, []string{"approval/requested", "?approval/request", "=", "approval/resolved"}},
		{"running", "other", true, false, []string{"approval/requested", "?approval/request", "=", "approval/resolved"}},
	}
	for _, tt := range tests {
		t.Run(tt.at+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, fmt.Sprintf(`{"turns":[{"steps":[{"tool":{"name":%q,"args":{"command":%q},"approval":{},"exit":{"code":3,"at":%q}}},{"say":"done"}]}]}`, tt.name, command, tt.at))
			c := s.open()
			c.session()
			c.prompt("go")
			if tt.at == exitAsked {
				c.asked() // which takes note of it
			}
			if tt.decided {
				c.send("approval/decide", decide(c.command(), c.asked(), 0, "allow_once", ""))
			}
			if err := c.gone(); err == nil || err.Error() != "exit status 3" {
				t.Errorf("the host exits with %v", err)
			}
			s.quiet()
			got := tail(c.methods(), "item/started")[1:]
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("frames differ (-want +got):\n%s", diff)
			}
			_, err := os.Stat(filepath.Join(s.workspace, "begun"))
			if (err == nil) != tt.begun || s.exists("finished") {
				t.Errorf("begun: %v, finished: %v", err == nil, s.exists("finished"))
			}
			again := s.open()
			again.ok("session/resume", fmt.Sprintf(`{"commandId":"r","sessionId":%q}`, sessionOne))
			last := ""
			for _, r := range s.log.Records() {
				if r.Frame.Method == "turn/completed" {
					last = wire.LookupString(r.Frame.Params, "terminal")
				}
			}
			if last != "cancelled" {
				t.Errorf("the lost turn ended %q", last)
			}
			s.noProblems()
		})
	}
}

func TestExitScripts(t *testing.T) {
	t.Parallel()
	for exit, want := range map[string]string{
		`{"code":1,"at":"asked"}`:   "nobody is asked about the tool",
		`{"code":1,"at":"granted"}`: "nobody is asked about the tool",
		`{"code":1}`:                `needs a member "at"`,
		`{"at":"running"}`:          `needs a member "code"`,
		`{"code":1,"at":"noon"}`:    "noon",
	} {
		_, err := DecodeScript("muse.json", []byte(`{"turns":[{"steps":[{"tool":{"name":"bash","exit":`+exit+`}}]}]}`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, which does not say %q", exit, err, want)
		}
	}
}
