package fakemuse

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// inside reports whether a folder that exists lies in the scenario's folder, links resolved.
func (s *Server) inside(dir string) bool {
	if s.options.Root == "" {
		return false
	}
	root, err := filepath.EvalSymlinks(s.options.Root)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(real) {
		return false
	}
	return within(root, real)
}

// within reports whether a clean path is root or lies below it.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

var errEscapes = errors.New("path escapes workspace")

// file runs a tool that reads or writes one file of the workspace. The workspace is opened as a root, so that neither
// ".." nor a link leads out of it.
func (t *turn) file(spec *Tool) outcome {
	args := argsOf(spec.Args)
	name := args.text("path")
	if name == "" {
		return toolFailed("invalid arguments: path is missing")
	}
	dir, err := t.workspace()
	if err != nil {
		return toolFailed("%v", err)
	}
	local, err := localPath(dir, name)
	if err != nil {
		return toolFailed("%v: %s", err, name)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return toolFailed("cannot open the workspace")
	}
	defer root.Close()
	limit := t.host.server.options.OutputLimit
	switch spec.Name {
	case "read_file":
		return readTool(root, local, name, limit)
	case "edit_file":
		return editTool(root, local, name, args.text("find"), args.text("replace"))
	}
	return writeTool(root, local, name, args.text("content"))
}

// localPath gives a path relative to the workspace.
func localPath(dir, name string) (string, error) {
	local := filepath.Clean(name)
	if filepath.IsAbs(local) {
		rel, err := filepath.Rel(dir, local)
		if real, linkErr := filepath.EvalSymlinks(dir); linkErr == nil && (err != nil || !filepath.IsLocal(rel)) {
			rel, err = filepath.Rel(real, local)
		}
		if err != nil {
			return "", errEscapes
		}
		local = rel
	}
	if !filepath.IsLocal(local) {
		return "", errEscapes
	}
	return local, nil
}

func writeTool(root *os.Root, local, name, content string) outcome {
	if dir := filepath.Dir(local); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return fileFailed("write", name, err)
		}
	}
	if err := root.WriteFile(local, []byte(content), 0o644); err != nil {
		return fileFailed("write", name, err)
	}
	return outcome{status: "completed", output: fmt.Sprintf("wrote %d bytes to %s", len(content), name)}
}

func editTool(root *os.Root, local, name, find, replace string) outcome {
	text, err := root.ReadFile(local)
	if err != nil {
		return fileFailed("edit", name, err)
	}
	if find == "" || strings.Count(string(text), find) != 1 {
		return toolFailed("the text to replace is not there exactly once in %s", name)
	}
	return writeTool(root, local, name, strings.Replace(string(text), find, replace, 1))
}

func readTool(root *os.Root, local, name string, limit int) outcome {
	f, err := root.Open(local)
	if err != nil {
		return fileFailed("read", name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return toolFailed("cannot read %s: not a file", name)
	}
	text, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return fileFailed("read", name, err)
	}
	shown, cut := bounded(text, limit)
	return outcome{status: "completed", output: shown, truncated: cut}
}

// fileFailed says in our own words what went wrong: texts of the system differ from machine to machine.
func fileFailed(verb, name string, err error) outcome {
	why := "the system refused it"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why = "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		why = "permission denied"
	case strings.Contains(err.Error(), "escapes"):
		return toolFailed("%v: %s", errEscapes, name)
	}
	return toolFailed("cannot %s %s: %s", verb, name, why)
}

// bounded cuts text to a limit, at the beginning of a character.
func bounded(text []byte, limit int) (string, bool) {
	if len(text) <= limit {
		return string(text), false
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return string(text[:limit]), true
}
