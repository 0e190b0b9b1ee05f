package conform

// answerCases are about decisions and the answers that they wait for. The question is frame 3 (place 2) of a turn.
func answerCases() []oracleCase {
	const id = "ACP-PERM-16"
	const decide = `muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"approval/decide","params":{}}`
	const setMode = `client ->   {"jsonrpc":"2.0","id":8,"method":"session/set_mode","params":{"sessionId":"A"}}`
	const modeSet = `client <-   {"jsonrpc":"2.0","id":8,"result":{}}`
	const broken = `client ->   {"jsonrpc":"2.0","id":9,"result":{},"error":{"code":1,"message":""}}`
	const refused = `client ->   {"jsonrpc":"2.0","id":9,"error":{"code":1,"message":""}}`
	early := func(frame string) []string {
		return []string{id + ": frame " + frame + `: the host was told "Reject" about the tool call "c"`}
	}
	rows := func(more ...string) []string {
		return append([]string{promptA, tool("tool_call", "c", "pending"), question9("c")}, more...)
	}
	ended := func(more ...string) []string {
		return append(rows(more...), tool("tool_call_update", "c", "failed"), promptOK)
	}
	at := func(seqs ...int) Facts {
		f := Facts{Tools: []HostTool{{Call: "c", Asked: true, Status: "rejected", Seq: -1}}}
		for _, seq := range seqs {
			f.Decisions = append(f.Decisions, Decision{Seq: seq, Call: "c", Choice: "abort", Label: "Reject", Accepted: true})
		}
		return f
	}
	elsewhere := at(3)
	elsewhere.Tools[0].Allowed = true
	other := at(3)
	other.Decisions[0].Call = "d"
	return []oracleCase{
		{name: "denied after the answer", rows: ended(reject, decide), facts: at(4), good: []string{id}},
		{name: "denied after an error in place of an answer", rows: ended(refused, decide), facts: at(4), good: []string{id}},
		{name: "denied after an answer that is broken", rows: ended(broken, decide), facts: at(4), good: []string{id}},
		{name: "denied before the answer", rows: ended(decide, reject), facts: at(3), bad: early("4")},
		{name: "denied before an answer that would have allowed it", rows: ended(decide, allow), facts: at(3), bad: early("4")},
		{name: "denied and never answered", rows: ended(decide), facts: at(3), bad: early("4")},
		{name: "denied before the question", rows: []string{promptA, tool("tool_call", "c", "pending"), decide, question9("c"), reject, tool("tool_call_update", "c", "failed"), promptOK}, facts: at(2), bad: early("3")},
		{name: "denied before the answer, and the host does not take it", rows: ended(decide, reject), bad: early("4"),
			facts: Facts{Decisions: []Decision{{Seq: 3, Call: "c", Choice: "abort", Label: "Reject"}}}},
		{name: "each stage after its answer", rows: ended(allow, decide, question9("c"), reject, decide), facts: Facts{Decisions: []Decision{
			{Seq: 4, Call: "c", Grants: true, Accepted: true}, {Seq: 7, Call: "c", Label: "Reject", Accepted: true}}}, good: []string{id}},
		{name: "the second stage before its answer", rows: ended(allow, decide, question9("c"), decide, reject), facts: Facts{Decisions: []Decision{
			{Seq: 4, Call: "c", Grants: true, Accepted: true}, {Seq: 6, Call: "c", Label: "Reject", Accepted: true}}}, bad: early("7")},
		{name: "a second stage that nobody asks about is denied", rows: ended(allow, decide, decide), facts: Facts{Decisions: []Decision{
			{Seq: 4, Call: "c", Grants: true, Accepted: true}, {Seq: 5, Call: "c", Label: "Reject", Accepted: true}}}, good: []string{id}},
		{name: "denied for the turn was cancelled", rows: rows(cancelA, decide, dismiss, stopped), facts: at(4)},
		{name: "denied for the session is closed", rows: rows(closeA, decide, dismiss, tool("tool_call_update", "c", "failed"), stopped, closeAOK), facts: at(4)},
		{name: "denied for the mode says so", rows: ended(setMode, modeSet, decide, reject), facts: at(5)},
		{name: "denied for the client has left", rows: rows(decide, tool("tool_call_update", "c", "failed"), stopped), facts: at(3), left: 3},
		{name: "denied for another question was dismissed", rows: append([]string{promptA, tool("tool_call", "d", "pending"), question9("d"), dismiss, tool("tool_call", "c", "pending"), question9("c"), decide, reject},
			tool("tool_call_update", "c", "failed"), tool("tool_call_update", "d", "failed"), promptOK), facts: at(6)},
		{name: "denied though another question was only answered", rows: append([]string{promptA, tool("tool_call", "d", "pending"), question9("d"), reject, tool("tool_call", "c", "pending"), question9("c"), decide, reject},
			tool("tool_call_update", "c", "failed"), tool("tool_call_update", "d", "failed"), promptOK), facts: at(6), bad: early("7")},
		{name: "allowed elsewhere, and denied all the same", rows: ended(decide, reject), facts: elsewhere},
		{name: "another call is denied without a question", rows: ended(decide, reject), facts: other},
	}
}
