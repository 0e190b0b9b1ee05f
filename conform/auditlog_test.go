package conform

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// auditText writes events as the lines of a log.
func auditText(events ...string) string {
	var b strings.Builder
	for i, e := range events {
		kind, data, _ := strings.Cut(e, " ")
		if data == "" {
			data = "{}"
		}
		b.WriteString(`{"type":"` + kind + `","seq":` + string(rune('0'+i)) + `,"time":"2026-01-01T00:00:00Z","data":` + data + "}\n")
	}
	return b.String()
}

const (
	call1    = `tool/call {"callId":"c1","tool":"bash"}`
	result1  = `tool/result {"callId":"c1","status":"completed"}`
	asked1   = `approval/asked {"id":"a1","toolName":"bash","callId":"c1"}`
	decided1 = `approval/decided {"id":"a1","outcome":"rejected"}`
	asked2   = `approval/asked {"id":"a2","toolName":"bash","callId":"c1"}`
	granted2 = `approval/decided {"id":"a2","outcome":"allowed-once"}`
	granted1 = `approval/decided {"id":"a1","outcome":"allowed-once"}`
)

// auditCase is a log, what the client was asked beside it, and what is wrong: requirement and line.
type auditCase struct {
	events []string
	wire   []Question
	want   []string
	// approved are calls that the user approved in advance, ran those that ran by the client's decision.
	approved, ran []string
}

func auditCases() map[string]auditCase {
	wire := func(session int, call string, granted bool) Question {
		return Question{Session: session, Call: call, HostCall: call, Answered: true, Granted: granted}
	}
	return map[string]auditCase{
		"a pair in its place":         {events: []string{"turn/start", call1, asked1, decided1, result1, "turn/end"}, wire: []Question{wire(1, "c1", false)}, want: nil},
		"a grant of the client":       {events: []string{"turn/start", call1, asked1, granted1, result1, "turn/end"}, wire: []Question{wire(1, "c1", true)}, want: nil},
		"decided without the client":  {events: []string{"turn/start", call1, asked1, granted1, result1, "turn/end"}, wire: nil, want: []string{"REQ-AUD-02:0"}},
		"approved in advance":         {events: []string{"turn/start", call1, asked1, granted1, result1, "turn/end"}, approved: []string{"c1"}},
		"a grant that is not told":    {events: []string{"turn/start", call1, asked1, decided1, result1, "turn/end"}, wire: []Question{wire(1, "c1", true)}, want: []string{"REQ-AUD-02:0"}, ran: []string{"c1"}},
		"a question without a call":   {events: []string{"turn/start", `approval/asked {"id":"a1","toolName":"bash"}`, decided1, "turn/end"}, wire: nil, want: nil},
		"pairs that cross":            {events: []string{"turn/start", call1, asked1, `approval/asked {"id":"a2","toolName":"bash","callId":"c1"}`, decided1, `approval/decided {"id":"a2","outcome":"unavailable"}`, result1, "turn/end"}, wire: nil, want: nil},
		"no decision":                 {events: []string{"turn/start", call1, asked1, result1, "turn/end"}, wire: nil, want: []string{"REQ-AUD-01:4", "REQ-AUD-01:5", "REQ-APPR-04:3"}},
		"two decisions":               {events: []string{"turn/start", call1, asked1, decided1, decided1, result1, "turn/end"}, wire: nil, want: []string{"REQ-APPR-04:5"}},
		"a decision first":            {events: []string{"turn/start", call1, decided1, asked1, result1}, wire: nil, want: []string{"REQ-APPR-04:3", "REQ-AUD-01:5", "REQ-APPR-04:4", "REQ-AUD-01:0"}},
		"an id used again":            {events: []string{"turn/start", call1, asked1, decided1, asked1, decided1, result1, "turn/end"}, wire: nil, want: []string{"REQ-APPR-02:5"}},
		"a decision behind the call":  {events: []string{"turn/start", call1, asked1, result1, decided1, "turn/end"}, wire: nil, want: []string{"REQ-AUD-01:4"}},
		"a question before its call":  {events: []string{"turn/start", asked1, call1, decided1, result1, "turn/end"}, wire: nil, want: []string{"REQ-AUD-01:2"}},
		"no turn":                     {events: []string{call1, asked1, decided1, result1}, wire: nil, want: []string{"REQ-AUD-01:2"}},
		"over two turns":              {events: []string{"turn/start", call1, asked1, "turn/end", "turn/start", decided1, result1, "turn/end"}, wire: nil, want: []string{"REQ-AUD-01:4", "REQ-AUD-01:4", "REQ-AUD-01:5"}},
		"no result":                   {events: []string{"turn/start", call1, asked1, decided1, "turn/end"}, want: []string{"REQ-AUD-01:5"}},
		"no result before the next":   {events: []string{"turn/start", call1, asked1, decided1, "turn/start", "turn/end"}, want: []string{"REQ-AUD-01:5", "REQ-AUD-01:5"}},
		"no result to the end":        {events: []string{"turn/start", call1, asked1, decided1}, want: []string{"REQ-AUD-01:0", "REQ-AUD-01:0"}},
		"no end of the turn":          {events: []string{"turn/start", call1, asked1, decided1, result1}, want: []string{"REQ-AUD-01:0"}},
		"no end, nobody was asked":    {events: []string{"turn/start", call1, result1}},
		"no end before the next":      {events: []string{"turn/start", call1, asked1, decided1, result1, "turn/start", "turn/end"}, want: []string{"REQ-AUD-01:6"}},
		"an end without a turn":       {events: []string{"turn/start", call1, asked1, decided1, result1, "turn/end", "turn/end"}, want: []string{"REQ-AUD-01:7"}},
		"a call that begins again":    {events: []string{"turn/start", call1, asked1, decided1, call1, result1, "turn/end"}, want: []string{"REQ-AUD-01:5"}},
		"a reason that is null":       {events: []string{"turn/start", call1, `approval/asked {"id":"a1","toolName":"bash","callId":"c1","reason":null}`, decided1, result1, "turn/end"}, want: []string{"REQ-APPR-03:3"}},
		"the grant of another part":   {events: []string{"turn/start", call1, asked1, decided1, asked2, granted2, result1, "turn/end"}, wire: []Question{wire(1, "c1", true), wire(1, "c1", false)}, want: []string{"REQ-AUD-02:0"}},
		"each part as it was":         {events: []string{"turn/start", call1, asked1, granted1, asked2, `approval/decided {"id":"a2","outcome":"cancelled"}`, result1, "turn/end"}, wire: []Question{wire(1, "c1", true), wire(1, "c1", true)}},
		"a part without the client":   {events: []string{"turn/start", call1, asked1, decided1, asked2, granted2, result1, "turn/end"}, wire: []Question{wire(1, "c1", true)}},
		"no result, nobody was asked": {events: []string{"turn/start", call1, "turn/end"}},
		"no result of its namesake":   {events: []string{"turn/start", call1, asked1, decided1, result1, "turn/end", "turn/start", call1, "turn/end"}},
		"an unknown outcome":          {events: []string{"turn/start", call1, asked1, `approval/decided {"id":"a1","outcome":"ALLOWED-ONCE"}`, result1, "turn/end"}, wire: nil, want: []string{"REQ-APPR-16:4"}},
		"no tool":                     {events: []string{"turn/start", call1, `approval/asked {"id":"a1","toolName":"","callId":"c1"}`, result1, "turn/end"}, wire: nil, want: []string{"REQ-APPR-03:3"}},
		"data of another kind":        {events: []string{"turn/start", call1, `approval/asked []`, result1, "turn/end"}, wire: nil, want: []string{"REQ-APPR-03:3"}},
		"a question that is not told": {events: []string{"turn/start", call1, result1, "turn/end"}, wire: []Question{wire(1, "c1", false)}, want: []string{"REQ-APPR-03:0"}},
		"a grant nobody gave":         {events: []string{"turn/start", call1, asked1, granted1, result1, "turn/end"}, wire: []Question{wire(1, "c1", false)}, want: []string{"REQ-AUD-02:0"}},
		"a stranger's call":           {events: []string{"turn/start", call1, asked1, decided1, result1, "turn/end"}, wire: []Question{wire(2, "c1", false)}, want: []string{"REQ-AUD-02:3"}},
	}
}

func TestAuditWalk(t *testing.T) {
	t.Parallel()
	for name, tt := range auditCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries, problem := parseAudit([]byte(auditText(tt.events...)))
			if problem != "" {
				t.Fatal(problem)
			}
			w := auditWalk{log: AuditLog{File: "x.jsonl", Entries: entries}, session: 1, seen: map[string]int{}, everyone: tt.wire,
				approved: func(call string) bool { return slices.Contains(tt.approved, call) }, ran: func(call string) bool { return slices.Contains(tt.ran, call) }}
			w.walk()
			var got []string
			for _, f := range w.bad {
				got = append(got, f.ids[0]+":"+string(rune('0'+f.place.Line)))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseAudit(t *testing.T) {
	t.Parallel()
	good := auditText("turn/start", "turn/end")
	for name, tt := range map[string]struct {
		text    string
		entries int
		problem string
	}{
		"whole":            {good, 2, ""},
		"empty":            {"", 0, ""},
		"torn":             {good + `{"type":"turn/st`, 2, ""},
		"no LF":            {strings.TrimSuffix(good, "\n"), 1, ""},
		"no JSON":          {good + "what\n", 2, "line 3 is no event"},
		"no type":          {good + "{}\n", 2, "line 3 is no event"},
		"a line left out":  {auditText("turn/start") + strings.Replace(auditText("turn/end"), `"seq":0`, `"seq":2`, 1), 1, "line 2 has the seq 2 and should have 1"},
		"lines without it": {`{"type":"a"}` + "\n" + `{"type":"b"}` + "\n", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entries, problem := parseAudit([]byte(tt.text))
			if len(entries) != tt.entries || !strings.HasPrefix(problem, tt.problem) || (problem == "") != (tt.problem == "") {
				t.Errorf("%d entries and %q, want %d and %q", len(entries), problem, tt.entries, tt.problem)
			}
		})
	}
}

func FuzzParseAudit(f *testing.F) {
	f.Add([]byte(auditText("turn/start", call1, asked1, granted1, result1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, _ := parseAudit(data)
		w := auditWalk{log: AuditLog{Entries: entries}, session: 1, seen: map[string]int{}, approved: func(string) bool { return true }, ran: func(string) bool { return false }}
		w.walk()
		if slices.ContainsFunc(entries, func(e AuditEntry) bool { return e.Type == "" }) {
			t.Error("an event without a type")
		}
	})
}

// TestReadAudit: the id of a session and the files come from the adapter, which may lie.
func TestReadAudit(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	data := filepath.Join(root, "data")
	write := func(name, text string) {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("secret.jsonl", auditText("turn/start"))
	write("data/x/s1.jsonl", auditText("turn/start"))
	write("data/x/a*b.jsonl", auditText("turn/end"))
	write("data/x/a-b.jsonl", auditText("turn/start"))
	write("data/y/twice-s1.jsonl", "")
	write("data/y/again-s1.jsonl", "")
	write("data/x/huge.jsonl", strings.Repeat("x", longestAudit+1))
	if err := os.Symlink(filepath.Join(root, "secret.jsonl"), filepath.Join(data, "x", "link.jsonl")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink(root, filepath.Join(data, "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(data, "x", "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		pattern, session string
		want             string // the type of the first event
		problem          string
	}{
		"there":              {"x/{session}.jsonl", "s1", "turn/start", ""},
		"in any folder":      {"*/{session}.jsonl", "s1", "turn/start", ""},
		"a star in the id":   {"x/{session}.jsonl", "a*b", "turn/end", ""},
		"not there":          {"x/{session}.jsonl", "s2", "", "no file is at x/s2.jsonl"},
		"two":                {"y/*-{session}.jsonl", "s1", "", "2 files are at y/*-s1.jsonl"},
		"an id that climbs":  {"x/{session}.jsonl", "../../secret", "", `the session's id "../../secret" cannot be`},
		"a link":             {"x/{session}.jsonl", "link", "", "x/link.jsonl is no plain file"},
		"a folder of a link": {"out/{session}.jsonl", "secret", "", "out/secret.jsonl is no plain file"},
		"a folder":           {"x/{session}.jsonl", "folder", "", "x/folder.jsonl is no plain file"},
		"too long":           {"x/{session}.jsonl", "huge", "", "x/huge.jsonl has more than"},
	} {
		t.Run(name, func(t *testing.T) {
			log := readAudit(data, tt.pattern, tt.session)
			first := ""
			if len(log.Entries) > 0 {
				first = log.Entries[0].Type
			}
			if first != tt.want || !strings.HasPrefix(log.Problem, tt.problem) || (log.Problem == "") != (tt.problem == "") {
				t.Errorf("got %q and the problem %q, want %q and %q", first, log.Problem, tt.want, tt.problem)
			}
		})
	}
}

func TestCheckAuditPattern(t *testing.T) {
	t.Parallel()
	for pattern, bad := range map[string]bool{
		"a/{session}.jsonl": false, "{session}": false, "*/x-{session}*": false,
		"a/log.jsonl": true, "/a/{session}": true, "../{session}": true, "a/../../{session}": true, "[{session}": true, "": true,
	} {
		if err := CheckAuditPattern(pattern); (err != nil) != bad {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}
