package scenarios

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{
		"plain/input.json":       {Data: []byte("plain")},
		"outline/input.json":     {Data: []byte("shared")},
		"outline/input.one.json": {Data: []byte("one")},
		"rows/input.one.json":    {Data: []byte("one")},
		"folder/input.json/x":    {Data: []byte("a folder where a file should be")},
	}
	tests := []struct{ scenario, path, data, err string }{
		{"plain", "plain/input.json", "plain", ""},
		{"outline/one", "outline/input.one.json", "one", ""},
		{"outline/two", "outline/input.json", "shared", ""},
		{"rows/one", "rows/input.one.json", "one", ""},
		{"rows/two", "rows/input.two.json", "", "reading rows/input.two.json: file does not exist"}, // where it would be written
		{"nowhere", "nowhere/input.json", "", "reading nowhere/input.json: file does not exist"},
	}
	for _, tt := range tests {
		t.Run(tt.scenario, func(t *testing.T) {
			t.Parallel()
			p, data, err := Find(fsys, tt.scenario, "input.json")
			got := []string{p, string(data), ""}
			if err != nil {
				got[2] = err.Error()
			}
			if diff := cmp.Diff([]string{tt.path, tt.data, tt.err}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (tt.err != "") != errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the error %v", err)
			}
		})
	}
	if _, _, err := Find(fsys, "folder", "input.json"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder in the place of the file gave %v", err)
	}
}

// Every embedded input.json decodes, and has the form that is written.
func TestEmbeddedInputs(t *testing.T) {
	t.Parallel()
	n := 0
	err := fs.WalkDir(FS, ".", func(p string, d fs.DirEntry, err error) error {
		base := path.Base(p)
		if err != nil || d.IsDir() || !strings.HasPrefix(base, "input.") || path.Ext(base) != ".json" {
			return err
		}
		n++
		data, err := fs.ReadFile(FS, p)
		if err != nil {
			return err
		}
		in, err := DecodeInput(p, data)
		if err != nil {
			t.Error(err)
			return nil
		}
		text, err := in.Encode()
		if err != nil {
			return err
		}
		if diff := cmp.Diff(string(text), string(data)); diff != "" {
			t.Errorf("%s (-as it is written +as it is):\n%s", p, diff)
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Errorf("%d files, %v", n, err)
	}
}
