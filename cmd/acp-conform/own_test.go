package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder writes files below a folder of the test, by their path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ownScenario is a folder of the original format, with a muse.json beside its input.json.
func ownScenario() map[string]string {
	return map[string]string{
		"mine/input.json":         `{"steps":[{"op":"initialize","terminalOutput":true},{"op":"newSession"},{"op":"prompt","text":"copy"}],"permissionAnswers":[{"kind":"allow_once"}]}`,
		"mine/muse.json":          `{"turns":[{"steps":[{"tool":{"name":"bash","args":{"command":"cp original copy"},"approval":{}}},{"say":["Copied."]}]}]}`,
		"mine/workspace/original": "x",
	}
}

// Scenarios of the user's own are played as they stand, and judged by the oracles and by goldens of their own.
func TestScenariosOfOnesOwn(t *testing.T) {
	t.Parallel()
	files := ownScenario()
	dir := folder(t, files)
	own := []string{"--scenarios", dir, "--scenario", "mine"}
	run := func(args ...string) outcome { return program(t, append(append([]string{}, args...), own...)...) }
	if out := run("run"); out.code != 0 || !strings.Contains(out.stdout, "1 scenario passed, 0 failed; ") {
		t.Fatalf("exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	goldens := t.TempDir()
	if out := run("run", "--goldens", goldens); out.code != 1 || !strings.Contains(out.stdout, "there is no golden mine.golden") {
		t.Errorf("without a golden: exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	if out := run("record", "--goldens", goldens); out.code != 0 {
		t.Errorf("record: exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	if text, err := os.ReadFile(filepath.Join(goldens, "mine.golden")); err != nil || !strings.Contains(string(text), `"terminal_output":true`) {
		t.Errorf("the golden is not whole (%v); it begins with %.60q", err, text)
	}
	if out := run("run", "--goldens", goldens); out.code != 0 {
		t.Errorf("with its golden: exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	for name, want := range map[string]string{
		"list":    "  mine                                     The recorded conversation mine\n",
		"explain": "It is one of your own: its input.json is played as it stands",
	} {
		args := []string{name, "--scenarios", dir}
		if name == "explain" {
			args = append(args, "mine")
		}
		if out := program(t, args...); out.code != 0 || !strings.Contains(out.stdout, want) {
			t.Errorf("%s: exit %d\n%s%s", name, out.code, out.stdout, out.stderr)
		}
	}
	// What the file scripts and nobody asks for fails, as it does everywhere.
	files["mine/input.json"] = strings.Replace(files["mine/input.json"], `}]}`, `},{"kind":"reject_once"}]}`, 1)
	left := folder(t, files)
	out := program(t, "run", "--scenarios", left, "--tags", "@own")
	for _, want := range []string{`permissionAnswers[1] of mine/input.json was never used: {"kind":"reject_once"}`, "again: acp-conform run --scenarios " + left + " --scenario mine"} {
		if out.code != 1 || !strings.Contains(out.stdout, want) {
			t.Errorf("exit %d, no %q in\n%s%s", out.code, want, out.stdout, out.stderr)
		}
	}
}

// What is wrong with a folder is said before anything is played.
func TestWrongScenariosOfOnesOwn(t *testing.T) {
	t.Parallel()
	files := ownScenario()
	delete(files, "mine/muse.json")
	files["text-turn/input.json"], files["text-turn/muse.json"] = "{\n\"steps\":[{\"op\":\"promptContent\",\"content\":[]}]}", `{"turns":[]}`
	dir := folder(t, files)
	for _, args := range [][]string{{"run"}, {"record", "--goldens", filepath.Join(t.TempDir(), "goldens")}, {"list"}, {"explain", "mine"}} {
		out := program(t, append(args, "--scenarios", dir)...)
		for _, want := range []string{
			"acp-conform: --scenarios: " + dir + "/mine: there is no muse.json, which says what Muse does",
			dir + `/text-turn: there is a scenario "text-turn" already, so this folder needs another name`,
			dir + `/text-turn/input.json:2: steps[0]: the operation "promptContent" belongs to a later state of the format (H)`,
		} {
			if out.code != 2 || out.stdout != "" || !strings.Contains(out.stderr, want) {
				t.Errorf("%q: exit %d, stdout %q, no %q in\n%s", args, out.code, out.stdout, want, out.stderr)
			}
		}
	}
}
