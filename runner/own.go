package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/requirements"
	"acp-conform/scenarios"
)

// ownFolder is where the features of the user's own folders are, among the embedded ones.
const ownFolder = "own"

// OwnTag is the tag of scenarios of the user's own.
const OwnTag = "@own"

// OwnError says what is wrong with a folder of scenarios of the user's own, one problem a line.
type OwnError struct{ Problems []string }

func (e *OwnError) Error() string { return strings.Join(e.Problems, "\n") }

// Add gives a suite that also plays what is in a folder of the user's own: each folder in it is one recorded
// conversation, an input.json with a muse.json beside it and a workspace/ of plain files if it needs one. It is played as
// it stands, under the name of its folder. Everything is decoded here, so that nothing is played where one is wrong; that
// error is an *OwnError.
func (s *Suite) Add(dir string) (*Suite, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, &OwnError{[]string{err.Error()}}
	}
	wrong := &OwnError{}
	top := map[string]bool{}
	written := fstest.MapFS{}
	var files []string
	for _, e := range entries {
		name := e.Name()
		if info, err := os.Stat(filepath.Join(dir, name)); strings.HasPrefix(name, ".") || err == nil && !info.IsDir() {
			continue // notes beside the folders are nobody's business
		}
		if problems := s.ownProblems(dir, name); len(problems) > 0 {
			wrong.Problems = append(wrong.Problems, problems...)
			continue
		}
		file := path.Join(ownFolder, name+".feature")
		top[name], files = true, append(files, file)
		written[file] = &fstest.MapFile{Data: []byte(ownFeature(name)), Mode: 0o444}
	}
	if _, err := os.Stat(filepath.Join(dir, inputFile)); err == nil {
		wrong.Problems = append(wrong.Problems, fmt.Sprintf("%s is a scenario itself; name the folder that it stands in", dir))
	} else if len(entries) == 0 || len(top) == 0 && len(wrong.Problems) == 0 {
		wrong.Problems = append(wrong.Problems, fmt.Sprintf("%s holds no folder with an input.json and a muse.json", dir))
	}
	if len(wrong.Problems) > 0 {
		return nil, wrong
	}
	more := *s
	more.Own = slices.Sorted(maps.Keys(top))
	more.scenarios = layered{base: s.scenarios, more: os.DirFS(dir), top: top}
	more.features = layered{base: s.features, more: written, top: map[string]bool{ownFolder: true}}
	known, err := featureFiles(s.features)
	if err != nil {
		return nil, err
	}
	if more.Plan, err = newPlan(more.features, append(known, files...), s.Registry); err != nil {
		return nil, fmt.Errorf("planning the scenarios of %s: %w", dir, err)
	}
	return &more, nil
}

const inputFile = "input.json"

// ownFeature tells a recorded conversation in the one sentence that plays it.
func ownFeature(name string) string {
	return fmt.Sprintf("%s\nFeature: Conversations of your own\n\n  %s%s\n  Scenario: The recorded conversation %s\n    Given the recorded conversation %q\n", OwnTag, folderTag, name, name, name)
}

// ownName is what a folder may be called: its name is a tag, a word of a sentence and the name of files.
var ownName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ownProblems says what is wrong with one folder, with file and line where there are some.
func (s *Suite) ownProblems(dir, name string) (problems []string) {
	folder := filepath.Join(dir, name)
	if !ownName.MatchString(name) {
		return []string{fmt.Sprintf("%s: the name of a scenario begins with a letter or a digit and holds only these and \".\", \"_\" and \"-\"", folder)}
	}
	if other := taken(s.Plan.allNames(), name); other != "" {
		problems = append(problems, fmt.Sprintf("%s: there is a scenario %q already, so this folder needs another name", folder, other))
	}
	if name == conform.ProbeName || requirements.IsID(name) {
		problems = append(problems, fmt.Sprintf("%s: %q is a name that reports and files of known failures use otherwise, so this folder needs another", folder, name))
	}
	decode := func(file, missing string, decode func(file string, data []byte) error) {
		p := filepath.Join(folder, file)
		data, err := ReadPlain(p)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s: there is no %s, %s", folder, file, missing)
		} else if err == nil {
			err = decode(p, data)
		}
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	decode(inputFile, "which says what the editor does", func(file string, data []byte) error {
		_, err := scenarios.DecodeRecorded(file, data)
		return err
	})
	decode(MuseHosts{}.ScriptFile(), "which says what Muse does; what a model was recorded to say is not played", func(file string, data []byte) error {
		_, err := fakemuse.DecodeScript(file, data)
		return err
	})
	return append(problems, unplain(filepath.Join(folder, "workspace"))...)
}

// taken is the scenario whose name cannot be told from another on every system: some tell no capitals from small letters.
func taken(names []string, name string) string {
	i := slices.IndexFunc(names, func(other string) bool { return strings.EqualFold(other, name) })
	if i < 0 {
		return ""
	}
	return names[i]
}

// largestFile is the most that a file of the user's own may hold, in bytes. A long text in a script needs only its length.
const largestFile = 16 << 20

// ReadPlain reads a file that a user has named. What is no plain file, such as a pipe that nobody writes to or a device
// without an end, is an error, and so is one that is too large.
func ReadPlain(file string) ([]byte, error) {
	switch info, err := os.Stat(file); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: this is no plain file", file)
	case info.Size() > largestFile:
		return nil, fmt.Errorf("%s: the file has %d bytes, more than %d", file, info.Size(), largestFile)
	}
	return os.ReadFile(file)
}

// unplain finds what cannot be copied into a working directory as it is.
func unplain(workspace string) (problems []string) {
	err := filepath.WalkDir(workspace, func(p string, d fs.DirEntry, err error) error {
		switch {
		case p == workspace && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case p == workspace && !d.IsDir() || !d.IsDir() && !d.Type().IsRegular():
			problems = append(problems, fmt.Sprintf("%s: a workspace is a folder of plain files and folders, and this is neither", p))
		}
		return nil
	})
	if err != nil {
		problems = append(problems, err.Error())
	}
	return problems
}

// layered is a file system with further folders at its top; they are opened, but not listed with the others.
type layered struct {
	base, more fs.FS
	top        map[string]bool // folders of more
}

// Open implements fs.FS.
func (l layered) Open(name string) (fs.File, error) {
	if first, _, _ := strings.Cut(name, "/"); l.top[first] {
		return l.more.Open(name)
	}
	return l.base.Open(name)
}
