package report

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"acp-conform/conform"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                           "",
		`{"a":"b\n"}`:                `{"a":"b\n"}`,
		"grüße 日本 🙂":                 "grüße 日本 🙂",
		"\x1b[31mred\x1b[0m":         `\x1b[31mred\x1b[0m`,
		"a\tb\r\nc\x00\x7f":          `a\tb\r\nc\x00\x7f`,
		"\xff\xc3(":                  `\xff\xc3(`,
		"\u009b1m\u202e\u2028\u00a0": `\u009b1m\u202e\u2028\u00a0`,
		"\U000e0041":                 `\U000e0041`,
		"\ufffd":                     "\ufffd",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	d := strings.Repeat("0123456789", 3)
	for name, c := range map[string]struct {
		a, b         string
		width        int
		wantA, wantB string
	}{
		"short": {"ab", "ac", 2, "ab", "ac"},
		"equal": {d, d, 9, "012345678 …(21 bytes more)", "012345678 …(21 bytes more)"},
		"early": {"x" + d, d, 9, "x01234567 …(22 bytes more)", "012345678 …(21 bytes more)"},
		"in the middle": {d + "x" + d, d + "y" + d, 9,
			"…(27 bytes before) 789x01234 …(25 bytes more)", "…(27 bytes before) 789y01234 …(25 bytes more)"},
		"one ends":   {d, d + "more", 9, "…(27 bytes before) 789", "…(27 bytes before) 789more"},
		"empty":      {"", d, 9, "", "012345678 …(21 bytes more)"},
		"characters": {"ääääx", "ääääy", 4, "…(6 bytes before) äx", "…(6 bytes before) äy"},
		"no characters": {"\x80\x80\x80\x80\x80\x80a", "\x80\x80\x80\x80\x80\x80b", 3,
			"…(5 bytes before) \x80a", "…(5 bytes before) \x80b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := shorten(c.a, c.b, c.width)
			if a != c.wantA || b != c.wantB {
				t.Errorf("got  %q\n     %q\nwant %q\n     %q", a, b, c.wantA, c.wantB)
			}
		})
	}
}

func TestShellQuote(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                  "''",
		"--flag=a/b.c:1,2@": "--flag=a/b.c:1,2@",
		"a b":               "'a b'",
		"it's":              `'it'\''s'`,
		"~":                 "'~'",
		"$HOME;`x`\\":       "'$HOME;`x`\\'",
		"ü":                 "'ü'",
		"a\x1b'\\\n\xff":    `$'a\x1b\'\\\x0a\xff'`,
		"\u202e":            `$'\xe2\x80\xae'`,
	} {
		if got := shellQuote(in); got != want {
			t.Errorf("shellQuote(%q) = %s, want %s", in, got, want)
		}
	}
}

// A shell gives every quoted argument back as it was.
func TestShellQuoteInAShell(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	args := []string{"", "a b", "it's", "*", "~", "$(false)", "a\x1b\n\xff'\\", "\u202eü", "!x", "#", "\x07f", "\xffff"}
	script := "printf '%s\\0'"
	for _, a := range args {
		script += " " + shellQuote(a)
	}
	out, err := exec.Command(bash, "-c", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(out), strings.Join(args, "\x00")+"\x00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzRenderers: whatever an adapter sends, pretty is printable line by line and has the lines that it should have,
// and json is valid, printable and of valid UTF-8.
func FuzzRenderers(f *testing.F) {
	f.Add("name", "\x1b]0;t\x07", "a\xffb", "/params/\u202e", "line\r\nline")
	f.Add("", "", "", "", "")
	f.Add(strings.Repeat("ä", 400), strings.Repeat("\x80", 700), "x", "\n\n", "\n")
	f.Fuzz(func(t *testing.T, name, expected, actual, pointer, stderr string) {
		r := conform.RunResult{
			Adapter: conform.AdapterInfo{Name: name, Version: actual, Argv: []string{expected, actual}},
			Scenarios: []conform.ScenarioResult{{
				Name: name, Title: expected, Feature: pointer, Verdict: conform.Fail, Reason: actual, Stderr: stderr, Notes: []string{stderr},
				Checks: []conform.Check{{Name: name, IDs: []string{actual}, Message: stderr,
					Place: &conform.Place{Lane: name, Pointer: pointer, Expected: expected, Actual: actual}}},
			}},
			Requirements: []conform.RequirementResult{{ID: name, Level: name, Statement: actual, Verdict: conform.Fail, Scenarios: []string{name}}},
		}
		for _, format := range Formats() {
			var out bytes.Buffer
			if err := Write(&out, format, r, Options{}); err != nil {
				t.Fatal(err)
			}
			if !utf8.Valid(out.Bytes()) {
				t.Errorf("%s is no valid UTF-8: %q", format, out.String())
			}
			for _, c := range out.String() {
				if c != '\n' && !strconv.IsPrint(c) {
					t.Errorf("%s has the character %U", format, c)
				}
			}
			if format == "json" && !json.Valid(out.Bytes()) {
				t.Errorf("no valid JSON: %s", out.String())
			}
		}
		var p bytes.Buffer
		progress := Progress(&p)
		progress.Scenario(r.Scenarios[0])
		if strings.Count(p.String(), "\n") != 1 {
			t.Errorf("progress is not one line: %q", p.String())
		}
	})
}
