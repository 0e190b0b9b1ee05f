package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// beCaller is an adapter that starts muse with the arguments behind the first one, which says when ("hello", "session",
// "prompt", or "ask" for at the prompt and with an answer all the same). It says nothing else to its host.
func beCaller(args []string) int {
	in := bufio.NewReader(os.Stdin)
	for id, when := range []string{"hello", "session", "prompt"} {
		if _, err := in.ReadString('\n'); err != nil {
			return 0
		}
		if args[0] == when || args[0] == "ask" && when == "prompt" {
			if err := exec.Command("muse", args[1:]...).Run(); err != nil && args[0] != "ask" {
				fmt.Printf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"muse: %v"}}`+"\n", id+1, err)
				break
			}
		}
		switch when {
		case "hello":
			os.Stdout.WriteString(goodHello)
		case "session":
			os.Stdout.WriteString(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}` + "\n")
		case "prompt":
			os.Stdout.WriteString(`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}` + "\n")
		}
	}
	for {
		if _, err := in.ReadString('\n'); err != nil {
			return 0
		}
	}
}

func diagnose(t *testing.T, args ...string) outcome {
	t.Helper()
	return program(t, append(append([]string{"doctor"}, quick...), args...)...)
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const refused = "NO  it starts the fake Muse            it started it as `muse serve --json`, which Muse refuses: unexpected argument '--json'\n"
	const blame = "\nIt is the adapter: it found the fake Muse, but Muse does not take these arguments; muse serve --help lists those that it takes.\n"
	const ends = "ok  it ends when its stdin is closed   yes\n"
	tests := []struct {
		name    string
		command []string
		code    int
		says    []string
		never   string
	}{
		{"all is well", []string{binary, "reference"}, 0, []string{"ok  it starts the fake Muse            muse serve", ends, "Nothing is wrong"}, "NO "},
		{"Muse refuses the arguments", []string{own, oddWord, "calls-muse", "prompt", "serve", "--json"}, 1, []string{refused, blame, ends}, "found another program"},
		{"refused at the start", []string{own, oddWord, "calls-muse", "hello", "serve", "--json"}, 1, []string{refused, blame}, "login"},
		{"refused for a session", []string{own, oddWord, "calls-muse", "session", "serve", "--json"}, 1, []string{refused, blame}, "found another program"},
		{"refused, and it does not mind", []string{own, oddWord, "calls-muse", "ask", "serve", "--json"}, 1, []string{refused, blame, "stop reason end_turn"}, "not applicable"},
		{"Muse is only asked for its version", []string{own, oddWord, "calls-muse", "ask", "--version"}, 0, []string{"no, it only called muse --version, and it answered all the same"}, "NO "},
		{"it stays", []string{own, oddWord, "stays"}, 1, []string{"NO  it ends when its stdin is closed   the adapter did not end when its stdin was closed; it needed SIGKILL\n"}, ends},
		{"it ends too early", []string{own, oddWord, "dies"}, 1, []string{"there was no answer to session/new", "  panic: the odd adapter dies"}, ends},
		{"a word on stderr", []string{"sh", "-c", "echo set MY_KEY >&2"}, 1, []string{"It is the adapter: read its stderr below;", "  set MY_KEY\n"}, "nothing to its stderr"},
		{"a turn that is refused", []string{own, oddWord, "needs-no-host", "refuses"}, 0, []string{"and it answered all the same: what needs a host will be not applicable", "stop reason refusal"}, "NO "},
		{"a session that needs a login", []string{own, oddWord, "needs-no-host", "wants-a-login-first"}, 3, []string{"NO  it makes a session                 session/new was answered with the error", "It is the configuration: it wants a login; give it what it needs with --env."}, "must work"},
		{"a turn that needs a login", []string{own, oddWord, "needs-no-host", "wants-a-login"}, 3, []string{"NO  it starts the fake Muse            no, it wants a login first", "It is the configuration: it wants a login; give it what it needs with --env."}, "MUSE_CLI"},
		{"a word at the very end", []string{"sh", "-c", `"$0" ` + oddWord + ` needs-no-host; echo bye bye`, own}, 1, []string{`NO  its stdout carries protocol only   "bye bye"`, ends}, "Nothing is wrong"},
		{"no word on stderr", []string{"false"}, 1, []string{"It is the adapter: it wrote nothing to its stderr that says why.\n"}, "below"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := diagnose(t, append([]string{"--"}, tt.command...)...)
			if out.code != tt.code {
				t.Errorf("exit %d, not %d", out.code, tt.code)
			}
			for _, s := range tt.says {
				if !strings.Contains(out.stdout, s) {
					t.Errorf("doctor does not say %q", s)
				}
			}
			if strings.Contains(out.stdout, tt.never) {
				t.Errorf("doctor says %q", tt.never)
			}
			if t.Failed() {
				t.Log(out.stdout, out.stderr)
			}
		})
	}
}

// TestDoctorFindsRelativeArguments: a file of the caller's folder is not one of the adapter's folder.
func TestDoctorFindsRelativeArguments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "adapter.sh")
	if err := os.WriteFile(script, []byte("exec '"+binary+"' reference\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]struct {
		code int
		says string
	}{
		"adapter.sh": {3, `It is the configuration: the argument "adapter.sh" is a file of the folder that you are in; the adapter runs in a folder of its own, so give the full path.`},
		script:       {0, "Nothing is wrong"},
	} {
		cmd := exec.Command(binary, append(append([]string{"doctor"}, quick...), "--", "sh", file)...)
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want.code || !strings.Contains(string(out), want.says) {
			t.Errorf("%s: exit %d, not %d; want %q in\n%s", file, code, want.code, want.says, out)
		}
	}
}

// TestRunTellsOfRefusedArguments: an adapter whose host refuses its arguments is judged, and the report says why it fails.
func TestRunTellsOfRefusedArguments(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const note = "note: the adapter started `muse serve --json`, which is refused: unexpected argument '--json'\n"
	for _, when := range []string{"prompt", "ask"} {
		out := judgeQuickly(t, "--scenario", "text-turn", "--", own, oddWord, "calls-muse", when, "serve", "--json")
		if out.code != 1 || strings.Count(out.stdout, note) != 1 {
			t.Errorf("%s: exit %d; want exit 1 and %q in\n%s", when, out.code, note, out.stdout)
		}
	}
}
