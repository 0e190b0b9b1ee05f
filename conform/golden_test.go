package conform

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

func transcript(t *testing.T, lines ...string) wire.Transcript {
	t.Helper()
	tr, err := wire.ParseTranscript([]byte(strings.Join(lines, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

const (
	rowAsk   = `client ->   {"id":1,"method":"session/new","params":{"cwd":"{cwd}"}}`
	rowReply = `client <-   {"id":1,"result":{"sessionId":"{session:1}"}}`
	rowStart = `muse 1 +    serve`
)

func TestCompare(t *testing.T) {
	t.Parallel()
	was := []string{rowAsk, rowReply, "~", rowStart}
	change := func(i int, row string) []string {
		now := append([]string(nil), was...)
		now[i] = row
		return now
	}
	tests := []struct {
		name string
		now  []string
		want *Mismatch
	}{
		{"equal", was, nil},
		{"one value", change(1, `client <-   {"id":1,"result":{"sessionId":"{session:2}"}}`), &Mismatch{Row: 1, Place: &Place{Lane: "client", Line: 2,
			Pointer: "/result/sessionId", Offset: 40,
			Expected: `{"id":1,"result":{"sessionId":"{session:1}"}}`, Actual: `{"id":1,"result":{"sessionId":"{session:2}"}}`}}},
		{"a member's name", change(0, `client ->   {"id":1,"method":"session/new","params":{"dir":"{cwd}"}}`), &Mismatch{Row: 0, Place: &Place{Lane: "client", Line: 1,
			Pointer: "/params/dir", Offset: 42, Expected: rowAsk[12:], Actual: `{"id":1,"method":"session/new","params":{"dir":"{cwd}"}}`}}},
		{"another direction", change(1, `client ->   {"id":1,"result":{"sessionId":"{session:1}"}}`), &Mismatch{Row: 1, Place: &Place{Lane: "client", Line: 2, Offset: -1,
			Expected: rowReply, Actual: `client ->   {"id":1,"result":{"sessionId":"{session:1}"}}`}}},
		{"a row more", append(append([]string(nil), was...), `muse 1 -    exit 0`), &Mismatch{Row: 4, Place: &Place{Lane: "muse 1", Line: 5, Offset: -1,
			Expected: "the end", Actual: "muse 1 -    exit 0"}}},
		{"a row less", was[:3], &Mismatch{Row: 3, Place: &Place{Line: 4, Offset: -1, Expected: rowStart, Actual: "the end"}}},
		{"another argv", change(3, `muse 1 +    serve --x`), &Mismatch{Row: 3, Place: &Place{Lane: "muse 1", Line: 4, Pointer: "/1", Offset: 8,
			Expected: `["serve"]`, Actual: `["serve","--x"]`}}},
		{"a gap in another place", []string{rowAsk, "~", rowReply, rowStart}, &Mismatch{Row: 1, Place: &Place{Line: 2, Offset: -1, Expected: rowReply, Actual: "~"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := NewGoldens(folder(map[string]string{"a/b.golden": string(transcript(t, was...).Print())}))
			got := g.Compare("a/b", transcript(t, tt.now...), 0)
			if tt.want != nil && got != nil {
				if !strings.HasPrefix(got.Message, "the transcript differs from a/b.golden, first in line ") {
					t.Errorf("the message is %q", got.Message)
				}
				tt.want.Message = got.Message
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What cannot be seen is said in words: the end, an empty line, and a line end that is missing or another one.
func TestCompareLineEnds(t *testing.T) {
	t.Parallel()
	now := transcript(t, rowAsk, rowReply)
	text := string(now.Print())
	tests := []struct{ name, golden, expected, actual string }{
		{"a line end more", text + "\n", `an empty line ("\n")`, "the end"},
		{"a line end less", strings.TrimSuffix(text, "\n"), rowReply + " (the end: there is no LF behind it)", rowReply},
		{"blanks at the end", text + "  ", "   (the end: there is no LF behind it)", "the end"},
		{"an empty line inside", strings.Replace(text, "\n", "\n\n", 1), `an empty line ("\n")`, rowReply},
		{"an empty line of another system", text + "\r\n", `an empty line ("\r\n")`, "the end"},
		{"nothing", "", "the end", rowAsk},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := NewGoldens(folder(map[string]string{"a.golden": tt.golden})).Compare("a", now, 0)
			if m == nil {
				t.Fatal("no difference was found")
			}
			if diff := cmp.Diff([]string{tt.expected, tt.actual}, []string{m.Place.Expected, m.Place.Actual}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A golden that nothing was compared with fails a scenario that is green without it, and is named where it is not.
func TestHoldAll(t *testing.T) {
	t.Parallel()
	g := NewGoldens(folder(map[string]string{"gone.golden": "", "kept.golden": "", "broken.golden": "", "never.golden": ""}))
	results := []ScenarioResult{
		{Name: "gone", Verdict: NotApplicable, Reason: "it never started a host"},
		{Name: "kept", Verdict: Pass, Checks: []Check{{Name: Golden, OK: true}}},
		{Name: "broken", Verdict: CouldNotRun, Reason: "it died"},
		{Name: "never", Verdict: Pass},
		{Name: "none", Verdict: NotApplicable, Reason: "it never started a host"},
	}
	g.HoldAll(results)
	const missed = "nothing was compared with gone.golden, since the scenario is not applicable now: it never started a host"
	want := []ScenarioResult{
		{Name: "gone", Verdict: Fail, Reason: "golden: " + missed, Checks: []Check{{Name: Golden, Message: missed}}},
		{Name: "kept", Verdict: Pass, Checks: []Check{{Name: Golden, OK: true}}},
		{Name: "broken", Verdict: CouldNotRun, Reason: "it died", Notes: []string{"nothing was compared with broken.golden"}},
		{Name: "never", Verdict: Fail, Reason: "golden: nothing was compared with never.golden", Checks: []Check{{Name: Golden, Message: "nothing was compared with never.golden"}}},
		{Name: "none", Verdict: NotApplicable, Reason: "it never started a host"},
	}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if code := (RunResult{Scenarios: results[:2]}).ExitCode(); code != ExitFailed {
		t.Errorf("exit %d", code)
	}
}

func TestIncludedOpening(t *testing.T) {
	t.Parallel()
	opening := string(transcript(t, rowAsk, rowReply).Print())
	whole := transcript(t, rowAsk, rowReply, "~", rowStart)
	files := folder(map[string]string{"opening/baseline.golden": opening, "a.golden": Compress(whole, opening, "baseline"), "lost.golden": "= opening/nowhere\n~\n"})
	if diff := cmp.Diff("= opening/baseline\n~\n"+rowStart+"\n", string(files["a.golden"].Data)); diff != "" {
		t.Errorf("compressed (-want +got):\n%s", diff)
	}
	g := NewGoldens(files)
	if m := g.Compare("a", whole, 2); m != nil {
		t.Errorf("the whole differs: %+v", m)
	}
	if m := g.Compare("a", transcript(t, rowAsk, rowReply, "~", rowStart+" --x"), 2); m == nil || m.Row != 3 || m.Place.Line != 4 {
		t.Errorf("a difference behind the opening is shown as %+v", m)
	}
	if m := g.Compare("none", whole, 2); m == nil || m.Row != -1 || m.Message != "there is no golden none.golden" {
		t.Errorf("a golden that is not there gave %+v", m)
	}
	if m := g.Compare("lost", whole, 2); m == nil || m.Row != -1 || !strings.HasPrefix(m.Message, "line 1 of lost.golden: reading the golden opening/nowhere.golden") {
		t.Errorf("an opening that is not there gave %+v", m)
	}
	if got := Compress(whole, "something else\n", "baseline"); got != string(whole.Print()) {
		t.Errorf("a transcript without the opening became %q", got)
	}
	if got := Compress(whole, "", "baseline"); got != string(whole.Print()) {
		t.Errorf("without an opening it became %q", got)
	}
}

func TestOrphans(t *testing.T) {
	t.Parallel()
	g := NewGoldens(folder(map[string]string{
		"used.golden": "= opening/named\n", "folder/row.golden": "", "folder/old.golden": "", "gone.golden": "= opening/named-by-an-orphan\n",
		"opening/named.golden": "", "opening/named-by-an-orphan.golden": "", "opening/unnamed.golden": "", "README.md": "", "folder/row.golden.orig": "",
		"used.gold": "", ".gitattributes": "", "folder/.gitkeep": "", ".git/index": "",
	}))
	got, err := g.Orphans([]string{"used", "folder/row", "never-recorded"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"README.md", "folder/old.golden", "folder/row.golden.orig", "gone.golden", "opening/unnamed.golden", "used.gold"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A difference fails the scenario under the name of the golden, and no requirement; its place counts frames in the
// order of arrival, and gaps are no frames.
func TestAGoldenFailsItsScenario(t *testing.T) {
	t.Parallel()
	var accepted string
	run := func(goldens GoldenStore) ScenarioResult {
		r, _ := play(t, &game{engine: func(e *Engine) { e.Goldens = goldens }, do: perform(t, prompt("hello"))})
		return r
	}
	r := run(store(func(tr wire.Transcript) *Mismatch { accepted = string(tr.Print()); return nil }))
	wantVerdict(t, r, Pass, "")
	changed := strings.Replace(accepted, "end_turn", "refusal", 1)
	r = run(NewGoldens(folder(map[string]string{"game.golden": changed})))
	wantVerdict(t, r, Fail, "golden: the transcript differs from game.golden")
	for _, c := range r.Failures() {
		if c.Name != Golden || len(c.IDs) > 0 || c.Place.Frame != 6 || c.Place.Pointer != "/result/stopReason" {
			t.Errorf("the failure is %+v at %+v", c, c.Place)
		}
	}
	wantVerdict(t, run(NewGoldens(folder(nil))), Fail, "golden: there is no golden game.golden")
}

type store func(wire.Transcript) *Mismatch

func (s store) Compare(_ string, t wire.Transcript, _ int) *Mismatch { return s(t) }
