package audit_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/approval"
	"acp-conform/reference/audit"
)

const (
	started = `{"type":"turn/start","seq":0,"time":"","data":{"turn":1}}` + "\n"
	never   = `{"type":"approval/policy","seq":1,"time":"","data":{"policy":"never"}}` + "\n"
	called  = `{"type":"tool/call","seq":2,"time":"","data":{"callId":"c"}}` + "\n"
	ended   = `{"type":"turn/end","seq":3,"time":"","data":{"turn":1}}` + "\n"
)

// What no crash leaves behind is not passed over: behind the bad line may stand the switch to never.
func TestBadLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		line int
		why  string
	}{
		"a byte of the first line": {"\x01" + started[1:] + never + called + ended, 1, "is no JSON"},
		"a byte in the middle":     {started + never + strings.Replace(called, ":", ";", 1) + ended, 3, "is no JSON"},
		"before a torn line":       {started + "\x00\n" + `{"type":`, 2, "is no JSON"},
		"two bad lines at the end": {started + never + "#\n#\n", 3, "is no JSON"},
		"an empty line":            {started + "\n" + never, 2, "is no JSON"},
		"a line is gone":           {started + called + ended, 2, "has the seq 2, expected 1"},
		"the last is elsewhere":    {started + ended, 2, "has the seq 3, expected 1"},
		"no type":                  {started + `{"seq":1,"data":{}}` + "\n" + called, 2, "is no event"},
		"a list":                   {started + "[]\n" + called, 2, "is no event"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log.jsonl")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			l, err := audit.Open(path, audit.Config{Now: noon})
			bad := (*audit.BadLineError)(nil)
			if !errors.As(err, &bad) || l != nil {
				t.Fatalf("got %v, %v", l, err)
			}
			if diff := cmp.Diff(audit.BadLineError{Path: path, Line: c.line, Why: c.why}, *bad); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if want := fmt.Sprintf("line %d of the audit log %s %s", c.line, path, c.why); err.Error() != want {
				t.Errorf("text %q, want %q", err, want)
			}
			if diff := cmp.Diff(c.text, read(t, path)); diff != "" {
				t.Errorf("the file has changed (-want +got):\n%s", diff)
			}
		})
	}
}

// A second log of the same file is kept out while the first has it, and takes nothing from what the first wrote.
func TestTwoLogs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	first, second := open(t, path), open(t, path) // neither has made the file yet
	add(t, first, approval.TurnStart, struct{}{})
	add(t, first, approval.EventPolicy, approval.PolicyData{Policy: approval.Never})
	want := read(t, path)
	refused := func(when string, is error) {
		t.Helper()
		if err := second.Append(approval.TurnStart, struct{}{}); err == nil || is != nil && !errors.Is(err, is) {
			t.Errorf("%s: %v", when, err)
		}
		if diff := cmp.Diff(want, read(t, path)); diff != "" {
			t.Errorf("%s: the file has changed (-want +got):\n%s", when, diff)
		}
	}
	if !locks() {
		refused("while the first is open", nil)
	} else {
		refused("while the first is open", audit.ErrBusy)
		if l, err := audit.Open(path, audit.Config{}); !errors.Is(err, audit.ErrBusy) || l != nil {
			t.Errorf("a third log: %v", err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	refused("behind what the first wrote", nil)
	add(t, first, approval.TurnEnd, struct{}{}) // opens it again
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(open(t, path).Events()); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}

// locks reports whether the system has locks that this package uses.
func locks() bool { return runtime.GOOS != "windows" }

// watched is a file that tells what is done to it, and may fail.
type watched struct {
	*os.File
	seen *[]string
	fail func(step string) error
}

func (w watched) did(step string) error {
	*w.seen = append(*w.seen, step)
	if w.fail == nil {
		return nil
	}
	return w.fail(step)
}

func (w watched) Write(text []byte) (int, error) {
	kind, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte(`{"type":"`)), []byte(`"`))
	if err := w.did("write " + string(kind)); err != nil {
		n, _ := w.File.Write(text[:len(text)/2])
		return n, err
	}
	return w.File.Write(text)
}

func (w watched) Sync() error { return errors.Join(w.did("sync"), w.File.Sync()) }

func (w watched) Truncate(size int64) error {
	if err := w.did("truncate"); err != nil {
		return err
	}
	return w.File.Truncate(size)
}

func watching(t *testing.T, path string, fail func(string) error) (*audit.Log, *[]string) {
	t.Helper()
	seen := new([]string)
	l, err := audit.Open(path, audit.Config{Now: noon, Wrap: func(f *os.File) audit.File { return watched{f, seen, fail} }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l, seen
}

// A question is on disk before anybody is asked, and its decision before the outcome is returned.
func TestDurableBeforeTheOutcome(t *testing.T) {
	t.Parallel()
	l, seen := watching(t, filepath.Join(t.TempDir(), "log.jsonl"), nil)
	s, err := approval.New(approval.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.Add(func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
		*seen = append(*seen, "answer")
		return approval.AllowedOnce, nil
	})
	add(t, l, approval.TurnStart, struct{}{})
	if err := s.SetPolicy(l, approval.Ask); err != nil {
		t.Fatal(err)
	}
	if out, err := s.Request(t.Context(), &approval.Request{Agent: l, ToolName: "bash"}); err != nil || out != approval.AllowedOnce {
		t.Fatalf("got %q, %v", out, err)
	}
	*seen = append(*seen, "outcome")
	want := []string{
		"write turn/start", "write approval/policy", "sync",
		"write approval/asked", "sync", "answer", "write approval/decided", "sync", "outcome",
	}
	if diff := cmp.Diff(want, *seen); diff != "" {
		t.Errorf("what was done (-want +got):\n%s", diff)
	}
}

// After a write or a sync that failed the log takes nothing more, and holds nothing that was not acted on.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	for name, fails := range map[string][]string{
		"the write":                     {"write approval/decided"},
		"the sync":                      {"sync"},
		"the write, and taking it back": {"write approval/decided", "truncate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log.jsonl")
			l, _ := watching(t, path, func(step string) error {
				if slices.Contains(fails, step) {
					return full
				}
				return nil
			})
			add(t, l, approval.TurnStart, struct{}{})
			if err := l.Append(approval.EventDecided, approval.DecidedData{ID: "1", Outcome: approval.AllowedOnce}); !errors.Is(err, full) {
				t.Fatalf("got %v", err)
			}
			if err := l.Append(approval.TurnEnd, struct{}{}); !errors.Is(err, full) {
				t.Errorf("an event behind one that failed: %v", err)
			}
			if n := len(l.Events()); n != 1 {
				t.Errorf("%d events, want 1", n)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if n := len(open(t, path).Events()); n != 1 {
				t.Errorf("%d events when it is opened again, want 1", n)
			}
		})
	}
}
