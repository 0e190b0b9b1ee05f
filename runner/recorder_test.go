package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What was recorded before is told apart from what is new, and a file that would not change is not touched.
func TestWriteFilesTellsWhatItFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(files map[string]string) Written {
		t.Helper()
		w, err := WriteFiles(dir, files)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	if diff := cmp.Diff(Written{New: []string{"a", "in/b"}}, write(map[string]string{"in/b": "1", "a": "1"})); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o444); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Written{New: []string{"c"}, Changed: []string{"in/b"}, Same: []string{"a"}}, write(map[string]string{"in/b": "2", "a": "1", "c": ""})); diff != "" {
		t.Errorf("second (-want +got):\n%s", diff)
	}
	after, err := os.Stat(filepath.Join(dir, "a"))
	if err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the file that stays the same was written: %v", err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "in", "b")); err != nil || string(got) != "2" {
		t.Errorf("in/b holds %q, %v", got, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteFiles(dir, map[string]string{"d": "x"}); err == nil || !strings.Contains(err.Error(), "in the way of d") {
		t.Errorf("a folder in the way: %v", err)
	}
}
