package conform

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"acp-conform/wire"
)

// span is one prompt from its request to its response.
type span struct {
	session     string
	begin       int
	end         int // Seq of the response; -1 when there was none
	cancelledAt int // Seq of the first session/cancel while it ran; -1 when there was none
	result      wire.Frame
}

func (e *evidence) spans() []span {
	var list []span
	index := map[int]int{}
	for _, r := range e.records {
		if r.Lane != wire.Client {
			continue
		}
		switch {
		case r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request && r.Frame.Method == methodPrompt:
			index[r.Seq] = len(list)
			list = append(list, span{session: r.Session, begin: r.Seq, end: -1, cancelledAt: -1})
		case r.Dir == wire.ToAdapter && r.Frame.Method == methodCancel:
			for i := range list {
				if list[i].session == r.Session && list[i].end < 0 && list[i].cancelledAt < 0 {
					list[i].cancelledAt = r.Seq
				}
			}
		case r.Dir == wire.FromAdapter && r.Answers >= 0:
			if i, ok := index[r.Answers]; ok {
				list[i].end, list[i].result = r.Seq, r.Frame
			}
		}
	}
	return list
}

func cancelled(e *evidence) []finding {
	var bad []finding
	ran := false
	for _, sp := range e.spans() {
		if sp.cancelledAt < 0 || sp.end < 0 {
			continue
		}
		ran = true
		reason := wire.LookupString(sp.result.Result, "stopReason")
		switch {
		case sp.result.Error != nil:
			bad = append(bad, e.bad(sp.end, "/error", "a result with the stop reason cancelled", short(sp.result.Error), "ACP-CAN-02", "a cancelled prompt was answered with an error"))
		case reason != "cancelled":
			bad = append(bad, e.bad(sp.end, "/result/stopReason", "cancelled", reason, "ACP-CAN-01", "a cancelled prompt was answered with another stop reason"))
		}
	}
	if !ran {
		return nil
	}
	return verdicts([]string{"ACP-CAN-01", "ACP-CAN-02"}, bad)
}

// cancelledOnce looks at the answers to prompts that were cancelled, however near their end was: each has one, and that
// is a result.
func cancelledOnce(e *evidence) []finding {
	const id = "ACP-CAN-13"
	answers := map[string]int{}
	for _, r := range e.fromAdapter() {
		if r.Frame.Kind == wire.Response {
			answers[string(r.Frame.ID)]++
		}
	}
	var bad []finding
	ran := false
	for _, sp := range e.spans() {
		if sp.cancelledAt < 0 || sp.end < 0 {
			continue
		}
		ran = true
		request := e.records[sp.begin]
		if n := answers[string(request.Frame.ID)]; n > 1 && e.idsOnce() {
			bad = append(bad, e.bad(sp.end, "/id", "one answer", strconv.Itoa(n), id, "a cancelled prompt was answered %d times", n))
		}
	}
	if !ran {
		return nil
	}
	return verdicts([]string{id}, bad)
}

// idsOnce reports whether no two requests of the client have the same id.
func (e *evidence) idsOnce() bool {
	seen := map[string]bool{}
	for _, r := range e.records {
		if r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request {
			if seen[string(r.Frame.ID)] {
				return false
			}
			seen[string(r.Frame.ID)] = true
		}
	}
	return true
}

// rank orders the statuses of a tool call.
func rank(status string) int {
	return slices.Index([]string{"pending", "in_progress", "completed"}, status)
}

func toolStatus(e *evidence) []finding {
	type call struct {
		status string
		seq    int
		asking int  // open permissions
		asked  bool // a permission was asked before
		told   bool // an update was about it
	}
	calls := map[string]*call{}
	var bad []finding
	seen, asked := false, false
	questions := map[int]string{}
	for _, r := range e.records {
		if r.Lane != wire.Client {
			continue
		}
		if r.Dir == wire.FromAdapter && r.Frame.Method == methodPermission && r.Frame.Kind == wire.Request {
			asked = true
			key := r.Session + "\x00" + wire.LookupString(r.Frame.Params, "toolCall", "toolCallId")
			c := calls[key]
			if c == nil && !e.announcedLater(r) {
				bad = append(bad, e.bad(r.Seq, "/params/toolCall/toolCallId", "the id of an announced tool call",
					wire.LookupString(r.Frame.Params, "toolCall", "toolCallId"), "ACP-TOOL-16", "permission is asked for a tool call that was not announced under this id"))
				continue
			}
			if c == nil {
				e.note("permission was asked for a tool call before that was announced, so the client did not know yet what it was asked about")
				c = &call{status: "pending"}
				calls[key] = c
			}
			// A call that was granted one stage may be in progress when the next one is asked about.
			mayAsk := func(status string) bool {
				return status == "pending" || c.asked && !closedStatus(status)
			}
			said := wire.LookupString(r.Frame.Params, "toolCall", "status")
			switch {
			case !mayAsk(c.status):
				bad = append(bad, e.bad(r.Seq, "", "a tool call that is pending", c.status, "ACP-TOOL-15", "permission is asked for a tool call that is %s already", c.status))
			case said != "" && !mayAsk(said):
				bad = append(bad, e.bad(r.Seq, "/params/toolCall/status", "pending", said, "ACP-TOOL-15", "permission is asked for a tool call that is said to be %s", said))
			case said != "" && rank(said) < rank(c.status):
				bad = append(bad, e.bad(r.Seq, "/params/toolCall/status", "a status behind "+c.status, said, "ACP-TOOL-05", "the status of a tool call went from %s to %s", c.status, said))
			default:
				c.status = cmp.Or(said, c.status)
			}
			c.asking++
			c.asked = true
			questions[r.Seq] = key
		}
		if r.Dir == wire.ToAdapter && r.Answers >= 0 {
			if key, ok := questions[r.Answers]; ok {
				calls[key].asking--
			}
		}
		u := toolUpdateOf(r)
		if u == nil {
			continue
		}
		seen = true
		key := r.Session + "\x00" + u.ID
		c := calls[key]
		if c == nil || !c.told {
			if u.Variant == "tool_call_update" {
				bad = append(bad, e.bad(r.Seq, "/params/update/toolCallId", "the id of an announced tool call", u.ID, "ACP-TOOL-06", "a tool call is updated that was not announced"))
			}
			if c == nil {
				c = &call{status: "pending"}
				calls[key] = c
			}
			c.told = true
		} else if u.Variant == "tool_call" {
			bad = append(bad, e.bad(r.Seq, "/params/update/toolCallId", "an id that no other tool call has", u.ID, "ACP-TOOL-02", "a second tool call is announced under the same id"))
		}
		c.seq = r.Seq
		if u.Status == "" {
			continue
		}
		was := c.status
		now := u.Status
		switch {
		case closedStatus(was) && now != was, !closedStatus(now) && rank(now) < rank(was):
			bad = append(bad, e.bad(r.Seq, "/params/update/status", "a status behind "+was, now, "ACP-TOOL-05", "the status of a tool call went from %s to %s", was, now))
		case c.asking > 0 && (now == "in_progress" || now == "completed" && !e.cancelledBefore(r)) && !e.allowedElsewhere(r.Session, u.ID):
			bad = append(bad, e.bad(r.Seq, "/params/update/status", "pending", now, "ACP-TOOL-15", "a tool call is %s while its permission is open", strings.ReplaceAll(now, "_", " ")))
		}
		c.status = now
	}
	if !seen {
		return bad
	}
	ids := []string{"ACP-TOOL-02", "ACP-TOOL-05", "ACP-TOOL-06"}
	if asked {
		ids = append(ids, "ACP-TOOL-15", "ACP-TOOL-16")
	}
	open, any := e.unclosed()
	if any {
		ids = append(ids, "ACP-TOOL-08")
		bad = append(bad, open...)
	}
	return verdicts(ids, bad)
}

// announcedLater reports whether the call that a question is about is announced behind it in the same turn. That is late,
// since the client does not know yet what it is asked about, and forbidden nowhere.
func (e *evidence) announcedLater(question wire.Record) bool {
	call := wire.LookupString(question.Frame.Params, "toolCall", "toolCallId")
	last, _ := turnAt(e.spans(), question.Session, question.Seq)
	return slices.ContainsFunc(e.records[question.Seq:], func(r wire.Record) bool {
		u := toolUpdateOf(r)
		return u != nil && u.Variant == "tool_call" && u.ID == call && r.Session == question.Session &&
			(last == nil || last.end < 0 || r.Seq < last.end)
	})
}

// cancelledBefore reports whether the client has cancelled the newest turn of the session of r when r comes. What becomes
// of a call that was asked about then is chance.
func (e *evidence) cancelledBefore(r wire.Record) bool {
	last, _ := turnAt(e.spans(), r.Session, r.Seq)
	return last != nil && last.cancelledAt >= 0 && last.cancelledAt < r.Seq
}

func closedStatus(s string) bool { return s == "completed" || s == "failed" }

// unclosed finds tool calls that were still open when their turn was answered; cancelled turns are excepted. The
// second value is false when no turn with a tool call ended otherwise.
func (e *evidence) unclosed() (bad []finding, any bool) {
	for _, sp := range e.spans() {
		if sp.end < 0 || sp.cancelledAt >= 0 {
			continue
		}
		status, at := map[string]string{}, map[string]int{}
		for _, r := range e.records[:sp.end] {
			u := toolUpdateOf(r)
			if u == nil || r.Session != sp.session {
				continue
			}
			// A call that an earlier turn has closed stays closed when this one says something more about it.
			status[u.ID] = cmp.Or(u.Status, status[u.ID], "pending")
			if r.Seq > sp.begin {
				at[u.ID] = r.Seq
			}
		}
		for id, seq := range at {
			any = true
			if st := status[id]; !closedStatus(st) {
				bad = append(bad, e.bad(seq, "/params/update/status", "completed or failed before the response", st, "ACP-TOOL-08", "the tool call %q was still %s when its turn was answered", id, st))
			}
		}
	}
	slices.SortFunc(bad, func(a, b finding) int { return a.place.Frame - b.place.Frame })
	return bad, any
}

func permissionOptions(e *evidence) []finding {
	var bad []finding
	asked := false
	for _, r := range e.fromAdapter() {
		if r.Frame.Method != methodPermission {
			continue
		}
		asked = true
		options := optionsOf(r.Frame.Params)
		if len(options) == 0 {
			bad = append(bad, e.bad(r.Seq, "/params/options", "at least one option", short(wire.Lookup(r.Frame.Params, "options")), "ACP-PERM-04", "permission is asked without options"))
		}
		ids := map[string]bool{}
		for _, o := range options {
			if ids[o.ID] {
				bad = append(bad, e.bad(r.Seq, "/params/options", "distinct option ids", o.ID, "ACP-PERM-04", "two options have the same id"))
			}
			ids[o.ID] = true
		}
	}
	if !asked {
		return nil
	}
	return verdicts([]string{"ACP-PERM-04"}, bad)
}

// grants looks at the true order of arrival: no grant reaches the host, and no tool that asked runs, before the client
// has chosen an offered option that allows; and never after the turn was cancelled.
func grants(e *evidence) []finding {
	granted := map[string][]int{} // the host's call -> Seqs of the client's grants, one for each stage that was asked about
	hostCall := matchCalls(e.records, e.facts.Tools)
	lateCall := map[string]bool{}
	spans := e.spans()
	for _, q := range e.s.questions {
		if !q.answered || q.form {
			continue
		}
		for _, r := range e.records {
			if r.Answers != q.seq || r.Dir != wire.ToAdapter {
				continue
			}
			key := hostCall(q.session, wire.LookupString(q.frame.Params, "toolCall", "toolCallId"))
			late := slices.ContainsFunc(spans, func(sp span) bool {
				return sp.session == q.session && sp.begin < q.seq && (sp.end < 0 || sp.end > q.seq) && sp.cancelledAt >= 0 && sp.cancelledAt < r.Seq
			})
			if late {
				lateCall[key] = true
				continue
			}
			picked := wire.LookupString(r.Frame.Result, "outcome", "optionId")
			if wire.LookupString(r.Frame.Result, "outcome", "outcome") != "selected" {
				continue
			}
			if slices.ContainsFunc(optionsOf(q.frame.Params), func(o option) bool { return o.ID == picked && strings.HasPrefix(o.Kind, "allow") }) {
				granted[key] = append(granted[key], r.Seq)
			}
		}
	}
	var bad []finding
	var ids []string
	before := func(call string, seq int) int {
		if e.approved(call) {
			return len(e.records) // more than any call has stages
		}
		return len(slices.DeleteFunc(slices.Clone(granted[call]), func(at int) bool { return at > seq }))
	}
	taken := map[string]int{} // call -> grants that the host took so far
	for _, d := range e.facts.Decisions {
		if !d.Grants {
			continue
		}
		need := 1
		if d.Accepted {
			taken[d.Call]++
			need = taken[d.Call]
		}
		if before(d.Call, d.Seq) < need {
			id := "ACP-PERM-01"
			if lateCall[d.Call] {
				id = "ACP-PERM-11"
			}
			bad = append(bad, e.bad(d.Seq, "", "no grant before the client allowed it", d.Choice, id, "the host was told to go ahead with the tool call %q, which the client had not allowed", d.Call))
		}
	}
	for _, t := range e.facts.Tools {
		if t.Asked && !t.Allowed {
			ids = append(ids, "ACP-PERM-01")
			if t.Ran && before(t.Call, t.Seq) == 0 {
				id := "ACP-PERM-01"
				if lateCall[t.Call] {
					id = "ACP-PERM-11" // whether the command is done before the host stops it is chance
				}
				bad = append(bad, e.bad(t.Seq, "", "a tool that does not run", t.Status, id, "the tool call %q ran without the client's grant", t.Call))
			}
		}
	}
	if len(lateCall) > 0 {
		ids = append(ids, "ACP-PERM-11")
	}
	slices.Sort(ids)
	return verdicts(slices.Compact(ids), bad)
}
