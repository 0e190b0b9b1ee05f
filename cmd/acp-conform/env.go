package main

import (
	"fmt"
	"strings"
)

// checkEnv looks at the variables that the user gives to the adapter. Some of those that the harness sets cannot be
// given without breaking what it is for; others can, and are no longer private then, which the warnings say.
func checkEnv(env []string) (warnings []string, err error) {
	for _, kv := range env {
		name, value, ok := strings.Cut(kv, "=")
		switch {
		case !ok || name == "":
			return nil, usage("--env %q is not of the form K=V", kv)
		case name == "PATH":
			return nil, usage("--env PATH would hide the fake Muse, which stands first on the adapter's PATH, and might start a real one; " +
				"what stands on the PATH of acp-conform itself, the adapter has behind it")
		case name == "HOME", name == "USERPROFILE":
			return nil, usage("--env %s would let the adapter read and change what is yours, and hide processes that it leaves behind; "+
				"give it what it needs by a variable or a flag of its own", name)
		case strings.HasPrefix(name, "XDG_"), name == "TMPDIR", name == "TMP", name == "TEMP":
			warnings = append(warnings, fmt.Sprintf("--env %s: scenarios share that folder, and what the adapter writes there stays; without it each has its own", name))
		}
		more, err := checkBraces("--env "+name, value)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, more...)
	}
	return warnings, nil
}
