package conform

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// A conversation that was recorded elsewhere is played as it stands, and what is wrong with its folder is said.
func TestRecorded(t *testing.T) {
	t.Parallel()
	const opening = `{"op":"initialize"},{"op":"newSession"},`
	tests := []struct {
		name, input string
		script      bool
		as          string
		asked       int
		want        []string // answers
		verdict     Verdict
		reason      string
	}{
		{"played", `{"steps":[` + opening + `{"op":"prompt","text":"go"}],"permissionAnswers":[{"kind":"allow_once"}]}`, true, "game", 1, []string{"selected a"}, Pass, ""},
		{"a question too many", `{"steps":[` + opening + `{"op":"prompt","text":"go"}],"permissionAnswers":[{"kind":"allow_once"}]}`, true, "game", 2, []string{"selected a", "cancelled"}, Fail,
			"the script answers every question"},
		{"a question too many, leniently", `{"steps":[` + opening + `{"op":"prompt","text":"go"}],"permissionAnswers":[{"kind":"allow_once"}],"strict":false}`, true, "game", 2, []string{"selected a", "cancelled"}, Pass, ""},
		{"an answer that is not possible, leniently", `{"steps":[` + opening + `{"op":"prompt","text":"go"}],"permissionAnswers":[{"kind":"allow_always"}],"strict":false}`, true, "game", 1, []string{"cancelled"}, Fail,
			"the scripted answer is possible"},
		{"no input.json", "", true, "game", 0, nil, CouldNotRun, "game/input.json does not exist, so there is no recorded conversation to play"},
		{"no script of the host", `{"steps":[` + opening + `{"op":"prompt","text":"go"}]}`, false, "game", 0, nil, CouldNotRun, "game/muse.json does not exist: it says what the host does in the recorded conversation"},
		{"another one", `{"steps":[` + opening + `{"op":"prompt","text":"go"}]}`, true, "match", 0, nil, CouldNotRun, `the recorded conversation is that of "game", not of "match"`},
		{"it begins with a prompt", `{"steps":[{"op":"prompt","text":"go"}]}`, true, "game", 0, nil, CouldNotRun,
			`game/input.json:1: steps[0] ("prompt"): a recorded conversation begins with "initialize" and "newSession"; this one begins with "prompt"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{}
			if tt.input != "" {
				files = input(tt.input)
			}
			if tt.script {
				files["muse.json"] = &fstest.MapFile{Data: []byte("{}")}
			}
			r, records := play(t, &game{files: files, adapter: asks(tt.asked), do: func(s *Scenario) { s.Recorded(tt.as) }})
			wantVerdict(t, r, tt.verdict, tt.reason)
			if diff := cmp.Diff(tt.want, outcomes(records)); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
		})
	}
}
