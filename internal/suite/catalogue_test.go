package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cases are the ids that the catalogue must have.
func cases() (ids []string) {
	for prefix, last := range map[string]int{"C": 52, "PM": 18, "ML": 4, "CI": 4} {
		for n := 1; n <= last; n++ {
			id := fmt.Sprintf("%s%d", prefix, n)
			if prefix == "C" {
				id = fmt.Sprintf("C%02d", n)
			}
			ids = append(ids, id)
		}
	}
	return append(ids, "PW6", "PW7", "PW8")
}

// TestTheCatalogueIsTrue: each case has one row, and what the row names as a proof exists.
func TestTheCatalogueIsTrue(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "catalogue.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := load(t).Plan.Names()
	tests := map[string][]string{}
	row, proof := regexp.MustCompile(`(?m)^\| ([A-Z]+\d+) \|.*\|(.*)\|$`), regexp.MustCompile("`([^`]+)`")
	var listed []string
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, m[1])
		proofs := proof.FindAllStringSubmatch(m[2], -1)
		if len(proofs) == 0 {
			t.Errorf("%s is proved by nothing", m[1])
		}
		for _, p := range proofs {
			folder, test, isTest := strings.Cut(p[1], ".")
			if isTest {
				if tests[folder] == nil {
					tests[folder] = goTests(t, folder)
				}
				if !slices.Contains(tests[folder], test) {
					t.Errorf("%s: %s is no Go test", m[1], p[1])
				}
				continue
			}
			if !slices.ContainsFunc(names, func(name string) bool { return name == p[1] || strings.HasPrefix(name, p[1]+"/") }) {
				t.Errorf("%s: %s is no scenario", m[1], p[1])
			}
		}
	}
	for _, id := range cases() {
		if n := len(slices.DeleteFunc(slices.Clone(listed), func(l string) bool { return l != id })); n != 1 {
			t.Errorf("%s has %d rows", id, n)
		}
	}
	for _, id := range listed {
		if !slices.Contains(cases(), id) {
			t.Errorf("%s is no case", id)
		}
	}
}
