package environ_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/environ"
)

func TestGet(t *testing.T) {
	t.Parallel()
	env := []string{"A=1", "B=", "A=2=3", "AB=4", "broken"}
	for name, want := range map[string]string{"A": "2=3", "B": "", "C": "", "AB": "4", "broken": ""} {
		if got := environ.Get(env, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestLookPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := put("a/muse", 0o600)
	good := put("b/muse", 0o700)
	env := []string{"PATH=" + filepath.Dir(plain) + ":rel::" + filepath.Dir(good)}
	for name, c := range map[string]struct {
		env  []string
		prog string
		want string
	}{
		"in PATH":      {env, "muse", good},
		"not there":    {env, "other", ""},
		"absolute":     {nil, good, good},
		"relative":     {nil, "b/muse", good},
		"not runnable": {nil, plain, ""},
		"no PATH":      {nil, "muse", ""},
		"no name":      {env, "", ""},
	} {
		got, err := environ.LookPath(c.env, dir, c.prog)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	got := environ.Secrets([]string{"HOME=/home/x", "META_API_KEY=sk-12345", "x_token=abcdefg", "KEY=a", "KEYS=abcdefgh"})
	if diff := cmp.Diff([]string{"sk-12345", "abcdefg"}, got); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}
