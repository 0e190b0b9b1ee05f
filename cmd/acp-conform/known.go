package main

import (
	"strings"

	"github.com/spf13/cobra"

	"acp-conform/conform"
	"acp-conform/runner"
)

// given makes sure that flags which are there have a value: an empty one is a variable of a shell that is not set, and what
// was to be compared would silently not be.
func given(c *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if f := c.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return usage("--%s is empty; leave it out, or name a value", name)
		}
	}
	return nil
}

// knownFailures reads the file of --known-failures; there need not be one.
func knownFailures(suite *runner.Suite, file string) ([]conform.Known, error) {
	if file == "" {
		return nil, nil
	}
	text, err := runner.ReadPlain(file)
	if err != nil {
		return nil, usage("--known-failures: %v", err)
	}
	known, err := suite.KnownFailures(file, string(text))
	if err != nil {
		return nil, usage("--known-failures: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return known, nil
}
