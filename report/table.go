package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"acp-conform/conform"
)

// row is one line of the table: an area and its counts.
type row struct {
	name   string
	counts Counts
}

// table shows the counts by area: scenarios by the folder of their feature, requirements by the area of their id.
func (p *printer) table(m Model) {
	if len(m.Scenarios) == 0 {
		return
	}
	scenarios := group(len(m.Scenarios), func(i int) (string, conform.Verdict) {
		s := m.Scenarios[i]
		return conform.ScenarioResult{Feature: s.Feature}.Area(), s.Verdict
	})
	requirements := group(len(m.Requirements), func(i int) (string, conform.Verdict) {
		q := m.Requirements[i]
		return idArea(q.ID), q.Verdict
	})
	width := utf8.RuneCountInString("requirements")
	for _, r := range slices.Concat(scenarios, requirements) {
		width = max(width, utf8.RuneCountInString(Visible(r.name))+2)
	}
	p.section("scenarios", scenarios, m.Summary.Scenarios, width, true)
	if len(requirements) > 0 {
		p.section("requirements", requirements, m.Summary.Requirements, width, false)
	}
}

// group counts n verdicts by area, in the order of the areas' names.
func group(n int, of func(int) (string, conform.Verdict)) []row {
	var rows []row
	for i := range n {
		area, v := of(i)
		at, found := slices.BinarySearchFunc(rows, area, func(r row, name string) int { return strings.Compare(r.name, name) })
		if !found {
			rows = slices.Insert(rows, at, row{name: area})
		}
		*rows[at].counts.of(v)++ // New has checked the verdict
	}
	return rows
}

// section is one half of the table, with the sum at its end.
func (p *printer) section(title string, rows []row, sum Counts, width int, header bool) {
	p.linef("")
	line := fmt.Sprintf("%-*s", width, title)
	if header {
		for _, v := range conform.Verdicts() {
			line += "  " + longVerdict(v)
		}
	}
	p.linef("%s", strings.TrimRight(line, " "))
	for _, r := range append(rows, row{name: "all", counts: sum}) {
		name := r.name
		if name == "" {
			name = "-"
		}
		line := fmt.Sprintf("%-*s", width, "  "+Visible(name))
		for _, v := range conform.Verdicts() {
			line += fmt.Sprintf("  %*d", len(longVerdict(v)), *r.counts.of(v))
		}
		p.linef("%s", line)
	}
}

// idArea is a requirement's id without its number.
func idArea(id string) string {
	if at := strings.LastIndexByte(id, '-'); at > 0 {
		return id[:at]
	}
	return id
}
