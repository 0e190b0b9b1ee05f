package fakemuse

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

func TestDisableFlags(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, flag, tool, approval, output string
		file                               string
	}{
		{"write", "--disable-write", `"name":"write_file","args":{"path":"marker","content":"x"}`, `,"approval":{}`, "tool failed: tool policy denied filesystem write", "marker"},
		{"write unasked", "--disable-write", `"name":"write_file","args":{"path":"marker","content":"x"}`, ``, "tool failed: tool policy denied filesystem write", "marker"},
		{"edit", "--disable-write", `"name":"edit_file","args":{"path":"old","find":"o","replace":"x"}`, ``, "tool failed: tool policy denied filesystem write", "marker"},
		{"shell", "--disable-shell", `"name":"bash","args":{"command":"touch marker"}`, `,"approval":{}`, "tool failed: tool policy denied shell execution", "marker"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `{"turns":[{"steps":[{"tool":{`+tt.tool+tt.approval+`}}]}]}`)
			c := s.open(tt.flag)
			c.session()
			c.prompt("go")
			if tt.approval != "" {
				c.ok("approval/decide", decide(c.command(), c.asked(), 0, "allow_once", ""))
			}
			if end := c.toolEnd(); end.Status != "failed" || *end.VisibleOutput != tt.output {
				t.Errorf("ended %s: %q", end.Status, *end.VisibleOutput)
			}
			c.terminal()
			if s.exists(tt.file) {
				t.Error("the tool acted all the same")
			}
			if argv := s.Starts()[0].Argv; !cmp.Equal(argv, []string{"serve", tt.flag}) {
				t.Errorf("argv %q", argv)
			}
		})
	}
}

func TestFileTools(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	tests := []struct {
		name, tool, status, output string
		file, content              string
	}{
		{"write", `"name":"write_file","args":{"path":"sub/new","content":"text"}`, "completed", "wrote 4 bytes to sub/new", "sub/new", "text"},
		{"edit", `"name":"edit_file","args":{"path":"old","find":"l","replace":"r"}`, "completed", "wrote 3 bytes to old", "old", "ord"},
		{"edit what is not there", `"name":"edit_file","args":{"path":"old","find":"z","replace":"r"}`, "failed", "tool failed: the text to replace is not there exactly once in old", "old", "old"},
		{"read", `"name":"read_file","args":{"path":"old"}`, "completed", "old", "", ""},
		{"read nothing", `"name":"read_file","args":{"path":"none"}`, "failed", "tool failed: cannot read none: it does not exist", "", ""},
		{"read a folder", `"name":"read_file","args":{"path":"."}`, "failed", "tool failed: cannot read .: not a file", "", ""},
		{"escape", `"name":"write_file","args":{"path":"../out","content":"x"}`, "failed", "tool failed: path escapes workspace: ../out", "", ""},
		{"escape by link", `"name":"write_file","args":{"path":"link/out","content":"x"}`, "failed", "tool failed: path escapes workspace: link/out", "", ""},
		{"absolute outside", `"name":"write_file","args":{"path":"/nowhere/out","content":"x"}`, "failed", "tool failed: path escapes workspace: /nowhere/out", "", ""},
		{"no path", `"name":"write_file","args":{"content":"x"}`, "failed", "tool failed: invalid arguments: path is missing", "", ""},
		{"scripted output", `"name":"read_file","args":{"path":"old"},"output":"something else"`, "completed", "something else", "", ""},
		{"scripted failure", `"name":"write_file","args":{"path":"never","content":"x"},"fails":"disk full"`, "failed", "tool failed: disk full", "", ""},
		{"no arguments at all", `"name":"write_file","rawArgs":"{broken"`, "failed", "tool failed: invalid arguments: path is missing", "", ""},
		{"unknown tool", `"name":"mcp__a__b","output":"42"`, "completed", "42", "", ""},
		{"shell failure", `"name":"bash","args":{"command":"echo oops; exit 3"}`, "failed", "oops\n", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `{"turns":[{"steps":[{"tool":{`+tt.tool+`}}]}]}`)
			if err := os.WriteFile(filepath.Join(s.workspace, "old"), []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, filepath.Join(s.workspace, "link")); err != nil {
				t.Fatal(err)
			}
			c := s.open()
			c.session()
			c.prompt("go")
			if end := c.toolEnd(); end.Status != tt.status || *end.VisibleOutput != tt.output {
				t.Errorf("ended %s: %q, want %s: %q", end.Status, *end.VisibleOutput, tt.status, tt.output)
			}
			c.terminal()
			if tt.file != "" {
				if text, err := os.ReadFile(filepath.Join(s.workspace, tt.file)); err != nil || string(text) != tt.content {
					t.Errorf("the file is %q, %v", text, err)
				}
			}
			s.noProblems()
		})
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside: %v, %v", left, err)
	}
}

func TestWorkspaceOutsideRoot(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	s := newScene(t, `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"touch marker"}}}]}]}`)
	c := s.open()
	c.ok("session/start", fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"workspaceRoot":%q}`, c.command(), sessionOne, outside))
	c.prompt("go")
	if end := c.toolEnd(); end.Status != "failed" {
		t.Errorf("ended %s", end.Status)
	}
	if p := s.Problems(); len(p) != 1 || p[0].Class != ProblemOutside {
		t.Errorf("problems: %v", p)
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("the tool acted outside: %v", left)
	}
}

// Cancelling kills the command and what it started, and the turn ends when they are gone.
func TestCancelKillsCommand(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"echo up > ready; (sleep 600; touch late) & sleep 600"}}}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	c.until("item/started")
	var busy bool
	s.log.Look(func(v wire.View) { busy = v.Busy("muse 1") })
	if !busy {
		t.Error("a running command holds no claim")
	}
	c.ok("turn/cancel", fmt.Sprintf(`{"commandId":%q,"sessionId":%q}`, c.command(), sessionOne))
	if end := c.toolEnd(); end.Status != "cancelled" {
		t.Errorf("the tool ended %s", end.Status)
	}
	if got := c.terminal(); got != "cancelled" {
		t.Errorf("terminal %q", got)
	}
	s.quiet()
}

func TestCommandRunsTooLong(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"sleep 600"}}}]}]}`, func(o *Options) { o.ShellTime = 1 })
	c := s.open()
	c.session()
	c.prompt("go")
	if end := c.toolEnd(); end.Status != "timedOut" {
		t.Errorf("the tool ended %s", end.Status)
	}
	c.terminal()
}
