package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeDocCommands: the commands that README names for the formats of one's own scenarios print them.
func TestReadmeDocCommands(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	for _, line := range regexp.MustCompile("`(go doc [^`]*)`").FindAllStringSubmatch(string(text), -1) {
		words := strings.Fields(line[1])
		c := exec.Command(words[0], words[1:]...)
		c.Dir = root
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", line[1], err, out)
		}
		printed.Write(out)
	}
	for _, want := range []string{"func Operations(", "type Answer struct", "type Script struct", "type Turn struct", "type Step struct", "type Tool struct"} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("no command prints %q", want)
		}
	}
}
