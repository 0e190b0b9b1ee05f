package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"acp-conform/conform"
	"acp-conform/wire"
)

// Recorder is a conform.GoldenStore that accepts every transcript and keeps it.
type Recorder struct {
	mu   sync.Mutex
	kept map[string]recording
}

type recording struct {
	transcript wire.Transcript
	opening    int
}

// NewRecorder makes an empty recorder.
func NewRecorder() *Recorder { return &Recorder{kept: map[string]recording{}} }

// Compare implements conform.GoldenStore.
func (r *Recorder) Compare(scenario string, t wire.Transcript, opening int) *conform.Mismatch {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept[scenario] = recording{t, opening}
	return nil
}

// Text is the whole printed transcript of a scenario; "" when it was not played.
func (r *Recorder) Text(scenario string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.kept[scenario].transcript.Print())
}

// hasHost reports whether an opening goes as far as a host.
func hasHost(t wire.Transcript) bool {
	for _, row := range t {
		if row.Dir == wire.Start {
			return true
		}
	}
	return false
}

// Files gives the golden files of the scenarios, by their path in the folder. The scenarios are in the order of the
// plan, so that a common opening is always taken from the same one; opening names the opening that a scenario shares
// with others: that of its client profile and host variant, or none.
func (r *Recorder) Files(scenarios []string, opening func(scenario string) string) map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	openings := map[string]string{}
	for _, name := range scenarios {
		rec, label := r.kept[name], opening(name)
		if label != "" && openings[label] == "" && rec.opening > 0 && hasHost(rec.transcript[:rec.opening]) {
			openings[label] = string(rec.transcript[:rec.opening].Print())
		}
	}
	files := map[string]string{}
	for _, name := range scenarios {
		rec, ok := r.kept[name]
		if !ok {
			continue
		}
		label := opening(name)
		text := conform.Compress(rec.transcript, openings[label], label)
		files[conform.GoldenFile(name)] = text
		if strings.HasPrefix(text, "= ") {
			files[conform.OpeningFile(label)] = openings[label]
		}
	}
	return files
}

// Written says what WriteFiles found in the folder, by the names of the files, sorted.
type Written struct {
	New     []string
	Changed []string // another text stood there
	Same    []string // left as they were
}

// WriteFiles writes golden files below a folder and removes nothing. A file that holds the same text is left alone.
func WriteFiles(dir string, files map[string]string) (Written, error) {
	var w Written
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		was, err := os.ReadFile(path)
		switch {
		case err == nil && string(was) == files[name]:
			w.Same = append(w.Same, name)
			continue
		case err == nil:
			w.Changed = append(w.Changed, name)
		case errors.Is(err, fs.ErrNotExist):
			w.New = append(w.New, name)
		default:
			return w, fmt.Errorf("reading the golden that stands in the way of %s: %w", name, err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return w, fmt.Errorf("making the folder of the golden %s: %w", name, err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			return w, fmt.Errorf("writing the golden %s: %w", name, err)
		}
	}
	return w, nil
}
