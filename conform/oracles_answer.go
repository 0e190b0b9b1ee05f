package conform

import (
	"slices"

	"acp-conform/wire"
)

// answersFirst looks at all decisions about the tool calls that the client was asked about, grants and denials alike: the
// client's answer came before. What is asked about in stages needs one answer for each decision that the host took. It is
// the order of arrival that counts, so a decision may also stand in front of the question that it makes void.
func answersFirst(e *evidence) []finding {
	const id = "ACP-PERM-16"
	about := map[string][]*question{} // by the host's call
	hostCall := matchCalls(e.records, e.facts.Tools)
	for _, q := range e.s.questions {
		if !q.form {
			call := hostCall(q.session, wire.LookupString(q.frame.Params, "toolCall", "toolCallId"))
			about[call] = append(about[call], q)
		}
	}
	var bad []finding
	looked := false
	taken := map[string]int{} // decisions that the host took so far, by call
	for _, d := range e.facts.Decisions {
		questions := about[d.Call]
		need := taken[d.Call] + 1
		if d.Accepted {
			taken[d.Call]++
		}
		if d.Call == "" || need > len(questions) || e.approved(d.Call) || e.allowedAnyway(d.Call) {
			continue // not asked about: a hook, the policy or somebody else has decided
		}
		looked = true
		answered := 0
		for _, q := range questions {
			if at := e.answerTo(q); at >= 0 && at < d.Seq {
				answered++
			}
		}
		if answered < need && !e.withdrawn(questions[need-1], d) {
			bad = append(bad, e.bad(d.Seq, "", "no decision before the client's answer", d.Choice, id,
				"the host was told %q about the tool call %q before the client had answered the question about it", d.Label, d.Call))
		}
	}
	if !looked {
		return nil
	}
	return verdicts([]string{id}, bad)
}

// formsFirst looks at what the host is told about its questions to the user where each of them was shown as a form: there
// is an answered form for each time that the host took something. It does not say which form stands for which question.
func formsFirst(e *evidence) []finding {
	const id = "ACP-ELIC-11"
	forms := slices.DeleteFunc(slices.Clone(e.s.questions), func(q *question) bool { return !q.form })
	told := slices.DeleteFunc(slices.Clone(e.facts.Inputs), func(in HostInput) bool { return !in.Accepted })
	if len(told) == 0 || len(told) > len(forms) {
		return nil // what was not shown cannot be answered either
	}
	var bad []finding
	for n, in := range told {
		answered := 0
		for _, q := range forms {
			if at := e.answerTo(q); at >= 0 && at < in.Seq {
				answered++
			}
		}
		// A grant is what no other question can make void.
		if answered <= n && !e.withdrawn(forms[n], Decision{Seq: in.Seq, Grants: true}) {
			bad = append(bad, e.bad(in.Seq, "", "nothing about the form before the client's answer", in.Reason, id,
				"the host was told about the user's input before the client had answered the form"))
		}
	}
	return verdicts([]string{id}, bad)
}

// answerTo gives the place of the client's answer to a question; -1 while it has none. One that is broken on purpose,
// with a result and an error, is an answer as well.
func (e *evidence) answerTo(q *question) int {
	return slices.IndexFunc(e.records, func(r wire.Record) bool {
		broken := r.Seq > q.seq && r.Frame.Kind == wire.Invalid && r.Frame.Method == "" && string(r.Frame.ID) == string(q.id)
		return r.Lane == wire.Client && r.Dir == wire.ToAdapter && (r.Answers == q.seq || broken)
	})
}

// withdrawn reports whether the client need not be waited for any more when a decision is sent: it has cancelled the
// turn, closed the session or changed how it is to be decided, is gone, or has told the adapter to end. A denial is right
// too once another question of the session was dismissed or got no proper answer, which may end the turn.
func (e *evidence) withdrawn(q *question, d Decision) bool {
	if e.s.leftAt >= 0 && e.s.leftAt <= d.Seq {
		return true
	}
	begin := -1
	for _, sp := range e.spans() {
		if sp.session == q.session && sp.begin < q.seq {
			begin = sp.begin
		}
	}
	for _, r := range e.records[begin+1 : d.Seq] {
		if r.Lane != wire.Client || r.Dir != wire.ToAdapter || r.Session != q.session {
			continue
		}
		if slices.Contains([]string{methodCancel, methodClose, methodSetMode, methodSetOption}, r.Frame.Method) {
			return true
		}
	}
	return !d.Grants && slices.ContainsFunc(e.s.questions, func(other *question) bool {
		at := e.answerTo(other)
		return other.session == q.session && !other.form && at > begin && at < d.Seq && !e.picks(other, at)
	})
}

// picks reports whether an answer takes one of the options that its question offers.
func (e *evidence) picks(q *question, answer int) bool {
	result := e.records[answer].Frame.Result
	picked := wire.LookupString(result, "outcome", "optionId")
	return wire.LookupString(result, "outcome", "outcome") == "selected" &&
		slices.ContainsFunc(optionsOf(q.frame.Params), func(o option) bool { return o.ID == picked })
}
