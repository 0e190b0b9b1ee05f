package fakemuse

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recording is a conversation between a client and a real host, or one of the protocol's own transcripts.
type recording struct {
	name  string
	lines []recorded
}

// recorded is one line of a recording.
type recorded struct {
	client bool
	raw    string
	frame  tree
}

// tree is a JSON object; its numbers are kept as texts.
type tree map[string]any

// at gives the value at a path, nil where there is none.
func (t tree) at(path ...string) any {
	var v any = map[string]any(t)
	for _, name := range path {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[name]
	}
	return v
}

func (t tree) text(path ...string) string {
	s, _ := t.at(path...).(string)
	return s
}

func (t tree) object(path ...string) tree {
	o, _ := t.at(path...).(map[string]any)
	return o
}

func (t tree) list(path ...string) []any {
	l, _ := t.at(path...).([]any)
	return l
}

func (t tree) number(path ...string) int {
	n, _ := t.at(path...).(json.Number)
	i, _ := n.Int64()
	return int(i)
}

func (t tree) has(path ...string) bool { return t.at(path...) != nil }

func (t tree) method() string { return t.text("method") }

// id is the JSON text of the frame's id, "" without one.
func (t tree) id() string {
	v, there := t["id"]
	if !there {
		return ""
	}
	text, _ := json.Marshal(v)
	return string(text)
}

func (t tree) isResponse() bool { return t.method() == "" && t.id() != "" }

func parseTree(text string) (tree, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var t tree
	err := d.Decode(&t)
	return t, err
}

// dataFolder is where the recordings are: MSP_DATA, or ../shared/msp seen from the folder of go.mod.
func dataFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MSP_DATA")
	if dir == "" {
		root, err := filepath.Abs(".")
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
				break
			}
			if root == filepath.Dir(root) {
				t.Fatal("there is no go.mod above this folder")
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared", "msp")
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the recordings are not here: there is no folder %s (MSP_DATA names it)", dir)
	}
	return dir
}

// recordings reads all recordings, and lists the folders that have none.
func recordings(t *testing.T) (all []recording, without []string) {
	t.Helper()
	dir := dataFolder(t)
	folders, err := filepath.Glob(filepath.Join(dir, "transcripts", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		file := filepath.Join(folder, "transcript.ndjson")
		if _, err := os.Stat(file); err != nil {
			without = append(without, filepath.Base(folder))
			continue
		}
		all = append(all, readRecording(t, filepath.Base(folder), file))
	}
	files, err := filepath.Glob(filepath.Join(dir, "live", "*", "*.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		all = append(all, readRecording(t, strings.TrimSuffix(filepath.Base(file), ".ndjson"), file))
	}
	return all, without
}

// readRecording reads lines {"dir":"client"|"server","raw":"…"}.
func readRecording(t *testing.T, name, file string) recording {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := recording{name: name}
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 64<<20)
	for n := 1; scanner.Scan(); n++ {
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		line, err := parseLine(scanner.Bytes())
		if err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
		r.lines = append(r.lines, line)
	}
	if err := scanner.Err(); err != nil {
		t.Fatalf("reading %s: %v", file, err)
	}
	return r
}

func parseLine(text []byte) (recorded, error) {
	var line struct {
		Dir string
		Raw json.RawMessage
	}
	if err := json.Unmarshal(text, &line); err != nil {
		return recorded{}, err
	}
	r := recorded{client: line.Dir == "client", raw: string(line.Raw)}
	if line.Dir != "client" && line.Dir != "server" {
		return r, fmt.Errorf("the direction %q is neither client nor server", line.Dir)
	}
	if len(line.Raw) > 0 && line.Raw[0] == '"' {
		if err := json.Unmarshal(line.Raw, &r.raw); err != nil {
			return r, err
		}
	}
	frame, err := parseTree(r.raw)
	if err != nil && !r.client {
		return r, fmt.Errorf("a frame of the host cannot be read: %w", err)
	}
	r.frame = frame
	return r, nil
}
