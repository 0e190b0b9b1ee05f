package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKnownFailuresFromARun: what failed is written as a file that forgives nothing before the reasons are filled in, and
// everything behind that.
func TestKnownFailuresFromARun(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "known.txt")
	run := func(flags ...string) outcome {
		args := append([]string{"run", "--scenario", "unknown-session", "--scenario", "text-turn"}, flags...)
		return program(t, append(args, "--", own, oddWord, "needs-no-host", "updates-late")...)
	}
	if out := run("--format", "known="+file); out.code != 1 {
		t.Fatalf("exit %d, not 1\n%s%s", out.code, out.stdout, out.stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutSuffix(line, ":\n"); ok && !strings.HasPrefix(line, "#") {
			names = append(names, name)
		}
	}
	if diff := cmp.Diff([]string{"ACP-PR-09"}, names); diff != "" || !strings.Contains(string(text), "\n#   failed in probe\nACP-PR-09:\n") {
		t.Errorf("(-want +got):\n%s\n%s", diff, text)
	}
	if out := run("--known-failures", file); out.code != 2 || !strings.Contains(out.stderr, `"ACP-PR-09:" gives no reason`) {
		t.Errorf("without reasons: exit %d, not 2\n%s", out.code, out.stderr)
	}
	if out := run("--known-failures", file, "--format", "known="+file); out.code != 2 || !strings.Contains(out.stderr, "would be written over") {
		t.Errorf("a file that is read and written: exit %d, not 2\n%s", out.code, out.stderr)
	}
	filled := strings.ReplaceAll(string(text), ":\n", ": talks on\n")
	if err := os.WriteFile(file, []byte(filled), 0o644); err != nil {
		t.Fatal(err)
	}
	out := run("--known-failures", file, "--format", "known")
	if out.code != 0 || out.stdout != "# Nothing failed that was not expected to.\n" {
		t.Errorf("with reasons: exit %d, not 0\n%s%s", out.code, out.stdout, out.stderr)
	}
}

// TestKnownRequirementsMakeGreen: an adapter that goes away breaks off each conversation; the requirements that it fails
// are all that must be known, and what follows from them is told.
func TestKnownRequirementsMakeGreen(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "known.txt")
	if err := os.WriteFile(file, []byte("ACP-RPC-21: it goes away\nACP-NEW-06: it goes away\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := program(t, "run", "--known-failures", file, "--scenario", "bad-workspace", "--scenario", "unknown-methods", "--", binary, "reference", "--fault=stops-after-refusal")
	const says = "bad-workspace/empty: ACP-RPC-21: it goes away; with it failed: the scenario comes to its end\n"
	if out.code != 0 || !strings.Contains(out.stdout, says) {
		t.Errorf("exit %d, not 0, or without %q\n%s%s", out.code, says, out.stdout, out.stderr)
	}
}

// TestKnownFailures: what is expected to fail does not count, what is expected to and passes does, and JUnit tells the same.
func TestKnownFailures(t *testing.T) {
	t.Parallel()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const late = "ACP-PR-09: it talks on, issue 12\n"
	tests := []struct {
		name, known string
		code        int
		says        []string
		failures    int // of JUnit's cases
	}{
		{"nothing is known", "# nothing\n", 1, []string{"FAILED: probe"}, 2},
		{"it is known", late, 0, []string{"7 scenarios passed, 1 failed, 1 not applicable; expected to fail: 1; ", "expected, and do not count:\n  probe: ACP-PR-09: it talks on, issue 12\n"}, 0},
		{"one passes", late + "bad-workspace/empty: it takes any folder\n", 1,
			[]string{"which is a failure:\n  " + dir + "/one passes:2: bad-workspace/empty passes, which is said to fail: it takes any folder\n"}, 1},
		{"a slip", "ACP-PR-9: late\n", 2, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			known, junit := filepath.Join(dir, tt.name), filepath.Join(dir, tt.name+".xml")
			if err := os.WriteFile(known, []byte(tt.known), 0o644); err != nil {
				t.Fatal(err)
			}
			out := program(t, "run", "--known-failures", known, "--format", "junit="+junit, "--scenario", "unknown-session", "--scenario", "bad-workspace", "--scenario", "text-turn",
				"--", own, oddWord, "needs-no-host", "updates-late")
			if out.code != tt.code {
				t.Errorf("exit %d, not %d\n%s%s", out.code, tt.code, out.stdout, out.stderr)
			}
			for _, s := range tt.says {
				if !strings.Contains(out.stdout, s) {
					t.Errorf("%q is not in\n%s", s, out.stdout)
				}
			}
			if tt.code == 2 {
				return
			}
			text, err := os.ReadFile(junit)
			if err != nil {
				t.Fatal(err)
			}
			var doc struct {
				Failures int `xml:"failures,attr"`
				Tests    int `xml:"tests,attr"`
				Cases    []struct {
					Failure []string `xml:"failure"`
				} `xml:"testsuite>testcase"`
			}
			if err := xml.Unmarshal(text, &doc); err != nil {
				t.Fatal(err)
			}
			failed := 0
			for _, c := range doc.Cases {
				if len(c.Failure) > 0 {
					failed++
				}
			}
			if failed != tt.failures || doc.Failures != failed || doc.Tests != len(doc.Cases) || len(doc.Cases) < 9 {
				t.Errorf("%d of %d cases failed, said to be %d of %d\n%s", failed, len(doc.Cases), doc.Failures, doc.Tests, text)
			}
		})
	}
}
