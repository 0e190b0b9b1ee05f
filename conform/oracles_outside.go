package conform

import (
	"slices"
	"strings"

	"acp-conform/wire"
)

// ofTurn reports whether a kind of update belongs to a turn. The others that the schema knows tell of a session, and may
// come at any time: the commands that it has, its mode, its options, its title, what it has used.
func ofTurn(kind string) bool {
	return slices.Contains([]string{"user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"}, kind)
}

// turnAt looks for a turn of a session that is open at a place of the log. last is the newest that began before it; nil
// when the session has had none.
func turnAt(spans []span, session string, seq int) (last *span, open bool) {
	for i := range spans {
		sp := &spans[i]
		if sp.session != session || sp.begin > seq {
			continue
		}
		open = open || sp.end < 0 || sp.end > seq
		last = sp
	}
	return last, open
}

// lateUpdates looks at updates that come behind the response of their turn.
func lateUpdates(e *evidence) []finding {
	spans := e.spans()
	var bad []finding
	var ids []string
	of := func(sp span) string {
		if sp.cancelledAt >= 0 {
			return "ACP-CAN-03"
		}
		return "ACP-PR-09"
	}
	for _, sp := range spans {
		if id := of(sp); sp.end >= 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, r := range e.fromAdapter() {
		u := updateOf(r)
		if u == nil || !ofTurn(wire.LookupString(u, "sessionUpdate")) {
			continue
		}
		if last, open := turnAt(spans, r.Session, r.Seq); !open && last != nil && !e.openAt(r, methodLoad) {
			bad = append(bad, e.bad(r.Seq, "/params/update", "no update of a turn behind its response", short(u), of(*last),
				"an update of a finished turn came behind the response of its prompt"))
		}
	}
	return verdicts(ids, bad)
}

// outsideTurns looks at requests about a session that come while it has no turn. What is open of a session while another
// request of the client about it runs, such as a load, may need the client too. An update before the first prompt, such as
// a greeting, is forbidden nowhere; many clients have no place for it, so it is noted.
func outsideTurns(e *evidence) []finding {
	const id = "ACP-PR-16"
	if len(e.issued()) == 0 {
		return nil
	}
	spans := e.spans()
	var bad []finding
	for _, r := range e.fromAdapter() {
		last, open := turnAt(spans, r.Session, r.Seq)
		if open || r.Session == "" {
			continue
		}
		u := updateOf(r)
		switch {
		case u != nil && last == nil && ofTurn(wire.LookupString(u, "sessionUpdate")) && !e.openAt(r, methodLoad):
			e.note("%s came in a session before its first prompt, which some clients do not show", wire.LookupString(u, "sessionUpdate"))
		case r.Frame.Kind == wire.Request && !mayComeBetweenTurns(r.Frame.Method) && !e.openAt(r, ""):
			bad = append(bad, e.bad(r.Seq, "/method", "no request about a session without a turn", r.Frame.Method, id,
				"%s came while no turn of its session was open", r.Frame.Method))
		}
	}
	return verdicts([]string{id}, bad)
}

// mayComeBetweenTurns reports whether a request about a session needs no turn: the terminals that a turn made may outlive
// it and have to be released in the end, and what a method of the adapter's own making is about nobody else knows.
func mayComeBetweenTurns(method string) bool {
	terminal := strings.HasPrefix(method, "terminal/") && method != "terminal/create"
	return terminal || strings.HasPrefix(method, "_")
}

// openAt reports whether a request of the client about the session of r is open when r comes: of this method, or of any.
func (e *evidence) openAt(r wire.Record, method string) bool {
	open := map[int]bool{}
	for _, at := range e.records[:r.Seq] {
		switch {
		case at.Lane != wire.Client:
		case at.Dir == wire.ToAdapter && at.Frame.Kind == wire.Request && at.Session == r.Session && (method == "" || at.Frame.Method == method):
			open[at.Seq] = true
		case at.Dir == wire.FromAdapter && at.Answers >= 0:
			delete(open, at.Answers)
		}
	}
	return len(open) > 0
}

// issued are the sessions that the client was given, or has named itself to go on with them.
func (e *evidence) issued() map[string]bool {
	ids := map[string]bool{}
	for _, r := range e.records {
		switch {
		case r.Lane != wire.Client:
		case r.Dir == wire.FromAdapter && r.Answers >= 0 && e.records[r.Answers].Frame.Method == methodNewSession:
			if id := wire.LookupString(r.Frame.Result, "sessionId"); id != "" {
				ids[id] = true
			}
		case r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request && takesUp(r.Frame.Method):
			if r.Session != "" {
				ids[r.Session] = true
			}
		}
	}
	return ids
}

// closed reports whether the client has closed the session of r when r comes, and not taken it up again.
func (e *evidence) closed(r wire.Record) bool {
	closed := false
	for _, at := range e.records[:r.Seq] {
		switch {
		case at.Lane != wire.Client || at.Session != r.Session:
		case at.Dir == wire.FromAdapter && at.Answers >= 0 && at.Frame.Error == nil && e.records[at.Answers].Frame.Method == methodClose:
			closed = true
		case at.Dir == wire.ToAdapter && at.Frame.Kind == wire.Request && takesUp(at.Frame.Method):
			closed = false
		}
	}
	return closed
}

func takesUp(method string) bool { return method == methodLoad || method == methodResume }

// unknownSessions looks at the sessions that updates and requests name: the client was given each of them, and has not
// closed it. Whether an update came before the answer that gave the session is not looked at. What a method of the
// adapter's own making calls a session need not be one.
func unknownSessions(e *evidence) []finding {
	const id = "ACP-ISO-05"
	issued := e.issued()
	closes := slices.ContainsFunc(e.records, func(r wire.Record) bool { return r.Lane == wire.Client && r.Frame.Method == methodClose })
	var bad []finding
	named := false
	for _, r := range e.fromAdapter() {
		if string(wire.Lookup(r.Frame.Params, "sessionId")) != `""` && r.Session == "" || r.Frame.Kind == wire.Response || strings.HasPrefix(r.Frame.Method, "_") {
			continue
		}
		named = true
		switch {
		case !issued[r.Session]:
			bad = append(bad, e.bad(r.Seq, "/params/sessionId", "a session that the client was given", r.Session, id,
				"%s is about a session that the client was never given", r.Frame.Method))
		case closes && e.closed(r):
			bad = append(bad, e.bad(r.Seq, "/params/sessionId", "a session that is open", r.Session, id,
				"%s is about a session that the client has closed", r.Frame.Method))
		}
	}
	if !named {
		return nil
	}
	return verdicts([]string{id}, bad)
}

// earlyUpdates looks for updates of a new session in front of the answer that gives its id: the client cannot know yet
// what they are about. A session that the client names itself, to go on with it, is another matter.
func earlyUpdates(e *evidence) []finding {
	const id = "ACP-NEW-07"
	given := map[string]int{}
	for _, r := range e.fromAdapter() {
		if r.Answers >= 0 && e.records[r.Answers].Frame.Method == methodNewSession {
			if session := wire.LookupString(r.Frame.Result, "sessionId"); session != "" {
				given[session] = r.Seq
			}
		}
	}
	if len(given) == 0 {
		return nil
	}
	var bad []finding
	for _, r := range e.fromAdapter() {
		if at, new := given[r.Session]; new && updateOf(r) != nil && r.Seq < at {
			bad = append(bad, e.bad(r.Seq, "/params/sessionId", "a session that the client knows", r.Session, id,
				"an update of a new session came in front of the answer that gives its id"))
		}
	}
	return verdicts([]string{id}, bad)
}
