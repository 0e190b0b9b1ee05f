package requirements

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// files holds the registry and the mutants. An embed directive needs a variable; nothing ever changes it.
//
//go:embed *.yaml
var files embed.FS

// Level says how strongly the specification speaks. See the package documentation.
type Level string

// The four levels.
const (
	Must    Level = "MUST"
	Should  Level = "SHOULD"
	May     Level = "MAY"
	Derived Level = "derived"
)

// Levels lists all levels, the strongest first.
func Levels() []Level { return []Level{Must, Should, May, Derived} }

// Applies says who is held to a requirement.
type Applies string

// The two kinds.
const (
	Any       Applies = "any"       // every adapter
	Reference Applies = "reference" // the reference adapter alone; others may choose differently
)

// Requirement is one entry of the registry.
type Requirement struct {
	ID        string
	Level     Level
	Applies   Applies
	Statement string   // one sentence, in our own words
	Source    string   // where the specification says so
	Gate      string   // capability that it depends on; empty when it always applies
	Tests     []string // Go tests that prove it, such as reference/approval.TestChain; where scenarios do it, further ones
	Excluded  string   // why nothing proves it; empty when something does
	File      string   // where the entry stands
	Line      int      // counted from 1
}

// IsGoTest reports whether s has the form of a Go test: its folder below the module, a dot, and the name of the
// function, such as reference/approval.TestChain. It says nothing about whether there is such a test.
func IsGoTest(s string) bool {
	folder, name, ok := strings.Cut(s, ".")
	rest, isTest := strings.CutPrefix(name, "Test")
	if !isTest {
		rest, isTest = strings.CutPrefix(name, "Fuzz")
	}
	capital := rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
	return ok && isTest && capital && folder != "" && strings.Trim(name, letters) == "" &&
		strings.Trim(folder, letters+"/-_") == "" && strings.Trim(folder, "/") == folder
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Area is the id without its number, such as "REQ-APPR".
func (q Requirement) Area() string {
	area, _ := splitID(q.ID)
	return area
}

// Registry holds all requirements. It does not change once it is loaded and may be used from any goroutine.
type Registry struct {
	all  []Requirement  // sorted by id
	byID map[string]int // place in all
}

// Load reads the registry that is built into the program. Its error joins one *Problem per mistake.
func Load() (*Registry, error) { return load(files) }

// load reads all registry files of one folder.
func load(dir fs.FS) (*Registry, error) {
	names, err := fs.Glob(dir, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("listing the requirement files: %w", err)
	}
	names = slices.DeleteFunc(names, isMutantsFile)
	if len(names) == 0 {
		return nil, errors.New("listing the requirement files: there are none")
	}
	var sheets []sheet
	var problems []error
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("reading requirements: %w", err)
		}
		s, err := decodeSheet(name, text)
		if err != nil {
			problems = append(problems, err)
		}
		sheets = append(sheets, s)
	}
	r, err := assemble(sheets)
	if err := errors.Join(append(problems, err)...); err != nil {
		return nil, err
	}
	return r, nil
}

// assemble joins the files and checks what only shows across them: the owner of each area, and twins.
func assemble(sheets []sheet) (*Registry, error) {
	var problems []error
	owner := map[string]declared{}
	for _, s := range sheets {
		for _, d := range s.areas {
			if first, twice := owner[d.area]; twice {
				problems = append(problems, problemf(d.file, d.line, "the area %s is already owned by %s, line %d",
					d.area, first.file, first.line))
				continue
			}
			owner[d.area] = d
		}
	}
	r := &Registry{byID: map[string]int{}}
	seen := map[string]Requirement{}
	for _, s := range sheets {
		for _, q := range s.requirements {
			if first, twice := seen[q.ID]; twice {
				problems = append(problems, problemf(q.File, q.Line, "the id %s is already given in %s, line %d",
					q.ID, first.File, first.Line))
				continue
			}
			seen[q.ID] = q
			if err := rightFile(q, s.areas, owner); err != nil {
				problems = append(problems, err)
			}
			r.all = append(r.all, q)
		}
	}
	slices.SortFunc(r.all, func(a, b Requirement) int { return strings.Compare(a.ID, b.ID) })
	for i, q := range r.all {
		r.byID[q.ID] = i
	}
	return r, errors.Join(problems...)
}

// rightFile says when a requirement stands in a file that does not own its area.
func rightFile(q Requirement, own []declared, owner map[string]declared) error {
	areas := make([]string, 0, len(own))
	for _, d := range own {
		if d.area == q.Area() {
			return nil
		}
		areas = append(areas, d.area)
	}
	if d, known := owner[q.Area()]; known {
		return problemf(q.File, q.Line, "%s belongs in %s, which owns the area %s", q.ID, d.file, q.Area())
	}
	return problemf(q.File, q.Line, "no file owns the area %s of %s; this one owns %s%s",
		q.Area(), q.ID, strings.Join(areas, ", "), didYouMean(nearest(q.Area(), areas)))
}

// All lists the requirements in the order of their ids.
func (r *Registry) All() []Requirement { return slices.Clone(r.all) }

// Lookup finds a requirement by its full id.
func (r *Registry) Lookup(id string) (Requirement, bool) {
	i, ok := r.byID[id]
	if !ok {
		return Requirement{}, false
	}
	return r.all[i], true
}

// Suggest gives the id that somebody probably meant who wrote id, with or without the @ of a tag; empty when none is
// near.
func (r *Registry) Suggest(id string) string {
	ids := make([]string, len(r.all))
	for i, q := range r.all {
		ids[i] = q.ID
	}
	return nearest(strings.ToUpper(strings.TrimPrefix(id, "@")), ids)
}

// IsID reports whether s has the form of an id. It says nothing about whether there is such a requirement.
func IsID(s string) bool {
	_, ok := splitID(s)
	return ok
}

// splitID gives the area of an id and whether the id has the right form: ^(REQ|MUSE|ACP)-[A-Z]+-\d\d$.
func splitID(id string) (area string, ok bool) {
	at := strings.LastIndexByte(id, '-')
	if at < 0 {
		return "", false
	}
	area, number := id[:at], id[at+1:]
	digits := len(number) == 2 && strings.Trim(number, "0123456789") == ""
	return area, digits && isArea(area)
}

// isArea reports whether s is a book and an area, such as ACP-TRN.
func isArea(s string) bool {
	book, name, ok := strings.Cut(s, "-")
	known := book == "REQ" || book == "MUSE" || book == "ACP"
	return ok && known && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
