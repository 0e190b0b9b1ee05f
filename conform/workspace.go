package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"
)

// world is the private folder of one scenario.
type world struct {
	root, home, run, workspace, temp string
}

// newWorld makes the folders, below the parent, or below the system's folder for temporary files. The root has no symbolic links in it, so that an adapter that resolves them reports the
// same paths.
func newWorld(parent string) (*world, error) {
	root, err := os.MkdirTemp(parent, "acp-conform-")
	if err != nil {
		return nil, fmt.Errorf("making a private folder: %w", err)
	}
	if absolute, err := filepath.Abs(root); err == nil {
		root = absolute
	}
	if resolved, err := filepath.EvalSymlinks(root); err == nil {
		root = resolved
	}
	if bad := unfit(root); bad != "" && runtime.GOOS != "windows" {
		os.RemoveAll(root)
		return nil, fmt.Errorf("the folder for temporary files has %s in its path %q, which paths in JSON, in PATH or in a script cannot hold as it is; set TMPDIR to another folder", bad, root)
	}
	w := &world{root: root, home: filepath.Join(root, "home"), run: filepath.Join(root, "run"), workspace: filepath.Join(root, "workspace"), temp: filepath.Join(root, "tmp")}
	for _, dir := range []string{w.home, w.run, w.workspace, w.temp, w.xdg("config"), w.xdg("data"), w.xdg("state"), w.xdg("cache"), w.xdg("runtime")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			os.RemoveAll(root)
			return nil, fmt.Errorf("making a private folder: %w", err)
		}
	}
	return w, nil
}

// unfit names what a path has that cannot stand in a transcript as it is; empty when all is well.
func unfit(path string) string {
	if !utf8.ValidString(path) {
		return "a byte that is not UTF-8"
	}
	if i := strings.IndexFunc(path, func(r rune) bool { return r < 0x20 || r == 0x7f || r == '"' || r == '\\' || r == os.PathListSeparator }); i >= 0 {
		return fmt.Sprintf("%q", path[i])
	}
	if strings.Contains(path, "{{") {
		return `"{{"`
	}
	return ""
}

func (w *world) xdg(kind string) string { return filepath.Join(w.root, "xdg-"+kind) }

// environment is the whole environment of an adapter: an allow-list, and what the user named.
func (w *world) environment(hostDir, hostPath string, extra []string) []string {
	env := []string{
		"PATH=" + hostDir + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + w.home,
		"USERPROFILE=" + w.home,
		"XDG_CONFIG_HOME=" + w.xdg("config"),
		"XDG_DATA_HOME=" + w.xdg("data"),
		"XDG_STATE_HOME=" + w.xdg("state"),
		"XDG_CACHE_HOME=" + w.xdg("cache"),
		"XDG_RUNTIME_DIR=" + w.xdg("runtime"),
		"TMPDIR=" + w.temp,
		"TMP=" + w.temp,
		"TEMP=" + w.temp,
		"LANG=C.UTF-8",
		"TZ=UTC",
	}
	// Programs on Windows do not start without it.
	if v := os.Getenv("SYSTEMROOT"); v != "" {
		env = append(env, "SYSTEMROOT="+v)
	}
	for _, kv := range extra {
		env = append(env, strings.ReplaceAll(kv, "{{muse}}", hostPath))
	}
	return env
}

// fill copies a scenario's workspace files.
func (w *world) fill(fsys fs.FS, dir string) error {
	err := fs.WalkDir(fsys, dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")
		target := filepath.Join(w.workspace, filepath.FromSlash(rel))
		if d.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		data, err := fs.ReadFile(fsys, p)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o600)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("copying %s into the workspace: %w", dir, err)
	}
	return nil
}

// remove takes the folder away. Folders that something made unreadable are opened first.
func (w *world) remove() error {
	if err := os.RemoveAll(w.root); err == nil {
		return nil
	}
	filepath.WalkDir(w.root, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(p, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(w.root); err != nil {
		return fmt.Errorf("removing the private folder: %w", err)
	}
	return nil
}

// files lists what the workspace holds, by its path with slashes.
func (w *world) files() map[string]bool {
	files := map[string]bool{}
	filepath.WalkDir(w.workspace, func(p string, d fs.DirEntry, err error) error {
		if err == nil && p != w.workspace {
			rel, _ := filepath.Rel(w.workspace, p)
			files[filepath.ToSlash(rel)] = true
		}
		return nil
	})
	return files
}
