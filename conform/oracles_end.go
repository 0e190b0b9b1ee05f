package conform

import (
	"slices"
	"strings"

	"acp-conform/wire"
)

func endOfInput(e *evidence) []finding {
	if e.s.process == nil {
		return nil
	}
	problem := ""
	switch {
	case e.ending.Forced != "":
		problem = "the adapter did not end when its stdin was closed; it needed " + e.ending.Forced
	case e.ending.Left != "":
		problem = e.ending.Left + " after the adapter had ended"
	}
	if problem == "" {
		return []finding{good("ACP-TRN-11")}
	}
	return []finding{{ids: []string{"ACP-TRN-11"}, message: problem, place: &Place{Offset: -1, Expected: "an end of everything within " + e.s.engine.Deadlines.StopEOF.String(), Actual: e.ending.Text}}}
}

// exitStatus looks at how an adapter ended whose stdin was closed, as that of every scenario is in the end. One that was
// told to end, whose client broke off, or that the harness had to end may say what it likes; that one ended before its
// time is found where the scenario could not go on.
func exitStatus(e *evidence) []finding {
	const id = "ACP-TRN-17"
	if e.s.process == nil || e.s.hungUp || e.s.told || e.s.broken != nil || e.ending.Forced != "" {
		return nil
	}
	if !e.ending.Clean {
		return []finding{{ids: []string{id}, message: "the adapter did not end well after its stdin was closed: " + e.ending.Text,
			place: &Place{Offset: -1, Expected: "exit status 0", Actual: e.ending.Text}}}
	}
	return []finding{good(id)}
}

// lastWords looks at what comes once the client has closed stdin or told the adapter to end: while no turn is open,
// nothing begins any more that is about no session. What is about a session is looked at wherever it comes, and the kinds
// of update that may come at any time, and news of JSON-RPC itself, may have been on their way.
func lastWords(e *evidence) []finding {
	const id = "ACP-TRN-16"
	if e.s.leftAt < 0 {
		return nil
	}
	spans := e.spans()
	var bad []finding
	for _, r := range e.fromAdapter() {
		request := r.Frame.Kind == wire.Request && (r.Session == "" || strings.HasPrefix(r.Frame.Method, "_"))
		notification := r.Frame.Kind == wire.Notification && r.Frame.Method != methodUpdate && !strings.HasPrefix(r.Frame.Method, "$/")
		if r.Seq < e.s.leftAt || !request && !notification || r.Partial {
			continue
		}
		if slices.ContainsFunc(spans, func(sp span) bool { return sp.begin < r.Seq && (sp.end < 0 || sp.end > r.Seq) }) {
			continue
		}
		bad = append(bad, e.bad(r.Seq, "/method", "nothing new behind the end of stdin", r.Frame.Method, id,
			"%s came behind the end of stdin, where no turn was open", r.Frame.Method))
	}
	return verdicts([]string{id}, bad)
}
