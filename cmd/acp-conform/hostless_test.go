package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"acp-conform/wire"
)

// beHostless is a right adapter that needs no host: it answers every prompt by itself.
func beHostless() int {
	lines := wire.NewLineReader(os.Stdin, 0)
	sessions := map[string]bool{}
	answer := func(id json.RawMessage, member, value string) {
		if id == nil {
			id = json.RawMessage("null")
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%q:%s}`+"\n", id, member, value)
	}
	for {
		line, err := lines.Next()
		if err != nil {
			return 0
		}
		f := wire.ParseFrame(line.Bytes)
		switch {
		case f.Kind == wire.Malformed:
			answer(nil, "error", `{"code":-32700,"message":"that is not JSON"}`)
		case f.Kind == wire.Invalid || f.Kind == wire.Batch || f.Kind == wire.Scalar:
			answer(nil, "error", `{"code":-32600,"message":"that is no request"}`)
		case f.Kind != wire.Request:
		case f.Method == "initialize":
			answer(f.ID, "result", `{"protocolVersion":1,"agentCapabilities":{},"agentInfo":{"name":"hostless","version":"1"}}`)
		case f.Method == "session/new" && strings.HasPrefix(wire.LookupString(f.Params, "cwd"), "/") && isFolder(wire.LookupString(f.Params, "cwd")):
			id := fmt.Sprintf("session-%d", len(sessions)+1)
			sessions[id] = true
			answer(f.ID, "result", fmt.Sprintf(`{"sessionId":%q}`, id))
		case f.Method == "session/prompt" && sessions[wire.LookupString(f.Params, "sessionId")] && isPrompt(wire.Lookup(f.Params, "prompt")):
			answer(f.ID, "result", `{"stopReason":"end_turn"}`)
		case f.Method == "session/new" || f.Method == "session/prompt":
			answer(f.ID, "error", `{"code":-32602,"message":"wrong params"}`)
		default:
			answer(f.ID, "error", `{"code":-32601,"message":"no such method"}`)
		}
	}
}

// isPrompt reports whether a value is a list of content blocks.
func isPrompt(value json.RawMessage) bool {
	var blocks []struct {
		Type string
		Text *string
	}
	if json.Unmarshal(value, &blocks) != nil {
		return false
	}
	return !slices.ContainsFunc(blocks, func(b struct {
		Type string
		Text *string
	}) bool {
		return b.Type == "" || b.Type == "text" && b.Text == nil
	})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func TestAdapterWithoutHost(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := program(t, "run", "--", own, oddWord, "needs-no-host")
	if out.code != 0 || !strings.Contains(out.stdout, "never started a host: a probe turn was answered with end_turn") {
		t.Errorf("exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
}

// TestTheHarnessDies kills and interrupts the program in the middle of a run. Nothing that it started may outlive it.
func TestTheHarnessDies(t *testing.T) {
	t.Parallel()
	onLinux(t)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM} {
		for name, command := range map[string][]string{"reference": {"--jobs=2"}, "deaf": {"--", own, oddWord, "deaf"}, "stubborn": {"--", own, oddWord, "stays"},
			"gone from its group": {"--", own, oddWord, "leaves-its-group"}} {
			t.Run(signal.String()+" "+name, func(t *testing.T) {
				t.Parallel()
				if signal == syscall.SIGKILL && name == "gone from its group" {
					t.Skip("nobody is left to end an adapter that has left its group and does not look at its stdin")
				}
				temp := t.TempDir()
				cmd := exec.Command(binary, append([]string{"run", "--stop-timeout=1s", "--term-timeout=200ms"}, command...)...)
				cmd.Env = append(os.Environ(), "TMPDIR="+temp)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				adapter := command[len(command)-1]
				if adapter == "leaves-its-group" {
					adapter = "stays" // what it has started, and is from then on
				}
				awaitCondition(t, "an adapter is started", func() bool {
					return slices.ContainsFunc(processesWith(t, temp), func(line string) bool {
						return strings.Contains(line, oddWord+" "+adapter) && !strings.Contains(line, " run ") || strings.Contains(line, " reference ")
					})
				})
				cmd.Process.Signal(signal)
				cmd.Wait()
				if code := cmd.ProcessState.ExitCode(); signal != syscall.SIGKILL && code != 3 {
					t.Errorf("exit %d, not 3", code)
				}
				awaitCondition(t, "every process is gone", func() bool { return len(processesWith(t, temp)) == 0 })
				left, err := filepath.Glob(filepath.Join(temp, "*"))
				if err != nil || signal != syscall.SIGKILL && len(left) > 0 {
					t.Errorf("left behind: %q %v", left, err)
				}
			})
		}
	}
}

// awaitCondition looks at the system again and again: nobody tells when a process comes or goes.
func awaitCondition(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("it did not come to pass that %s", what)
		}
	}
}
