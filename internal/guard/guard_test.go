//go:build unix

package guard

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMain lets this test binary be the other programs of a run.
func TestMain(m *testing.M) {
	Main()
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case harnessWord:
			beHarness()
		case helperWord:
			select {}
		}
	}
	os.Exit(m.Run())
}

func TestAttend(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, told string
		groups     map[int]bool
		orphaned   bool
	}{
		{"a good-bye", "+10\n" + goodBye + "\n", nil, false},
		{"nothing was said", "", map[int]bool{}, true},
		{"groups come and go", "+10\n+11\n-10\n", map[int]bool{11: true}, true},
		{"a line that was cut short is its beginning", "+10\n+1", map[int]bool{10: true}, true},
		{"a good-bye that was cut short", "+10\ngood-", map[int]bool{10: true}, true},
		{"no group of ours", "+1\n+0\n+-3\n\nword\n", map[int]bool{3: true}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			groups, orphaned := attend(strings.NewReader(tt.told))
			if diff := cmp.Diff(tt.groups, groups); diff != "" || orphaned != tt.orphaned {
				t.Errorf("orphaned: %t, (-want +got):\n%s", orphaned, diff)
			}
		})
	}
}

// A process is a guard only for a folder of a run's.
func TestIsGuard(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		want bool
	}{
		"a guard":            {[]string{role, "/tmp/acp-conform-1"}, true},
		"another folder":     {[]string{role, "/tmp/precious"}, false},
		"a command":          {[]string{role, "run"}, false},
		"a relative folder":  {[]string{role, "acp-conform-1"}, false},
		"no folder":          {[]string{role}, false},
		"another name":       {[]string{"acp-conform", "/tmp/acp-conform-1"}, false},
		"more than a folder": {[]string{role, "/tmp/acp-conform-1", "--help"}, false},
	}
	for name, tt := range tests {
		if got := isGuard(tt.args); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A run that ends in order leaves neither folder nor guard behind.
func TestGoodBye(t *testing.T) {
	t.Parallel()
	g, err := Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(g.Dir+"/file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g.Watch(os.Getpid() + 1<<28)()
	g.End()
	g.End()
	if _, err := os.Stat(g.Dir); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	if !g.cmd.ProcessState.Success() {
		t.Errorf("the guard ended with %s", g.cmd.ProcessState)
	}
}
