package conform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/wire"
)

// Oracle is an always-on check of the whole log.
type Oracle struct {
	Name string
	IDs  []string // what it can decide
	// look reports what it found; nothing when the scenario gave it nothing to look at.
	look func(*evidence) []finding
}

// finding is one result of an oracle.
type finding struct {
	ids     []string
	ok      bool
	place   *Place
	message string
}

// evidence is what the oracles look at, after the end.
type evidence struct {
	s       *Scenario
	records []wire.Record
	facts   Facts
	ending  Ending
}

// client gives the frames of the adapter on the client's lane.
func (e *evidence) fromAdapter() []wire.Record {
	var list []wire.Record
	for _, r := range e.records {
		if r.Lane == wire.Client && r.Dir == wire.FromAdapter {
			list = append(list, r)
		}
	}
	return list
}

// Oracles lists the always-on oracles.
func Oracles() []Oracle {
	return []Oracle{
		{"stdout carries only protocol", []string{"ACP-TRN-01", "ACP-TRN-02", "ACP-TRN-03", "ACP-RPC-01", "ACP-RPC-04", "ACP-RPC-05"}, purity},
		{"the last line is complete", []string{"ACP-TRN-14"}, lastLine},
		{"every request has exactly one response", []string{"ACP-RPC-02", "ACP-RPC-03"}, responses},
		{"a notification has no answer", []string{"ACP-RPC-06", "ACP-CAN-05"}, notifications},
		{"ids of open requests are distinct", []string{"ACP-RPC-14", "ACP-PERM-10"}, requestIDs},
		{"a turn's updates come before its response", []string{"ACP-PR-09", "ACP-CAN-03"}, lateUpdates},
		{"what belongs to a turn comes in one", []string{"ACP-PR-16"}, outsideTurns},
		{"every session is one that the client has", []string{"ACP-ISO-05"}, unknownSessions},
		{"a new session is known before it is told of", []string{"ACP-NEW-07"}, earlyUpdates},
		{"files and terminals are used only where the editor offers them", []string{"ACP-FS-01", "ACP-TERM-01"}, offeredMethods},
		{"bytes in content are base64", []string{"ACP-CONT-02"}, base64Content},
		{"paths of tool calls are absolute", []string{"ACP-TOOL-10", "ACP-TOOL-11"}, absolutePaths},
		{"news of a session say what they may", []string{"ACP-INFO-01", "ACP-INFO-02", "ACP-USE-02"}, sessionNews},
		{"modes and options are well-formed", []string{"ACP-MODE-01", "ACP-CFG-01", "ACP-CFG-02", "ACP-CFG-03", "ACP-CFG-10"}, wellFormed},
		{"the status of a tool call moves forward", []string{"ACP-TOOL-02", "ACP-TOOL-05", "ACP-TOOL-06", "ACP-TOOL-08", "ACP-TOOL-15", "ACP-TOOL-16"}, toolStatus},
		{"permission options are valid", []string{"ACP-PERM-04"}, permissionOptions},
		{"nothing runs without a grant", []string{"ACP-PERM-01", "ACP-PERM-11"}, grants},
		{"nothing is decided before the answer", []string{"ACP-PERM-16"}, answersFirst},
		{"nothing is told before the form is answered", []string{"ACP-ELIC-11"}, formsFirst},
		{"a form is shown only to an editor that shows forms", []string{"ACP-ELIC-01"}, offeredForms},
		{"the fields of a form are flat", []string{"ACP-ELIC-04"}, flatForms},
		{"a grant is no wider than what the client allowed", []string{"ACP-PERM-01"}, scopes},
		{"what is asked about is shown as it is", []string{"ACP-PERM-17"}, shownAsItIs},
		{"a cancelled turn ends as cancelled", []string{"ACP-CAN-01", "ACP-CAN-02"}, cancelled},
		{"a cancelled prompt is answered once", []string{"ACP-CAN-13"}, cancelledOnce},
		{"the audit log pairs every question with its decision", AuditRequirements(), auditPairs},
		{"the end of stdin ends the adapter", []string{"ACP-TRN-11"}, endOfInput},
		{"nothing begins behind the end of stdin", []string{"ACP-TRN-16"}, lastWords},
		{"the adapter ends well", []string{"ACP-TRN-17"}, exitStatus},
		{"who is told to end, ends", []string{"ACP-TRN-15"}, toldToEnd},
		{"what the client does not offer is not used", []string{"ACP-INIT-06"}, unoffered},
		{"nothing is about a session before there is one", []string{"ACP-INIT-15"}, beforeSessions},
		{"what is offered is there", []string{"ACP-INIT-10", "ACP-INIT-17", "ACP-ERR-01"}, promisedMethods},
		{"an error has a code that it may have", []string{"ACP-ERR-01", "ACP-ERR-03"}, errorCodes},
		{"a prompt is answered though the client refused something", []string{"ACP-RPC-17"}, refusedRequests},
	}
}

// AlwaysOn lists the names of the checks that every scenario has, whatever it says.
func AlwaysOn() []string {
	names := []string{schemaCheck}
	for _, o := range Oracles() {
		names = append(names, o.Name)
	}
	return names
}

func (s *Scenario) runOracles(e *evidence) {
	for _, o := range Oracles() {
		for _, f := range o.look(e) {
			s.oracle(o.Name, f.ids, f.ok, f.place, "%s", f.message)
		}
	}
}

func good(ids ...string) finding { return finding{ids: ids, ok: true} }

func (e *evidence) bad(seq int, pointer, expected, actual string, id string, format string, args ...any) finding {
	return finding{ids: []string{id}, place: e.s.place(seq, pointer, expected, actual), message: fmt.Sprintf(format, args...)}
}

// note tells what is no failure and worth knowing, once.
func (e *evidence) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.s.notes, text) {
		e.s.notes = append(e.s.notes, text)
	}
}

// verdicts turns findings about single frames into one finding per id: good for each id that nothing spoke against.
func verdicts(ids []string, bad []finding) []finding {
	out := bad
	for _, id := range ids {
		if !slices.ContainsFunc(bad, func(f finding) bool { return slices.Contains(f.ids, id) }) {
			out = append(out, good(id))
		}
	}
	return out
}

func purity(e *evidence) []finding {
	lines := e.fromAdapter()
	if len(lines) == 0 {
		return nil
	}
	var bad []finding
	for _, r := range lines {
		f := r.Frame
		switch {
		case f.IsMessage(), f.Kind == wire.Batch && e.asBatch(r):
			// What a tool was given and what it gave is passed on as it is.
			if twin := wire.Twin(r.Data, "rawInput", "rawOutput"); twin != "" {
				bad = append(bad, e.bad(r.Seq, twin, "a member once", short(r.Data), "ACP-TRN-03", "stdout carries what readers read differently: an object has a member twice, %s", twin))
			}
		case f.Kind == wire.Malformed && (strings.Contains(f.Problem, "UTF-8") || strings.Contains(f.Problem, "byte order")):
			bad = append(bad, e.bad(r.Seq, "", "UTF-8 without a byte order mark", short(r.Data), "ACP-TRN-01", "%s", f.Problem))
		case f.Kind == wire.Invalid && strings.Contains(f.Problem, "jsonrpc"):
			bad = append(bad, e.bad(r.Seq, "", `"jsonrpc":"2.0"`, short(r.Data), "ACP-RPC-01", "%s", f.Problem))
		case f.Kind == wire.Invalid && (f.Result != nil || f.Error != nil):
			bad = append(bad, e.bad(r.Seq, "", "either a result or an error", short(r.Data), "ACP-RPC-04", "%s", f.Problem))
		case f.Kind == wire.Invalid && f.Method == "" && f.ID != nil:
			nothing := e.bad(r.Seq, "", "a result or an error", short(r.Data), "ACP-RPC-05", "%s", f.Problem)
			nothing.ids = append(nothing.ids, "ACP-RPC-04")
			bad = append(bad, nothing)
		case f.Kind == wire.Blank:
			bad = append(bad, e.bad(r.Seq, "", "a message", "a blank line", "ACP-TRN-02", "a line of stdout is blank"))
		default:
			bad = append(bad, e.bad(r.Seq, "", "a JSON-RPC message", short(r.Data), "ACP-TRN-03", "stdout carries what is no message: %s", f.Problem))
		}
	}
	ids := []string{"ACP-TRN-01", "ACP-TRN-02", "ACP-TRN-03", "ACP-RPC-01", "ACP-RPC-04"}
	if slices.ContainsFunc(lines, func(r wire.Record) bool { return r.Frame.Kind == wire.Response && r.Frame.Result != nil }) {
		ids = append(ids, "ACP-RPC-05")
	}
	return verdicts(ids, bad)
}

// asBatch reports whether an array of the adapter holds nothing but responses, and an array of the client came before.
func (e *evidence) asBatch(array wire.Record) bool {
	var parts []json.RawMessage
	if json.Unmarshal(array.Data, &parts) != nil || len(parts) == 0 {
		return false
	}
	for _, p := range parts {
		if wire.ParseFrame(p).Kind != wire.Response {
			return false
		}
	}
	return slices.ContainsFunc(e.records[:array.Seq], func(r wire.Record) bool {
		return r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Batch
	})
}

func lastLine(e *evidence) []finding {
	lines := e.fromAdapter()
	if len(lines) == 0 {
		return nil
	}
	last := lines[len(lines)-1]
	if last.Partial {
		return []finding{e.bad(last.Seq, "", "a line that ends with LF", short(last.Data), "ACP-TRN-14", "the last line of stdout has no LF")}
	}
	return []finding{good("ACP-TRN-14")}
}

func responses(e *evidence) []finding {
	var bad []finding
	answers := map[int]int{}
	asked := 0
	for _, r := range e.records {
		if r.Lane != wire.Client {
			continue
		}
		if r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request {
			asked++
		}
		if r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Response {
			if r.Answers >= 0 {
				answers[r.Answers]++
				continue
			}
			if e.invited(r) {
				continue
			}
			id, message := "ACP-RPC-03", "a response repeats the id of a request that was answered before"
			if !e.wasUsed(r) {
				id, message = "ACP-RPC-02", "a response has an id that no request of the client had"
			}
			bad = append(bad, e.bad(r.Seq, "/id", "the id of an open request", string(r.Frame.ID), id, "%s", message))
		}
	}
	if asked == 0 {
		return bad
	}
	for _, r := range e.records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request && answers[r.Seq] == 0 && !e.s.hungUp && !e.s.told && !(r.Frame.Method == methodPrompt && e.leftOpen(span{begin: r.Seq, end: -1})) {
			bad = append(bad, e.bad(r.Seq, "", "a response", "none", "ACP-RPC-03", "the request %s was never answered", r.Frame.Method))
		}
	}
	return verdicts([]string{"ACP-RPC-02", "ACP-RPC-03"}, bad)
}

// invited reports whether a broken line of the client calls for this response: with id null, or with the id that the
// line had. Each line calls for one. An answer to nothing is ignored, but may be refused as a broken line is.
func (e *evidence) invited(response wire.Record) bool {
	broken, before := 0, 0
	for _, r := range e.records[:response.Seq] {
		switch {
		case r.Lane != wire.Client:
		case r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Response && r.Answers < 0 && response.Frame.Error != nil,
			r.Dir == wire.ToAdapter && !r.Frame.IsMessage() && r.Frame.Kind != wire.Blank:
			if id := string(response.Frame.ID); id == "null" || id == string(r.Frame.ID) {
				broken++
			}
		case r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Response && r.Answers < 0:
			before++
		}
	}
	return broken > before
}

// wasUsed reports whether a request of the client, or a broken message of it, had the response's id before.
func (e *evidence) wasUsed(response wire.Record) bool {
	for _, r := range e.records[:response.Seq] {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && string(r.Frame.ID) == string(response.Frame.ID) && r.Frame.Kind == wire.Request {
			return true
		}
	}
	return false
}

func notifications(e *evidence) []finding {
	sent, cancels := false, false
	for _, r := range e.records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Notification {
			sent = true
			cancels = cancels || r.Frame.Method == methodCancel
		}
	}
	if !sent {
		return nil
	}
	var bad []finding
	for _, r := range e.fromAdapter() {
		if r.Frame.Kind == wire.Response && r.Answers < 0 && !e.invited(r) && !e.wasUsed(r) {
			bad = append(bad, e.bad(r.Seq, "", "no answer to a notification", short(r.Data), "ACP-RPC-06", "a response came that no request called for, after a notification"))
		}
	}
	ids := []string{"ACP-RPC-06"}
	if cancels {
		ids = append(ids, "ACP-CAN-05")
		for i := range bad {
			bad[i].ids = append(bad[i].ids, "ACP-CAN-05")
		}
	}
	return verdicts(ids, bad)
}

// idOfRequest reports whether an id is of a type that the schema has for it.
func idOfRequest(id json.RawMessage) bool {
	var n int64
	return id[0] == '"' || string(id) == "null" || json.Unmarshal(id, &n) == nil
}

func requestIDs(e *evidence) []finding {
	open := map[string]int{} // id -> Seq
	var bad []finding
	asked := false
	for _, r := range e.records {
		if r.Lane != wire.Client {
			continue
		}
		if r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Response {
			delete(open, string(r.Frame.ID))
		}
		if r.Dir != wire.FromAdapter || r.Frame.Kind != wire.Request {
			continue
		}
		asked = true
		if !idOfRequest(r.Frame.ID) {
			bad = append(bad, e.bad(r.Seq, "/id", "a text, an integer or null", string(r.Frame.ID), "ACP-RPC-14", "the id of a request is of another type"))
		}
		if _, taken := open[string(r.Frame.ID)]; taken {
			f := e.bad(r.Seq, "/id", "an id that no open request has", string(r.Frame.ID), "ACP-RPC-14", "two open requests of the adapter have the same id")
			f.ids = append(f.ids, "ACP-PERM-10")
			bad = append(bad, f)
		}
		open[string(r.Frame.ID)] = r.Seq
	}
	var ids []string
	if asked {
		ids = append(ids, "ACP-RPC-14")
	}
	// Which answer reached which call is for the steps to say: ids that differ prove nothing good about ACP-PERM-10.
	return verdicts(ids, bad)
}
