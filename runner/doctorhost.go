package runner

import (
	"slices"
	"strings"

	"acp-conform/conform"
)

const findingHost = "it starts the fake Muse"

// host says how the adapter started the fake Muse. One that was refused, or was only asked something, was found all the
// same.
func (d *Diagnosis) host(c conversation, o conform.Outcome) {
	if len(c.starts) == 0 && d.refused(c) {
		return
	}
	var words []string
	for _, argv := range c.starts {
		words = append(words, museLine(argv))
	}
	for _, call := range c.calls {
		if call.Refused != "" {
			words = append(words, refusal(call))
		}
	}
	started := strings.Join(words, "; ")
	asked := ""
	if len(c.calls) > 0 {
		asked = ", it only called " + museLine(c.calls[0].Argv)
	}
	switch {
	case len(c.starts) > 0:
		d.add(findingHost, true, "", "", "%s", started)
	case o.StopReason != "":
		d.add(findingHost, true, "", "", "no%s, and it answered all the same: what needs a host will be not applicable. "+
			"If it should start one, "+pathAdvice, asked)
	case o.Code == conform.AuthRequired:
		d.add(findingHost, false, CauseConfiguration, loginAdvice, "no, it wants a login first")
	case len(c.calls) > 0:
		d.add(findingHost, false, CauseAdapter, "it found the fake Muse and did not start it as muse serve; the host of a conversation is started so", "no%s", asked)
	default:
		d.add(findingHost, false, CauseConfiguration,
			"if it should start one, it found another program, or none; if it reads a path from a variable or a flag, "+pathAdvice+
				"; if it needs none, it is the adapter: see what became of its prompt", "no")
	}
}

// pathAdvice is for an adapter that did not find the fake Muse by its name.
const pathAdvice = "give it {{muse}}, as in --env MUSE_CLI={{muse}}"

// refused says that the fake Muse was found, but not started because it does not take the arguments. It reports whether
// that is so.
func (d *Diagnosis) refused(c conversation) bool {
	var words []string
	for _, call := range c.calls {
		if text := refusal(call); call.Refused != "" && !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	if len(words) == 0 || len(c.starts) > 0 {
		return false
	}
	d.add(findingHost, false, CauseAdapter, refusedAdvice,
		"it started it as %s", strings.Join(words, "; "))
	return true
}

// refusedAdvice is for an adapter whose arguments the fake Muse refused.
const refusedAdvice = "it found the fake Muse, but Muse does not take these arguments; muse serve --help lists those that it takes"

func refusal(call conform.HostCall) string {
	return "`" + museLine(call.Argv) + "`, which Muse refuses: " + call.Refused
}

func museLine(argv []string) string { return strings.TrimSpace("muse " + strings.Join(argv, " ")) }
