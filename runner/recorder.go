package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"acp-conform/conform"
	"acp-conform/wire"
)

// OpeningName names the common opening of the default client profile and host variant.
const OpeningName = "baseline"

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

// Opening is the text of the common opening: that of the first of the scenarios, in the given order, that has one.
func (r *Recorder) Opening(scenarios []string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range scenarios {
		if rec := r.kept[name]; rec.opening > 0 && hasHost(rec.transcript[:rec.opening]) {
			return string(rec.transcript[:rec.opening].Print())
		}
	}
	return ""
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
// plan, so that the opening is always taken from the same one.
func (r *Recorder) Files(scenarios []string) map[string]string {
	opening := r.Opening(scenarios)
	r.mu.Lock()
	defer r.mu.Unlock()
	files := map[string]string{}
	for _, name := range scenarios {
		if rec, ok := r.kept[name]; ok {
			files[conform.GoldenFile(name)] = conform.Compress(rec.transcript, opening, OpeningName)
		}
	}
	if opening != "" {
		files[conform.OpeningFile(OpeningName)] = opening
	}
	return files
}

// WriteFiles writes golden files below a folder and removes nothing.
func WriteFiles(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("making the folder of the golden %s: %w", name, err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return fmt.Errorf("writing the golden %s: %w", name, err)
		}
	}
	return nil
}
