package runner

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"acp-conform/conform"
	"acp-conform/requirements"
)

func registry(t *testing.T) *requirements.Registry {
	t.Helper()
	r, err := requirements.Load()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func featureFS(text string) fstest.MapFS {
	return fstest.MapFS{"area/a.feature": {Data: []byte(text)}}
}

const goodFeature = `@area
Feature: A

  @scenario:one @ACP-PR-01 @ACP-PR-01 @slow
  Scenario: One
    Given a thing
    When another

  Rule: inside

    @scenario:rows
    Scenario Outline: Rows: <case>
      Given a <case>

      @ACP-PR-05
      Examples:
        | x | case  |
        | 1 | first |

      @ACP-PR-08
      Examples:
        | case   |
        | second |
`

func TestPlan(t *testing.T) {
	t.Parallel()
	p, err := NewPlan(featureFS(goodFeature), registry(t))
	if err != nil {
		t.Fatal(err)
	}
	const file = "area/a.feature"
	want := []Planned{
		{Names: conform.Names{Name: "one", Title: "One", Feature: file, Tags: []string{"@area", "@scenario:one", "@ACP-PR-01", "@ACP-PR-01", "@slow"}, Requirements: []string{"ACP-PR-01"}},
			Sentences: []string{"Given a thing", "When another"}, File: file, Line: 5, at: file + ":5"},
		{Names: conform.Names{Name: "rows/first", Title: "Rows: first", Feature: file, Tags: []string{"@area", "@scenario:rows", "@ACP-PR-05"}, Requirements: []string{"ACP-PR-05"}},
			Sentences: []string{"Given a first"}, File: file, Line: 18, at: file + ":12"},
		{Names: conform.Names{Name: "rows/second", Title: "Rows: second", Feature: file, Tags: []string{"@area", "@scenario:rows", "@ACP-PR-08"}, Requirements: []string{"ACP-PR-08"}},
			Sentences: []string{"Given a second"}, File: file, Line: 23, at: file + ":12"},
	}
	if diff := cmp.Diff(want, p.Scenarios, cmp.AllowUnexported(Planned{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"one", "rows/first", "rows/second"}, p.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestPlanErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, feature, want string }{
		{"no folder tag", "Feature: f\n  Scenario: One\n    Given a\n", `area/a.feature:2: the scenario "One" has no tag @scenario:<folder>`},
		{"no steps", "Feature: f\n  @scenario:a\n  Scenario: One\n", `area/a.feature:3: the scenario "One" has no steps`},
		{"no steps inside a rule", "Feature: f\n  Rule: r\n    @scenario:a\n    Scenario: One\n", `area/a.feature:4: the scenario "One" has no steps`},
		{"an outline with an empty table", "Feature: f\n  @scenario:b\n  Scenario: b\n    Given a\n  @scenario:a\n  Scenario Outline: One\n    Given a <case>\n    Examples:\n      | case |\n", `area/a.feature:6: the outline "One" has no rows`},
		{"nothing but an outline with an empty table", "Feature: f\n  @scenario:a\n  Scenario Outline: One\n    Given a <case>\n    Examples:\n      | case |\n", `area/a.feature: the file holds no scenario`},
		{"an outline without a table", "Feature: f\n  @scenario:a\n  Scenario Outline: One\n    Given a <case>\n", `area/a.feature:3: the outline "One" has no rows`},
		{"a table of nothing", "Feature: f\n  @scenario:a\n  Scenario Outline: One\n    Given a\n    Examples:\n", `area/a.feature: the file holds no scenario`},
		{"no column case", "Feature: f\n  @scenario:a\n  Scenario Outline: One\n    Given a <x>\n    Examples:\n      | x |\n      | 1 |\n", `area/a.feature:7: the outline has no column "case" that names its rows`},
		{"a row without a name", "Feature: f\n  @scenario:a\n  Scenario Outline: One\n    Given a <x>\n    Examples:\n      | case | x |\n      |      | 1 |\n", `area/a.feature:7: "" is no name of a row`},
		{"a name used twice", "Feature: f\n  @scenario:a\n  Scenario: One\n    Given a\n  @scenario:a\n  Scenario: Two\n    Given a\n", `area/a.feature:6: the scenario name "a" is used in area/a.feature:3 already`},
		{"a row named twice", "Feature: f\n  @scenario:a\n  Scenario Outline: One\n    Given a <case>\n    Examples:\n      | case |\n      | x |\n      | x |\n", `area/a.feature:8: the scenario name "a/x" is used in area/a.feature:7 already`},
		{"an unknown requirement", "Feature: f\n  @scenario:a @ACP-PR-99\n  Scenario: One\n    Given a\n", `area/a.feature:3: the tag @ACP-PR-99 names no requirement; did you mean @ACP-PR-`},
		{"a requirement like no other", "Feature: f\n  @scenario:a @REQ-ZZZZZZZZZ-77\n  Scenario: One\n    Given a\n", `area/a.feature:3: the tag @REQ-ZZZZZZZZZ-77 names no requirement`},
		{"no Gherkin", "Scenario: One\n  Given a\n", "reading the feature files: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := NewPlan(featureFS(tt.feature), registry(t))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got the error:\n%v\nwant one that begins with:\n%s", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "did you mean @?") {
				t.Errorf("the error suggests nothing: %v", err)
			}
		})
	}
}

// All problems are told at once.
func TestAllPlanErrorsAtOnce(t *testing.T) {
	t.Parallel()
	_, err := NewPlan(fstest.MapFS{
		"a.feature": {Data: []byte("Feature: f\n  Scenario: One\n    Given a\n")},
		"b.feature": {Data: []byte("Feature: f\n  Scenario: Two\n    Given a\n")},
		"c.txt":     {Data: []byte("no feature")},
	}, registry(t))
	if err == nil || !strings.Contains(err.Error(), "a.feature:2") || !strings.Contains(err.Error(), "b.feature:2") {
		t.Errorf("got the error %v", err)
	}
}

// A file of which nothing can be played is an error: it was written for something.
func TestEmptyFeatures(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing\n", "Feature: f\n"} {
		_, err := NewPlan(featureFS(text), registry(t))
		if err == nil || err.Error() != "area/a.feature: the file holds no scenario, or only outlines without rows" {
			t.Errorf("%q gave the error %v", text, err)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	p, err := NewPlan(featureFS(goodFeature), registry(t))
	if err != nil {
		t.Fatal(err)
	}
	const one, rows = "one", "rows/first rows/second"
	tests := []struct {
		tags, names []string
		want        string // names, or the beginning of the error
		fails       bool
	}{
		{nil, nil, one + " " + rows, false},
		{[]string{"@area"}, nil, one + " " + rows, false},
		{[]string{"@slow"}, nil, one, false},
		{[]string{"not @slow"}, nil, rows, false},
		{[]string{"@ACP-PR-05 or @slow"}, nil, "one rows/first", false},
		{[]string{"@area and not (@ACP-PR-05 or @slow)"}, nil, "rows/second", false},
		{[]string{"@area", "@slow"}, nil, one, false},
		{nil, []string{"rows"}, rows, false},
		{nil, []string{"rows/second", "one"}, "one rows/second", false},
		{[]string{"@ACP-PR-05"}, []string{"rows"}, "rows/first", false},
		{[]string{"@slow"}, []string{"rows"}, "no scenario satisfies all selectors together", true},
		{[]string{"@slow and @ACP-PR-05"}, nil, "no scenario satisfies all selectors together", true},
		{[]string{"@slwo"}, nil, `--tags "@slwo": no scenario has the tag @slwo; did you mean "@slow"?`, true},
		{[]string{"slow"}, nil, `--tags "slow": no scenario has the tag slow; did you mean "@slow"?`, true},
		{[]string{"not @nosuchthing"}, nil, `--tags "not @nosuchthing": no scenario has the tag @nosuchthing; acp-conform list shows`, true},
		{[]string{" "}, nil, "--tags is empty; leave it out to run everything", true},
		{[]string{"@slow and"}, nil, `--tags "@slow and" is no tag expression: `, true},
		{[]string{"(@slow"}, nil, `--tags "(@slow" is no tag expression: `, true},
		{[]string{"@slow,"}, nil, `--tags "@slow,"`, true},
		{[]string{"@slow @area"}, nil, `--tags "@slow @area" is no tag expression: `, true},
		{[]string{"not"}, nil, `--tags "not" is no tag expression: `, true},
		{nil, []string{"onne"}, `--scenario "onne": there is no such scenario; did you mean "one"?`, true},
		{nil, []string{"row"}, `--scenario "row": there is no such scenario; did you mean "rows"?`, true},
		{nil, []string{"rows/frist"}, `--scenario "rows/frist": there is no such scenario; did you mean "rows/first"?`, true},
		{nil, []string{""}, `--scenario "": there is no such scenario`, true},
	}
	for _, tt := range tests {
		t.Run(strings.Join(append(tt.tags, tt.names...), ";"), func(t *testing.T) {
			t.Parallel()
			selected, err := p.Select(tt.tags, tt.names)
			if tt.fails {
				if _, wrong := err.(*SelectionError); !wrong || !strings.HasPrefix(err.Error(), tt.want) {
					t.Errorf("got %v and the error %v", selected, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join((&Plan{Scenarios: selected}).Names(), " "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
