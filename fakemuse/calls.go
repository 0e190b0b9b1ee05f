package fakemuse

import (
	"fmt"
	"path/filepath"
	"strings"
)

// exitUsage is the exit code of a real muse for arguments that it does not know.
const exitUsage = 2

// exportText is what `muse export` writes for a session that holds nothing.
const exportText = `{"export_schema_version":1,"events":[]}` + "\n"

// invocation is one run of `muse` that is not `serve`, read.
type invocation struct {
	reply   callReply
	refused string // why a muse does not take these arguments; empty when it does
	version bool   // print the version, which the scenario may fix
	export  string // the file that --out names, absolute; empty for anything but export
	session string // the session that is exported
}

// parseCall says what an invocation other than `serve` does: what it prints, and how it ends.
func parseCall(args []string, cwd string) invocation {
	switch {
	case len(args) == 0:
		return usage("a command is required")
	case args[0] == "--version" || args[0] == "-V":
		if len(args) > 1 {
			return usage(fmt.Sprintf("unexpected argument '%s'", args[1]))
		}
		return invocation{version: true}
	case args[0] == "serve":
		flags, err := parseServe(args[1:])
		switch {
		case err != nil:
			return usage(err.Error())
		case flags.Help:
			return invocation{reply: callReply{Stdout: serveHelp}}
		}
		return usage("'serve' is no call")
	case args[0] == "skills":
		return parseSkills(args[1:])
	case args[0] == "logout":
		if len(args) > 1 {
			return usage(fmt.Sprintf("unexpected argument '%s'", args[1]))
		}
		return invocation{}
	case args[0] == "export":
		return parseExport(args[1:], cwd)
	}
	return usage(fmt.Sprintf("unexpected argument '%s'", args[0]))
}

func parseSkills(args []string) invocation {
	if len(args) == 0 || args[0] != "list" {
		return usage("'skills' requires the subcommand 'list'")
	}
	options, err := parseOptions(args[1:], "--workspace")
	if err != nil {
		return usage(err.Error())
	}
	if _, json := options["--json"]; !json {
		return invocation{}
	}
	return invocation{reply: callReply{Stdout: `{"skills":[]}` + "\n"}}
}

func parseExport(args []string, cwd string) invocation {
	options, err := parseOptions(args, "--session", "--out")
	if err != nil {
		return usage(err.Error())
	}
	for _, name := range []string{"--session", "--out"} {
		if options[name] == "" {
			return usage(fmt.Sprintf("'export' requires '%s'", name))
		}
	}
	out := options["--out"]
	if !filepath.IsAbs(out) {
		out = filepath.Join(cwd, out)
	}
	return invocation{export: filepath.Clean(out), session: options["--session"]}
}

// parseOptions reads options, those in valued with a value; --json is the one switch.
func parseOptions(args []string, valued ...string) (map[string]string, error) {
	options := map[string]string{}
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(args[i], "=")
		known := name == "--json" && !hasValue
		for _, v := range valued {
			if v != name {
				continue
			}
			known = true
			if !hasValue {
				if i+1 >= len(args) {
					return nil, fmt.Errorf("a value is required for '%s'", name)
				}
				i++
				value = args[i]
			}
		}
		if !known {
			return nil, fmt.Errorf("unexpected argument '%s'", args[i])
		}
		options[name] = value
	}
	return options, nil
}

func usage(problem string) invocation {
	return invocation{refused: problem, reply: callReply{Stderr: "muse: error: " + problem + "\n", Code: exitUsage}}
}
