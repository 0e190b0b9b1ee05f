package main

import (
	"strings"
	"testing"
)

func TestBraces(t *testing.T) {
	t.Parallel()
	tests := []struct {
		value string
		warns string // what is in the warning; empty when there must be none
		fails string // what the error says is not replaced; empty when there must be none
	}{
		{value: "{{muse}}"},
		{value: "--muse={{muse}}:{{muse}}"},
		{value: "{{{muse}}}"},
		{value: "muse"},
		{value: `{"a":{"muse":{}}}`},
		{value: `{"a":{"path":"{{muse}}"}}`},
		{value: `[{"a":[{"b":null}]},{"c":{"d":1}}]`},
		{value: "{{muse}", fails: "{{muse}"},
		{value: "{muse}}", fails: "{muse}}"},
		{value: "muse}}", fails: "muse}}"},
		{value: "{{muse", fails: "{{muse"},
		{value: "{{ muse }}", fails: "{{ muse }}"},
		{value: "{{Muse}}", fails: "{{Muse}}"},
		{value: "{{muse_path}}", fails: "{{muse_path}}"},
		{value: "{{muse}}:{{muse}", fails: "{{muse}"},
		{value: "{muse}", warns: `"{muse}" stays as it is; only {{muse}} is replaced`},
		{value: "hello {{user}}", warns: `"{{user}}" stays as it is`},
		{value: "{{mues}}", warns: `"{{mues}}" stays as it is`},
	}
	for _, tt := range tests {
		t.Run(tt.value, func(t *testing.T) {
			t.Parallel()
			warnings, err := checkBraces("--env X", tt.value)
			if tt.fails == "" && err != nil || tt.fails != "" && (err == nil || !strings.Contains(err.Error(), `--env X: "`+tt.fails+`" is not replaced; did you mean {{muse}}?`)) {
				t.Errorf("the error is %v", err)
			}
			if text := strings.Join(warnings, "\n"); (tt.warns == "") != (text == "") || !strings.Contains(text, tt.warns) {
				t.Errorf("the warnings are %q", warnings)
			}
		})
	}
}

func TestWarningOfBraces(t *testing.T) {
	t.Parallel()
	out := program(t, "doctor", "--env", "GREETING=hello {{user}}", "--env", `CONFIG={"a":{"b":{}}}`, "--", binary, "reference", "--model={{model}}")
	for _, want := range []string{
		`acp-conform: --env GREETING: "{{user}}" stays as it is; only {{muse}} is replaced, by the path of the fake Muse` + "\n",
		`acp-conform: the argument "--model={{model}}": "{{model}}" stays as it is; only {{muse}} is replaced, by the path of the fake Muse` + "\n",
	} {
		if strings.Count(out.stderr, want) != 1 {
			t.Errorf("%q does not stand once in %q", want, out.stderr)
		}
	}
	if strings.Count(out.stderr, "\n") != 2 {
		t.Errorf("there are further warnings: %q", out.stderr)
	}
}

// TestHelpIsTheSameEverywhere: no number of this machine stands in it.
func TestHelpIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	for command, says := range map[string]string{
		"run":     "scenarios that are played at the same time; some only wait (default twice the number of cores)\n",
		"doctor":  "scenarios that are played at the same time; some only wait (default twice the number of cores)\n",
		"mutants": "some only wait (default twice the number of cores)\n",
	} {
		out := program(t, command, "--help")
		if !strings.Contains(out.stdout, says) {
			t.Errorf("%s --help says of --jobs:\n%s", command, out.stdout)
		}
	}
}
