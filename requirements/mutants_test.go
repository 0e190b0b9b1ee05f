package requirements

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func registry(t testing.TB) *Registry {
	t.Helper()
	r, err := assemble([]sheet{{
		areas: []declared{{area: "ACP-PR", file: "acp.yaml", line: 1}},
		requirements: []Requirement{
			{ID: "ACP-PR-01"}, {ID: "ACP-PR-08"}, {ID: "ACP-PR-09", Excluded: "out of reach"},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheMutantsLoad(t *testing.T) {
	t.Parallel()
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	mutants, err := LoadMutants(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		if ids := m.IDs(); len(ids) == 0 || !slices.IsSorted(ids) {
			t.Errorf("%s trips %v", m.Name, ids)
		}
	}
}

const goodMutants = `mutants:
  - name: text-twice
    fault: twice
    statement: Says it twice.
    scenarios: [text-turn, muse-noise]
    silent: Nothing comes.
    trips:
      - id: ACP-PR-08
      - id: ACP-PR-01
        why: Because.
`

// mutantFiles is a folder with the text as one of three files; the others are right.
func mutantFiles(text string) fstest.MapFS {
	named := func(name string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Replace(goodMutants, "text-twice", name, 1))}
	}
	return fstest.MapFS{
		"mutants-a.yaml": named("from-a"), "mutants-b.yaml": {Data: []byte(text)}, "mutants.yaml": named("from-no-theme"),
		"turn.yaml": {Data: []byte("not read")},
	}
}

func TestGoodMutants(t *testing.T) {
	t.Parallel()
	got, err := loadMutants(mutantFiles(goodMutants), registry(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []Mutant{{Name: "text-twice", Fault: "twice", Statement: "Says it twice.", Scenarios: []string{"text-turn", "muse-noise"}, Silent: "Nothing comes.",
		Trips: []Trip{{ID: "ACP-PR-08"}, {ID: "ACP-PR-01", Why: "Because."}}, File: "mutants-b.yaml", Line: 2}}
	for i, file := range []string{"mutants-a.yaml", "mutants.yaml"} {
		m := want[0]
		m.Name, m.File = []string{"from-a", "from-no-theme"}[i], file
		want = slices.Insert(want, 2*i, m)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"ACP-PR-01", "ACP-PR-08"}, got[0].IDs()); diff != "" {
		t.Error(diff)
	}
}

func TestMutantMistakes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown id": {old: "ACP-PR-08", new: "ACP-RP-08",
			want: "mutants-b.yaml:8: the mutant text-twice trips ACP-RP-08, which is no requirement; did you mean ACP-PR-08?"},
		"excluded id":       {old: "ACP-PR-08", new: "ACP-PR-09", want: "mutants-b.yaml:8: the mutant text-twice trips ACP-PR-09, which no check decides: out of reach"},
		"twice":             {old: "ACP-PR-01", new: "ACP-PR-08", want: "mutants-b.yaml:9: the mutant text-twice trips ACP-PR-08 twice"},
		"cascade, no why":   {old: "        why: Because.\n", want: "mutants-b.yaml:9: ACP-PR-01 is a cascade and says no why"},
		"cascade, blank":    {old: "Because.", new: `" "`, want: "mutants-b.yaml:9: ACP-PR-01 is a cascade and says no why"},
		"no trips":          {old: goodMutants[strings.Index(goodMutants, "      - id"):], new: "      []\n", want: "trips is empty"},
		"no statement":      {old: "Says it twice.", new: `""`, want: "mutants-b.yaml:4: statement is empty"},
		"name with capital": {old: "text-twice", new: "Text-twice", want: "mutants-b.yaml:2: name is"},
		"fault with blank":  {old: "fault: twice", new: "fault: a b", want: "mutants-b.yaml:3: fault is"},
		"no scenarios":      {old: "[text-turn, muse-noise]", new: "[]", want: "mutants-b.yaml:5: scenarios is empty"},
		"same scenario":     {old: "muse-noise]", new: "text-turn]", want: "mutants-b.yaml:5: the mutant text-twice names the scenario text-turn twice"},
		"scenario, blank":   {old: "muse-noise]", new: `" "]`, want: `mutants-b.yaml:5: the mutant text-twice names the scenario " "`},
		"silent, no stop":   {old: "Nothing comes.", new: "Nothing comes", want: "mutants-b.yaml:6: silent"},
		"in two files": {old: "name: text-twice", new: "name: from-a",
			want: "mutants-b.yaml:2: the mutant from-a is already given in mutants-a.yaml, line 2"},
		"unknown key": {old: "why:", new: "wy:", want: `did you mean why?`},
		"same name":   {old: goodMutants, new: goodMutants + strings.TrimPrefix(goodMutants, "mutants:\n"), want: "mutants-b.yaml:11: the mutant text-twice is already given in mutants-b.yaml, line 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(goodMutants, c.old, c.new, 1)
			_, err := loadMutants(mutantFiles(text), registry(t))
			if err == nil {
				t.Fatal("the mistake was accepted")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got:\n%v\nwant in it:\n%s", err, c.want)
			}
		})
	}
}
