package runner

import (
	"testing"

	"acp-conform/conform"
)

// Every selected scenario has exactly one verdict, in the order of the plan.
func TestCollector(t *testing.T) {
	t.Parallel()
	planned := func(names ...string) (list []Planned) {
		for _, n := range names {
			list = append(list, Planned{Names: conform.Names{Name: n}})
		}
		return list
	}
	tests := []struct {
		name     string
		selected []Planned
		results  []string
		err      string
	}{
		{"each has one", planned("a", "b"), []string{"b", "a"}, ""},
		{"one has none", planned("a", "b"), []string{"a"}, `the scenario "b" delivered no verdict`},
		{"one has two", planned("a", "b"), []string{"a", "b", "a"}, `the scenarios ["a"] delivered more than one verdict`},
		{"nothing", planned(), nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := collector{results: map[string]conform.ScenarioResult{}}
			for _, n := range tt.results {
				c.add(conform.ScenarioResult{Name: n})
			}
			list, err := c.inOrder(tt.selected)
			if (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Fatalf("got the error %v, want %q", err, tt.err)
			}
			for i, r := range list {
				if r.Name != tt.selected[i].Name {
					t.Errorf("result %d is that of %s", i, r.Name)
				}
			}
		})
	}
}
