package requirements

import (
	"errors"
	"slices"
	"strings"
)

// sheet is one decoded file of the registry.
type sheet struct {
	areas        []declared
	requirements []Requirement
}

// declared is an area that a file says it owns.
type declared struct {
	area string
	file string
	line int
}

// decodeSheet reads one file of the registry. What could be read is returned beside the error.
func decodeSheet(file string, text []byte) (sheet, error) {
	r := &reader{file: file}
	var s sheet
	root, ok := r.root(text)
	if !ok {
		return s, r.err()
	}
	top, _ := r.mapping(root, "the file", []string{"areas", "requirements"}, nil)
	for _, n := range r.list(top["areas"]) {
		area, ok := r.text(field{name: "areas", line: line(n), node: n})
		switch {
		case !ok:
		case !isArea(area):
			r.problemf(line(n), "%q is no area; an area looks like REQ-APPR, MUSE-TURN or ACP-TRN", area)
		default:
			s.areas = append(s.areas, declared{area: area, file: file, line: line(n)})
		}
	}
	for _, n := range r.list(top["requirements"]) {
		if q, ok := r.requirement(n); ok {
			s.requirements = append(s.requirements, q)
		}
	}
	return s, r.err()
}

// requirement reads one entry. It reports false when the entry is of no use to later checks.
func (r *reader) requirement(n node) (Requirement, bool) {
	fields, ok := r.mapping(n, "a requirement",
		[]string{"id", "level", "applies", "statement", "source"}, []string{"gate", "tests", "excluded"})
	if !ok {
		return Requirement{}, false
	}
	q := Requirement{File: r.file, Line: line(n)}
	q.ID, ok = r.text(fields["id"])
	if !ok {
		return q, false
	}
	q.Line = fields["id"].line
	if !IsID(q.ID) {
		r.problemf(q.Line, "%q is no requirement id; an id looks like REQ-APPR-07, MUSE-PLAN-03 or ACP-PERM-08%s",
			q.ID, didYouMean(repairID(q.ID)))
		return q, false
	}
	levels := make([]string, 0, len(Levels()))
	for _, l := range Levels() {
		levels = append(levels, string(l))
	}
	q.Level = Level(r.oneOf(fields["level"], levels))
	q.Applies = Applies(r.oneOf(fields["applies"], []string{string(Any), string(Reference)}))
	q.Statement = r.sentence(fields["statement"])
	q.Source = r.phrase(fields["source"])
	if f, ok := fields["gate"]; ok {
		q.Gate, _ = r.text(f) // an empty gate is as good as none
	}
	if f, ok := fields["tests"]; ok {
		q.Tests = r.tests(f)
	}
	if f, ok := fields["excluded"]; ok {
		q.Excluded = r.phrase(f)
		if len(q.Tests) > 0 {
			r.problemf(f.line, "%s is excluded, but names tests that prove it", q.ID)
		}
	}
	return q, true
}

// tests reads the Go tests that prove a requirement.
func (r *reader) tests(f field) []string {
	var tests []string
	for _, n := range r.list(f) {
		name, ok := r.text(field{name: "a test", line: line(n), node: n})
		switch {
		case !ok:
		case !IsGoTest(name):
			r.problemf(line(n), "%q is no Go test; one looks like reference/approval.TestChain", name)
		case slices.Contains(tests, name):
			r.problemf(line(n), "the test %s is named twice", name)
		default:
			tests = append(tests, name)
		}
	}
	return tests
}

// repairID turns the usual slips of an id (small letters, underscores, one digit) into an id; empty when that does
// not help.
func repairID(id string) string {
	id = strings.ToUpper(strings.NewReplacer("_", "-", " ", "-").Replace(strings.TrimPrefix(id, "@")))
	if at := strings.LastIndexByte(id, '-'); at >= 0 && len(id)-at == 2 {
		id = id[:at+1] + "0" + id[at+1:]
	}
	if !IsID(id) {
		return ""
	}
	return id
}

// oneOf reads a value of a closed set.
func (r *reader) oneOf(f field, values []string) string {
	s, ok := r.text(f)
	if !ok {
		return ""
	}
	for _, v := range values {
		if s == v {
			return s
		}
	}
	r.problemf(f.line, "%s is %q, but must be one of %s%s",
		f.name, s, strings.Join(values, ", "), didYouMean(nearest(s, values)))
	return ""
}

// phrase reads a text that may not be empty and stands on one line.
func (r *reader) phrase(f field) string {
	s, ok := r.text(f)
	switch {
	case !ok:
	case strings.TrimSpace(s) == "":
		r.problemf(f.line, "%s is empty", f.name)
	case strings.TrimSpace(s) != s || strings.ContainsAny(s, "\r\n"):
		r.problemf(f.line, "%s has line ends, or white space around it", f.name)
	default:
		return s
	}
	return ""
}

// sentence reads a phrase that ends with a full stop.
func (r *reader) sentence(f field) string {
	s := r.phrase(f)
	if s != "" && !strings.HasSuffix(s, ".") {
		r.problemf(f.line, "%s is no sentence: it does not end with a full stop", f.name)
	}
	return s
}

func (r *reader) err() error { return errors.Join(r.problems...) }
