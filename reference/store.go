package reference

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/environ"
)

// storeHead is how much of a session's log is looked at: what it begins with says whose it is.
const storeHead = 64 << 10

// storedWorkspace looks a session up in what Muse has stored, and gives the workspace that its log names
// (muse-adapter.md §2.5). It asks no host.
func (a *adapter) storedWorkspace(id string) (string, bool) {
	if id == "" || strings.ContainsAny(id, `/\*?[]`) || !filepath.IsLocal(id) {
		return "", false // no name of a folder, or more than one
	}
	store := os.DirFS(filepath.Join(a.dataHome(), "muse", "sessions"))
	files, err := fs.Glob(store, "*/*/*/"+id+"/session.jsonl")
	if err != nil {
		return "", false
	}
	for _, name := range files {
		if workspace, ok := workspaceIn(store, name, id); ok {
			return workspace, true
		}
	}
	return "", false
}

// dataHome is where programs of this user keep their data.
func (a *adapter) dataHome() string {
	if dir := environ.Get(a.o.Env, "XDG_DATA_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(environ.Get(a.o.Env, "HOME"), ".local", "share")
}

// workspaceIn reads the beginning of a log. A record that names another session makes it somebody else's.
func workspaceIn(store fs.FS, name, id string) (workspace string, ok bool) {
	file, err := store.Open(name)
	if err != nil {
		return "", false
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, storeHead))
	if err != nil {
		return "", false
	}
	for line := range bytes.Lines(head) {
		var record struct {
			Stream struct {
				ID string `json:"id"`
			} `json:"stream"`
			Type    string `json:"payload_type"`
			Payload struct {
				Record struct {
					Workspace string `json:"workspace_root"`
				} `json:"record"`
			} `json:"payload"`
		}
		if json.Unmarshal(line, &record) != nil {
			continue // the last one is cut off
		}
		if record.Type == "runtime.session.metadata" && record.Stream.ID == id && filepath.IsAbs(record.Payload.Record.Workspace) {
			return record.Payload.Record.Workspace, true
		}
	}
	return "", false
}

// auditFile is where the audit log of a session lies.
func (a *adapter) auditFile(id acp.SessionId) string {
	return filepath.Join(a.o.DataDir, "audit", string(id)+".jsonl")
}
