package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"acp-conform/requirements"
	"acp-conform/runner"
)

// listed gives the requirements that the selection is about: all of them, or those that the selected scenarios are
// tagged with.
func (s *selection) listed() (*runner.Suite, []requirements.Requirement, error) {
	suite, selected, err := s.load()
	if err != nil {
		return nil, nil, err
	}
	all := suite.Registry.All()
	if len(s.tags)+len(s.scenarios) > 0 {
		all = slices.DeleteFunc(all, func(q requirements.Requirement) bool {
			return !slices.ContainsFunc(selected, func(p runner.Planned) bool { return slices.Contains(p.Requirements, q.ID) })
		})
	}
	return suite, all, nil
}

// unproved is said of a requirement that nothing proves.
const unproved = "unproved"

// requirementsText prints one line per requirement.
func requirementsText(w io.Writer, suite *runner.Suite, listed []requirements.Requirement) error {
	for _, q := range listed {
		p := suite.Proof(q)
		words := append(suite.Plan.Fold(p.Scenarios), provedOtherwise(p)...)
		how := strings.Join(words, ", ")
		switch {
		case q.Excluded != "":
			how = "excluded: " + q.Excluded
		case !p.Suffices(q.Applies):
			how = unproved
		}
		if _, err := fmt.Fprintf(w, "%-13s %-7s %-9s %s\n", q.ID, q.Level, q.Applies, how); err != nil {
			return err
		}
	}
	return nil
}

// provedOtherwise names what proves a requirement beside scenarios.
func provedOtherwise(p runner.Proof) []string {
	var words []string
	for _, o := range p.Oracles {
		words = append(words, "oracle: "+o)
	}
	return append(words, p.Tests...)
}

// requirementsJSON prints one object per requirement. Its members only ever grow.
func requirementsJSON(w io.Writer, suite *runner.Suite, listed []requirements.Requirement) error {
	type row struct {
		ID        string   `json:"id"`
		Level     string   `json:"level"`
		Applies   string   `json:"applies"`
		Statement string   `json:"statement"`
		Source    string   `json:"source"`
		ProvedBy  []string `json:"proved_by"`
		Excluded  string   `json:"excluded,omitempty"`
	}
	rows := []row{}
	for _, q := range listed {
		r := row{string(q.ID), string(q.Level), string(q.Applies), q.Statement, q.Source, []string{}, q.Excluded}
		if p := suite.Proof(q); q.Excluded == "" && p.Suffices(q.Applies) {
			r.ProvedBy = append(append(r.ProvedBy, p.Scenarios...), provedOtherwise(p)...)
		}
		rows = append(rows, r)
	}
	return printJSON(w, rows)
}

func printJSON(w io.Writer, rows any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(rows)
}
