package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"acp-conform/conform"
	"acp-conform/requirements"
	"acp-conform/runner"
)

func mutantsCommand() *cobra.Command {
	var sel selection
	var jobs int
	var asJSON, all bool
	var paces paces
	c := &cobra.Command{
		Use:   "mutants",
		Short: "Show that every check can fail: play the reference adapter with one fault after the other",
		Long: `Mutants plays the scenarios against the reference adapter with one fault switched on, for one fault after the other,
and prints the requirements that each of them trips. Transcripts are not compared: a mutant must be caught by a check
that says what is wrong.

Each mutant is played over the scenarios that its list names for it, which must all fail and together trip exactly what
is listed. With --all it is played over all scenarios, and what it trips in the others, for which nothing is listed, is
told: that takes an hour or two, not a minute.

With --client-pace or --host-pace the adapter writes late to its client or to its host. What a mutant trips must not depend
on that: a list that changes with them is a race between the mutant and the harness.

Exit codes: 0 every mutant trips exactly what is listed for it; 1 one does not; 2 wrong use; 3 the reference adapter
fails without any fault. With --tags or --scenario only the mutants are played that a selected scenario is named for, and
each is held only to what it does trip, because what is listed for it may need another scenario.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if jobs < 1 {
				return usage("--jobs is %d; it must be at least 1", jobs)
			}
			flags, err := paces.flags()
			if err != nil {
				return err
			}
			suite, selected, err := sel.load()
			if err != nil {
				return err
			}
			mutants, err := requirements.LoadMutants(suite.Registry)
			if err != nil {
				return err
			}
			end, err := guarded(suite)
			if err != nil {
				return err
			}
			defer end()
			begun := time.Now()
			m := runner.Mutation{Suite: suite, Mutants: mutants, Selected: selected, Shown: !all, Jobs: jobs, Flags: flags}
			results, err := m.Do(c.Context())
			switch {
			case err != nil && c.Context().Err() != nil:
				return err
			case errors.Is(err, runner.ErrIdle):
				return &exitError{conform.ExitFailed, err.Error()}
			case err != nil:
				return &exitError{conform.ExitCouldNotRun, err.Error()}
			}
			if asJSON {
				err = mutantsJSON(c.OutOrStdout(), results)
			} else {
				err = mutantsText(c.OutOrStdout(), results, time.Since(begun))
			}
			if err != nil {
				return &exitError{conform.ExitCouldNotRun, err.Error()}
			}
			if slices.ContainsFunc(results, func(r runner.MutantResult) bool { return !r.OK() }) {
				return &exitError{code: conform.ExitFailed}
			}
			return nil
		},
	}
	sel.add(c)
	paces.add(c)
	c.Flags().IntVar(&jobs, "jobs", 2*runtime.NumCPU(), "mutants that are played at the same time; some only wait")
	c.Flags().Lookup("jobs").DefValue = "twice the number of cores" // the same text on every machine
	c.Flags().BoolVar(&all, "all", false, "play each mutant over every scenario, not only over those that are named for it")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return c
}

func mutantsText(w io.Writer, results []runner.MutantResult, took time.Duration) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "mutant\tscenarios\trequirements tripped")
	good := 0
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%d\t%s\n", r.Name, len(r.Failed), tripsText(r))
		if r.OK() {
			good++
		}
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	if _, err := fmt.Fprintf(w, "\n%d of %d mutants trip what is listed for them and nothing else (%s).\n", good, len(results), took.Round(time.Millisecond)); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	return nil
}

// tripsText puts the requirement that the fault breaks in front and marks what should be otherwise.
func tripsText(r runner.MutantResult) string {
	ids := slices.Clone(r.Tripped)
	if i := slices.Index(ids, r.Trips[0].ID); i > 0 {
		ids = slices.Insert(slices.Delete(ids, i, i+1), 0, r.Trips[0].ID)
	}
	text := strings.Join(ids, " ")
	if text == "" {
		text = "nothing"
	}
	if len(r.Unexpected) > 0 {
		text += "; not listed: " + strings.Join(r.Unexpected, " ")
	}
	if len(r.Missing) > 0 {
		text += "; missing: " + strings.Join(r.Missing, " ")
	}
	if len(r.Elsewhere) > 0 {
		text += "; in other scenarios: " + strings.Join(r.Elsewhere, " ")
	}
	if len(r.Passed) > 0 {
		text += "; not shown by: " + strings.Join(r.Passed, " ")
	}
	return text
}

func mutantsJSON(w io.Writer, results []runner.MutantResult) error {
	type row struct {
		Mutant     string   `json:"mutant"`
		Statement  string   `json:"statement"`
		Trips      []string `json:"trips"`
		Unexpected []string `json:"unexpected"`
		Missing    []string `json:"missing"`
		Elsewhere  []string `json:"elsewhere"`
		Scenarios  []string `json:"scenarios"`
		Passed     []string `json:"passed"`
	}
	rows := []row{}
	for _, r := range results {
		list := func(ids []string) []string { return append([]string{}, ids...) }
		rows = append(rows, row{r.Name, r.Statement, list(r.Tripped), list(r.Unexpected), list(r.Missing), list(r.Elsewhere), list(r.FailedNames()), list(r.Passed)})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(rows); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	return nil
}
