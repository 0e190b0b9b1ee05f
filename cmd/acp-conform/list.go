package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"acp-conform/runner"
)

func listCommand() *cobra.Command {
	var sel selection
	var asJSON, ofRequirements bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios, or the requirements and what proves them",
		Long: `List prints the scenarios with their tags; behind a requirement that binds the reference adapter alone stands *. With --requirements it prints the requirements instead, one a line: id,
level, whom it binds, and what proves it: scenarios by their name (that of a folder stands for all its rows), an oracle
that looks at every scenario, Go tests of this module by folder and name, or "excluded" with the reason; and "unproved"
where nothing does.

--tags and --scenario choose scenarios; with --requirements, the requirements that the chosen scenarios are tagged with.
Those that Go tests alone prove, or oracles alone, are listed without them only.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			mayBeCut(c)
			if ofRequirements {
				suite, listed, err := sel.listed()
				if err != nil {
					return err
				}
				if asJSON {
					return requirementsJSON(c.OutOrStdout(), suite, listed)
				}
				return requirementsText(c.OutOrStdout(), suite, listed)
			}
			suite, selected, err := sel.load()
			if err != nil {
				return err
			}
			if asJSON {
				return listJSON(c.OutOrStdout(), selected)
			}
			return listText(c.OutOrStdout(), selected, runner.ReferenceOnly(suite.Registry))
		},
	}
	sel.add(c)
	sel.own.add(c)
	c.Flags().BoolVar(&ofRequirements, "requirements", false, "list the requirements instead of the scenarios")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return c
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("unexpected argument %q; see %s --help", args[0], c.CommandPath())
	}
	return nil
}

// markOwn stands behind a requirement that binds the reference adapter alone.
const markOwn = "*"

// listText prints scenarios; only are the requirements that bind the reference adapter alone.
func listText(w io.Writer, selected []runner.Planned, only map[string]bool) error {
	feature, marked := "", false
	for _, s := range selected {
		if s.Feature != feature {
			feature = s.Feature
			if _, err := fmt.Fprintf(w, "%s\n", feature); err != nil {
				return err
			}
		}
		tags := slices.Clone(s.Tags)
		for i, tag := range tags {
			if only[strings.TrimPrefix(tag, "@")] {
				tags[i], marked = tag+markOwn, true
			}
		}
		if _, err := fmt.Fprintf(w, "  %-40s %s\n  %-40s %s\n", s.Name, s.Title, "", strings.Join(tags, " ")); err != nil {
			return err
		}
	}
	if marked {
		_, err := fmt.Fprintf(w, "\n%s binds the reference adapter alone\n", markOwn)
		return err
	}
	return nil
}

func listJSON(w io.Writer, selected []runner.Planned) error {
	type row struct {
		Name         string   `json:"name"`
		Title        string   `json:"title"`
		Feature      string   `json:"feature"`
		Line         int      `json:"line"`
		Tags         []string `json:"tags"`
		Requirements []string `json:"requirements"`
	}
	rows := []row{}
	for _, s := range selected {
		rows = append(rows, row{s.Name, s.Title, s.Feature, s.Line, append([]string{}, s.Tags...), append([]string{}, s.Requirements...)})
	}
	return printJSON(w, rows)
}
