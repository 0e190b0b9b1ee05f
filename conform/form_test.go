package conform

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// show sends a form with two fields to the client.
func (p *peer) show(session, message string) {
	p.nextID++
	p.say(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"mode":"form","sessionId":%q,"message":%q,"requestedSchema":{"type":"object","required":["q1"],"properties":{`+
		`"q1":{"type":"string","title":"Colour","description":"Which one?","enum":["red","blue"]},"q2":{"type":"array","items":{"type":"string","enum":["a","b"]}}}}}}`, p.nextID, session, message)
}

// shows is an adapter that shows so many forms, one after the other, before it ends a turn.
func shows(n int) func(p *peer) {
	return handlers{"session/prompt": func(p *peer, f wire.Frame) {
		for range n {
			p.show("session-1", "Pick one")
			if p.answer().Raw == nil {
				return
			}
		}
		p.reply(f, `{"stopReason":"end_turn"}`)
	}}.serve
}

// results lists what the client answered to the adapter.
func results(records []wire.Record) (list []string) {
	for _, r := range records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Response {
			list = append(list, string(r.Frame.Result)+string(r.Frame.Error))
		}
	}
	return list
}

func toldForms(t *testing.T, able bool, answers ...scenarios.FormAnswer) func(*Scenario) {
	return func(s *Scenario) {
		if able {
			if err := s.Profile(func(step *scenarios.Step) { step.Forms = true }); err != nil {
				t.Error(err)
			}
		}
		for _, a := range answers {
			if err := s.AnswerForm(a); err != nil {
				t.Error(err)
			}
		}
		perform(t, prompt("go"))(s)
	}
}

// What the client answers to forms, and what the script makes of it.
func TestFormAnswers(t *testing.T) {
	t.Parallel()
	field := func(name, value string) scenarios.Field {
		return scenarios.Field{Field: name, Value: json.RawMessage(value)}
	}
	tests := []struct {
		name    string
		shown   int
		answers []scenarios.FormAnswer
		want    []string
		failure string
	}{
		{"by the name of the field", 1, []scenarios.FormAnswer{{Fill: []scenarios.Field{field("q1", `"red"`)}}}, []string{`{"action":"accept","content":{"q1":"red"}}`}, ""},
		{"by its title, and a second one", 1, []scenarios.FormAnswer{{Fill: []scenarios.Field{field("Colour", `"red"`), field("q2", `["a"]`)}}}, []string{`{"action":"accept","content":{"q1":"red","q2":["a"]}}`}, ""},
		{"by its description", 1, []scenarios.FormAnswer{{Fill: []scenarios.Field{field("Which one?", `"green"`)}}}, []string{`{"action":"accept","content":{"q1":"green"}}`}, ""},
		{"with content as it stands", 1, []scenarios.FormAnswer{{Content: json.RawMessage(`{"x":1}`)}}, []string{`{"action":"accept","content":{"x":1}}`}, ""},
		{"declined", 1, []scenarios.FormAnswer{{Declined: true}}, []string{`{"action":"decline"}`}, ""},
		{"dismissed, then declined", 2, []scenarios.FormAnswer{{Cancelled: true}, {Declined: true}}, []string{`{"action":"cancel"}`, `{"action":"decline"}`}, ""},
		{"raw", 2, []scenarios.FormAnswer{{Result: json.RawMessage(`7`)}, {Error: json.RawMessage(`{"code":-1,"message":"no"}`)}}, []string{`7`, `{"code":-1,"message":"no"}`}, ""},
		{"no answer is scripted", 1, nil, []string{`{"action":"cancel"}`}, "the script answers every question: the editor was asked a question that the script has no answer for"},
		{"an answer is left over", 1, []scenarios.FormAnswer{{Declined: true}, {Cancelled: true}}, []string{`{"action":"decline"}`},
			`every scripted answer is used: formAnswers[1] of game/input.json was never used: {"cancelled":true}`},
		{"a field that is not there", 1, []scenarios.FormAnswer{{Fill: []scenarios.Field{field("Size", `"L"`)}}}, []string{`{"action":"cancel"}`},
			`the scripted answer is possible: formAnswers[0] of game/input.json fills in the field "Size", which the form does not have`},
		{"as expected", 1, []scenarios.FormAnswer{{Declined: true, Expect: &scenarios.FormExpectation{Session: 1, Message: "Pick", Fields: []string{"q1", "q2"}}}}, []string{`{"action":"decline"}`}, ""},
		{"another message", 1, []scenarios.FormAnswer{{Declined: true, Expect: &scenarios.FormExpectation{Message: "Choose"}}}, []string{`{"action":"decline"}`},
			`the question is the expected one: formAnswers[0] of game/input.json expects another question: its message is "Pick one", not "Choose"`},
		{"other fields", 1, []scenarios.FormAnswer{{Declined: true, Expect: &scenarios.FormExpectation{Fields: []string{"q2"}}}}, []string{`{"action":"decline"}`},
			`expects another question: its fields is ["q1" "q2"], not ["q2"]`},
		{"another session", 1, []scenarios.FormAnswer{{Declined: true, Expect: &scenarios.FormExpectation{Session: 2}}}, []string{`{"action":"decline"}`},
			`expects another question: its session is 1, not 2`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, records := play(t, &game{adapter: shows(tt.shown), do: toldForms(t, true, tt.answers...)})
			if diff := cmp.Diff(tt.want, results(records)); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
			if tt.failure == "" {
				wantVerdict(t, r, Pass, "")
			} else {
				wantFailure(t, r, tt.failure)
			}
		})
	}
}

// An editor that shows no forms has no such method, and takes no scripted answer for it.
func TestAFormForAnEditorThatShowsNone(t *testing.T) {
	t.Parallel()
	var forms []Form
	g := &game{tags: []string{"ACP-ELIC-01"}, adapter: shows(1), do: func(s *Scenario) {
		toldForms(t, false)(s)
		forms = s.Forms()
	}}
	r, records := play(t, g)
	if got := results(records); len(got) != 1 || !strings.Contains(got[0], "-32601") {
		t.Errorf("the answers were %q", got)
	}
	wantFailure(t, r, "a form is shown only to an editor that shows forms")
	want := []Form{{Seq: forms[0].Seq, Session: 1, Message: "Pick one", Params: forms[0].Params, Answered: true, Fields: []Field{
		{Name: "q1", Title: "Colour", Description: "Which one?", Choices: []string{"red", "blue"}, Required: true}, {Name: "q2", Several: true, Choices: []string{"a", "b"}}}}}
	if diff := cmp.Diff(want, forms); diff != "" {
		t.Errorf("forms (-want +got):\n%s", diff)
	}
}

// What the editor says of itself in initialize.
func TestProfiles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		step scenarios.Step
		want string
	}{
		{"nothing", scenarios.Step{}, `{}`},
		{"forms", scenarios.Step{Forms: true}, `{"elicitation":{"form":{}}}`},
		{"terminals", scenarios.Step{Terminal: true}, `{"_meta":{"terminal_output":true}}`},
		{"metadata and terminals", scenarios.Step{Terminal: true, Meta: json.RawMessage(`{"muse/approval":1}`)}, `{"_meta":{"muse/approval":1,"terminal_output":true}}`},
		{"as they stand", scenarios.Step{Capabilities: json.RawMessage(`{"elicitation":null}`)}, `{"elicitation":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, records := play(t, &game{do: func(s *Scenario) {
				if err := s.Profile(func(step *scenarios.Step) { *step = tt.step }); err != nil {
					t.Error(err)
				}
				perform(t, prompt("go"))(s)
			}})
			if got := string(wire.Lookup(records[0].Frame.Params, "clientCapabilities")); got != tt.want {
				t.Errorf("the capabilities are %s, want %s", got, tt.want)
			}
		})
	}
	r, _ := play(t, &game{do: func(s *Scenario) {
		perform(t, prompt("go"))(s)
		if s.Profile(func(step *scenarios.Step) { step.Forms = true }) == nil {
			t.Error("it came too late, and there was no error")
		}
	}})
	wantVerdict(t, r, CouldNotRun, "the harness or the script is wrong: what the editor is able to do must stand before the first step")
	r, _ = play(t, &game{do: func(s *Scenario) {
		s.Profile(func(step *scenarios.Step) { step.Forms = true })
		s.Perform(scenarios.Step{Op: "initialize"})
	}})
	wantVerdict(t, r, CouldNotRun, `the harness or the script is wrong: the editor is able to do {"op":"initialize","forms":true}, but the connection is opened with {"op":"initialize"}`)
}

// A form that is left open keeps the turn running; the answer that comes later ends it.
func TestAFormIsLeftOpen(t *testing.T) {
	t.Parallel()
	g := &game{adapter: shows(1), do: func(s *Scenario) {
		s.Profile(func(step *scenarios.Step) { step.Forms = true })
		if err := s.AnswerForm(scenarios.FormAnswer{Withhold: true}); err != nil {
			t.Error(err)
		}
		perform(t, scenarios.Step{Op: "prompt", Text: "go", Until: "asked"})(s)
		if f := s.Forms(); len(f) != 1 || f[0].Answered || len(s.Questions()) != 0 {
			t.Errorf("forms %+v, questions %+v", f, s.Questions())
		}
		perform(t, scenarios.Step{Op: "answerForm", About: "Pick", FormAnswer: &scenarios.FormAnswer{Declined: true}})(s)
		if o := s.Outcomes(0); !o[0].Answered {
			t.Errorf("outcomes: %+v", o)
		}
	}}
	r, records := play(t, g)
	wantVerdict(t, r, Pass, "")
	if diff := cmp.Diff([]string{`{"action":"decline"}`}, results(records)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An adapter that tells its host that nobody can be asked is free to: a scenario whose editor answers forms does not apply
// to it. One that shows a form all the same is judged, and so is a scenario without such an answer.
func TestWithoutDialogs(t *testing.T) {
	t.Parallel()
	decline := scenarios.FormAnswer{Declined: true}
	tests := []struct {
		name    string
		shown   int
		none    bool // the host is told that nobody can be asked
		answers []scenarios.FormAnswer
		verdict Verdict
		reason  string
	}{
		{"it shows none", 0, true, []scenarios.FormAnswer{decline}, NotApplicable, "it tells muse that its user cannot be asked"},
		{"it shows one all the same", 1, true, []scenarios.FormAnswer{decline}, Pass, ""},
		{"nobody answers forms", 0, true, nil, Pass, ""},
		{"it could ask, and Muse never did", 0, false, []scenarios.FormAnswer{decline}, Fail, "formAnswers[0] of game/input.json was never used"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{adapter: shows(tt.shown), do: toldForms(t, true, tt.answers...)}
			g.host.facts = func([]wire.Record) Facts { return Facts{NoDialogs: tt.none} }
			r, _ := play(t, g)
			wantVerdict(t, r, tt.verdict, tt.reason)
		})
	}
}

// An adapter need not show forms: a scenario whose editor answers one does not apply to it, where its host asked and was told
// that nobody answers. The reference must show them, and whoever told an answer that nobody gave is judged.
func TestFormless(t *testing.T) {
	t.Parallel()
	decline := []scenarios.FormAnswer{{Declined: true}}
	cancelled, answered := []HostInput{{Cancelled: true}}, []HostInput{{Cancelled: true}, {Words: []string{"red"}}}
	const declines = "it shows no forms, as ACP leaves to it: muse asked for input from the user, and it told muse that nobody answers without asking the editor"
	const unused = "formAnswers[0] of game/input.json was never used"
	tests := []struct {
		name     string
		shown    int
		optional bool
		facts    Facts
		answers  []scenarios.FormAnswer
		verdict  Verdict
		reason   string
	}{
		{"it declines", 0, true, Facts{AskedUser: true, Inputs: cancelled}, decline, NotApplicable, declines},
		{"the reference declines", 0, false, Facts{AskedUser: true, Inputs: cancelled}, decline, Fail, unused},
		{"it shows a form, too", 1, true, Facts{AskedUser: true, Inputs: cancelled}, decline, Pass, ""},
		{"it told an answer once", 0, true, Facts{AskedUser: true, Inputs: answered}, decline, Fail, unused},
		{"it told nothing, and the turn went well", 0, true, Facts{AskedUser: true}, decline, Fail, unused},
		{"its host asked nothing", 0, true, Facts{Inputs: cancelled}, decline, Fail, unused},
		{"nobody answers forms", 0, true, Facts{AskedUser: true, Inputs: cancelled}, nil, Pass, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{adapter: shows(tt.shown), do: toldForms(t, true, tt.answers...), engine: func(e *Engine) { e.FormsOptional = tt.optional }}
			g.host.facts = func([]wire.Record) Facts { return tt.facts }
			r, _ := play(t, g)
			wantVerdict(t, r, tt.verdict, tt.reason)
		})
	}
}
