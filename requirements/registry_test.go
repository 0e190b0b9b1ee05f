package requirements

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestTheRegistryLoads(t *testing.T) {
	t.Parallel()
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	all := r.All()
	if len(all) == 0 {
		t.Fatal("the registry is empty")
	}
	for i, q := range all {
		if i > 0 && all[i-1].ID >= q.ID {
			t.Errorf("%s comes before %s", all[i-1].ID, q.ID)
		}
		if got, ok := r.Lookup(q.ID); !ok || !cmp.Equal(got, q) {
			t.Errorf("Lookup(%s) = %v, %v", q.ID, got, ok)
		}
		if !strings.HasPrefix(q.ID, q.Area()+"-") {
			t.Errorf("the area of %s is %s", q.ID, q.Area())
		}
	}
}

// All gives a copy: nobody can change the registry through it.
func TestAllIsACopy(t *testing.T) {
	t.Parallel()
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	first := r.All()[0]
	r.All()[0].Statement = "changed"
	if diff := cmp.Diff(first, r.All()[0]); diff != "" {
		t.Error(diff)
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"REQ-APPR-07": true, "MUSE-PLAN-03": true, "ACP-PERM-08": true,
		"": false, "REQ": false, "REQ-07": false, "REQ-APPR-7": false, "REQ-APPR-007": false, "REQ--07": false,
		"req-APPR-07": false, "REQ-appr-07": false, "REQ-A2A-07": false, "REQ-APPR-0x": false, "MSP-TRN-01": false,
		"@REQ-APPR-07": false, "REQ-APPR-07 ": false, "REQ-APPR-X-07": false, "REQ-APPR-٠٧": false,
	} {
		if got := IsID(id); got != want {
			t.Errorf("IsID(%q) = %v", id, got)
		}
	}
}

func TestGoTestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"reference/approval.TestChain": true, "cmd/acp-conform.TestRun2": true, "wire.FuzzParse": true,
		"": false, "TestChain": false, ".TestChain": false, "wire.Test": false, "wire.Testing": false, "wire.BenchmarkX": false,
		"/wire.TestX": false, "wire/.TestX": false, "wire.TestX/case": false, "wire.TestX ": false, "../wire.TestX": false,
	} {
		if got := IsGoTest(name); got != want {
			t.Errorf("IsGoTest(%q) = %v", name, got)
		}
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for meant, want := range map[string]string{
		"REQ-ACPP-16": "REQ-ACP-16", "@REQ-ESC-4": "REQ-ESC-04", "acp-trn-14": "ACP-TRN-14", "ACP-PREM-05": "ACP-PERM-05",
		"nothing like it": "", "": "",
	} {
		if got := r.Suggest(meant); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", meant, got, want)
		}
	}
}

// good is a file without a mistake; each case of TestMistakes spoils one thing in it.
const good = `areas: [REQ-APPR, REQ-ASK]
requirements:
  - id: REQ-APPR-01
    level: MUST
    applies: any
    statement: One.
    source: seed A1; approval-seam §1
    gate: ""
  - id: REQ-ASK-02
    level: derived
    applies: reference
    statement: >-
      Two, in
      two lines.
    source: "approval-seam §3"
    gate: loadSession
    excluded: nothing shows it at the wire
  - id: REQ-ASK-03
    level: MAY
    applies: reference
    statement: Three.
    source: approval-seam §3
    tests: [reference/approval.TestChain, cmd/acp-conform.FuzzX]
`

func TestGoodFile(t *testing.T) {
	t.Parallel()
	r, err := load(fstest.MapFS{"approval.yaml": {Data: []byte(good)}, "mutants-turn.yaml": {Data: []byte("not read")}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Requirement{
		{ID: "REQ-APPR-01", Level: Must, Applies: Any, Statement: "One.", Source: "seed A1; approval-seam §1",
			File: "approval.yaml", Line: 3},
		{ID: "REQ-ASK-02", Level: Derived, Applies: Reference, Statement: "Two, in two lines.", Source: "approval-seam §3",
			Gate: "loadSession", Excluded: "nothing shows it at the wire", File: "approval.yaml", Line: 9},
		{ID: "REQ-ASK-03", Level: May, Applies: Reference, Statement: "Three.", Source: "approval-seam §3",
			Tests: []string{"reference/approval.TestChain", "cmd/acp-conform.FuzzX"}, File: "approval.yaml", Line: 18},
	}
	if diff := cmp.Diff(want, r.All()); diff != "" {
		t.Error(diff)
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	const other = "areas: [ACP-TRN]\nrequirements:\n  - {id: ACP-TRN-01, level: MUST, applies: any, statement: S., source: s}\n"
	for name, c := range map[string]struct {
		old, new string // replaced in good
		acp      string // the second file; other when empty
		want     string // part of the error
	}{
		"unknown key": {old: "    source: seed", new: "    sorce: seed",
			want: `approval.yaml:7: a requirement has no member "sorce"; it has id, level, applies, statement, source, gate, tests, excluded; did you mean source?`},
		"no test":           {old: "cmd/acp-conform.FuzzX", new: "approval.testX", want: `approval.yaml:23: "approval.testX" is no Go test; one looks like reference/approval.TestChain`},
		"test twice":        {old: "cmd/acp-conform.FuzzX", new: "reference/approval.TestChain", want: `approval.yaml:23: the test reference/approval.TestChain is named twice`},
		"no tests":          {old: "[reference/approval.TestChain, cmd/acp-conform.FuzzX]", new: "[]", want: `approval.yaml:23: tests is empty`},
		"tests, excluded":   {old: "cmd/acp-conform.FuzzX]", new: "a.TestX]\n    excluded: e", want: `approval.yaml:24: REQ-ASK-03 is excluded, but names tests that prove it`},
		"missing key":       {old: "    level: MUST\n", want: `approval.yaml:3: a requirement lacks its member "level"`},
		"bad level":         {old: "MUST", new: "MUTS", want: `approval.yaml:4: level is "MUTS", but must be one of MUST, SHOULD, MAY, derived; did you mean MUST?`},
		"level in capitals": {old: "derived", new: "DERIVED", want: `approval.yaml:10: level is "DERIVED", but must be one of MUST, SHOULD, MAY, derived; did you mean derived?`},
		"bad applies":       {old: "applies: any", new: "applies: all", want: `approval.yaml:5: applies is "all"`},
		"duplicate id":      {old: "REQ-ASK-02", new: "REQ-APPR-01", want: "approval.yaml:9: the id REQ-APPR-01 is already given in approval.yaml, line 3"},
		"malformed id": {old: "REQ-APPR-01", new: "req_appr_1",
			want: `approval.yaml:3: "req_appr_1" is no requirement id; an id looks like REQ-APPR-07, MUSE-PLAN-03 or ACP-PERM-08; did you mean REQ-APPR-01?`},
		"hopeless id":     {old: "REQ-APPR-01", new: "one", want: "or ACP-PERM-08"},
		"wrong file":      {old: "REQ-ASK-02", new: "ACP-TRN-02", want: "approval.yaml:9: ACP-TRN-02 belongs in acp.yaml, which owns the area ACP-TRN"},
		"no owner":        {old: "REQ-ASK-02", new: "REQ-AKS-02", want: "approval.yaml:9: no file owns the area REQ-AKS of REQ-AKS-02; this one owns REQ-APPR, REQ-ASK; did you mean REQ-ASK?"},
		"area twice":      {old: "REQ-ASK]", new: "REQ-ASK, ACP-TRN]", want: "the area ACP-TRN is already owned by acp.yaml, line 1"},
		"no area":         {old: "REQ-ASK]", new: "ASK]", want: `approval.yaml:1: "ASK" is no area`},
		"empty statement": {old: "One.", new: `"  "`, want: "approval.yaml:6: statement is empty"},
		"no statement":    {old: " One.", want: "approval.yaml:6: statement has no value"},
		"no sentence":     {old: "One.", new: "One", want: "approval.yaml:6: statement is no sentence"},
		"lines":           {old: ">-\n", new: "|\n", want: "approval.yaml:12: statement has line ends"},
		"empty excluded":  {old: "nothing shows it at the wire", new: `""`, want: "approval.yaml:17: excluded is empty"},
		"number":          {old: "seed A1; approval-seam §1", new: "7", want: "approval.yaml:7: source is a number, but must be text"},
		"empty gate":      {old: ` ""`, want: "approval.yaml:8: gate has no value"},
		"anchor":          {old: "One.", new: "&a One.", want: "is an anchor, alias or tag"},
		"key twice":       {old: "    gate: \"\"\n", new: "    source: again\n", want: `source`},
		"no list":         {old: "areas: [REQ-APPR, REQ-ASK]", new: "areas: REQ-APPR", want: "approval.yaml:1: areas is text, but must be a list"},
		"empty list":      {old: "areas: [REQ-APPR, REQ-ASK]", new: "areas: []", want: "approval.yaml:1: areas is empty"},
		"not a mapping":   {old: "  - id: REQ-ASK-02\n", new: "  - text\n  - id: REQ-ASK-02\n", want: "approval.yaml:9: a requirement is text, but must be a mapping"},
		"unknown member":  {old: "areas:", new: "area:", want: `approval.yaml:1: the file has no member "area"; it has areas, requirements; did you mean areas?`},
		"no YAML":         {old: "areas: [REQ-APPR, REQ-ASK]", new: "areas: [REQ-APPR", want: "approval.yaml:"},
		"empty file":      {old: good, want: "approval.yaml: the file holds 0 documents"},
		"two documents":   {old: "areas:", new: "a: b\n---\nareas:", want: "the file holds 2 documents"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatal("the case spoils nothing")
			}
			_, err := load(fstest.MapFS{"approval.yaml": {Data: []byte(text)}, "acp.yaml": {Data: []byte(other)}})
			if err == nil {
				t.Fatal("the mistake was accepted")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got:\n%v\nwant in it:\n%s", err, c.want)
			}
			var p *Problem
			if !errors.As(err, &p) {
				t.Errorf("the error carries no *Problem: %v", err)
			}
		})
	}
}

// All mistakes are reported at once, so that a long file is not repaired one run at a time.
func TestAllMistakesAtOnce(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("MUST", "must", "reference", "nobody", "One.", "One").Replace(good)
	_, err := load(fstest.MapFS{"approval.yaml": {Data: []byte(text)}})
	if err == nil {
		t.Fatal("the mistakes were accepted")
	}
	for _, want := range []string{"yaml:4:", "yaml:6:", "yaml:11:"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in:\n%v", want, err)
		}
	}
}

func TestNoFiles(t *testing.T) {
	t.Parallel()
	if _, err := load(fstest.MapFS{}); err == nil {
		t.Error("an empty folder was accepted")
	}
}

// FuzzDecode: whatever the bytes are, decoding ends, and what it accepts keeps the promises of the package.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(good))
	for _, name := range builtIn(f) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("areas: &a [*a]\nrequirements: [*a]\n"))
	f.Add([]byte("areas: [ACP-TRN]\nrequirements:\n  - ? id\n    : x\n  - <<: {}\n  - !!str x\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := decodeSheet("fuzz.yaml", text)
		if err != nil {
			return
		}
		for _, q := range s.requirements {
			if !IsID(q.ID) || q.Level == "" || q.Applies == "" || q.Statement == "" || q.Source == "" || q.Line < 1 {
				t.Errorf("accepted %+v", q)
			}
		}
	})
}

func builtIn(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no YAML files: %v", err)
	}
	return names
}
