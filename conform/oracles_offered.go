package conform

import (
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

// offeredMethods looks at the calls of files and terminals: the client must have offered each. Absent, null and false
// are no offer. Without a turn there is nothing that an adapter would need them for.
func offeredMethods(e *evidence) []finding {
	var hello []byte
	for _, r := range e.records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Method == methodInitialize {
			hello = r.Frame.Params
			break
		}
	}
	if hello == nil || len(e.spans()) == 0 {
		return nil
	}
	var bad []finding
	for _, r := range e.fromAdapter() {
		id, capability := offeredBy(r.Frame.Method)
		if id == "" {
			continue
		}
		path := append([]string{"clientCapabilities"}, capability...)
		if offered := string(wire.Lookup(hello, path...)); offered != "true" {
			bad = append(bad, e.bad(r.Seq, "/method", "a method that the client offers", r.Frame.Method, id,
				"%s was called, and the client did not offer %s", r.Frame.Method, strings.Join(capability, ".")))
		}
	}
	return verdicts([]string{"ACP-FS-01", "ACP-TERM-01"}, bad)
}
