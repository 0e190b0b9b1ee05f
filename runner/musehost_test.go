package runner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
	"acp-conform/wire"
)

const museScript = `{
  "turns": [
    {"prompt": "hello", "steps": [
      {"think": ["hm"]},
      {"say": ["a", "b"]},
      {"tool": {"name": "bash", "args": {"command": "touch x", "sandbox_permissions": "w", "justification": "j"}, "approval": {"choices": "once"}}}
    ]},
    {"prompt": "more", "steps": [
      {"hang": true}
    ]}
  ]
}`

// museOf makes a fake Muse with a script; it is stopped with the test.
func museOf(t *testing.T, script string) conform.Host {
	t.Helper()
	h, err := MuseHosts{}.New(wire.NewLog(wire.Limits{}), conform.Places{Root: t.TempDir()}, "x/muse.json", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Stop(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// Sentences tell the script step by step; a difference names the line and says both sides in words.
func TestExpect(t *testing.T) {
	t.Parallel()
	hears := conform.ScriptStep{Kind: "hears", Text: "hello"}
	thinks := conform.ScriptStep{Kind: "thinks", Chunks: []string{"hm"}}
	says := conform.ScriptStep{Kind: "says", Chunks: []string{"a", "b"}}
	uses := conform.ScriptStep{Kind: "uses", Tool: "bash", Command: "touch x", Asks: true, Rights: "w", Reason: "j"}
	offering := uses
	offering.Choices = []string{"Allow once"}
	tests := []struct {
		name   string
		told   []conform.ScriptStep
		err    string
		untold string
	}{
		{"all", []conform.ScriptStep{hears, thinks, says, uses, {Kind: "hears", Text: "more"}, {Kind: "hangs"}}, "", ""},
		{"nothing", nil, "", `x/muse.json:3: no sentence tells that Muse hears "hello"`},
		{"some", []conform.ScriptStep{hears, thinks}, "", `x/muse.json:5: no sentence tells that Muse says ["a" "b"]`},
		{"another text", []conform.ScriptStep{{Kind: "hears", Text: "bye"}}, `x/muse.json:3: Muse hears "hello", but the sentence tells that Muse hears "bye"`, ""},
		{"another kind", []conform.ScriptStep{hears, says}, `x/muse.json:4: Muse thinks ["hm"], but the sentence tells that Muse says ["a" "b"]`, ""},
		{"other choices", []conform.ScriptStep{hears, thinks, says, offering}, `x/muse.json:6: Muse uses bash for "touch x" with the rights "w" because "j" and asks first, but the sentence tells `, ""},
		{"too much", []conform.ScriptStep{hears, thinks, says, uses, {Kind: "hears", Text: "more"}, {Kind: "hangs"}, hears}, `x/muse.json has no further step, but a sentence tells that Muse hears "hello"`, ""},
		{"in every turn", []conform.ScriptStep{hears, thinks, says, uses, {Kind: "hears", Text: "more"}, {Kind: "hangs", Repeats: true}}, `x/muse.json:9: Muse hangs, but the sentence tells that Muse hangs, in every turn`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := museOf(t, museScript)
			var err error
			for _, step := range tt.told {
				err = h.Expect(step)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
				t.Errorf("got the error:\n%v\nwant:\n%s", err, tt.err)
			}
			if tt.err == "" {
				if diff := cmp.Diff(tt.untold, strings.Join(h.Untold(), "\n")); diff != "" {
					t.Errorf("untold (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestMuseHost(t *testing.T) {
	t.Parallel()
	h := museOf(t, museScript)
	if err := h.Release("nothing"); err == nil || err.Error() != `no turn of Muse waits for "nothing"` {
		t.Errorf("Release gave %v", err)
	}
	if got := h.Unused(); len(got) == 0 || !strings.HasPrefix(got[0], "x/muse.json") {
		t.Errorf("unused: %q", got)
	}
	if h.Kind() != "muse" || len(h.Problems()) > 0 || len(h.Variants()) == 0 || !strings.HasPrefix(h.Path(), h.Dir()) {
		t.Errorf("kind %s, problems %v, variants %v, path %s in %s", h.Kind(), h.Problems(), h.Variants(), h.Path(), h.Dir())
	}
	if _, err := (MuseHosts{}).New(wire.NewLog(wire.Limits{}), conform.Places{Root: t.TempDir()}, "x/muse.json", []byte(`{"turn": []}`)); err == nil || !strings.Contains(err.Error(), "x/muse.json") {
		t.Errorf("a wrong script gave the error %v", err)
	}
}

// A host that is started with less of a guard is the adapter's fault in every scenario.
func TestUnguardedStart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		argv string
		want []string
	}{
		{`["serve"]`, nil},
		{`["serve","--disable-shell","--model","m"]`, nil},
		{`["serve","--trust-workspace"]`, []string{"muse 1: the adapter started Muse with --trust-workspace (frame 1), and nobody had chosen that"}},
		{`["serve","--disable-sandbox","--trust-workspace"]`, []string{"muse 1: the adapter started Muse with --disable-sandbox --trust-workspace (frame 1), and nobody had chosen that"}},
	} {
		t.Run(tt.argv, func(t *testing.T) {
			t.Parallel()
			log := wire.NewLog(wire.Limits{})
			h, err := MuseHosts{}.New(log, conform.Places{Root: t.TempDir()}, "x/muse.json", nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := h.Stop(); err != nil {
					t.Error(err)
				}
			})
			log.Append(wire.Entry{Lane: wire.Lane{Name: "muse", N: 1}, Dir: wire.Start, Data: []byte(tt.argv)})
			var got []string
			for _, p := range h.Problems() {
				if !p.Adapter {
					t.Errorf("%s is nobody's fault", p.Text)
				}
				got = append(got, p.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// A Muse that is given work beside the one that serves is found; a question for facts is not.
func TestWorks(t *testing.T) {
	t.Parallel()
	const no = "unexpected argument"
	for _, tt := range []struct {
		argv    []string
		refused string
		want    bool
	}{
		{[]string{"--version"}, "", false},
		{[]string{"export", "--session", "s", "--out", "/a folder/x"}, "", false},
		{nil, no, false},
		{[]string{"models", "--json"}, no, false},
		{[]string{"serve", "--name", "two words"}, no, false},
		{[]string{"exec", "ls"}, no, true},
		{[]string{"--yolo", "ls"}, no, true},
		{[]string{"exec", "--yolo", "touch x"}, no, true},
		{[]string{"touch x"}, no, true},
	} {
		if got := works(conform.HostCall{Argv: tt.argv, Refused: tt.refused}); got != tt.want {
			t.Errorf("%q: %t, want %t", tt.argv, got, tt.want)
		}
	}
}
