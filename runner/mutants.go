package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"acp-conform/conform"
	"acp-conform/requirements"
)

// Mutation plays mutants: the reference adapter in this process, each time with another fault, over the selected
// scenarios. Goldens are left out: a mutant must be caught by a check that says what is wrong.
type Mutation struct {
	Suite    *Suite
	Mutants  []requirements.Mutant
	Selected []Planned
	Shown    bool     // play each mutant only over the scenarios that its list names
	Jobs     int      // mutants at the same time; less than 1 means one
	Flags    []string // of the reference adapter, beside that for the fault
	// Finished is called for every mutant as it ends; it may be nil. It must be safe for concurrent use.
	Finished func(MutantResult)
}

// MutantResult is what one mutant came to.
type MutantResult struct {
	requirements.Mutant
	Tripped    []string // requirements that failed in the scenarios that should show it, sorted
	Unexpected []string // of these, the ones that are not listed for the mutant
	Elsewhere  []string // requirements that failed only in other scenarios, sorted; nothing is listed for those
	Missing    []string // listed for it, and not tripped; empty unless all scenarios were selected
	Passed     []string // scenarios that should show it, and pass
	Failed     []conform.ScenarioResult
}

// OK reports whether the mutant trips what it should and nothing else, in each scenario that should show it.
func (r MutantResult) OK() bool { return len(r.Unexpected)+len(r.Missing)+len(r.Passed) == 0 }

// FailedNames lists the scenarios that failed.
func (r MutantResult) FailedNames() []string {
	var names []string
	for _, sc := range r.Failed {
		names = append(names, sc.Name)
	}
	return names
}

// ErrIdle says that no mutant trips anything in the selected scenarios.
var ErrIdle = errors.New("no mutant trips anything in the selected scenarios")

// A fault that keeps silent is told by a wait that can only end by its deadline. That must never be met by an adapter
// that is merely slow, so it is measured: the scenarios without a fault say how slow the machine is today. Waiting
// costs no work. Where a fault keeps nothing back, nothing is told by a deadline, and it is out of reach.
const (
	// patienceAtLeast is a hundred times what the adapter needs for one thing on an idle machine.
	patienceAtLeast = 2 * time.Second
	// patienceFactor is for the load that the other mutants make, over the slowest whole scenario: a single wait in it
	// took a small part of that.
	patienceFactor = 2
	// patienceFirst is for the scenarios without a fault, and for faults that keep nothing back.
	patienceFirst = time.Minute
)

func mutantDeadlines(patience time.Duration) conform.Deadlines {
	d := conform.DefaultDeadlines()
	d.Start, d.Reply, d.StopEOF = max(d.Start, patience), patience, patience
	d.Scenario = max(d.Scenario, 5*patience)
	return d
}

// scenariosAtOnce is how many scenarios of one mutant are played at the same time: enough that one which waits for a
// deadline does not hold up the others.
const scenariosAtOnce = 4

// Do plays all mutants and gives their results in the order of the list. Every scenario that is played is first played
// without any fault; an adapter that fails then proves nothing, and that is an error.
//
// With a part of the scenarios a mutant is held only to what it does trip, because what is listed for it may need
// another scenario. It is an error when no mutant trips anything.
func (m *Mutation) Do(ctx context.Context) ([]MutantResult, error) {
	shows, err := m.shows()
	if err != nil {
		return nil, err
	}
	mutants := m.Mutants
	if m.Shown {
		mutants, shows = shownOnly(mutants, shows)
	}
	slowest, err := m.sane(ctx, shows)
	if err != nil {
		return nil, err
	}
	patience := max(patienceAtLeast, patienceFactor*slowest)
	results := make([]MutantResult, len(mutants))
	errs := make([]error, len(mutants))
	// Those that keep silent mostly wait, so they take no places of the others.
	busy, waiting := make(chan struct{}, max(m.Jobs, 1)), make(chan struct{}, 2*max(m.Jobs, 1))
	var all sync.WaitGroup
	for i := range mutants {
		all.Go(func() {
			slots := busy
			if mutants[i].Silent != "" {
				slots = waiting
			}
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				errs[i] = context.Cause(ctx)
				return
			}
			if results[i], errs[i] = m.mutant(ctx, mutants[i], shows[i], patience); errs[i] == nil && m.Finished != nil {
				m.Finished(results[i])
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(results, func(r MutantResult) bool { return len(r.Tripped) > 0 }) {
		return results, ErrIdle
	}
	return results, nil
}

// shows gives for each mutant the selected scenarios that should show it. A name that no scenario has is an error.
func (m *Mutation) shows() ([][]Planned, error) {
	list := make([][]Planned, len(m.Mutants))
	for i, mutant := range m.Mutants {
		named, err := m.Suite.Plan.Select(nil, mutant.Scenarios)
		if err != nil {
			return nil, fmt.Errorf("the mutant %s (%s:%d): %w", mutant.Name, mutant.File, mutant.Line, err)
		}
		list[i] = slices.DeleteFunc(named, func(p Planned) bool { return !among(m.Selected, p.Name) })
	}
	return list, nil
}

// shownOnly leaves out the mutants that no selected scenario is named for.
func shownOnly(mutants []requirements.Mutant, shows [][]Planned) (some []requirements.Mutant, theirs [][]Planned) {
	for i, s := range shows {
		if len(s) > 0 {
			some, theirs = append(some, mutants[i]), append(theirs, s)
		}
	}
	return some, theirs
}

func among(list []Planned, name string) bool {
	return slices.ContainsFunc(list, func(p Planned) bool { return p.Name == name })
}

// sane plays the scenarios without a fault and gives the time that the slowest of them took.
func (m *Mutation) sane(ctx context.Context, shows [][]Planned) (slowest time.Duration, err error) {
	selected := m.Selected
	if m.Shown {
		all := slices.Concat(shows...)
		selected = slices.DeleteFunc(slices.Clone(selected), func(p Planned) bool { return !among(all, p.Name) })
	}
	played, err := m.play(ctx, "", selected, patienceFirst)
	if err != nil {
		return 0, fmt.Errorf("playing the scenarios without a fault: %w", err)
	}
	for _, sc := range played {
		if sc.Verdict != conform.Pass {
			return 0, fmt.Errorf("without any fault the scenario %s comes to %s: %s", sc.Name, sc.Verdict, sc.Reason)
		}
		slowest = max(slowest, sc.Duration)
	}
	return slowest, nil
}

func (m *Mutation) mutant(ctx context.Context, mutant requirements.Mutant, shows []Planned, patience time.Duration) (MutantResult, error) {
	r := MutantResult{Mutant: mutant}
	selected := m.Selected
	if m.Shown {
		selected = shows
	}
	if mutant.Silent == "" {
		patience = patienceFirst
	}
	played, err := m.play(ctx, mutant.Fault, selected, patience)
	if err != nil {
		return r, fmt.Errorf("playing the mutant %s (%s:%d): %w", mutant.Name, mutant.File, mutant.Line, err)
	}
	var shown []conform.ScenarioResult
	for _, sc := range played {
		should := among(shows, sc.Name)
		if should {
			shown = append(shown, sc)
		}
		switch {
		case sc.Verdict == conform.Fail:
			r.Failed = append(r.Failed, sc)
		case should && sc.Verdict == conform.CouldNotRun:
			return r, fmt.Errorf("playing the mutant %s: the scenario %s could not run: %s", mutant.Name, sc.Name, sc.Reason)
		case should:
			r.Passed = append(r.Passed, sc.Name)
		}
	}
	r.Tripped = m.failed(shown)
	r.Elsewhere = without(m.failed(played), r.Tripped)
	listed := mutant.IDs()
	r.Unexpected = without(r.Tripped, listed)
	if len(m.Selected) == len(m.Suite.Plan.Scenarios) {
		r.Missing = without(listed, r.Tripped)
	}
	return r, nil
}

// failed lists the requirements that fail in what was played.
func (m *Mutation) failed(played []conform.ScenarioResult) []string {
	var ids []string
	for _, q := range conform.Sum(played, facts(m.Suite.Registry)) {
		if q.Verdict == conform.Fail {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// play plays scenarios with a fault; "" is none. Neither handshake nor probe precede them: the adapter is
// known.
func (m *Mutation) play(ctx context.Context, fault string, selected []Planned, patience time.Duration) ([]conform.ScenarioResult, error) {
	if len(selected) == 0 {
		return nil, nil
	}
	flags := slices.Clone(m.Flags)
	if fault != "" {
		flags = append(flags, "--fault="+fault)
	}
	adapter, err := ReferenceInProcess(flags...)
	if err != nil {
		return nil, err
	}
	engine := m.Suite.Engine(adapter, true)
	engine.Deadlines = mutantDeadlines(patience)
	return m.Suite.Run(engine, selected, scenariosAtOnce).play(ctx, selected)
}

// without gives the members of a list that another one lacks.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return slices.Contains(other, id) })
}
