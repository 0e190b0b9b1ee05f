package requirements

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Mutant is the reference adapter with one named fault, and what that fault must trip: exactly these requirements,
// no other.
type Mutant struct {
	Name      string
	Fault     string // the reference adapter's name for the fault
	Statement string // what it does wrong, in one sentence
	Trips     []Trip // first the requirement that the fault breaks, then its cascades
	// Scenarios are the few that show the fault, by name or by folder: every one of them fails, and together they trip
	// all that is listed.
	Scenarios []string
	// Silent says what never comes, where some scenarios end by a deadline only; empty for all other mutants.
	Silent string
	File   string
	Line   int // counted from 1
}

// Trip is a requirement that a mutant fails.
type Trip struct {
	ID  string
	Why string // why it fails along with the first; empty for the first itself
}

// IDs lists the requirements that the mutant trips, sorted.
func (m Mutant) IDs() []string {
	ids := make([]string, len(m.Trips))
	for i, t := range m.Trips {
		ids[i] = t.ID
	}
	slices.Sort(ids)
	return ids
}

// LoadMutants reads the mutants that are built into the program: the files in the order of their names, each in its own
// order. Every id must be a requirement of the registry that is not excluded, and no name may be given twice. The error
// joins one *Problem per mistake.
func LoadMutants(registry *Registry) ([]Mutant, error) { return loadMutants(files, registry) }

// isMutantsFile tells the files of mutants from those of the registry; they share a folder.
func isMutantsFile(name string) bool { return strings.HasPrefix(name, "mutants") }

func loadMutants(dir fs.FS, registry *Registry) ([]Mutant, error) {
	names, err := fs.Glob(dir, "mutants*.yaml")
	if err != nil {
		return nil, fmt.Errorf("listing the files of mutants: %w", err)
	}
	if len(names) == 0 {
		return nil, errors.New("listing the files of mutants: there are none")
	}
	var all []Mutant
	var problems []error
	first := map[string]Mutant{}
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("reading mutants: %w", err)
		}
		mutants, err := decodeMutants(name, text, registry)
		problems = append(problems, err)
		for _, m := range mutants {
			if f, twice := first[m.Name]; twice {
				problems = append(problems, problemf(m.File, m.Line, "the mutant %s is already given in %s, line %d", m.Name, f.File, f.Line))
				continue
			}
			first[m.Name] = m
			all = append(all, m)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return all, nil
}

// decodeMutants reads one file. What could be read is returned beside the error.
func decodeMutants(file string, text []byte, registry *Registry) ([]Mutant, error) {
	r := &reader{file: file}
	root, ok := r.root(text)
	if !ok {
		return nil, r.err()
	}
	top, _ := r.mapping(root, "the file", []string{"mutants"}, nil)
	var mutants []Mutant
	for _, n := range r.list(top["mutants"]) {
		if m, ok := r.mutant(n, registry); ok {
			mutants = append(mutants, m)
		}
	}
	return mutants, r.err()
}

func (r *reader) mutant(n node, registry *Registry) (Mutant, bool) {
	fields, ok := r.mapping(n, "a mutant", []string{"name", "fault", "statement", "scenarios", "trips"}, []string{"silent"})
	if !ok {
		return Mutant{}, false
	}
	m := Mutant{File: r.file, Line: line(n)}
	m.Name = r.slug(fields["name"])
	if m.Name == "" {
		return m, false
	}
	m.Line = fields["name"].line
	m.Fault = r.slug(fields["fault"])
	m.Statement = r.sentence(fields["statement"])
	m.Scenarios = r.names(m.Name, fields["scenarios"])
	if f, given := fields["silent"]; given {
		m.Silent = r.sentence(f)
	}
	seen := map[string]bool{}
	for i, tn := range r.list(fields["trips"]) {
		t, at, ok := r.trip(tn, i == 0)
		if !ok {
			continue
		}
		q, known := registry.Lookup(t.ID)
		switch {
		case !known:
			r.problemf(at, "the mutant %s trips %s, which is no requirement%s",
				m.Name, t.ID, didYouMean(registry.Suggest(t.ID)))
		case q.Excluded != "":
			r.problemf(at, "the mutant %s trips %s, which no check decides: %s", m.Name, t.ID, q.Excluded)
		case seen[t.ID]:
			r.problemf(at, "the mutant %s trips %s twice", m.Name, t.ID)
		default:
			m.Trips = append(m.Trips, t)
		}
		seen[t.ID] = true
	}
	return m, true
}

// trip reads one tripped requirement and its line.
func (r *reader) trip(n node, first bool) (Trip, int, bool) {
	fields, ok := r.mapping(n, "a trip", []string{"id"}, []string{"why"})
	if !ok {
		return Trip{}, 0, false
	}
	id, ok := r.text(fields["id"])
	if !ok {
		return Trip{}, 0, false
	}
	t, at := Trip{ID: id}, fields["id"].line
	if f, given := fields["why"]; given {
		t.Why, _ = r.text(f)
	}
	if !first && strings.TrimSpace(t.Why) == "" {
		r.problemf(at, "%s is a cascade and says no why; only the first, which the fault itself breaks, needs none", id)
	}
	return t, at, true
}

// names reads the names of scenarios.
func (r *reader) names(mutant string, f field) []string {
	var names []string
	for _, n := range r.list(f) {
		name, ok := r.text(field{name: "a scenario", line: line(n), node: n})
		switch {
		case !ok:
		case strings.TrimSpace(name) != name || name == "":
			r.problemf(line(n), "the mutant %s names the scenario %q", mutant, name)
		case slices.Contains(names, name):
			r.problemf(line(n), "the mutant %s names the scenario %s twice", mutant, name)
		default:
			names = append(names, name)
		}
	}
	return names
}

// slug reads a name of small letters, digits and hyphens.
func (r *reader) slug(f field) string {
	s := r.phrase(f)
	if s == "" {
		return ""
	}
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.Trim(s, "-") != s {
		r.problemf(f.line, "%s is %q, but may only have small letters, digits and hyphens", f.name, s)
		return ""
	}
	return s
}
