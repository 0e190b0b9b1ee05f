package conform

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// childWord makes the test binary one of the programs below.
const childWord = "be-a-child"

// beChild is a program that behaves as the words say, and gives its exit status.
func beChild(words []string) int {
	switch words[0] {
	case "quiet": // ends with its stdin
		io.Copy(io.Discard, os.Stdin)
		return 0
	case "polite": // outlives its stdin, ends when it is asked to
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println("ready")
		<-c
		return 3
	case "stubborn": // must be killed
		signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM) // and nobody looks
		fmt.Println("ready")
		select {}
	case "noise": // writes so many bytes to stderr, then fails
		fmt.Fprint(os.Stderr, strings.Repeat("x", tailLimit), "the end")
		return 7
	case "tell": // says where it is and what it was given
		dir, _ := os.Getwd()
		env := os.Environ()
		slices.Sort(env)
		fmt.Printf("%q\n%s\n%q\n", words[1:], dir, env)
		return 0
	case "parent": // leaves a child behind, in its group or in a session of its own
		own, err := os.Executable()
		if err != nil {
			return 1
		}
		cmd := exec.Command(own, childWord, "stubborn")
		cmd.Env = os.Environ()
		if words[1] == "hidden" {
			ownSession(cmd)
		}
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			return 1
		}
		io.ReadFull(out, make([]byte, len("ready\n")))
		fmt.Println(cmd.Process.Pid)
		io.Copy(io.Discard, os.Stdin)
		return 0
	}
	return 2
}

// child is an adapter that is one of these programs.
func child(t *testing.T, words ...string) *Command {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCommand(append([]string{own, childWord}, words...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
