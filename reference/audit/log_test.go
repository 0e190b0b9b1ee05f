package audit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/approval"
	"acp-conform/reference/audit"
)

func noon() time.Time { return time.Date(2026, 10, 9, 12, 0, 0, 0, time.UTC) }

func open(t *testing.T, path string) *audit.Log {
	t.Helper()
	l, err := audit.Open(path, audit.Config{Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func add(t *testing.T, l *audit.Log, typ string, data any) {
	t.Helper()
	if err := l.Append(typ, data); err != nil {
		t.Fatal(err)
	}
}

func TestAppendAndReload(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "log.jsonl")
	l := open(t, path)
	if _, err := os.Stat(path); err == nil {
		t.Error("the file exists before the first event")
	}
	add(t, l, approval.TurnStart, struct{}{})
	add(t, l, approval.EventAsked, approval.AskedData{ID: "1", ToolName: "a<b"})
	want := `{"type":"turn/start","seq":0,"time":"2026-10-09T12:00:00Z","data":{}}
{"type":"approval/asked","seq":1,"time":"2026-10-09T12:00:00Z","data":{"id":"1","toolName":"a<b"}}
`
	if diff := cmp.Diff(want, read(t, path)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if diff := cmp.Diff(l.Events(), again.Events()); diff != "" {
		t.Errorf("reloaded (-first +again):\n%s", diff)
	}
	add(t, again, approval.TurnEnd, struct{}{})
	if n := strings.Count(read(t, path), "\n"); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}

// A torn last line is dropped and the next event takes its place.
func TestTornLine(t *testing.T) {
	t.Parallel()
	for name, tail := range map[string]string{
		"half a line":           `{"type":"approval/dec`,
		"a whole object, no LF": `{"type":"turn/end","seq":1,"time":"","data":{}}`,
		"zeros":                 "\x00\x00\x00",
		"no JSON":               "\x00\x00\x00\n",
		"nothing":               "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log.jsonl")
			good := `{"type":"turn/start","seq":0,"time":"","data":{}}` + "\n"
			if err := os.WriteFile(path, []byte(good+tail), 0o600); err != nil {
				t.Fatal(err)
			}
			l := open(t, path)
			if n := len(l.Events()); n != 1 {
				t.Fatalf("%d events, want 1", n)
			}
			if diff := cmp.Diff(good, read(t, path)); diff != "" {
				t.Errorf("the torn end is not dropped when the log is opened (-want +got):\n%s", diff)
			}
			add(t, l, approval.TurnEnd, struct{}{})
			if text := read(t, path); !strings.HasPrefix(text, good+`{"type":"turn/end","seq":1,`) || strings.Count(text, "\n") != 2 {
				t.Errorf("file:\n%s", text)
			}
		})
	}
}

// The seam's own rules hold on a real log; it is the log half of an agent.
func TestWithTheSeam(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	l := open(t, path)
	s, err := approval.New(approval.Config{Policy: approval.Never})
	if err != nil {
		t.Fatal(err)
	}
	add(t, l, approval.TurnStart, struct{}{})
	if out, err := s.Request(t.Context(), &approval.Request{Agent: l, ToolName: "bash"}); err != nil || out != approval.Rejected {
		t.Errorf("got %q, %v", out, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, e := range open(t, path).Events() {
		types = append(types, e.Type)
	}
	if diff := cmp.Diff([]string{"turn/start", "approval/asked", "approval/decided"}, types); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestUnwritable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := open(t, filepath.Join(t.TempDir(), "log.jsonl"))
	if err := l.Append(approval.TurnStart, func() {}); err == nil {
		t.Error("an event that is no JSON was taken")
	}
	below, err := audit.Open(filepath.Join(path, "log.jsonl"), audit.Config{Now: noon})
	if err != nil {
		return // some systems tell at once
	}
	if err := below.Append(approval.TurnStart, struct{}{}); err == nil || len(below.Events()) != 0 {
		t.Errorf("append below a file: %v, %d events", err, len(below.Events()))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"type":"turn/start","seq":0,"time":"","data":{}}` + "\n"))
	f.Add([]byte(`{"type":"turn/start","seq":0}` + "\n{"))
	f.Add([]byte("{\n" + `{"type":"turn/start","seq":0}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, size, err := audit.Parse(data)
		if err != nil {
			if len(events) != 0 || size != 0 {
				t.Fatalf("a log that is refused has %d events, %d bytes", len(events), size)
			}
			return
		}
		if size < 0 || size > int64(len(data)) || bytes.Count(data[size:], []byte("\n")) > 1 {
			t.Fatalf("more than a line is dropped of %d bytes behind %d", len(data), size)
		}
		again, whole, err := audit.Parse(data[:size])
		if err != nil || whole != size || len(again) != len(events) {
			t.Fatalf("the good part is not stable: %d of %d bytes, %d of %d events, %v", whole, size, len(again), len(events), err)
		}
	})
}
