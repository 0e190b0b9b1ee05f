package reference

import (
	"encoding/json"
	"slices"
	"testing"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
)

// The sandbox mode is the last that the log has; an unreadable one makes nothing wider (REQ-ESC-03).
func TestSandboxFold(t *testing.T) {
	t.Parallel()
	set := func(data string) approval.Event {
		return approval.Event{Type: eventSandbox, Data: json.RawMessage(data)}
	}
	for name, c := range map[string]struct {
		events     []approval.Event
		configured string
		want       string
	}{
		"none":             {nil, "read-only", "read-only"},
		"last":             {[]approval.Event{set(`{"mode":"danger-full-access"}`), set(`{"mode":"workspace-write"}`), {Type: approval.TurnEnd}}, "read-only", "workspace-write"},
		"unreadable":       {[]approval.Event{set(`{"mode":"workspace-write"}`), set(`{"mode":"yolo"}`)}, "read-only", "danger-full-access"},
		"nothing confines": {[]approval.Event{set(`{"mode":"workspace-write"}`)}, "", ""},
	} {
		if got := sandboxMode(c.events, c.configured); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Whatever a host asks and a client answers: a form has its questions and nothing else, and what is passed on as an
// answer fits them.
func FuzzForm(f *testing.F) {
	const questions = `[{"id":"a","options":[{"label":"x"}]},{"id":"b","selection":{"mode":"multiple","minSelections":-1},"options":[{"label":"x"},{"label":"y"}]},{"id":"c"}]`
	f.Add([]byte(questions), []byte(`{"action":"accept","content":{"a":"x","b":["y"],"c":"w"}}`))
	f.Add([]byte(questions), []byte(`{"action":"accept","content":{"a":["x"],"b":"y"}}`))
	f.Add([]byte(`[{"id":""}]`), []byte(`{"action":"decline"}`))
	f.Add([]byte(`[]`), []byte(`null`))
	f.Fuzz(func(t *testing.T, asked, result []byte) {
		var questions []muse.Question
		if json.Unmarshal(asked, &questions) != nil {
			return
		}
		schema, err := formSchema(questions)
		var form struct {
			Required   []string
			Properties map[string]struct{ Type string }
		}
		if err != nil {
			return
		}
		if json.Unmarshal(schema, &form) != nil || len(form.Required) != len(questions) || len(form.Properties) != len(questions) {
			t.Fatalf("schema %s", schema)
		}
		answers, declined, trouble := readForm(reply{result: result}, questions)
		if declined || trouble != nil {
			if answers != nil {
				t.Fatalf("answers %v beside something else", answers)
			}
			return
		}
		if len(answers) != len(questions) {
			t.Fatalf("%d answers to %d questions", len(answers), len(questions))
		}
		for i, a := range answers {
			labels := labelsOf(questions[i])
			n := 0
			if a.SelectedLabel != nil {
				n++
				if !slices.Contains(labels, *a.SelectedLabel) {
					t.Fatalf("selected %q", *a.SelectedLabel)
				}
			}
			if a.SelectedLabels != nil {
				n++
				for _, l := range a.SelectedLabels {
					if !slices.Contains(labels, l) {
						t.Fatalf("selected %q", l)
					}
				}
			}
			if a.FreeText != nil {
				n++
			}
			if n != 1 || a.QuestionID != questions[i].ID {
				t.Fatalf("answer %+v to %+v", a, questions[i])
			}
		}
	})
}
