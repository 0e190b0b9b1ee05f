package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"acp-conform/conform"
	"acp-conform/runner"
)

func listCommand() *cobra.Command {
	var sel selection
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios and the requirements that they decide",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, selected, err := sel.load()
			if err != nil {
				return err
			}
			if asJSON {
				return listJSON(os.Stdout, selected)
			}
			return listText(os.Stdout, selected)
		},
	}
	sel.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return c
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("unexpected argument %q; see %s --help", args[0], c.CommandPath())
	}
	return nil
}

func listText(w io.Writer, selected []runner.Planned) error {
	feature := ""
	for _, s := range selected {
		if s.Feature != feature {
			feature = s.Feature
			if _, err := fmt.Fprintf(w, "%s\n", feature); err != nil {
				return &exitError{conform.ExitCouldNotRun, fmt.Sprintf("listing: %v", err)}
			}
		}
		if _, err := fmt.Fprintf(w, "  %-40s %s\n  %-40s %s\n", s.Name, s.Title, "", strings.Join(s.Tags, " ")); err != nil {
			return &exitError{conform.ExitCouldNotRun, fmt.Sprintf("listing: %v", err)}
		}
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
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(rows); err != nil {
		return &exitError{conform.ExitCouldNotRun, fmt.Sprintf("listing: %v", err)}
	}
	return nil
}
