package fakemuse

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// linkFile is the file beside the stand-in that says where the server is.
const linkFile = "muse.link"

// linkFacts is the content of linkFile.
type linkFacts struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

// install makes the private folder with the stand-in and its link file. Parent is where the folder is made; empty
// means the system's folder for temporary files.
func install(parent, executable string, facts linkFacts) (dir string, err error) {
	dir, err = os.MkdirTemp(parent, "fake-muse-")
	if err != nil {
		return "", fmt.Errorf("making the folder of the fake muse: %w", err)
	}
	made := dir // a return with an error empties dir
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(made))
		}
	}()
	if dir, err = filepath.Abs(dir); err != nil {
		return "", fmt.Errorf("naming the folder of the fake muse: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return "", fmt.Errorf("closing the folder of the fake muse to others: %w", err)
	}
	text, err := json.Marshal(facts)
	if err != nil {
		return "", fmt.Errorf("writing the address of the fake muse: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, linkFile), text, 0o600); err != nil {
		return "", fmt.Errorf("writing the address of the fake muse: %w", err)
	}
	if err := linkOrCopy(executable, filepath.Join(dir, programName())); err != nil {
		return "", err
	}
	return dir, nil
}

// readLink reads the link file beside a stand-in.
func readLink(dir string) (linkFacts, error) {
	text, err := os.ReadFile(filepath.Join(dir, linkFile))
	if err != nil {
		return linkFacts{}, fmt.Errorf("reading the address of the fake muse: %w", err)
	}
	var facts linkFacts
	if err := json.Unmarshal(text, &facts); err != nil {
		return linkFacts{}, fmt.Errorf("reading the address of the fake muse: %w", err)
	}
	return facts, nil
}

// randomText gives 32 random hexadecimal digits.
func randomText() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: the process ends if the system has no randomness
	return hex.EncodeToString(b[:])
}
