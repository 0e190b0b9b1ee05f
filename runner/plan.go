package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"acp-conform/conform"
	"acp-conform/requirements"
	"acp-conform/steps"
)

// Planned is one scenario that could be run.
type Planned struct {
	conform.Names
	// Sentences are the steps, with their keywords.
	Sentences []string
	// Profile are the words by which the scenario's sentences change the opening of its conversation: switches of the
	// adapter, and what the editor is able to do. They are in the order of the alphabet.
	Profile []string
	File    string // path in the features' file system
	Line    int    // of the scenario or the outline's row
	at      string // file and line of the scenario or the outline, as godog selects it
}

// Plan lists all scenarios, in the order of the files.
type Plan struct {
	Scenarios []Planned
	registry  *requirements.Registry // of the requirements that tags can name
}

const folderTag = "@scenario:"

// NewPlan reads the feature files. Every problem of a file is an error that names it.
func NewPlan(features fs.FS, registry *requirements.Registry) (*Plan, error) {
	paths, err := featureFiles(features)
	if err != nil {
		return nil, err
	}
	return newPlan(features, paths, registry)
}

// newPlan reads these feature files.
func newPlan(features fs.FS, paths []string, registry *requirements.Registry) (*Plan, error) {
	suite := godog.TestSuite{Name: "plan", Options: &godog.Options{FS: features, Paths: paths}}
	parsed, err := suite.RetrieveFeatures()
	if err != nil {
		return nil, fmt.Errorf("reading the feature files: %w", err)
	}
	p := &Plan{registry: registry}
	opening := steps.Openings()
	var problems []error
	unread := slices.Clone(paths) // godog leaves out a file of which nothing can be played
	for _, f := range parsed {
		unread = slices.DeleteFunc(unread, func(file string) bool { return file == f.Uri })
		problems = append(problems, withoutPickles(f.Uri, f.GherkinDocument)...)
		for _, pickle := range f.Pickles {
			planned, err := plan(f.Uri, opening, pickle, f.FindScenario(pickle.AstNodeIds[0]), registry)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			if len(pickle.AstNodeIds) > 1 {
				row, err := rowName(f.FindExample(pickle.AstNodeIds[1]))
				if err != nil {
					problems = append(problems, fmt.Errorf("%s:%d: %w", f.Uri, planned.Line, err))
					continue
				}
				planned.Name += "/" + row
			}
			p.Scenarios = append(p.Scenarios, planned)
		}
	}
	for _, file := range unread {
		problems = append(problems, fmt.Errorf("%s: the file holds no scenario, or only outlines without rows", file))
	}
	seen := map[string]Planned{}
	for _, s := range p.Scenarios {
		if first, twice := seen[s.Name]; twice {
			problems = append(problems, fmt.Errorf("%s:%d: the scenario name %q is used in %s:%d already", s.File, s.Line, s.Name, first.File, first.Line))
		}
		seen[s.Name] = s
	}
	return p, errors.Join(problems...)
}

func featureFiles(features fs.FS) ([]string, error) {
	var paths []string
	err := fs.WalkDir(features, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(p) == ".feature" {
			paths = append(paths, p)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the feature files: %w", err)
	}
	return paths, nil
}

// withoutPickles finds scenarios that godog would never run: without steps, or outlines without rows.
func withoutPickles(file string, doc *messages.GherkinDocument) []error {
	var problems []error
	var check func(*messages.Scenario)
	check = func(s *messages.Scenario) {
		if s == nil {
			return
		}
		if len(s.Steps) == 0 {
			problems = append(problems, fmt.Errorf("%s:%d: the scenario %q has no steps", file, s.Location.Line, s.Name))
		}
		rows := 0
		for _, e := range s.Examples {
			rows += len(e.TableBody)
		}
		// Without any table an outline would be played once, as it stands.
		if (strings.Contains(s.Keyword, "Outline") || strings.Contains(s.Keyword, "Template") || len(s.Examples) > 0) && rows == 0 {
			problems = append(problems, fmt.Errorf("%s:%d: the outline %q has no rows", file, s.Location.Line, s.Name))
		}
	}
	for _, child := range doc.Feature.Children {
		check(child.Scenario)
		if child.Rule != nil {
			for _, c := range child.Rule.Children {
				check(c.Scenario)
			}
		}
	}
	return problems
}

func plan(file string, opening func(string) string, pickle *messages.Pickle, scenario *messages.Scenario, registry *requirements.Registry) (Planned, error) {
	p := Planned{File: file, at: fmt.Sprintf("%s:%d", file, scenario.Location.Line)}
	p.Line = int(scenario.Location.Line)
	if pickle.Location != nil {
		p.Line = int(pickle.Location.Line)
	}
	p.Title, p.Feature = pickle.Name, file
	for _, step := range pickle.Steps {
		p.Sentences = append(p.Sentences, keyword(scenario, step)+step.Text)
		if word := opening(step.Text); word != "" {
			p.Profile = append(p.Profile, word)
		}
	}
	slices.Sort(p.Profile)
	for _, tag := range pickle.Tags {
		p.Tags = append(p.Tags, tag.Name)
		id := strings.TrimPrefix(tag.Name, "@")
		switch {
		case strings.HasPrefix(tag.Name, folderTag):
			p.Name = strings.TrimPrefix(tag.Name, folderTag)
		case requirements.IsID(id):
			if _, known := registry.Lookup(id); !known {
				meant := ""
				if near := registry.Suggest(id); near != "" {
					meant = fmt.Sprintf("; did you mean @%s?", near)
				}
				return p, fmt.Errorf("%s:%d: the tag %s names no requirement%s", file, p.Line, tag.Name, meant)
			}
			if !slices.Contains(p.Requirements, id) {
				p.Requirements = append(p.Requirements, id)
			}
		}
	}
	if p.Name == "" {
		return p, fmt.Errorf("%s:%d: the scenario %q has no tag %s<folder>", file, p.Line, p.Title, folderTag)
	}
	return p, nil
}

// keyword is the word that a step begins with, as the file has it.
func keyword(scenario *messages.Scenario, step *messages.PickleStep) string {
	for _, st := range scenario.Steps {
		if slices.Contains(step.AstNodeIds, st.Id) {
			return st.Keyword
		}
	}
	return ""
}

// rowName gives the value of the column "case" in a row of an outline.
func rowName(examples *messages.Examples, row *messages.TableRow) (string, error) {
	for i, cell := range examples.TableHeader.Cells {
		if cell.Value == "case" {
			if name := row.Cells[i].Value; name != "" && !strings.Contains(name, "/") {
				return name, nil
			}
			return "", fmt.Errorf("%q is no name of a row", row.Cells[i].Value)
		}
	}
	return "", errors.New(`the outline has no column "case" that names its rows`)
}

// Names lists the scenarios' names.
func (p *Plan) Names() []string {
	var names []string
	for _, s := range p.Scenarios {
		names = append(names, s.Name)
	}
	return names
}
