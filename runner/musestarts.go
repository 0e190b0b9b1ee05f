package runner

import (
	"encoding/json"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// unguarded gives the arguments with which the adapter started a Muse that guards the user less than the user's own
// would: commands run outside the sandbox, or with what an unknown folder says.
func unguarded(r wire.Record) []string {
	var argv, flags []string
	if r.Dir != wire.Start || json.Unmarshal(r.Data, &argv) != nil {
		return nil
	}
	for _, arg := range argv {
		if slices.Contains([]string{"--disable-sandbox", "--trust-workspace"}, arg) {
			flags = append(flags, arg)
		}
	}
	return flags
}

// works reports whether the adapter started a Muse beside those that serve that is given a command or a prompt, which
// nobody has sent and nobody is asked about. The played Muse takes no such call; what a call for facts that it does not know
// looks like, such as a list of models, is left to the adapter.
func works(c conform.HostCall) bool {
	if c.Refused == "" || len(c.Argv) == 0 || c.Argv[0] == "serve" {
		return false
	}
	return slices.ContainsFunc(c.Argv, func(arg string) bool {
		return arg == "exec" || arg == "--yolo" || !strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, " \t\n")
	})
}
