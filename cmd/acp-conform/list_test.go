package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// requirementRow is an object of list --requirements --json.
type requirementRow struct {
	ID, Level, Applies, Statement, Source string
	ProvedBy                              []string `json:"proved_by"`
	Excluded                              *string
}

func listRequirements(t *testing.T, args ...string) (rows []requirementRow) {
	t.Helper()
	out := program(t, append([]string{"list", "--requirements", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out.stdout), &rows); err != nil || out.code != 0 || out.stderr != "" {
		t.Fatalf("exit %d: %v\n%s", out.code, err, out.stderr)
	}
	return rows
}

func TestListOfRequirements(t *testing.T) {
	t.Parallel()
	rows := listRequirements(t)
	plain := program(t, "list", "--requirements")
	lines := strings.Split(strings.TrimSuffix(plain.stdout, "\n"), "\n")
	if plain.code != 0 || len(lines) != len(rows) || len(rows) < 150 {
		t.Fatalf("exit %d, %d lines, %d objects", plain.code, len(lines), len(rows))
	}
	find := func(id string) requirementRow {
		i := slices.IndexFunc(rows, func(r requirementRow) bool { return r.ID == id })
		if i < 0 {
			t.Fatalf("%s is not listed", id)
		}
		return rows[i]
	}
	for i, r := range rows {
		words := strings.Fields(lines[i])
		if len(words) < 4 || words[0] != r.ID || words[1] != r.Level || words[2] != r.Applies {
			t.Errorf("line %d is %q, the object %+v", i+1, lines[i], r)
		}
		if i > 0 && rows[i-1].ID >= r.ID {
			t.Errorf("%s comes before %s", rows[i-1].ID, r.ID)
		}
		unproved := len(r.ProvedBy) == 0 && r.Excluded == nil
		if strings.Contains(lines[i], "unproved") != unproved || strings.HasSuffix(lines[i], " unproved") != unproved {
			t.Errorf("%q; without proof: %t", lines[i], unproved)
		}
		if excluded := strings.Contains(lines[i], " excluded: "); excluded != (r.Excluded != nil) || excluded && len(r.ProvedBy) > 0 {
			t.Errorf("%q; the object says %+v", lines[i], r)
		}
		if r.Statement == "" || r.Source == "" || r.ProvedBy == nil {
			t.Errorf("the object %+v lacks a member", r)
		}
	}
	for id, proof := range map[string]string{
		"REQ-APPR-21": "reference/approval.TestAppendFails",
		"REQ-ACP-11":  "approval-error/internal",
		"ACP-TRN-03":  "oracle: stdout carries only protocol",
	} {
		if r := find(id); !slices.Contains(r.ProvedBy, proof) {
			t.Errorf("%s is proved by %q, and not by %s", id, r.ProvedBy, proof)
		}
	}
	if r := find("REQ-ESC-10"); r.Excluded == nil || !strings.Contains(*r.Excluded, "the host's") {
		t.Errorf("REQ-ESC-10 is %+v", r)
	}
	// All rows of an outline are one word, and some of them are named.
	for id, want := range map[string]string{"REQ-ACP-11": " approval-error,", "REQ-ACP-12": " approval-bad-answer/null,"} {
		i := slices.IndexFunc(rows, func(r requirementRow) bool { return r.ID == id })
		if !strings.Contains(lines[i], want) {
			t.Errorf("%q lacks %q", lines[i], want)
		}
	}
}

// A selection of scenarios selects the requirements that they are tagged with.
func TestListOfSelectedRequirements(t *testing.T) {
	t.Parallel()
	ids := func(rows []requirementRow) (ids []string) {
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
	var tagged []struct{ Requirements []string }
	out := program(t, "list", "--json", "--tags", "@escalation")
	if err := json.Unmarshal([]byte(out.stdout), &tagged); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, s := range tagged {
		want = append(want, s.Requirements...)
	}
	slices.Sort(want)
	if got := ids(listRequirements(t, "--tags", "@escalation")); len(got) == 0 || !slices.Equal(slices.Compact(want), got) {
		t.Errorf("got %q, want %q", got, want)
	}
	one := ids(listRequirements(t, "--scenario", "approval-rejected"))
	if !slices.Contains(one, "REQ-ASK-04") || slices.Contains(one, "REQ-ASK-05") {
		t.Errorf("approval-rejected decides %q", one)
	}
	if out := program(t, "list", "--requirements", "--tags", "@no-such-tag"); out.code != 2 || !strings.Contains(out.stderr, "@no-such-tag") {
		t.Errorf("exit %d: %s", out.code, out.stderr)
	}
}

// What binds the reference adapter alone is marked where scenarios are listed, for people only.
func TestListMarksWhatBindsTheReference(t *testing.T) {
	t.Parallel()
	out := program(t, "list", "--scenario", "text-turn", "--scenario", "two-prompts-in-one-write")
	for _, want := range []string{" @MUSE-TURN-01*\n", " @MUSE-TURN-14 ", "\n\n* binds the reference adapter alone\n"} {
		if !strings.Contains(out.stdout, want) {
			t.Errorf("%q is not in:\n%s", want, out.stdout)
		}
	}
	if out := program(t, "list", "--scenario", "raw-reasoning"); strings.Contains(out.stdout, "*") {
		t.Errorf("something is marked in:\n%s", out.stdout)
	}
	if out := program(t, "list", "--json", "--scenario", "two-prompts-in-one-write"); strings.Contains(out.stdout, "*") {
		t.Errorf("something is marked in:\n%s", out.stdout)
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		word  string
		want  []string
		lacks string
		most  int // lines
	}{
		"Go tests":  {word: "REQ-APPR-21", want: []string{"proved by the Go tests\n    go test ./reference/approval -run '^TestAppendFails$'\n"}, lacks: "unproved"},
		"an oracle": {word: "acp-trn-03", want: []string{"decided in every scenario by the oracle\n    stdout carries only protocol\n"}},
		"the name of an oracle": {word: "Nothing runs without a grant", want: []string{
			"nothing runs without a grant (an oracle: it looks at every scenario)\n\n  requirements\n    ACP-PERM-01  An adapter that asks",
			"\n    ACP-PERM-11  ", "mutants that break one of them\n", "decide-before-answer: "}, lacks: "ACP-TRN-03"},
		"the schemas": {word: "every frame fits its schema", want: []string{"(an oracle: ", "\n    ACP-INIT-01  ", "\n    MUSE-SESS-07 "}},
		"what binds the reference": {word: "MUSE-TURN-01", want: []string{
			"binds the reference adapter)", "\n  binds no other adapter: the specification of the reference adapter decides it; ACP does not ask it of others\n"}},
		"what binds a log": {word: "REQ-AUD-01", want: []string{"\n  binds no other adapter: its audit log", "--audit-log says where it is"}},
		"what binds any":   {word: "MUSE-TURN-02", want: []string{"binds any adapter)"}, lacks: "binds no other"},
		"the marks of a scenario": {word: "two-prompts-in-one-write", want: []string{
			"(muse-adapter §3.3) *\n", "\n  * binds the reference adapter alone: "}},
		"no marks": {word: "raw-reasoning", want: []string{"(muse-adapter §7.1)\n"}, lacks: "* binds"},
		"the probe": {word: "probe", want: []string{
			"probe (no scenario: it is played by itself)\n", "\n    ACP-CAN-07 ", "oracles that judge it\n    every frame fits its schema\n", "--scenario text-turn -- "}, lacks: "neither"},
		"a sentence":  {word: `the turn ended with "end_turn"`, want: []string{"is a sentence\n\n  of the scenarios\n", "\n    text-turn\n"}, lacks: "requirements"},
		"an excluded": {word: "REQ-ESC-10", want: []string{"  excluded: what a tool gives back is the host's"}, lacks: "unproved"},
		"an outline": {word: "approval-bad-answer", want: []string{
			"approval-bad-answer has 32 rows:\n\n    approval-bad-answer/capitals ", "\n    approval-bad-answer/null ",
			"acp-conform explain approval-bad-answer/beginning\n", "\napproval-bad-answer/capitals (approval/bad-answers.feature)\n", `"ALLOW_ONCE"`,
		}, lacks: `{"optionId":"allow_once"}`, most: 150},
		"a row":      {word: "approval-bad-answer/no-outcome", want: []string{`{"optionId":"allow_once"}`}, lacks: "rows"},
		"a scenario": {word: "escalation-rejected", want: []string{"permission"}, lacks: "rows"},
		"the mutants of a scenario": {word: "approval-bad-answer/beginning", want: []string{
			"\n  mutants that prove it: each of them makes it fail\n    grant-on-prefix: Any option id that begins with \"allow\" grants.\n\n  further mutants, shown by other scenarios, that break one of its requirements: ",
			"    REQ-ACP-09   An option id that this permission did not offer never grants. (seed A40; approval-seam §2.2)\n"}, lacks: "grant-on-spaced-option: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := program(t, "explain", c.word)
			if out.code != 0 || out.stderr != "" {
				t.Fatalf("exit %d: %s", out.code, out.stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(out.stdout, want) {
					t.Errorf("%q is not in:\n%s", want, out.stdout)
				}
			}
			if c.lacks != "" && strings.Contains(out.stdout, c.lacks) {
				t.Errorf("%q is in:\n%s", c.lacks, out.stdout)
			}
			if n := strings.Count(out.stdout, "\n"); c.most > 0 && n > c.most {
				t.Errorf("%d lines, more than %d", n, c.most)
			}
		})
	}
}
