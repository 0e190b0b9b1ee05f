package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"acp-conform/conform"

	"github.com/google/go-cmp/cmp"
)

// sample is a run with every verdict, and with an adapter that tries to write on the terminal.
func sample() conform.RunResult {
	long := strings.Repeat("0123456789", 40)
	return conform.RunResult{
		Adapter:  conform.AdapterInfo{Name: "sly\x1b[2J", Version: "1.0", Argv: []string{"./my adapter", "--flag", "it's"}},
		Duration: 1234 * time.Millisecond,
		Scenarios: []conform.ScenarioResult{
			{
				Name: "text-turn", Title: "A turn of text", Feature: "turn/text.feature", Tags: []string{"@ACP-PR-01"},
				Requirements: []string{"ACP-PR-01"}, Verdict: conform.Pass, Duration: 12 * time.Millisecond,
				Checks: []conform.Check{{Name: "the turn ended", IDs: []string{"ACP-PR-01"}, OK: true}},
			},
			{
				Name: "approval/allowed", Title: "The editor allows", Feature: "approval/muse.feature",
				Requirements: []string{"ACP-PERM-01", "ACP-PERM-05"}, Verdict: conform.Fail, Reason: "2 checks failed",
				Duration: 345678 * time.Microsecond,
				Checks: []conform.Check{
					{Name: "the editor was asked", OK: true},
					{Name: `the file "marker" exists`, IDs: []string{"ACP-PERM-05", "ACP-PERM-01"}, Message: "It existed before the answer.\n12 scenarios passed",
						Place: &conform.Place{Lane: "client", Frame: 12, Pointer: "/params/update/\u202etitle", Offset: 330,
							Expected: long + "expected" + long, Actual: long + "actual\xff\x07" + long}},
					{Name: conform.Golden, Place: &conform.Place{Lane: "muse 1", Offset: -1, Line: 7, Expected: "a frame"}},
				},
				Stderr: "starting\r\npanic: \x1b]0;owned\x07\n",
				Notes:  []string{"the adapter was slow"},
			},
			{
				Name: "mode", Title: "Modes", Feature: "planning/mode.feature", Verdict: conform.NotApplicable,
				Reason: "initialize advertises no modes",
			},
			{
				Name: "cancel", Title: "Cancel", Feature: "turn/cancel.feature", Verdict: conform.CouldNotRun,
				Reason: "the adapter did not start", Duration: time.Second,
			},
			{Name: "late", Title: "Late", Feature: "late.feature", Verdict: conform.NotReached, Reason: "nothing was asked"},
		},
		Requirements: []conform.RequirementResult{
			{ID: "ACP-PERM-01", Level: "MAY", Statement: "Asks first.", Verdict: conform.Fail, Scenarios: []string{"approval/allowed", "text-turn"}, FailedIn: []string{"approval/allowed"}},
			{ID: "ACP-PERM-05", Level: "derived", Statement: "Runs once.", Verdict: conform.NotReached, Scenarios: []string{"approval/allowed", "late"}},
			{ID: "ACP-PR-01", Level: "MUST", Statement: "Answers.", Verdict: conform.Pass, Scenarios: []string{"text-turn"}},
			{ID: "MUSE-TURN-02", Level: "MUST", Statement: "Once.", Verdict: conform.CouldNotRun},
			{ID: "REQ-ESC-05", Level: "MUST", Statement: "Says so.", Verdict: conform.NotApplicable},
		},
	}
}

// known is a run in which some failures were expected, and one that was is none.
func known() conform.RunResult {
	r := sample()
	r.Scenarios, r.Requirements = r.Scenarios[:2], r.Requirements[:2]
	r.Scenarios[1].Expected, r.Requirements[0].Expected = "ACP-PERM-01: asks late, issue 12", "asks late, issue 12"
	r.Requirements[1].Expected = "approval/allowed: ACP-PERM-01: asks late, issue 12"
	r.Stale = []string{"known.txt:3: text-turn passes, which is said to fail: no model yet"}
	r.Orphans = []string{"old.golden"}
	return r
}

// banner is a run in which one mistake fails every scenario, and some of them fail otherwise too.
func banner() conform.RunResult {
	noise := func(frame int) conform.Check {
		return conform.Check{Name: "stdout carries only protocol", IDs: []string{"ACP-TRN-03"}, Message: "a line is no message",
			Place: &conform.Place{Lane: "client", Frame: frame, Offset: -1, Expected: "a message", Actual: "Hello!"}}
	}
	own := func(name string) conform.Check { return conform.Check{Name: name, Message: "it does not"} }
	s := func(name string, verdict conform.Verdict, reason string, checks ...conform.Check) conform.ScenarioResult {
		return conform.ScenarioResult{Name: name, Title: "T", Feature: "f.feature", Verdict: verdict, Reason: reason, Checks: checks, Stderr: "of " + name}
	}
	const late, broken = "there was no answer within 10s", "the script is wrong"
	var list []conform.ScenarioResult
	for i, name := range []string{"one", "two", "rows/a", "rows/b", "rows/c", "some/a", "some/b"} {
		list = append(list, s(name, conform.Fail, "stdout carries only protocol: a line is no message", noise(i+2), noise(i+20), noise(i+30)))
	}
	list = append(list,
		s("some/c", conform.Pass, ""),
		s("both", conform.Fail, "stdout carries only protocol: a line is no message", noise(2), own("the file exists")),
		s("again", conform.Fail, "the file exists: it does not", own("the file exists"), own("the turn ended")),
		s("lost", conform.CouldNotRun, broken), s("lost too", conform.CouldNotRun, broken), s("late", conform.NotReached, late))
	return conform.RunResult{Adapter: conform.AdapterInfo{Argv: []string{"a"}}, Scenarios: list, Requirements: []conform.RequirementResult{
		{ID: "ACP-TRN-03", Level: "MUST", Statement: "S.", Verdict: conform.Fail, Scenarios: []string{"one", "two", "rows/a", "rows/b", "rows/c", "some/a", "some/b", "both"}},
	}}
}

// dead is a run in which nothing could start.
func dead() conform.RunResult {
	const reason = "the program ended with exit status 1 before it answered initialize"
	r := conform.RunResult{Adapter: conform.AdapterInfo{Argv: []string{"false"}}, Problem: reason}
	for _, name := range []string{"one", "two"} {
		r.Scenarios = append(r.Scenarios, conform.ScenarioResult{Name: name, Feature: "turn/text.feature",
			Verdict: conform.CouldNotRun, Reason: reason, Stderr: "no key\n"})
	}
	r.Requirements = []conform.RequirementResult{{ID: "ACP-PR-01", Level: "MUST", Verdict: conform.CouldNotRun}}
	return r
}

// The files under testdata are the accepted reports. With REPORT_UPDATE set they are written anew.
func TestReports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		result  conform.RunResult
		format  string
		options Options
	}{
		"sample.txt":  {sample(), "pretty", Options{Flags: []string{"--env", "KEY=a b"}}},
		"sample.json": {sample(), "json", Options{}},
		"banner.txt":  {banner(), "pretty", Options{}},
		"dead.txt":    {dead(), "pretty", Options{}},
		"builtin.txt": {conform.RunResult{Scenarios: sample().Scenarios[3:4]}, "pretty", Options{BuiltIn: true, Program: "./acp-conform"}},
		"empty.txt":   {conform.RunResult{}, "pretty", Options{}},
		"sample.xml":  {sample(), "junit", Options{}},
		"dead.xml":    {dead(), "junit", Options{}},
		"known.txt":   {known(), "pretty", Options{}},
		"known.json":  {known(), "json", Options{}},
		"known.xml":   {known(), "junit", Options{}},
		"sample.list": {sample(), "known", Options{}},
		"dead.list":   {dead(), "known", Options{}},
		"empty.xml":   {conform.RunResult{}, "junit", Options{}},
		"empty.json":  {conform.RunResult{}, "json", Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := Write(&out, c.format, c.result, c.options); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name)
			if os.Getenv("REPORT_UPDATE") != "" {
				if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The members that other programs rely on, by name.
func TestJSONMembers(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]conform.RunResult{"sample": sample(), "empty": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := Write(&out, "json", r, Options{}); err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(out.Bytes(), []byte("null")) {
				t.Error("a null where a list or an object is promised")
			}
			var doc map[string]any
			if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
				t.Fatal(err)
			}
			if doc["schema"] != float64(Schema) {
				t.Errorf("schema is %v", doc["schema"])
			}
			want(t, doc["adapter"], "name", "version", "argv")
			want(t, doc["summary"], "scenarios", "requirements")
			for _, of := range []string{"scenarios", "requirements"} {
				counts := doc["summary"].(map[string]any)[of]
				want(t, counts, "pass", "fail", "not_applicable", "could_not_run", "not_reached")
				if n := len(counts.(map[string]any)); n != 5 {
					t.Errorf("summary.%s has %d members", of, n)
				}
			}
			for _, s := range doc["scenarios"].([]any) {
				want(t, s, "name", "title", "feature", "verdict", "requirements", "reason", "duration_ms", "checks", "failures")
				for _, f := range s.(map[string]any)["failures"].([]any) {
					want(t, f, "lane", "frame", "pointer", "offset", "expected", "actual", "message")
				}
			}
			for _, q := range doc["requirements"].([]any) {
				want(t, q, "id", "level", "verdict", "scenarios", "statement")
			}
		})
	}
}

func want(t *testing.T, object any, members ...string) {
	t.Helper()
	o, ok := object.(map[string]any)
	if !ok {
		t.Fatalf("%v is no object", object)
	}
	for _, m := range members {
		if _, ok := o[m]; !ok {
			t.Errorf("the member %q is missing in %v", m, o)
		}
	}
}

// JSON gives back the text that was meant, with every byte that is no UTF-8 as \xNN.
func TestJSONKeepsText(t *testing.T) {
	t.Parallel()
	r := conform.RunResult{Adapter: conform.AdapterInfo{Name: "a\x1b\x9b\u009b\u202e\U000e0041<&>\u2028\n"}}
	var out bytes.Buffer
	if err := Write(&out, "json", r, Options{}); err != nil {
		t.Fatal(err)
	}
	var m Model
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("a\x1b\\x9b\u009b\u202e\U000e0041<&>\u2028\n", m.Adapter.Name); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownFormat(t *testing.T) {
	t.Parallel()
	for name, near := range map[string]string{"jsno": "json", "Pretty": "pretty", "p": "pretty", "xml": "", "": ""} {
		err := CheckFormat(name)
		var unknown *UnknownFormatError
		if !errors.As(err, &unknown) {
			t.Fatalf("CheckFormat(%q) = %v", name, err)
		}
		if unknown.Near != near {
			t.Errorf("%q: %v; want a suggestion of %q", name, err, near)
		}
		if strings.Contains(err.Error(), "did you mean") != (near != "") {
			t.Errorf("%q: %v", name, err)
		}
		if got := Write(io.Discard, name, conform.RunResult{}, Options{}); got == nil || got.Error() != err.Error() {
			t.Errorf("Write gives %v", got)
		}
	}
	for _, name := range Formats() {
		if err := CheckFormat(name); err != nil {
			t.Error(err)
		}
	}
	if Machine("pretty") || !Machine("json") || !Machine("junit") || Machine("xml") {
		t.Error("only json and junit are for programs")
	}
}

// A verdict that is none of the five stops the report; it is not left out of the sums.
func TestUnknownVerdict(t *testing.T) {
	t.Parallel()
	for _, r := range []conform.RunResult{
		{Scenarios: []conform.ScenarioResult{{Name: "x"}}},
		{Requirements: []conform.RequirementResult{{ID: "ACP-PR-01", Verdict: "skipped"}}},
	} {
		var out bytes.Buffer
		if err := Write(&out, "json", r, Options{}); err == nil || !strings.Contains(err.Error(), "is none of") || out.Len() > 0 {
			t.Errorf("%v, and %d bytes were written", err, out.Len())
		}
	}
}

// Every verdict of the engine has its count, its words and its place in the sums.
func TestAllVerdicts(t *testing.T) {
	t.Parallel()
	for _, v := range conform.Verdicts() {
		m, err := New(conform.RunResult{Scenarios: []conform.ScenarioResult{{Verdict: v}}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if *m.Summary.Scenarios.of(v) != 1 || longVerdict(v) == string(v) && v != conform.Pass {
			t.Errorf("%s is counted as %+v and called %q", v, m.Summary.Scenarios, longVerdict(v))
		}
	}
}

// A scenario that passed and yet has a failed check is shown.
func TestFailedCheckIsShown(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := conform.RunResult{Scenarios: []conform.ScenarioResult{{Name: "odd", Verdict: conform.Pass, Checks: []conform.Check{{Name: "the check"}}}}}
	if err := Write(&out, "pretty", r, Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "- the check") {
		t.Error(out.String())
	}
}

// Only what the problem of the run explains is told once; a scenario that could not run for reasons of its own, or
// for none that anybody gave, is shown by itself.
func TestCouldNotRunIsShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ problem, reason string }{
		"no reason": {}, "own reason": {problem: "p", reason: "q"}, "own reason, no problem": {reason: "q"},
	} {
		var out bytes.Buffer
		r := conform.RunResult{Problem: c.problem, Scenarios: []conform.ScenarioResult{{Name: "odd", Verdict: conform.CouldNotRun, Reason: c.reason}}}
		if err := Write(&out, "pretty", r, Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "COULD NOT RUN: odd") {
			t.Errorf("%s:\n%s", name, out.String())
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestBrokenWriter(t *testing.T) {
	t.Parallel()
	if err := Write(broken{}, "pretty", sample(), Options{}); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Error(err)
	}
	p := Progress(broken{})
	p.Scenario(sample().Scenarios[0])
	p.Scenario(sample().Scenarios[0])
	if p.Err() == nil {
		t.Error("the error is lost")
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := Progress(&out)
	for _, s := range sample().Scenarios {
		p.Scenario(s)
	}
	p.Scenario(conform.ScenarioResult{Name: "x", Verdict: conform.Fail, Checks: []conform.Check{{Name: "a check", Message: "no\x1b\n" + strings.Repeat("o", 300)}}})
	const wantOut = `ok    text-turn (12ms)
FAIL  approval/allowed (346ms): 2 checks failed
n.a.  mode (0s): initialize advertises no modes
could not run  cancel (1s): the adapter did not start
not reached  late (0s): nothing was asked
`
	got := out.String()
	if !strings.HasPrefix(got, wantOut) {
		t.Errorf("got:\n%s\nwant:\n%s", got, wantOut)
	}
	last := strings.TrimPrefix(got, wantOut)
	if !strings.HasPrefix(last, `FAIL  x (0s): a check: no\x1b\nooo`) || !strings.HasSuffix(last, " …(113 bytes more)\n") {
		t.Errorf("last line: %q", last)
	}
	if p.Err() != nil {
		t.Error(p.Err())
	}
}

// A frame of the largest size does not end up in the report whole.
func TestLargeValues(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("ä", 1<<20)
	r := conform.RunResult{Scenarios: []conform.ScenarioResult{{Verdict: conform.Fail, Stderr: same, Checks: []conform.Check{{
		Name: "c", Message: same, Place: &conform.Place{Expected: same + "x" + same, Actual: same + "y" + same, Pointer: same}}}}}}
	for _, f := range Formats() {
		var out bytes.Buffer
		if err := Write(&out, f, r, Options{}); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 8*mostText {
			t.Errorf("%s has %d bytes", f, out.Len())
		}
		if !utf8.Valid(out.Bytes()) || strings.Contains(out.String(), `\x`) {
			t.Errorf("%s cuts a character", f)
		}
		if f == "known" {
			continue // it names what failed, and shows nothing of it
		}
		if !strings.Contains(out.String(), "äx") || !strings.Contains(out.String(), "äy") {
			t.Errorf("%s does not show the difference", f)
		}
	}
}
