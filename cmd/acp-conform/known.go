package main

import (
	"os"
	"strings"

	"acp-conform/conform"
	"acp-conform/runner"
)

// knownFailures reads the file of --known-failures; there need not be one.
func knownFailures(suite *runner.Suite, file string) ([]conform.Known, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("--known-failures: %v", err)
	}
	known, err := suite.KnownFailures(file, string(text))
	if err != nil {
		return nil, usage("--known-failures: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return known, nil
}
