package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// escalation is a tool call's wish to run under a wider sandbox mode, once.
type escalation struct {
	mode   string
	reason string // for the audit log (REQ-ESC-04)
}

// escalationOf reads the wish from a call's arguments. found says whether there is one; wrong is why it is denied
// without asking anybody (REQ-ESC-02, REQ-ESC-03, REQ-ESC-08). current is the mode in which commands run; empty means
// that nothing confines them.
func escalationOf(rawArgs, current string) (esc escalation, wrong string, found bool) {
	args, _ := object(json.RawMessage(strings.TrimSpace(rawArgs)))
	present := func(name string) bool { return len(args[name]) > 0 && string(args[name]) != "null" }
	if !present("sandbox_permissions") && !present("justification") {
		return esc, "", false
	}
	mode, _ := text(args["sandbox_permissions"])
	why, isText := text(args["justification"])
	modes := sandboxModes()
	wanted := slices.Index(modes, mode)
	switch {
	case !present("justification"):
		wrong = "invalid escalation: sandbox_permissions requires a justification"
	case !present("sandbox_permissions"):
		wrong = "invalid escalation: justification is only valid together with sandbox_permissions"
	case !isText || strings.TrimSpace(why) == "":
		wrong = "invalid justification: expected a non-empty sentence"
	case wanted < 0:
		wrong = fmt.Sprintf("invalid sandbox_permissions: expected %q or %q", modes[1], modes[2])
	case current == "":
		wrong = "sandbox_permissions is not available in this composition (no sandboxing executor to escalate)"
	case wanted <= slices.Index(modes, current):
		wrong = fmt.Sprintf("sandbox escalation to %q is not strictly wider than this call's current %q mode", mode, current)
	}
	return escalation{mode, fmt.Sprintf("escalate sandbox to %s: %s", mode, why)}, wrong, true
}
