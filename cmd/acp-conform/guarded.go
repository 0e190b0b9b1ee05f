package main

import (
	"acp-conform/conform"
	"acp-conform/internal/guard"
	"acp-conform/runner"
)

// guarded gives the suite a folder for all that it makes, and a guard that ends what it has started if this process is
// killed. The end must be called when everything has ended in order.
func guarded(suite *runner.Suite) (end func(), err error) {
	g, err := guard.Begin()
	if err != nil {
		return nil, &exitError{conform.ExitCouldNotRun, err.Error()}
	}
	suite.Temp, suite.Watch = g.Dir, g.Watch
	return g.End, nil
}
