package conform

import (
	"slices"

	"acp-conform/wire"
)

// refusedRequests looks at requests of the adapter that the client answered with an error: whatever becomes of what was
// asked for, the prompt of the session is answered.
func refusedRequests(e *evidence) []finding {
	const id = "ACP-RPC-17"
	spans := e.spans()
	var bad []finding
	answered := false
	for _, r := range e.records {
		if r.Lane != wire.Client || r.Dir != wire.ToAdapter || r.Frame.Kind != wire.Response || r.Frame.Error == nil || r.Answers < 0 {
			continue
		}
		i := slices.IndexFunc(spans, func(sp span) bool {
			return sp.session == r.Session && sp.begin < r.Answers && (sp.end < 0 || sp.end > r.Seq)
		})
		switch {
		case i < 0 || e.leftOpen(spans[i]):
		case !e.inTime(spans[i]):
			bad = append(bad, e.bad(r.Seq, "/error", "an answer to the prompt behind it", "none", id,
				"the client answered a request of the adapter with an error, and the prompt was not answered"))
		default:
			answered = true
		}
	}
	if !answered {
		return bad
	}
	return verdicts([]string{id}, bad)
}

// leftOpen reports whether the scenario came to its end while a prompt was not answered yet, as it wanted to: the client
// went away or told the adapter to end, or a sentence says that the end comes in the middle of turns.
func (e *evidence) leftOpen(sp span) bool {
	wanted := e.s.hungUp || e.s.told || e.s.endsInTurns
	return wanted && e.s.broken == nil && sp.begin < e.s.leftAt && !e.inTime(sp)
}

// inTime reports whether a prompt was answered before the client left.
func (e *evidence) inTime(sp span) bool {
	return sp.end >= 0 && (e.s.leftAt < 0 || sp.end < e.s.leftAt)
}

// toldToEnd looks at an adapter that was told to end, as by SIGTERM, while its client was there.
func toldToEnd(e *evidence) []finding {
	const id = "ACP-TRN-15"
	switch {
	case !e.s.told:
		return nil
	case !e.s.listened:
		return []finding{{ids: []string{id}, message: "the adapter was told to end, and went on until its stdin was closed", place: &Place{Offset: -1,
			Expected: "an end within " + e.s.engine.Deadlines.StopTerm.String(), Actual: e.ending.Text}}}
	case e.ending.Left != "":
		return []finding{{ids: []string{id}, message: e.ending.Left + " after the adapter was told to end", place: &Place{Offset: -1, Expected: "nothing that is left running", Actual: e.ending.Left}}}
	}
	return []finding{good(id)}
}
