package otheradapter_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sources lists the Go files below a folder that are no tests.
func sources(t *testing.T, folder string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(p) == ".go" && !strings.HasSuffix(p, "_test.go") {
			files = append(files, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("there are no sources in %s", folder)
	}
	return files
}

// TestStandsAlone: the adapter imports the standard library and, for its command, itself.
func TestStandsAlone(t *testing.T) {
	t.Parallel()
	for _, file := range sources(t, ".") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(path, "/")
			if path != "acp-conform/internal/otheradapter" && (strings.Contains(first, ".") || first == "acp-conform") {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
}

// line is one line of code that says something.
type line struct {
	text string
	at   string
}

// telling gives the lines of a file that say something, white space aside: no blank ones, no lone brackets, no
// imports.
func telling(t *testing.T, file string) []line {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	imports := false
	for n, raw := range strings.Split(string(data), "\n") {
		text := strings.Join(strings.Fields(raw), " ")
		switch {
		case text == "import (":
			imports = true
		case imports:
			imports = text != ")"
		case strings.Trim(text, "{}()[],; ") == "", strings.HasPrefix(text, "import "), strings.HasPrefix(text, "package "):
		default:
			lines = append(lines, line{text, file + ":" + strconv.Itoa(n+1)})
		}
	}
	return lines
}

// run is how many lines in a row may not be the same in both adapters.
const run = 6

func runs(lines []line) map[string]string {
	found := map[string]string{}
	for i := 0; i+run <= len(lines); i++ {
		var b strings.Builder
		for _, l := range lines[i : i+run] {
			b.WriteString(l.text + "\n")
		}
		found[b.String()] = lines[i].at
	}
	return found
}

// TestIsNoCopy: no six lines in a row stand in both adapters.
func TestIsNoCopy(t *testing.T) {
	t.Parallel()
	theirs := map[string]string{}
	for _, file := range sources(t, filepath.Join("..", "..", "reference")) {
		for text, at := range runs(telling(t, file)) {
			theirs[text] = at
		}
	}
	for _, file := range sources(t, ".") {
		for text, at := range runs(telling(t, file)) {
			if there, both := theirs[text]; both {
				t.Errorf("%s and %s are the same:\n%s", at, there, text)
			}
		}
	}
}

// TestRunsAreFound: the comparison sees a copy, whatever its indentation and its blank lines.
func TestRunsAreFound(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) []line {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return telling(t, file)
	}
	a := runs(write("a.go", "package a\n\nimport (\n\t\"fmt\"\n)\n\none()\ntwo()\nthree()\n}\nfour()\nfive()\nsix()\n"))
	b := runs(write("b.go", "package b\nzero()\n  one()\n\ntwo()\n\t\tthree()\nfour()  \n)\nfive()\nsix()\nseven()\n"))
	same := 0
	for text := range a {
		if _, both := b[text]; both {
			same++
		}
	}
	if same != 1 {
		t.Errorf("%d runs were found in both files, not 1", same)
	}
}
