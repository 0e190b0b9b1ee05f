package suite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTheGoTestsExist: each Go test that the registry names as a proof is a function of its package.
func TestTheGoTestsExist(t *testing.T) {
	t.Parallel()
	known := map[string][]string{}
	for _, q := range load(t).Registry.All() {
		for _, test := range q.Tests {
			folder, name, _ := strings.Cut(test, ".")
			if known[folder] == nil {
				known[folder] = goTests(t, folder)
			}
			if !slices.Contains(known[folder], name) {
				t.Errorf("requirements/%s:%d: %s is proved by %s, which is no test of that folder", q.File, q.Line, q.ID, test)
			}
		}
	}
}

// goTests lists the tests and the fuzz tests of a folder, by their form: a function with the right name that takes
// nothing but a *testing.T or a *testing.F.
func goTests(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && len(f.Type.Params.List) == 1 {
				if takes := fmt.Sprint(kindOf(f.Type.Params.List[0].Type)); strings.HasPrefix(f.Name.Name, "Test") && takes == "T" ||
					strings.HasPrefix(f.Name.Name, "Fuzz") && takes == "F" {
					names = append(names, f.Name.Name)
				}
			}
		}
	}
	return names
}

// kindOf is the T of *testing.T; empty for any other type.
func kindOf(e ast.Expr) string {
	star, ok := e.(*ast.StarExpr)
	if !ok {
		return ""
	}
	if sel, ok := star.X.(*ast.SelectorExpr); ok && fmt.Sprint(sel.X) == "testing" {
		return sel.Sel.Name
	}
	return ""
}

// TestTheWholeSeamIsListed: every numbered statement of the approval seam's specification has its entry, no more and
// no less.
func TestTheWholeSeamIsListed(t *testing.T) {
	t.Parallel()
	s := load(t)
	last := map[string]int{
		"REQ-APPR": 31, "REQ-ACP": 19, "REQ-ASK": 13, "REQ-HOOK": 4, "REQ-ESC": 11, "REQ-POL": 15, "REQ-AUD": 6, "REQ-SNAP": 17,
	}
	var want, got []string
	for _, area := range slices.Sorted(maps.Keys(last)) {
		for n := 1; n <= last[area]; n++ {
			if id := fmt.Sprintf("%s-%02d", area, n); id != "REQ-SNAP-09" { // a number that the specification skips
				want = append(want, id)
			}
		}
	}
	for _, q := range s.Registry.All() {
		if strings.HasPrefix(q.ID, "REQ-") {
			got = append(got, q.ID)
		}
	}
	slices.Sort(want)
	for _, id := range want {
		if !slices.Contains(got, id) {
			t.Errorf("%s has no entry", id)
		}
	}
	for _, id := range got {
		if !slices.Contains(want, id) {
			t.Errorf("the specification has no %s", id)
		}
	}
}

// TestEveryStatementOfTheSeedIsProved: each row of the first seed's statements, A1 to A63, is the source of a
// requirement that something proves.
func TestEveryStatementOfTheSeedIsProved(t *testing.T) {
	t.Parallel()
	const rows = 63
	s := load(t)
	row := regexp.MustCompile(`\bA([1-9][0-9]*)\b`)
	named := map[int]bool{}
	for _, q := range s.Registry.All() {
		_, wanted := wanting()[q.ID]
		for _, m := range row.FindAllStringSubmatch(q.Source, -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil || n > rows {
				t.Errorf("requirements/%s:%d: there is no row %s", q.File, q.Line, m[0])
			}
			if q.Excluded == "" && (wanted || s.Proof(q).Suffices(q.Applies)) {
				named[n] = true
			}
		}
	}
	for n := 1; n <= rows; n++ {
		if !named[n] {
			t.Errorf("no requirement that is proved has the row A%d as its source", n)
		}
	}
}
