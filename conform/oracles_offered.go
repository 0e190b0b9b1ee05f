package conform

import (
	"encoding/json"
	"strings"

	"acp-conform/wire"
)

// offeredBy gives the capability that the client must have advertised as true before a method of it may be called, and
// the requirement that says so. Both are empty for a method that needs none.
func offeredBy(method string) (id string, capability []string) {
	switch {
	case method == "fs/read_text_file":
		return "ACP-FS-01", []string{"fs", "readTextFile"}
	case method == "fs/write_text_file":
		return "ACP-FS-01", []string{"fs", "writeTextFile"}
	case strings.HasPrefix(method, "terminal/"):
		return "ACP-TERM-01", []string{"terminal"}
	}
	return "", nil
}

// clientHas reports whether the params of initialize offer a capability of the client.
func clientHas(hello json.RawMessage, path ...string) bool {
	return marked(hello, append([]string{"clientCapabilities"}, path...))
}

// marked reports whether a capability is there: absent, null and false are no mark.
func marked(in json.RawMessage, path []string) bool {
	v := string(wire.Lookup(in, path...))
	return v != "" && v != "null" && v != "false"
}

// booleanOptions is the capability of a client that shows options which are on or off.
func booleanOptions() []string { return []string{"session", "configOptions", "boolean"} }

// hello gives the params of the client's first initialize; nil where there was none.
func (e *evidence) hello() json.RawMessage {
	for _, r := range e.records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Method == methodInitialize {
			return r.Frame.Params
		}
	}
	return nil
}

// offeredMethods looks at the calls of files and terminals: the client must have offered each. Absent, null and false
// are no offer. Without a turn there is nothing that an adapter would need them for.
func offeredMethods(e *evidence) []finding {
	hello := e.hello()
	if hello == nil || len(e.spans()) == 0 {
		return nil
	}
	var bad []finding
	for _, r := range e.fromAdapter() {
		id, capability := offeredBy(r.Frame.Method)
		if id == "" {
			continue
		}
		if !clientHas(hello, capability...) {
			bad = append(bad, e.bad(r.Seq, "/method", "a method that the client offers", r.Frame.Method, id,
				"%s was called, and the client did not offer %s", r.Frame.Method, strings.Join(capability, ".")))
		}
	}
	return verdicts([]string{"ACP-FS-01", "ACP-TERM-01"}, bad)
}
