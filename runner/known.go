package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/internal/strictjson"
)

// KnownFailures reads a list of expected failures: one a line, "NAME: reason", where the name is that of a scenario, of a
// folder of scenarios (each of its rows is expected to fail) or the id of a requirement. Empty lines and lines that begin
// with # are left out. Every mistake is an error that names its line.
func (s *Suite) KnownFailures(file, text string) ([]conform.Known, error) {
	var list []conform.Known
	var problems []error
	seen := map[string]string{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		place := fmt.Sprintf("%s:%d", file, i+1)
		name, reason, _ := strings.Cut(line, ":")
		name, reason = strings.TrimSpace(name), strings.TrimSpace(reason)
		if reason == "" {
			problems = append(problems, fmt.Errorf("%s: %q gives no reason; write NAME: reason", place, line))
			continue
		}
		names := s.meant(name)
		if len(names) == 0 {
			problems = append(problems, fmt.Errorf("%s: %q is neither a scenario nor a requirement%s", place, name, s.near(name)))
		}
		for _, n := range names {
			if first, twice := seen[n]; twice {
				problems = append(problems, fmt.Errorf("%s: %s is named already in %s", place, n, first))
			}
			seen[n] = place
			list = append(list, conform.Known{Name: n, Reason: reason, Place: place})
		}
	}
	return list, errors.Join(problems...)
}

// meant lists what a name stands for.
func (s *Suite) meant(name string) (names []string) {
	if _, known := s.Registry.Lookup(name); known || name == conform.ProbeName {
		return []string{name}
	}
	for _, p := range s.Plan.Scenarios {
		if named(p, name) {
			names = append(names, p.Name)
		}
	}
	return names
}

func (s *Suite) near(name string) string {
	candidates := slices.Clone(s.Plan.allNames())
	for _, q := range s.Registry.All() {
		candidates = append(candidates, q.ID)
	}
	if meant := strictjson.Nearest(name, candidates); meant != "" {
		return fmt.Sprintf("; did you mean %q?", meant)
	}
	return ""
}
