package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tagexpressions "github.com/cucumber/tag-expressions/go/v6"

	"acp-conform/conform"
	"acp-conform/internal/strictjson"
	"acp-conform/requirements"
)

// SelectionError says that a selector cannot be read or selects nothing.
type SelectionError struct{ Text string }

func (e *SelectionError) Error() string { return e.Text }

// Select gives the scenarios that satisfy every tag expression and, when names are given, have one of the names. A
// name of a folder selects all its rows. Each selector must match something.
func (p *Plan) Select(tags, names []string) ([]Planned, error) {
	selected := slices.Clone(p.Scenarios)
	for _, expression := range tags {
		if strings.TrimSpace(expression) == "" {
			return nil, &SelectionError{"--tags is empty; leave it out to run everything"}
		}
		e, err := parseTags(expression)
		if err != nil {
			return nil, &SelectionError{fmt.Sprintf("--tags %q is no tag expression: %v", expression, err)}
		}
		if unknown := p.unknownTag(expression); unknown != "" {
			return nil, &SelectionError{fmt.Sprintf("--tags %q: no scenario has the tag %s%s", expression, unknown, p.suggestTag(unknown))}
		}
		selected = slices.DeleteFunc(selected, func(s Planned) bool { return !e.Evaluate(s.Tags) })
	}
	if len(names) > 0 {
		for _, name := range names {
			if !slices.ContainsFunc(p.Scenarios, func(s Planned) bool { return named(s, name) }) {
				if name == conform.ProbeName {
					return nil, &SelectionError{fmt.Sprintf("--scenario %q: the probe is no scenario; it is played whenever an adapter needs no host, "+
						"with any scenario that needs one, such as --scenario %s", name, ProbeScenario)}
				}
				return nil, &SelectionError{fmt.Sprintf("--scenario %q: there is no such scenario%s", name, p.suggestName(name))}
			}
		}
		selected = slices.DeleteFunc(selected, func(s Planned) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return named(s, name) })
		})
	}
	if len(selected) == 0 {
		return nil, &SelectionError{"no scenario satisfies all selectors together"}
	}
	return selected, nil
}

// parseTags reads a tag expression. The library panics on some broken ones.
func parseTags(expression string) (e tagexpressions.Evaluatable, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("it is cut short")
		}
	}()
	if e, err = tagexpressions.Parse(expression); err != nil {
		return nil, err
	}
	e.Evaluate(nil) // some are only found broken when they are used
	return e, nil
}

func named(s Planned, name string) bool { return s.Name == name || strings.HasPrefix(s.Name, name+"/") }

func (p *Plan) allNames() []string {
	names := p.Names()
	for _, n := range p.Names() {
		if folder, _, row := strings.Cut(n, "/"); row {
			names = append(names, folder)
		}
	}
	return names
}

// unknownTag gives a tag of the expression that no scenario has. Naming one is always a mistake, also behind "not".
func (p *Plan) unknownTag(expression string) string {
	words := strings.FieldsFunc(expression, func(r rune) bool { return r == ' ' || r == '(' || r == ')' || r == '\t' })
	for _, w := range words {
		if w != "and" && w != "or" && w != "not" && !slices.ContainsFunc(p.Scenarios, func(s Planned) bool { return slices.Contains(s.Tags, w) }) {
			return w
		}
	}
	return ""
}

func (p *Plan) suggestTag(tag string) string {
	var all []string
	for _, s := range p.Scenarios {
		all = append(all, s.Tags...)
	}
	if !strings.HasPrefix(tag, "@") && slices.Contains(all, "@"+tag) {
		return fmt.Sprintf("; did you mean %q?", "@"+tag)
	}
	if q, known := p.requirement(tag); known && !slices.Contains(all, "@"+q.ID) {
		return undecided(q)
	}
	return suggestion(tag, all)
}

func (p *Plan) suggestName(name string) string {
	if q, known := p.requirement(name); known {
		if tag := "@" + q.ID; p.unknownTag(tag) == "" {
			return fmt.Sprintf("; %s is a requirement, and --tags %s selects its scenarios", q.ID, tag)
		}
		return undecided(q)
	}
	for _, o := range Oracles() {
		if strings.EqualFold(o.Name, name) {
			return "; that is an oracle, which looks at every scenario"
		}
	}
	return suggestion(name, p.allNames())
}

// requirement finds the requirement that a word means, as an id or as a tag.
func (p *Plan) requirement(word string) (requirements.Requirement, bool) {
	return p.registry.Lookup(strings.ToUpper(strings.TrimPrefix(word, "@")))
}

// undecided says of a requirement that no scenario names where to look instead.
func undecided(q requirements.Requirement) string {
	switch names := oraclesOf(q.ID); {
	case len(names) > 0:
		return fmt.Sprintf("; an oracle decides %s in every scenario (%q); select scenarios by another tag or by name", q.ID, names[0])
	case q.Excluded != "":
		return fmt.Sprintf("; %s is excluded, and acp-conform explain %s says why", q.ID, q.ID)
	}
	return fmt.Sprintf("; no scenario decides %s, and acp-conform explain %s says what proves it", q.ID, q.ID)
}

// suggestion is the second half of an error about a wrong word: what was meant, or where to look.
func suggestion(word string, candidates []string) string {
	if meant := strictjson.Nearest(word, candidates); meant != "" {
		return fmt.Sprintf("; did you mean %q?", meant)
	}
	return "; acp-conform list shows all scenarios and their tags"
}
