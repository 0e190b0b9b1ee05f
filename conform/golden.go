package conform

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"acp-conform/wire"
)

// Goldens compares transcripts with the files of a folder, byte for byte.
type Goldens struct {
	fsys fs.FS
}

const (
	goldenExt     = ".golden"
	openingFolder = "opening"
	// includeMark begins the first line of a golden that goes on behind a common opening.
	includeMark = "= "
)

// NewGoldens makes a store of a folder.
func NewGoldens(fsys fs.FS) *Goldens { return &Goldens{fsys: fsys} }

// GoldenFile is the path of a scenario's golden in the folder.
func GoldenFile(scenario string) string { return scenario + goldenExt }

// Load gives the whole text of a golden, with its opening filled in.
func (g *Goldens) Load(scenario string) (string, error) {
	text, err := g.read(GoldenFile(scenario))
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(text, includeMark) {
		return text, nil
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(text, includeMark), "\n")
	opening, err := g.read(name + goldenExt)
	if err != nil {
		return "", fmt.Errorf("line 1 of %s: %w", GoldenFile(scenario), err)
	}
	return opening + rest, nil
}

func (g *Goldens) read(file string) (string, error) {
	data, err := fs.ReadFile(g.fsys, file)
	if err != nil {
		return "", fmt.Errorf("reading the golden %s: %w", file, err)
	}
	return string(data), nil
}

// Compare implements GoldenStore.
func (g *Goldens) Compare(scenario string, t wire.Transcript, _ int) *Mismatch {
	if _, err := fs.Stat(g.fsys, GoldenFile(scenario)); errors.Is(err, fs.ErrNotExist) {
		return &Mismatch{Row: -1, Missing: true, Message: fmt.Sprintf("there is no golden %s", GoldenFile(scenario))}
	}
	want, err := g.Load(scenario)
	if err != nil {
		return &Mismatch{Row: -1, Message: err.Error()}
	}
	return compareText(GoldenFile(scenario), want, t)
}

// compareText finds the first difference between an accepted text and a transcript.
func compareText(file, want string, t wire.Transcript) *Mismatch {
	got := string(t.Print())
	if got == want {
		return nil
	}
	// With their line ends, so that an end, a line without its LF and an empty line are three different things.
	wantLines, gotLines := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	n := 0
	for n < len(wantLines) && n < len(gotLines) && wantLines[n] == gotLines[n] {
		n++
	}
	m := &Mismatch{Row: n, Message: fmt.Sprintf("the transcript differs from %s, first in line %d of the whole text", file, n+1),
		Place: &Place{Line: n + 1, Offset: -1, Expected: lineInWords(wantLines, n), Actual: lineInWords(gotLines, n)}}
	if n < len(t) && !t[n].Gap {
		m.Place.Lane = t[n].Lane.String()
		if n < len(wantLines) && strings.HasSuffix(wantLines[n], "\n") {
			m.locate(wantLines[n], t[n])
		}
	}
	return m
}

// lineInWords is what stands in a line of a text, also where that is nothing to be seen.
func lineInWords(lines []string, n int) string {
	if n >= len(lines) || lines[n] == "" {
		return "the end"
	}
	line, whole := strings.CutSuffix(lines[n], "\n")
	switch {
	case !whole:
		return line + " (the end: there is no LF behind it)"
	case strings.TrimRight(line, " \t\r") == "":
		return fmt.Sprintf("an empty line (%q)", lines[n])
	}
	return line
}

// locate narrows a difference between two frames down to a byte and the value that it belongs to.
func (m *Mismatch) locate(want string, got wire.Row) {
	rows, err := wire.ParseTranscript([]byte(want))
	if err != nil || len(rows) != 1 || rows[0].Gap || rows[0].Lane != got.Lane || rows[0].Dir != got.Dir {
		return
	}
	a, b := rows[0].Data, got.Data
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	m.Place.Offset, m.Place.Pointer = i, wire.PointerAt(b, i)
	m.Place.Expected, m.Place.Actual = string(a), string(b)
}

// Has reports whether there is a golden of a scenario.
func (g *Goldens) Has(scenario string) bool {
	_, err := fs.Stat(g.fsys, GoldenFile(scenario))
	return err == nil
}

// HoldAll looks for goldens that nothing was compared with: a transcript that was accepted once and cannot be had any
// more is a difference too. A scenario that is green all the same fails for it; one that is not green says so in a note.
func (g *Goldens) HoldAll(results []ScenarioResult) {
	for i := range results {
		r := &results[i]
		if !g.Has(r.Name) || slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Name == Golden }) {
			continue
		}
		missed := fmt.Sprintf("nothing was compared with %s", GoldenFile(r.Name))
		switch r.Verdict {
		case Pass, NotApplicable:
			if r.Reason != "" {
				missed += ", since the scenario is not applicable now: " + r.Reason
			}
			r.Checks = append(r.Checks, Check{Name: Golden, Message: missed})
			r.Verdict, r.Reason = Fail, Golden+": "+missed
		default:
			r.Notes = append(r.Notes, missed)
		}
	}
}

// ofGit reports whether a file is one with which git is told how to keep the folder.
func ofGit(file string) bool { return strings.HasPrefix(path.Base(file), ".git") }

// Orphans lists the files that belong to none of the scenarios, whatever their names end in, and the openings that no
// golden names.
func (g *Goldens) Orphans(scenarios []string) ([]string, error) {
	var orphans []string
	named := map[string]bool{}
	var openings []string
	err := fs.WalkDir(g.fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && path.Base(p) == ".git" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || ofGit(p) {
			return err
		}
		if path.Ext(p) != goldenExt {
			orphans = append(orphans, p)
			return nil
		}
		if strings.HasPrefix(p, openingFolder+"/") {
			openings = append(openings, p)
			return nil
		}
		if !slices.Contains(scenarios, strings.TrimSuffix(p, goldenExt)) {
			orphans = append(orphans, p)
		}
		data, err := fs.ReadFile(g.fsys, p)
		if line, _, _ := bytes.Cut(data, []byte("\n")); bytes.HasPrefix(line, []byte(includeMark)) {
			named[string(line[len(includeMark):])+goldenExt] = true
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the goldens: %w", err)
	}
	for _, o := range openings {
		if !named[o] {
			orphans = append(orphans, o)
		}
	}
	slices.Sort(orphans)
	return orphans, nil
}

// Compress gives the text of a golden file: where the transcript begins with the opening of this name, that part is
// named instead of repeated.
func Compress(t wire.Transcript, opening, name string) string {
	whole := string(t.Print())
	if rest, ok := strings.CutPrefix(whole, opening); ok && opening != "" {
		return includeMark + openingFolder + "/" + name + "\n" + rest
	}
	return whole
}

// OpeningFile is the path of a common opening in the folder.
func OpeningFile(name string) string { return path.Join(openingFolder, name+goldenExt) }
