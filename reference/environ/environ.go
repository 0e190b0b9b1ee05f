// Package environ reads an environment that is given as a list, so that the adapter depends on nothing that it was
// not handed.
package environ

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Get is the value of a variable, the last of its name; empty when there is none.
func Get(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(env[i], "="); ok && key == name {
			return value
		}
	}
	return ""
}

// LookPath finds a program. A name with a separator is taken relative to dir; any other is looked for in the absolute
// folders of PATH.
func LookPath(env []string, dir, name string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("no program is named")
	}
	if filepath.Base(name) != name {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if !executable(name) {
			return "", fmt.Errorf("%s is not a program", name)
		}
		return name, nil
	}
	for _, folder := range filepath.SplitList(Get(env, "PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if path := filepath.Join(folder, name); executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not in any folder of PATH", name)
}

// secretEnds are the ends of names whose values must not be shown (muse-adapter.md §9).
func secretEnds() []string {
	return []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL", "CREDENTIALS"}
}

// Secrets are the values that must not be shown. Very short ones are left out: replacing them would only garble.
func Secrets(env []string) []string {
	const shortest = 6 // characters
	var secrets []string
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		for _, end := range secretEnds() {
			if len(value) >= shortest && strings.HasSuffix(strings.ToUpper(name), end) {
				secrets = append(secrets, value)
				break
			}
		}
	}
	return secrets
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && runnable(info)
}
