package conform

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
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

// A turn that its host does not hold may be over when the cancel comes. That is the script's mistake, and no adapter's, and
// it is said whether the adapter has answered by then or not.
func TestCancelOfWhatIsOver(t *testing.T) {
	t.Parallel()
	const opening = `{"op":"initialize"},{"op":"newSession"},`
	for _, tt := range []struct {
		name, steps   string
		over, answers bool
		decided       bool
		verdict       Verdict
		reason        string
	}{
		{"shown, and over", `{"op":"promptAndCancel","text":"go"}`, true, false, false, CouldNotRun, `{"op":"promptAndCancel","text":"go"}: the turn was over before it could be cancelled`},
		{"answered, and over", `{"op":"promptAndCancel","text":"go"}`, true, true, false, CouldNotRun, `{"op":"promptAndCancel","text":"go"}: the turn was over before it could be cancelled`},
		{"held", `{"op":"promptAndCancel","text":"go"}`, false, false, false, Pass, ""},
		{"a cancel of its own", `{"op":"prompt","text":"go","until":"said","said":"well"},{"op":"cancel"}`, true, false, false, CouldNotRun, `the turn of "go" was over before it could be cancelled`},
		{"a cancel of its own, held", `{"op":"prompt","text":"go","until":"said","said":"well"},{"op":"cancel"}`, false, false, false, Pass, ""},
		{"a cancel of its own, ended by the adapter's decision", `{"op":"prompt","text":"go","until":"said","said":"well"},{"op":"cancel"}`, true, false, true, Pass, ""},
		{"a cancel behind the answer", `{"op":"prompt","text":"go"},{"op":"cancel"}`, true, true, false, Pass, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := input(`{"steps":[` + opening + tt.steps + `]}`)
			files["muse.json"] = &fstest.MapFile{Data: []byte("{}")}
			g := &game{files: files, do: func(s *Scenario) { s.Recorded("game") }}
			g.host.facts = func(records []wire.Record) Facts {
				f := Facts{Turns: []HostTurn{{Seq: len(records), Session: "S", Texts: []string{"first:", "go"}, Over: tt.over}}}
				if tt.decided {
					f.Decisions = []Decision{{Seq: len(records) + 1, Session: "S"}}
				}
				return f
			}
			g.adapter = handlers{"session/prompt": func(p *peer, f wire.Frame) {
				p.update("session-1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"well"}}`)
				if tt.answers {
					p.reply(f, `{"stopReason":"end_turn"}`)
					return
				}
				if _, ok := p.read(); ok {
					p.reply(f, `{"stopReason":"cancelled"}`)
				}
			}}.serve
			r, _ := play(t, g)
			wantVerdict(t, r, tt.verdict, tt.reason)
		})
	}
}
