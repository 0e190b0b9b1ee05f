package scenarios

import (
	"strings"
	"testing"
)

// What is played as it stands opens its connection and makes its sessions itself.
func TestDecodeRecorded(t *testing.T) {
	t.Parallel()
	steps := func(s string) string { return "{\"steps\": [\n" + s + "]}" }
	tests := []struct{ name, text, want string }{
		{"the shortest", steps(`{"op":"initialize"}`), ""},
		{"no session is made", steps(`{"op":"initialize"}, {"op":"newSessionExpectError"}, {"op":"line","line":"{}"}, {"op":"request","method":"x"}`), ""},
		{"two sessions", steps(`{"op":"initialize"}, {"op":"newSession"}, {"op":"newSession"}, {"op":"prompts","prompts":[{"text":"a","session":1},{"text":"b","session":2}]}, {"op":"cancel","session":2}`), ""},
		{"it does not decode", steps(`{"op":"promt"}`), `i:2: steps[0]: unknown operation "promt"`},
		{"nothing", `{"steps": []}`, `i:1: "steps" is empty; a recorded conversation begins with "initialize" and "newSession"`},
		{"no initialize", steps(`{"op":"prompt","text":"x"}`), `i:2: steps[0] ("prompt"): a recorded conversation begins with "initialize" and "newSession"; this one begins with "prompt"`},
		{"a session first", steps(`{"op":"newSession"}, {"op":"initialize"}`), `i:2: steps[0] ("newSession"): a recorded conversation begins with "initialize" and "newSession"; this one begins with "newSession"`},
		{"no session", steps("{\"op\":\"initialize\"},\n{\"op\":\"prompt\",\"text\":\"x\"}"), `i:3: steps[1] ("prompt"): it needs a session, and no "newSession" stands before it`},
		{"a session too few", steps("{\"op\":\"initialize\"},{\"op\":\"newSession\"},\n{\"op\":\"cancel\",\"session\":2}"), `i:3: steps[2] ("cancel"): there is no session 2; so many are made before it: 1`},
		{"a session too few for a prompt", steps("{\"op\":\"initialize\"},{\"op\":\"newSession\"},\n{\"op\":\"prompts\",\"prompts\":[{\"text\":\"a\"},{\"text\":\"b\",\"session\":3}]}"), `i:3: steps[2] ("prompts"): there is no session 3; so many are made before it: 1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := DecodeRecorded("i", []byte(tt.text))
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)):
				t.Errorf("got:\n%v\nwant at its beginning:\n%s", err, tt.want)
			}
		})
	}
	file, data, err := Find(FS, "recorded-conversation", "input.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeRecorded(file, data); err != nil {
		t.Error(err)
	}
}
