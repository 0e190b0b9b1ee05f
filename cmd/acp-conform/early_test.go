package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"acp-conform/runner"
)

// The reference adapter runs as early when it is started as the suite starts it; other flags are the command's to read.
func TestReferenceRunsEarly(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args  []string
		early bool
	}{
		{runner.ReferenceFlags(), true},
		{[]string{"--approval-policy=never", "--log=true"}, true},
		{[]string{"--log"}, false},
		{[]string{"--approval-policy", "never"}, false},
	} {
		cmd := exec.Command(binary, append([]string{"reference"}, tt.args...)...)
		cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n")
		trace, answer := initialised(t, cmd)
		if !strings.Contains(answer, `"id":1,"result":`) {
			t.Errorf("%q: the answer is %q", tt.args, answer)
		}
		for _, name := range costly() {
			if early := !strings.Contains(trace, "init "+name); early != tt.early {
				t.Errorf("%q: ran before %s: %t, want %t", tt.args, name, early, tt.early)
			}
		}
	}
}

// costly are packages whose initialisation a process that a scenario starts must not wait for.
func costly() []string { return []string{"github.com/santhosh-tekuri/jsonschema/"} }

// initialised gives what the runtime says about the packages that were initialised, one a line, and the output.
func initialised(t *testing.T, cmd *exec.Cmd) (packages, stdout string) {
	t.Helper()
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var out, trace bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trace
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, trace.String())
	}
	return trace.String(), out.String()
}

// A stand-in does its work and ends before the costly packages are initialised; the program itself needs them.
func TestStandInRunsEarly(t *testing.T) {
	t.Parallel()
	muse := filepath.Join(t.TempDir(), "muse")
	if err := os.Link(binary, muse); err != nil {
		t.Skip(err) // where it is copied, it is the same program
	}
	early, version := initialised(t, exec.Command(muse, "--version"))
	if !strings.HasPrefix(version, "1.") {
		t.Errorf("the stand-in says %q", version)
	}
	// Whatever it is told, it is a stand-in: as the reference adapter too it would answer on these pipes.
	odd := exec.Command(muse, "reference", "--privileged=no")
	odd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n")
	if out, err := odd.Output(); err == nil || len(out) > 0 {
		t.Errorf("muse reference ends with %v and says %q", err, out)
	}
	late, _ := initialised(t, exec.Command(binary, "list"))
	for _, name := range costly() {
		if strings.Contains(early, "init "+name) {
			t.Errorf("the stand-in waits for %s:\n%s", name, early)
		}
		if !strings.Contains(late, "init "+name) {
			t.Errorf("the program does not initialise %s: the test shows nothing", name)
		}
	}
}
