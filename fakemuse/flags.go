package fakemuse

import (
	"fmt"
	"strings"
)

// serveFlags are the options of one `muse serve` that change what the host does.
type serveFlags struct {
	DisableWrite bool
	DisableShell bool
	Ephemeral    bool // --no-session-log
	Provider     string
	Model        string
	Help         bool
}

// parseServe reads the arguments behind `serve`. It takes the flags that a real host is known to take and refuses
// others with one line.
func parseServe(args []string) (serveFlags, error) {
	var f serveFlags
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(args[i], "=")
		take := func() (string, error) {
			if hasValue {
				return value, nil
			}
			if i+1 >= len(args) {
				return "", fmt.Errorf("a value is required for '%s'", name)
			}
			i++
			return args[i], nil
		}
		var err error
		switch name {
		case "--disable-write":
			f.DisableWrite = true
		case "--disable-shell":
			f.DisableShell = true
		case "--no-session-log":
			f.Ephemeral = true
		case "--trust-workspace", "--disable-sandbox":
		case "--sandbox-network":
			_, err = take()
		case "--provider":
			f.Provider, err = take()
		case "--model":
			f.Model, err = take()
		case "--help", "-h":
			f.Help = true
		default:
			err = fmt.Errorf("unexpected argument '%s'", args[i])
		}
		if err != nil {
			return serveFlags{}, err
		}
		switch name {
		case "--sandbox-network", "--provider", "--model":
		default:
			if hasValue {
				return serveFlags{}, fmt.Errorf("unexpected value for '%s'", name)
			}
		}
	}
	return f, nil
}

// serveHelp is what `muse serve --help` prints.
const serveHelp = `Serve the Muse Session Protocol over stdio

Usage: muse serve [OPTIONS]

Options:
      --disable-write              Refuse tools that write files
      --disable-shell              Refuse the shell tool
      --disable-sandbox            Run tools without the OS sandbox
      --sandbox-network <POLICY>   Network of sandboxed tools
      --no-session-log             Keep no session log
      --provider <ID>              Model provider
      --model <ID>                 Model
      --trust-workspace            Trust the workspace without asking
  -h, --help                       Print help
`
