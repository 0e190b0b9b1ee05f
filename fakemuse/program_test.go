package fakemuse

import (
	"os"
	"path/filepath"
	"testing"
)

// A program is copied at most once: every stand-in is one more link to it, and outlives it.
func TestProgramIsPlacedOnce(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	p, err := NewProgram(parent, "")
	if err != nil {
		t.Fatal(err)
	}
	placed, err := os.Stat(p.Path())
	if err != nil {
		t.Fatal(err)
	}
	here := func(o *Options) { o.Executable, o.TempDir = p.Path(), parent }
	first, second := newScene(t, "", here), newScene(t, "", here)
	for _, s := range []*scene{first, second} {
		if info, err := os.Stat(s.Path()); err != nil || !os.SameFile(info, placed) {
			t.Errorf("the stand-in is no link to the program: %v", err)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(p.Path())); !os.IsNotExist(err) {
		t.Errorf("the folder of the program is left: %v", err)
	}
	out, err := second.command("--version").Output()
	if err != nil || string(out) != DefaultVersion+"\n" {
		t.Errorf("a stand-in without its program says %q, %v", out, err)
	}
}

// What cannot be placed leaves nothing behind.
func TestProgramThatIsNotThere(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	if p, err := NewProgram(parent, filepath.Join(parent, "nobody")); err == nil {
		t.Errorf("%s was placed", p.Path())
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
