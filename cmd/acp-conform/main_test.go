package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"acp-conform/fakemuse"
)

// binary is the built program that the tests run; TestMain makes it.
var binary string

func TestMain(m *testing.M) {
	fakemuse.Main()
	if len(os.Args) > 1 && os.Args[1] == oddWord {
		os.Exit(beOdd(os.Args[2:]))
	}
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "acp-conform-build-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "acp-conform")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// outcome is what a run of the program came to.
type outcome struct {
	code           int
	stdout, stderr string
}

// program runs the built program with a folder for temporary files of its own, and checks that it leaves nothing there.
func program(t *testing.T, args ...string) outcome {
	t.Helper()
	temp := t.TempDir()
	cmd := exec.Command(binary, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("the program left %s behind", e.Name())
	}
	if left := processesWith(t, temp); len(left) > 0 {
		t.Errorf("the program left processes behind: %q", left)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// processesWith lists the processes whose environment names a folder.
func processesWith(t *testing.T, folder string) (left []string) {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err == nil && bytes.Contains(environ, []byte(folder)) {
			line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return left
}

// quick makes deadlines short where an adapter is meant to miss them. A program with the race detector waits a second
// at its exit if it is not told otherwise.
var quick = []string{"--start-timeout=2s", "--reply-timeout=2s", "--stop-timeout=3s", "--term-timeout=500ms", "--kill-timeout=1s",
	"--env=GORACE=atexit_sleep_ms=0"}

func judgeQuickly(t *testing.T, args ...string) outcome {
	t.Helper()
	return program(t, append(append([]string{"run"}, quick...), args...)...)
}

// TestReferencePasses plays a cross-section; that everything passes is what the suite's own tests show, and the main
// command of the README in the gate.
func TestReferencePasses(t *testing.T) {
	t.Parallel()
	out := program(t, "run", "--tags", "@soak")
	if out.code != 0 || !strings.Contains(out.stdout, " scenarios passed, 0 failed; ") {
		t.Errorf("exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
}

func TestWhatIsNoAdapter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		command []string
		says    string
	}{
		{"echo", []string{"cat"}, "the program echoes what it reads"},
		{"ends at once", []string{"false"}, "the adapter ended (exit status 1): there was no answer to initialize"},
		{"ends at once, well", []string{"true"}, "the adapter ended (exit status 0): there was no answer to initialize"},
		{"is not there", []string{"/no/such/program"}, `finding the adapter "/no/such/program"`},
		{"is not on the PATH", []string{"no-such-program-at-all"}, `finding the adapter "no-such-program-at-all"`},
		{"says nothing", []string{"sleep", "1000"}, "there was no answer to initialize within 2s (--start-timeout)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := judgeQuickly(t, append([]string{"--"}, tt.command...)...)
			if out.code != 3 {
				t.Errorf("exit %d, not 3", out.code)
			}
			if n := strings.Count(out.stdout, tt.says); n != 1 {
				t.Errorf("the reason %q stands %d times in\n%s", tt.says, n, out.stdout)
			}
		})
	}
}

// TestNoHandshake: run and record say what the doctor says when there is no answer to initialize.
func TestNoHandshake(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		command []string
		says    []string
	}{
		{"a word on stderr", []string{"sh", "-c", "echo set MY_KEY >&2; exit 2"}, []string{"the adapter ended (exit status 2)",
			"It is the adapter: read its stderr below; a program that needs a login or a setting says so there.", "    | set MY_KEY\n"}},
		{"no word", []string{"false"}, []string{"It is the adapter: it wrote nothing to its stderr that says why."}},
		{"a login", []string{own, oddWord, "error"}, []string{"It is the configuration: it wants a login; give it what it needs with --env."}},
		{"refused by Muse", []string{own, oddWord, "calls-muse", "hello", "serve", "--json"}, []string{"the adapter started `muse serve --json`, which is refused: unexpected argument '--json'; " +
			"it found the fake Muse, but Muse does not take these arguments; muse serve --help lists those that it takes."}},
	}
	for _, tt := range tests {
		for _, how := range []string{"run", "record"} {
			t.Run(tt.name+" "+how, func(t *testing.T) {
				t.Parallel()
				args := append([]string{how}, quick...)
				if how == "record" {
					args = append(args, "--goldens", t.TempDir())
				}
				out := program(t, append(append(args, "--"), tt.command...)...)
				if out.code != 3 {
					t.Errorf("exit %d, not 3", out.code)
				}
				for _, s := range tt.says {
					if !strings.Contains(out.stdout+out.stderr, s) {
						t.Errorf("%q is not said in\n%s%s", s, out.stdout, out.stderr)
					}
				}
			})
		}
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"unknown tag", []string{"run", "--tags", "@nosuchtag"}, "no scenario has the tag @nosuchtag"},
		{"tag with a slip", []string{"run", "--tags", "@aproval"}, `did you mean "@approval"?`},
		{"tag without its sign", []string{"run", "--tags", "approval"}, `did you mean "@approval"?`},
		{"tag expression cut short", []string{"run", "--tags", "@approval and"}, "is no tag expression"},
		{"empty tag expression", []string{"run", "--tags", ""}, "--tags is empty"},
		{"old tag grammar", []string{"run", "--tags", "@approval,"}, "no scenario has the tag @approval,"},
		{"tags that exclude each other", []string{"run", "--tags", "@approval and not @approval"}, "no scenario satisfies all selectors together"},
		{"unknown scenario", []string{"run", "--scenario", "text-turm"}, `did you mean "text-turn"?`},
		{"tag of an oracle", []string{"run", "--tags", "@ACP-TRN-03"},
			`no scenario has the tag @ACP-TRN-03; an oracle decides ACP-TRN-03 in every scenario ("stdout carries only protocol"); select scenarios by another tag or by name`},
		{"tag of a Go test", []string{"run", "--tags", "not @REQ-APPR-21"}, "; no scenario decides REQ-APPR-21, and acp-conform explain REQ-APPR-21 says what proves it"},
		{"tag of what is excluded", []string{"run", "--tags", "@REQ-ESC-10"}, "; REQ-ESC-10 is excluded, and acp-conform explain REQ-ESC-10 says why"},
		{"requirement for a scenario", []string{"run", "--scenario", "acp-pr-01"}, "there is no such scenario; ACP-PR-01 is a requirement, and --tags @ACP-PR-01 selects its scenarios"},
		{"requirement of an oracle for a scenario", []string{"run", "--scenario", "ACP-TRN-03"}, "there is no such scenario; an oracle decides ACP-TRN-03 in every scenario"},
		{"oracle for a scenario", []string{"run", "--scenario", "nothing runs without a grant"}, "there is no such scenario; that is an oracle, which looks at every scenario"},
		{"the probe", []string{"run", "--scenario", "probe"}, "the probe is no scenario; it is played whenever an adapter needs no host, with any scenario that needs one, such as --scenario text-turn"},
		{"oracle with a slip", []string{"explain", "nothing runs without grant"}, `did you mean "nothing runs without a grant"?`},
		{"name without quotes", []string{"explain", "nothing", "runs"}, "a name of several words needs quotes"},
		{"no scenarios of one's own", []string{"run", "--scenarios", ""}, "--scenarios is empty; leave it out to play what is built in"},
		{"goldens among the scenarios", []string{"record", "--scenarios", ".", "--goldens", ".", "--", "cat"}, "--scenarios and --goldens are the same folder, .; give the goldens one of their own"},
		{"goldens among the scenarios of a run", []string{"run", "--scenarios", ".", "--goldens", "./."}, "--scenarios and --goldens are the same folder"},
		{"scenarios of one's own that are not there", []string{"explain", "--scenarios", "nowhere", "text-turn"}, "--scenarios: open nowhere: no such file"},
		{"unknown format", []string{"run", "--format", "jsn"}, "json"},
		{"format without a file", []string{"run", "--format", "json="}, "names no file"},
		{"two reports on stdout", []string{"run", "--format", "json", "--format", "pretty"}, "only one report can go to stdout"},
		{"env without a value", []string{"run", "--env", "NAME"}, "is not of the form K=V"},
		{"env that hides the fake Muse", []string{"run", "--env", "PATH=/usr/bin"}, "would hide the fake Muse"},
		{"env that opens the user's home", []string{"doctor", "--env", "HOME=/root", "--", "true"}, "--env HOME would let the adapter read and change what is yours"},
		{"env with a brace too few", []string{"run", "--env", "MUSE_CLI={{muse}"}, `--env MUSE_CLI: "{{muse}" is not replaced; did you mean {{muse}}?`},
		{"argument with a brace too few", []string{"doctor", "--", "true", "--cli={muse}}"}, `the argument "--cli={muse}}": "{muse}}" is not replaced; did you mean {{muse}}?`},
		{"no jobs", []string{"run", "--jobs", "0"}, "--jobs is 0"},
		{"no time", []string{"run", "--reply-timeout", "0s"}, "--reply-timeout is 0s"},
		{"unknown flag", []string{"run", "--nosuch"}, "unknown flag: --nosuch"},
		{"unknown command", []string{"rum"}, "unknown command"},
		{"command without dashes", []string{"run", "my-adapter"}, "goes behind --"},
		{"dashes without a command", []string{"run", "--"}, "there is no command behind --"},
		{"a list of known failures that is not there", []string{"run", "--known-failures", "/none/such"}, "--known-failures: stat /none/such"},
		{"no goldens after all", []string{"run", "--goldens", ""}, "--goldens is empty; leave it out, or name a value"},
		{"no known failures after all", []string{"run", "--known-failures="}, "--known-failures is empty"},
		{"no transcripts after all", []string{"run", "--transcripts="}, "--transcripts is empty"},
		{"no audit log after all", []string{"run", "--audit-log="}, "--audit-log is empty"},
		{"record without a folder", []string{"record"}, "--goldens DIR is missing"},
		{"soak without runs", []string{"soak", "--runs", "0"}, "--runs"},
		{"reference with a wrong policy", []string{"reference", "--approval-policy", "sometimes"}, "sometimes"},
		{"reference with an empty policy", []string{"reference", "--approval-policy="}, `must be one of "ask" or "never"`},
		{"reference with an empty sandbox mode", []string{"reference", "--sandbox-mode="}, "must be one of read-only, workspace-write, danger-full-access"},
		{"reference with a hook that is none", []string{"reference", "--hook="}, "names no program"},
		{"reference with no time", []string{"reference", "--stall-deadline=0s"}, "must be above zero"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := program(t, tt.args...)
			if out.code != 2 || !strings.Contains(out.stderr, tt.says) || out.stdout != "" {
				t.Errorf("exit %d, stderr %q, stdout %q; want exit 2 and %q", out.code, out.stderr, out.stdout, tt.says)
			}
		})
	}
}

func TestSharedFolders(t *testing.T) {
	t.Parallel()
	out := program(t, "run", "--scenario", "text-turn", "--env", "XDG_CONFIG_HOME="+t.TempDir(), "--env", "XDGX=1", "--env", "A=b")
	if want := "acp-conform: --env XDG_CONFIG_HOME: scenarios share that folder, and what the adapter writes there stays; without it each has its own\n"; out.code != 0 || out.stderr != want {
		t.Errorf("exit %d, stderr %q, want %q", out.code, out.stderr, want)
	}
}

func TestJSONReport(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "out.json")
	out := program(t, "run", "--tags", "@turn", "--format", "json", "--format", "json="+file)
	if out.code != 0 {
		t.Fatalf("exit %d: %s", out.code, out.stderr)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for where, data := range map[string][]byte{"stdout": []byte(out.stdout), "file": written} {
		var report struct {
			Summary struct {
				Scenarios, Requirements map[string]int
			}
			Scenarios []struct {
				Name, Title, Feature, Verdict string
				Requirements                  []string
				Duration                      *int `json:"duration_ms"`
			}
			Adapter struct {
				Name, Version string
				Argv          []string
			}
		}
		if err := json.Unmarshal(data, &report); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		for _, verdict := range []string{"pass", "fail", "not_applicable", "could_not_run", "not_reached"} {
			if _, there := report.Summary.Scenarios[verdict]; !there {
				t.Errorf("%s: summary.scenarios has no %s", where, verdict)
			}
			if _, there := report.Summary.Requirements[verdict]; !there {
				t.Errorf("%s: summary.requirements has no %s", where, verdict)
			}
		}
		if n := report.Summary.Scenarios["pass"]; n != len(report.Scenarios) || n == 0 {
			t.Errorf("%s: %d of %d scenarios passed", where, n, len(report.Scenarios))
		}
		for _, s := range report.Scenarios {
			if s.Name == "" || s.Title == "" || s.Feature == "" || s.Verdict != "pass" || s.Requirements == nil || s.Duration == nil {
				t.Errorf("%s: a scenario lacks a member: %+v", where, s)
			}
		}
		if report.Adapter.Name == "" || report.Adapter.Version == "" || len(report.Adapter.Argv) == 0 {
			t.Errorf("%s: the adapter lacks a member: %+v", where, report.Adapter)
		}
	}
	if !strings.Contains(out.stderr, "text-turn") {
		t.Errorf("progress does not go to stderr when stdout carries JSON: %q", out.stderr)
	}
}

func TestRecordTwiceGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	var first map[string]string
	for _, procs := range []string{"1", "8"} {
		dir := t.TempDir()
		cmd := exec.Command(binary, "record", "--goldens", dir, "--jobs", "3", "--tags", "@soak")
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		files := map[string]string{}
		err := filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() {
				return err
			}
			data, err := os.ReadFile(p)
			rel, _ := filepath.Rel(dir, p)
			files[rel] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = files
			continue
		}
		if len(files) != len(first) || len(files) < 10 {
			t.Errorf("%d files, then %d", len(first), len(files))
		}
		for name, text := range files {
			if text != first[name] {
				t.Errorf("%s differs between GOMAXPROCS 1 and %s", name, procs)
			}
		}
	}
}

func TestListShowsEveryScenario(t *testing.T) {
	t.Parallel()
	out := program(t, "list", "--json")
	var rows []struct {
		Name string
		Tags []string
	}
	if err := json.Unmarshal([]byte(out.stdout), &rows); err != nil || out.code != 0 {
		t.Fatalf("exit %d: %v", out.code, err)
	}
	plain := program(t, "list")
	for _, r := range rows {
		if !strings.Contains(plain.stdout, r.Name) || len(r.Tags) == 0 {
			t.Errorf("%+v is not in the plain list, or has no tags", r)
		}
	}
}

func onLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("processes that leave their group are found on Linux only")
	}
}
