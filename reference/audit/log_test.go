package audit_test

import (
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
	l, err := audit.Open(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
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
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	again := open(t, path)
	if diff := cmp.Diff(l.Events(), again.Events()); diff != "" {
		t.Errorf("reloaded (-first +again):\n%s", diff)
	}
	add(t, again, approval.TurnEnd, struct{}{})
	if n := len(open(t, path).Events()); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}

// A torn last line is dropped and the next event takes its place.
func TestTornLine(t *testing.T) {
	t.Parallel()
	for name, tail := range map[string]string{
		"half a line":           `{"type":"approval/dec`,
		"a whole object, no LF": `{"type":"turn/end","seq":1,"time":"","data":{}}`,
		"no JSON":               "\x00\x00\x00\n",
		"wrong place":           `{"type":"turn/end","seq":7,"time":"","data":{}}` + "\n",
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
			add(t, l, approval.TurnEnd, struct{}{})
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(data), good+`{"type":"turn/end","seq":1,`) || strings.Count(string(data), "\n") != 2 {
				t.Errorf("file:\n%s", data)
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
	below, err := audit.Open(filepath.Join(path, "log.jsonl"), noon)
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
	f.Fuzz(func(t *testing.T, data []byte) {
		events, size := audit.Parse(data)
		if size < 0 || size > int64(len(data)) {
			t.Fatalf("size %d of %d", size, len(data))
		}
		again, whole := audit.Parse(data[:size])
		if whole != size || len(again) != len(events) {
			t.Fatalf("the good part is not stable: %d of %d bytes, %d of %d events", whole, size, len(again), len(events))
		}
	})
}
