package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"acp-conform/conform"
	"acp-conform/requirements"
	"acp-conform/scenarios"
	"acp-conform/steps"
)

// Run is one run of selected scenarios against one adapter.
type Run struct {
	Engine   *conform.Engine
	Features fs.FS
	Registry *requirements.Registry
	Selected []Planned
	Jobs     int // scenarios at the same time; less than 1 means one
	// Finished is called for every scenario as it ends; it may be nil. It must be safe for concurrent use.
	Finished func(conform.ScenarioResult)
}

// errNotSelected keeps rows of an outline out that were not selected; godog selects whole outlines.
var errNotSelected = godog.ErrSkip

// Do tries the handshake once, then plays the scenarios. The error is one of the harness; a bad adapter is in the
// result.
func (r *Run) Do(ctx context.Context) (result conform.RunResult, err error) {
	begun := time.Now()
	result.Adapter.Argv = r.Engine.Adapter.Argv()
	engine, release, err := prepare(r.Engine)
	if err != nil {
		r.playNone(&result, err)
	} else {
		prepared := *r
		prepared.Engine = engine
		err = errors.Join(prepared.tryAndPlay(ctx, &result), release())
		if err != nil {
			return result, err
		}
	}
	result.Requirements = conform.Sum(result.Scenarios, facts(r.Registry))
	result.Duration = time.Since(begun)
	return result, nil
}

// prepare gives an engine whose hosts are prepared for one run, and what to call when that run is over.
func prepare(e *conform.Engine) (*conform.Engine, func() error, error) {
	hosts, ok := e.Hosts.(conform.Preparer)
	if !ok {
		return e, func() error { return nil }, nil
	}
	prepared, release, err := hosts.Prepare(e.Temp)
	if err != nil {
		return nil, nil, err
	}
	own := *e
	own.Hosts = prepared
	return &own, release, nil
}

func (r *Run) tryAndPlay(ctx context.Context, result *conform.RunResult) error {
	var err error
	if result.Adapter, err = r.Engine.Handshake(ctx); err == nil {
		result.Scenarios, err = r.judge(ctx)
		var login *conform.LoginError
		if !errors.As(err, &login) {
			return err
		}
		err, result.Adapter.Stderr = login, login.Stderr
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.playNone(result, err)
	cause, advice := unanswered(err, result.Adapter.Stderr, result.Adapter.Refusals)
	result.Advice = fmt.Sprintf("It is %s: %s.", cause, advice)
	return nil
}

// playNone gives every scenario the one reason why none could run.
func (r *Run) playNone(result *conform.RunResult, reason error) {
	result.Problem = reason.Error()
	for _, p := range r.Selected {
		result.Scenarios = append(result.Scenarios, conform.ScenarioResult{Name: p.Name, Title: p.Title, Feature: p.Feature, Tags: p.Tags,
			Requirements: r.inside(p.Names).Requirements, Verdict: conform.CouldNotRun, Reason: result.Problem, Stderr: result.Adapter.Stderr})
	}
}

// inside leaves out the requirements that are not judged.
func (r *Run) inside(n conform.Names) conform.Names {
	n.Requirements = slices.DeleteFunc(slices.Clone(n.Requirements), func(id string) bool { return r.Engine.Outside[id] })
	return n
}

// ReferenceOnly lists the requirements that bind the reference adapter alone.
func ReferenceOnly(registry *requirements.Registry) map[string]bool {
	only := map[string]bool{}
	for _, q := range registry.All() {
		if q.Applies == requirements.Reference {
			only[q.ID] = true
		}
	}
	return only
}

func facts(registry *requirements.Registry) []conform.RequirementFacts {
	var list []conform.RequirementFacts
	for _, q := range registry.All() {
		list = append(list, conform.RequirementFacts{ID: q.ID, Level: string(q.Level), Statement: q.Statement})
	}
	return list
}

// play has godog run the selected scenarios. Verdicts come from our own hooks, never from a formatter.
func (r *Run) play(ctx context.Context, planned []Planned) ([]conform.ScenarioResult, error) {
	selected := map[string]Planned{}
	var paths []string
	for _, p := range planned {
		selected[place(p.File, p.Line)] = p
		if !slices.Contains(paths, p.at) {
			paths = append(paths, p.at)
		}
	}
	c := collector{results: map[string]conform.ScenarioResult{}}
	register := steps.Registrar()
	suite := godog.TestSuite{
		Name: "acp-conform",
		ScenarioInitializer: func(sc *godog.ScenarioContext) {
			sc.Before(func(ctx context.Context, pickle *godog.Scenario) (context.Context, error) {
				p, ok := selected[placeOf(pickle)]
				if !ok || ctx.Err() != nil { // godog goes through all that is left of an interrupted run
					return ctx, errNotSelected
				}
				s, err := r.Engine.Begin(ctx, r.inside(p.Names))
				if err != nil {
					result := unbegun(p, err)
					c.add(result)
					if r.Finished != nil {
						r.Finished(result)
					}
					return ctx, errNotSelected
				}
				return steps.With(ctx, s), nil
			})
			sc.After(func(ctx context.Context, pickle *godog.Scenario, err error) (context.Context, error) {
				s := steps.From(ctx)
				if s == nil {
					return ctx, nil
				}
				if errors.Is(err, godog.ErrUndefined) || errors.Is(err, godog.ErrPending) {
					s.Harness("a sentence of the feature file has no meaning: %v", err)
				} else if err != nil && !errors.Is(err, godog.ErrSkip) {
					s.Harness("%v", err)
				}
				result := s.End(nil)
				c.add(result)
				if r.Finished != nil && ctx.Err() == nil {
					r.Finished(result)
				}
				return ctx, nil
			})
			register(sc)
		},
		Options: &godog.Options{Format: "progress", Output: io.Discard, NoColors: true, Strict: true, FS: r.Features, Paths: paths,
			Concurrency: min(max(r.Jobs, 1), len(planned)), DefaultContext: ctx},
	}
	suite.Run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return c.inOrder(planned)
}

// ProbeScenario is the simplest conversation with a turn: the probe's host plays it, and its selection plays the probe
// again.
const ProbeScenario = "text-turn"

// judge plays the scenarios that apply to the adapter. The others are not applicable, each with its evidence: those that
// decide only what binds the reference adapter, when another one runs, and those that need a host, when the adapter
// drives none. Of such an adapter the probe's own conversation is judged as well.
func (r *Run) judge(ctx context.Context) ([]conform.ScenarioResult, error) {
	evidence := map[string]string{}
	hosted := false
	var probed conform.Probed
	for _, p := range r.Selected {
		if len(p.Requirements) > 0 && len(r.inside(p.Names).Requirements) == 0 {
			evidence[p.Name] = "binds the reference adapter alone"
			continue
		}
		hosted = hosted || r.needsHost(p)
	}
	if hosted {
		var err error
		if probed, err = r.Engine.Probe(ctx, conform.Names{Name: ProbeScenario, Title: "Probe"}); err != nil {
			return nil, err
		}
		for _, p := range r.Selected {
			if probed.Evidence != "" && evidence[p.Name] == "" && r.needsHost(p) {
				evidence[p.Name] = probed.Evidence
			}
		}
	}
	var rest []Planned
	for _, p := range r.Selected {
		if evidence[p.Name] == "" {
			rest = append(rest, p)
		}
	}
	played := map[string]conform.ScenarioResult{}
	if len(rest) > 0 {
		results, err := r.play(ctx, rest)
		if err != nil {
			return nil, err
		}
		for _, result := range results {
			played[result.Name] = result
		}
	}
	var list []conform.ScenarioResult
	for _, p := range r.Selected {
		result, ok := played[p.Name]
		if !ok {
			result = conform.NotApplicableResult(r.inside(p.Names), evidence[p.Name])
			if r.Finished != nil {
				r.Finished(result)
			}
		}
		list = append(list, result)
	}
	if probed.Result != nil {
		if probed.Result.Verdict == conform.CouldNotRun {
			probed.Result.Notes = append(probed.Result.Notes, "acp-conform doctor says more; if the adapter should have started the fake Muse, "+pathAdvice)
		}
		if r.Finished != nil {
			r.Finished(*probed.Result)
		}
		list = append(list, *probed.Result)
	}
	return list, nil
}

// needsHost reports whether a scenario has a script for the host.
func (r *Run) needsHost(p Planned) bool {
	_, _, err := scenarios.Find(r.Engine.Scenarios, p.Name, r.Engine.Hosts.ScriptFile())
	return err == nil
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// placeOf gives the file and line of a pickle; godog adds the line of the selection to its file.
func placeOf(pickle *godog.Scenario) string {
	file := pickle.Uri
	for i := len(file) - 1; i > 0; i-- {
		if file[i] == ':' {
			file = file[:i]
			break
		}
	}
	return place(file, int(pickle.Location.Line))
}

func unbegun(p Planned, err error) conform.ScenarioResult {
	return conform.ScenarioResult{Name: p.Name, Title: p.Title, Feature: p.Feature, Tags: p.Tags, Requirements: p.Requirements,
		Verdict: conform.CouldNotRun, Reason: "the harness or the script is wrong: " + err.Error()}
}

// collector gathers results from concurrent scenarios.
type collector struct {
	mu      sync.Mutex
	results map[string]conform.ScenarioResult
	twice   []string
}

func (c *collector) add(r conform.ScenarioResult) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.results[r.Name]; there {
		c.twice = append(c.twice, r.Name)
	}
	c.results[r.Name] = r
}

// inOrder gives the results in the order of the plan, and an error unless each scenario has exactly one.
func (c *collector) inOrder(selected []Planned) ([]conform.ScenarioResult, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.twice) > 0 {
		return nil, fmt.Errorf("the scenarios %q delivered more than one verdict", c.twice)
	}
	var list []conform.ScenarioResult
	for _, p := range selected {
		r, ok := c.results[p.Name]
		if !ok {
			return nil, fmt.Errorf("the scenario %q delivered no verdict", p.Name)
		}
		list = append(list, r)
	}
	return list, nil
}
