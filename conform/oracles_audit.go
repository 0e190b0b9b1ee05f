package conform

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// auditOutcomes are the outcomes that a decision can have in a log (approval-seam.md §1.1). The first is the only grant.
func auditOutcomes() []string {
	return []string{"allowed-once", "rejected", "cancelled", "unavailable"}
}

// AuditRequirements are what the audit logs decide: one decision for each question, ids of their own, in an open turn around the
// call, nothing but the vocabulary, and no grant that the client did not give.
func AuditRequirements() []string {
	return []string{"REQ-APPR-02", "REQ-APPR-03", "REQ-APPR-04", "REQ-APPR-16", "REQ-AUD-01", "REQ-AUD-02"}
}

// auditPairs looks at the audit logs of all sessions.
func auditPairs(e *evidence) []finding {
	if len(e.s.sessions) == 0 || e.s.engine.AuditLog == "" {
		return nil
	}
	var bad []finding
	questions := 0
	everyone := e.s.Questions()
	seen := map[string]int{} // ids of questions, with the session that had each first
	for n, id := range e.s.sessions {
		if slices.Index(e.s.sessions, id) < n {
			continue // two sessions with one id have one log; other checks say what is wrong with that
		}
		log, _ := e.s.AuditLog(n + 1)
		w := auditWalk{log: log, session: n + 1, seen: seen, everyone: everyone, approved: e.approved, ran: e.ran}
		if log.Entries == nil && w.wire() == nil && (log.Problem == "" || log.File == "") {
			continue // a session in which nothing happened has no log
		}
		if log.Problem != "" {
			w.fail("REQ-AUD-02", 0, "a log that can be read", log.Problem, log.Problem)
			bad = append(bad, w.bad...)
			continue // what it does not hold tells nothing more
		}
		w.walk()
		bad = append(bad, w.bad...)
		questions += w.questions
	}
	if questions == 0 && bad == nil {
		return nil
	}
	return verdicts(AuditRequirements(), bad)
}

// auditWalk goes through one log, line by line.
type auditWalk struct {
	log       AuditLog
	session   int
	seen      map[string]int
	everyone  []Question // what the client was asked, in all sessions
	approved  func(call string) bool
	ran       func(hostCall string) bool
	questions int

	open    bool              // a turn is open
	running map[string]bool   // calls between their tool/call and their tool/result
	about   map[string]bool   // those that were asked about
	pending map[string]asked  // questions without a decision, by id
	logged  map[string]int    // questions, by call
	grants  map[string]int    // by call
	granted map[string][]bool // by call: which of its questions were granted, in their order
	spoken  bool              // something was asked in the turn that is open
	bad     []finding
}

// asked is the data of an approval/asked, and where it stands.
type asked struct {
	ID       string `json:"id"`
	ToolName string `json:"toolName"`
	CallID   string `json:"callId"`
	line     int
	place    int // among the questions about its call
}

func (w *auditWalk) fail(id string, line int, expected, actual, message string) {
	at := fmt.Sprintf("the audit log of session %d", w.session)
	if w.log.File != "" {
		at += " (" + w.log.File + ")"
	}
	if line > 0 {
		at += fmt.Sprintf(", line %d", line)
	}
	w.bad = append(w.bad, finding{ids: []string{id}, message: at + ": " + message,
		place: &Place{Line: line, Offset: -1, Expected: expected, Actual: actual}})
}

func (w *auditWalk) walk() {
	w.running, w.pending, w.grants = map[string]bool{}, map[string]asked{}, map[string]int{}
	w.logged, w.about, w.granted = map[string]int{}, map[string]bool{}, map[string][]bool{}
	for _, entry := range w.log.Entries {
		w.step(entry)
	}
	for _, q := range w.left() {
		w.fail("REQ-APPR-04", q.line, "a decision for each question", "none", fmt.Sprintf("the question %s has no decision", q.ID))
	}
	w.unfinished(0, "the end of the log")
	if w.open && w.spoken {
		w.fail("REQ-AUD-01", 0, "a turn/end", "the end of the log", "the turn of the last question has no end")
	}
	w.againstTheWire()
}

// unfinished finds calls that were asked about and have no result where their turn ends, or the log.
func (w *auditWalk) unfinished(line int, where string) {
	for _, call := range slices.Sorted(maps.Keys(w.running)) {
		if w.about[call] {
			w.fail("REQ-AUD-01", line, "the tool/result of "+call, where, fmt.Sprintf("the call %s, which was asked about, has no result in its turn", call))
		}
	}
	clear(w.running)
}

// wire are the questions of this session that reached the client.
func (w *auditWalk) wire() []Question {
	var list []Question
	for _, q := range w.everyone {
		if q.Session == w.session {
			list = append(list, q)
		}
	}
	return list
}

// againstTheWire compares the log with what the client was asked and answered: each question that reached the client is
// in the log, and a call that the client was asked about has no grant in the log that the client did not give.
func (w *auditWalk) againstTheWire() {
	type count struct{ questions, grants int }
	asked, granted := map[string]count{}, map[string][]bool{}
	var calls []string
	for _, q := range w.wire() {
		c, known := asked[q.Call]
		if !known {
			calls = append(calls, q.Call)
		}
		c.questions++
		if q.Granted {
			c.grants++
		}
		asked[q.Call] = c
		granted[q.Call] = append(granted[q.Call], q.Granted)
	}
	for _, call := range slices.Sorted(maps.Keys(w.grants)) {
		if _, known := asked[call]; !known && !w.approved(call) {
			w.fail("REQ-AUD-02", 0, "no grant", fmt.Sprint(w.grants[call]), fmt.Sprintf("the log holds a grant for the call %q, about which the client was never asked", call))
		}
	}
	for _, q := range w.wire() {
		if q.Granted && w.ran(q.HostCall) && w.grants[q.Call] == 0 {
			w.fail("REQ-AUD-02", 0, "the grant that the client gave", "none", fmt.Sprintf("the client allowed the call %s, it ran, and the log holds no grant", q.Call))
		}
	}
	for _, call := range calls {
		if n := w.logged[call]; n < asked[call].questions {
			w.fail("REQ-APPR-03", 0, fmt.Sprintf("%d questions", asked[call].questions), fmt.Sprint(n),
				fmt.Sprintf("the client was asked about the call %[2]s (times: %[1]d); questions about it in the log: %[3]d", asked[call].questions, call, n))
		}
		if n := w.grants[call]; n > asked[call].grants {
			w.fail("REQ-AUD-02", 0, fmt.Sprintf("%d grants", asked[call].grants), fmt.Sprint(n),
				fmt.Sprintf("the call %s has more grants in the log (%d) than the client gave (%d)", call, n, asked[call].grants))
			continue
		}
		if w.logged[call] != asked[call].questions {
			continue // some of them were not put to the client, and the log does not say which
		}
		for i, given := range granted[call] {
			if w.granted[call][i] && !given {
				w.fail("REQ-AUD-02", 0, "no grant", "allowed-once", fmt.Sprintf("in the log question %d about the call %s is granted, and the client did not grant that one", i+1, call))
			}
		}
	}
}

// left lists the questions without a decision, in their order.
func (w *auditWalk) left() []asked {
	var list []asked
	for _, q := range w.pending {
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b asked) int { return a.line - b.line })
	return list
}

func (w *auditWalk) step(entry AuditEntry) {
	var data struct {
		asked
		Outcome string `json:"outcome"`
	}
	if err := json.Unmarshal(entry.Data, &data); err != nil && (entry.Type == auditAsked || entry.Type == auditDecided) {
		w.fail("REQ-APPR-03", entry.Line, "an object with the event's data", short(entry.Data), "the event's data cannot be read")
		return
	}
	switch entry.Type {
	case auditTurnStart, auditTurnEnd:
		for _, q := range w.left() {
			w.fail("REQ-AUD-01", entry.Line, "the decision of "+q.ID, entry.Type, fmt.Sprintf("the question %s and its decision are not in one turn", q.ID))
		}
		w.unfinished(entry.Line, entry.Type)
		starts := entry.Type == auditTurnStart
		switch {
		case starts && w.open:
			w.fail("REQ-AUD-01", entry.Line, auditTurnEnd, entry.Type, "a turn begins before the one in front of it has ended")
		case !starts && !w.open:
			w.fail("REQ-AUD-01", entry.Line, auditTurnStart, entry.Type, "a turn ends that is not open")
		}
		w.open, w.spoken = starts, false
	case auditToolCall:
		if w.running[data.CallID] && w.about[data.CallID] {
			w.fail("REQ-AUD-01", entry.Line, "the tool/result of "+data.CallID, entry.Type, fmt.Sprintf("the call %s, which was asked about, begins again without a result", data.CallID))
		}
		w.running[data.CallID] = true
		delete(w.about, data.CallID)
	case auditToolResult:
		for _, q := range w.left() {
			if q.CallID == data.CallID {
				w.fail("REQ-AUD-01", entry.Line, "the decision of "+q.ID, entry.Type, fmt.Sprintf("the call %s ends before the decision of its question", q.CallID))
			}
		}
		delete(w.running, data.CallID)
	case auditAsked:
		if member, ok := nullMember(entry.Data); ok {
			w.fail("REQ-APPR-03", entry.Line, "no "+member, "null", fmt.Sprintf("the question %s has a %s that is null; what is not there is left out", data.ID, member))
		}
		data.line = entry.Line
		w.ask(data.asked)
	case auditDecided:
		w.decide(entry, data.ID, data.Outcome)
	}
}

func (w *auditWalk) ask(q asked) {
	w.questions++
	w.spoken = true
	q.place = w.logged[q.CallID]
	w.logged[q.CallID]++
	w.granted[q.CallID] = append(w.granted[q.CallID], false)
	w.about[q.CallID] = true
	switch first, twice := w.seen[q.ID]; {
	case q.ID == "" || q.ToolName == "":
		w.fail("REQ-APPR-03", q.line, "an id and the name of a tool", fmt.Sprintf("%q and %q", q.ID, q.ToolName), "a question without id or tool")
		return
	case twice:
		w.fail("REQ-APPR-02", q.line, "an id of its own", q.ID, fmt.Sprintf("the id %s was used before, in session %d", q.ID, first))
	default:
		w.seen[q.ID] = w.session
	}
	if !w.open {
		w.fail("REQ-AUD-01", q.line, "an open turn", "none", fmt.Sprintf("the question %s is outside a turn", q.ID))
	}
	if q.CallID != "" && !w.running[q.CallID] {
		w.fail("REQ-AUD-01", q.line, "the tool/call of "+q.CallID+" before it", "none", fmt.Sprintf("the question %s is not between its call's begin and end", q.ID))
	}
	if w.isStrangers(q.CallID) {
		w.fail("REQ-AUD-02", q.line, "a call of this session", q.CallID, fmt.Sprintf("the question %s is about a call of another session", q.ID))
	}
	w.pending[q.ID] = q
}

// nullMember finds a member of a question that is null.
func nullMember(data json.RawMessage) (string, bool) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(data, &members) // it was read before
	for _, name := range []string{"callId", "reason"} {
		if string(members[name]) == "null" {
			return name, true
		}
	}
	return "", false
}

// isStrangers reports whether a call is one that another session was asked about, and this one was not. A call that
// nobody was asked about is anybody's: the policy may have decided it.
func (w *auditWalk) isStrangers(call string) bool {
	about := func(own bool) bool {
		return slices.ContainsFunc(w.everyone, func(q Question) bool { return q.Call == call && (q.Session == w.session) == own })
	}
	return call != "" && about(false) && !about(true)
}

func (w *auditWalk) decide(entry AuditEntry, id, outcome string) {
	q, ok := w.pending[id]
	if !ok {
		w.fail("REQ-APPR-04", entry.Line, "the id of a question that is open", id, fmt.Sprintf("a decision for %q, which is no open question", id))
		return
	}
	delete(w.pending, id)
	if !slices.Contains(auditOutcomes(), outcome) {
		w.fail("REQ-APPR-16", entry.Line, fmt.Sprintf("one of %q", auditOutcomes()), outcome, fmt.Sprintf("the outcome %q is none", outcome))
	}
	if outcome == auditOutcomes()[0] {
		w.grants[q.CallID]++
		w.granted[q.CallID][q.place] = true
	}
}
