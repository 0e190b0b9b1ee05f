package fakemuse

import (
	"os"
	"path/filepath"
)

// hello is what a stand-in says first.
type hello struct {
	Token    string            `json:"token"`
	Nonce    string            `json:"nonce"` // random, made by the stand-in for itself
	Kind     string            `json:"kind"`  // "serve" or "call"
	Argv     []string          `json:"argv"`  // without the program's name
	PID      int               `json:"pid"`
	Cwd      string            `json:"cwd"`
	Env      map[string]string `json:"env"`
	DirFirst bool              `json:"dirFirst"` // our folder is the first one of PATH
}

// callReply is what an invocation other than `serve` prints and exits with.
type callReply struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	Code   int    `json:"code"`
}

// factNames are the variables that a stand-in reports: where Muse keeps its files. None of them holds a secret.
func factNames() []string {
	return []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"}
}

// environmentFacts reads the reported variables of this process; unset ones are left out.
func environmentFacts() map[string]string {
	facts := map[string]string{}
	for _, name := range factNames() {
		if value, set := os.LookupEnv(name); set {
			facts[name] = value
		}
	}
	return facts
}

// pathBegins reports whether dir is the first folder of PATH.
func pathBegins(dir string) bool {
	parts := filepath.SplitList(os.Getenv("PATH"))
	return len(parts) > 0 && filepath.Clean(parts[0]) == filepath.Clean(dir)
}

// museHome is the folder in which a Muse with these variables keeps its data.
func museHome(env map[string]string) string {
	if data := env["XDG_DATA_HOME"]; data != "" {
		return filepath.Join(data, "muse")
	}
	return filepath.Join(env["HOME"], ".local", "share", "muse")
}
