package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
