package runner

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// put writes files below a folder, by their path with slashes.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func loaded(t *testing.T) *Suite {
	t.Helper()
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	ownInput = `{"steps":[{"op":"initialize"},{"op":"newSession"},{"op":"prompt","text":"x"}]}`
	ownMuse  = `{"variants":["acks-first"],"turns":[{"steps":[{"say":["x"]}]}]}`
)

// What is added is played beside what is there, under the names of its folders.
func TestAdd(t *testing.T) {
	t.Parallel()
	s := loaded(t)
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"b-2/input.json": ownInput, "b-2/muse.json": ownMuse, "b-2/workspace/deep/file": "x",
		"A.1/input.json": ownInput, "A.1/muse.json": ownMuse,
		"notes.md": "mine", ".git/config": "hidden",
	})
	more, err := s.Add(dir)
	if err != nil {
		t.Fatal(err)
	}
	own, err := more.Plan.Select([]string{OwnTag}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{own[0].Name, own[1].Name}
	if diff := cmp.Diff([]string{"A.1", "b-2"}, names); diff != "" || !slices.Equal(more.Own, names) || len(own) != 2 {
		t.Errorf("names (-want +got):\n%s, Own %q", diff, more.Own)
	}
	if diff := cmp.Diff(append(s.Plan.Names(), names...), more.Plan.Names()); diff != "" {
		t.Errorf("the plan (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`Given the recorded conversation "b-2"`}, own[1].Sentences); diff != "" {
		t.Errorf("sentences (-want +got):\n%s", diff)
	}
	if own, others := more.Opening("b-2"), more.Opening("text-turn"); own != "" || others != s.Opening("text-turn") {
		t.Errorf("the openings are %q and %q", own, others)
	}
	if len(s.Own) > 0 || slices.Contains(s.Plan.Names(), "b-2") {
		t.Error("the suite that it was added to has changed")
	}
}

func TestWrongFoldersOfOnesOwn(t *testing.T) {
	t.Parallel()
	good := map[string]string{"mine/input.json": ownInput, "mine/muse.json": ownMuse}
	tests := []struct {
		name  string
		files map[string]string // instead of the good ones; empty text takes a file away
		link  string            // a link to make
		want  []string          // DIR stands for the folder
	}{
		{"no input.json", map[string]string{"mine/input.json": ""}, "", []string{`DIR/mine: there is no input.json, which says what the editor does`}},
		{"no muse.json", map[string]string{"mine/muse.json": ""}, "", []string{`DIR/mine: there is no muse.json, which says what Muse does; what a model was recorded to say is not played`}},
		{"a wrong input.json", map[string]string{"mine/input.json": "{\"steps\":[{\"op\":\"initialize\"},\n{\"op\":\"waitForFile\",\"path\":\"x\"}]}"}, "",
			[]string{`DIR/mine/input.json:2: steps[1]: the operation "waitForFile" belongs to a later state of the format (H)`}},
		{"a wrong muse.json", map[string]string{"mine/muse.json": "{\n\"turn\":[]}"}, "", []string{`DIR/mine/muse.json:2: the script has no member "turn"; did you mean "turns"?`}},
		{"both are wrong", map[string]string{"mine/muse.json": "[]", "mine/input.json": "[]"}, "", []string{`DIR/mine/input.json:1: this is an array where an object is expected`, `DIR/mine/muse.json:1: the script must be an object, not an array`}},
		{"no initialize", map[string]string{"mine/input.json": `{"steps":[{"op":"prompt","text":"x"}]}`}, "",
			[]string{`DIR/mine/input.json:1: steps[0] ("prompt"): a recorded conversation begins with "initialize" and "newSession"; this one begins with "prompt"`}},
		{"a name that is taken", map[string]string{"text-turn/input.json": ownInput, "text-turn/muse.json": ownMuse}, "", []string{`DIR/text-turn: there is a scenario "text-turn" already, so this folder needs another name`}},
		{"the name of an outline", map[string]string{"stages-allowed/input.json": ownInput, "stages-allowed/muse.json": ownMuse}, "", []string{`DIR/stages-allowed: there is a scenario "stages-allowed" already`}},
		{"a name that differs in a capital", map[string]string{"Text-Turn/input.json": ownInput, "Text-Turn/muse.json": ownMuse}, "", []string{`DIR/Text-Turn: there is a scenario "text-turn" already`}},
		{"the name of the probe", map[string]string{"probe/input.json": ownInput, "probe/muse.json": ownMuse}, "", []string{`DIR/probe: "probe" is a name that reports and files of known failures use otherwise`}},
		{"the name of a requirement", map[string]string{"ACP-TRN-01/input.json": ownInput, "ACP-TRN-01/muse.json": ownMuse}, "", []string{`DIR/ACP-TRN-01: "ACP-TRN-01" is a name that reports and files of known failures use otherwise`}},
		{"a folder for a file", map[string]string{"other/input.json": ownInput, "other/muse.json/x": "y"}, "", []string{`DIR/other/muse.json: this is no plain file`}},
		{"a file without measure", map[string]string{"mine/muse.json": strings.Repeat(" ", largestFile+1)}, "", []string{`DIR/mine/muse.json: the file has 16777217 bytes, more than 16777216`}},
		{"a name that is none", map[string]string{"my own/input.json": ownInput}, "", []string{`DIR/my own: the name of a scenario begins with a letter or a digit`}},
		{"two wrong folders", map[string]string{"mine/muse.json": "", "other/input.json": ownInput}, "", []string{`DIR/mine: there is no muse.json`, `DIR/other: there is no muse.json`}},
		{"nothing", map[string]string{"mine/input.json": "", "mine/muse.json": "", "notes.md": "x"}, "", []string{`DIR/mine: there is no input.json`, `DIR/mine: there is no muse.json`}},
		{"a scenario itself", map[string]string{"input.json": ownInput, "muse.json": ownMuse}, "", []string{`DIR is a scenario itself; name the folder that it stands in`}},
		{"a link in the workspace", nil, "mine/workspace/link", []string{`DIR/mine/workspace/link: a workspace is a folder of plain files and folders, and this is neither`}},
		{"a file for a workspace", map[string]string{"mine/workspace": "x"}, "", []string{`DIR/mine/workspace: a workspace is a folder of plain files and folders, and this is neither`}},
	}
	s := loaded(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, dir, good)
			for name, text := range tt.files {
				put(t, dir, map[string]string{name: text})
				if text == "" {
					if err := os.Remove(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if tt.link != "" {
				put(t, dir, map[string]string{tt.link + "ed": "x"})
				if err := os.Symlink("linked", filepath.Join(dir, tt.link)); err != nil {
					t.Fatal(err)
				}
			}
			_, err := s.Add(dir)
			var wrong *OwnError
			if !errors.As(err, &wrong) || len(wrong.Problems) != len(tt.want) {
				t.Fatalf("got the error %v, want %q", err, tt.want)
			}
			for i, want := range tt.want {
				if got := strings.ReplaceAll(wrong.Problems[i], dir, "DIR"); !strings.HasPrefix(got, want) {
					t.Errorf("got:\n%s\nwant at its beginning:\n%s", got, want)
				}
			}
		})
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "nowhere")} {
		if _, err := s.Add(dir); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s gave the error %v", dir, err)
		}
	}
}
