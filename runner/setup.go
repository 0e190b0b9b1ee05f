package runner

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/features"
	_ "acp-conform/internal/early" // the stand-ins of what runs here need not wait for our libraries
	"acp-conform/requirements"
	"acp-conform/scenarios"
	"acp-conform/wire/schema"
)

// Suite is what is embedded, and what was added to it: registry, plan and schemas, loaded once and shared by all runs.
type Suite struct {
	Registry *requirements.Registry
	Plan     *Plan
	Schemas  *schema.Schemas
	// Temp and Watch are for the engines that the suite makes.
	Temp  string
	Watch func(group int) (release func())
	// Own are the names of the scenarios that Add added.
	Own []string

	features, scenarios fs.FS
}

// Load reads everything that is embedded and checks that it fits together.
func Load() (*Suite, error) {
	registry, err := requirements.Load()
	if err != nil {
		return nil, fmt.Errorf("loading the requirements: %w", err)
	}
	plan, err := NewPlan(features.FS, registry)
	if err != nil {
		return nil, fmt.Errorf("planning the scenarios: %w", err)
	}
	schemas, err := schema.Load()
	if err != nil {
		return nil, fmt.Errorf("loading the schemas: %w", err)
	}
	return &Suite{Registry: registry, Plan: plan, Schemas: schemas, features: features.FS, scenarios: scenarios.FS}, nil
}

// Engine makes an engine for an adapter. With reference false the requirements that bind the reference adapter alone
// are not judged.
func (s *Suite) Engine(adapter conform.Adapter, reference bool) *conform.Engine {
	e := &conform.Engine{Adapter: adapter, Hosts: MuseHosts{}, Deadlines: conform.DefaultDeadlines(), Scenarios: s.scenarios, Schemas: s.Schemas,
		Temp: s.Temp, Watch: s.Watch}
	if reference {
		e.AuditLog = ReferenceAuditLog
	} else {
		e.Outside, e.FormsOptional = ReferenceOnly(s.Registry), true
	}
	return e
}

// Run makes a run of the selected scenarios.
func (s *Suite) Run(e *conform.Engine, selected []Planned, jobs int) *Run {
	return &Run{Engine: e, Features: s.features, Registry: s.Registry, Selected: selected, Jobs: jobs}
}

// baselineOpening names the common opening of the default client profile, host variant and host version.
const baselineOpening = "baseline"

// Opening names the common opening that a scenario shares with others: that of the host variants and the version that
// its script fixes, of the editor's abilities, and of the adapter's switches. "baseline" stands for a host of which the
// script fixes nothing. The name is empty for a scenario of the user's own, which opens its connection as its file says: its
// golden is whole, so that what others record does not change it.
func (s *Suite) Opening(scenario string) string {
	if slices.Contains(s.Own, scenario) {
		return ""
	}
	words := hostWords(s.scenarios, scenario)
	if len(words) == 0 {
		words = append(words, baselineOpening)
	}
	for _, p := range s.Plan.Scenarios {
		if p.Name == scenario {
			words = append(words, p.Profile...)
		}
	}
	return strings.Join(words, "+")
}

// hostWords are the host variants and the version that a scenario's script fixes.
func hostWords(fsys fs.FS, scenario string) []string {
	file, data, err := scenarios.Find(fsys, scenario, MuseHosts{}.ScriptFile())
	if err != nil {
		return nil
	}
	script, err := fakemuse.DecodeScript(file, data)
	if err != nil {
		return nil // playing it says what is wrong
	}
	words := slices.Clone(script.Variants)
	if script.Version != "" {
		words = append(words, script.Version)
	}
	return words
}
