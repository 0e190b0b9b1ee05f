package runner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/fakemuse"
)

// What sentences can tell of a script, each step in words of its own: two scripts that differ in what matters must not
// read the same.
func TestStepsInWords(t *testing.T) {
	t.Parallel()
	asks := func(members string) string {
		return `{"tool":{"name":"bash","args":{"command":"x"},"approval":{` + members + `}}}`
	}
	tests := []struct {
		step string
		want []string
	}{
		{`{"tools":[{"name":"bash","args":{"command":"a"},"approval":{}},{"name":"bash","args":{"command":"b"}}]}`,
			[]string{`uses bash for "a" and asks first`, `at the same time uses bash for "b"`}},
		{`{"lost":[{"say":"a"},{"tool":{"name":"bash","args":{"command":"b"}}}]}`,
			[]string{`says ["a"], and word of it gets lost`, `uses bash for "b", and word of it gets lost`}},
		{asks(`"subagentOrigin":{"subagentId":"a","childSessionId":"b","childRunId":"c"}`), []string{`uses bash for "x" and asks first, for a subagent`}},
		{asks(`"elsewhere":{"choice":"abort"}`), []string{`uses bash for "x" and asks first`, `is answered elsewhere "Reject", by user, with the answer`}},
		{asks(`"elsewhere":{"decision":"denied","by":"policy","atOnce":true}`), []string{`uses bash for "x" and asks first`, `is answered elsewhere "denied", by policy, at once`}},
		{asks(`"elsewhere":{"decision":"denied","by":"llmJudge","wait":"later"}`), []string{`uses bash for "x" and asks first`, `is answered elsewhere "denied", by llmJudge, later`}},
		{asks(`"widened":{"choices":"once"}`), []string{`uses bash for "x" and asks first`, `offers instead [] once, at once`}},
		{asks(`"stages":[["a"],{"argv":["b"],"resolution":"knownSafe"}],"stuck":true`),
			[]string{`uses bash for "x" and asks first, in the stages ["a" "b (knownSafe)"]`, `gets stuck`}},
		{`{"tool":{"name":"bash","args":{"command":"x"},"exit":{"code":3,"at":"running"}}}`, []string{`uses bash for "x"`, `exits "3" running`}},
		{`{"tool":{"name":"write_file","args":{"path": "a"},"approval":{"judgeEscalated":true,"protectedWrite":true}}}`,
			[]string{`uses write_file with {"path":"a"} and asks first`, `is marked "judgeEscalated"`, `is marked "protectedWrite"`}},
		{`{"exit":3}`, []string{`exits "3"`}},
		{`{"silence":true}`, []string{`falls silent`}},
		{`{"show":{"kind":"reasoning","status":"completed","summary":["s"],"text":"t"}}`, []string{`thinks ["s"], and keeps "t" to itself`}},
		{`{"show":{"kind":"moon","status":"completed"}}`, []string{`something that no sentence tells`}},
	}
	for _, tt := range tests {
		t.Run(tt.step, func(t *testing.T) {
			t.Parallel()
			script, err := fakemuse.DecodeScript("muse.json", []byte(`{"turns":[{"steps":[`+tt.step+`]}]}`))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, words := range inWords(script.Turns[0], script.Turns[0].Steps[0]) {
				got = append(got, sentence(words))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
