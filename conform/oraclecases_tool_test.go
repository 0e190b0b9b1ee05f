package conform

import "fmt"

func toolCases() []oracleCase {
	const announce, update = "tool_call", "tool_call_update"
	early := []string{"permission was asked for a tool call before that was announced, so the client did not know yet what it was asked about"}
	states := []string{"ACP-TOOL-02", "ACP-TOOL-05", "ACP-TOOL-06"}
	return []oracleCase{
		{name: "a tool call from beginning to end", rows: []string{promptA, tool(announce, "c", "pending"), tool(update, "c", "in_progress"), tool(update, "c", ""), tool(update, "c", "completed"), tool(update, "c", "completed"), promptOK},
			good: append(states, "ACP-TOOL-08")},
		{name: "announced twice", rows: []string{tool(announce, "c", ""), tool(announce, "c", "")}, bad: []string{"ACP-TOOL-02: frame 2/params/update/toolCallId: a second tool call"}, good: states[1:]},
		{name: "never announced", rows: []string{tool(update, "c", "pending")}, bad: []string{"ACP-TOOL-06: frame 1/params/update/toolCallId: a tool call is updated that was not announced"}, good: states[:2]},
		{name: "backwards", rows: []string{tool(announce, "c", "in_progress"), tool(update, "c", "pending")}, bad: []string{"ACP-TOOL-05: frame 2/params/update/status: the status of a tool call went from in_progress to pending"}},
		{name: "from completed to failed", rows: []string{tool(announce, "c", "completed"), tool(update, "c", "failed")}, bad: []string{"ACP-TOOL-05: frame 2/params/update/status: "}},
		{name: "from failed on", rows: []string{tool(announce, "c", "failed"), tool(update, "c", "in_progress")}, bad: []string{"ACP-TOOL-05: frame 2/params/update/status: "}},
		{name: "to failed at once", rows: []string{tool(announce, "c", ""), tool(update, "c", "failed")}, good: states},
		{name: "open at the end of its turn", rows: []string{promptA, tool(announce, "c", "pending"), tool(update, "c", "in_progress"), promptOK},
			bad: []string{`ACP-TOOL-08: frame 3/params/update/status: the tool call "c" was still in_progress`}},
		{name: "announced without a status and left open", rows: []string{promptA, tool(announce, "c", ""), promptOK}, bad: []string{`ACP-TOOL-08: frame 2/params/update/status: the tool call "c" was still pending`}},
		{name: "open at the end of a cancelled turn", rows: []string{promptA, cancelA, tool(announce, "c", "pending"), stopped}, good: states},
		{name: "a word about a call of an earlier turn", rows: []string{promptA, tool(announce, "c", "completed"), promptOK,
			`client ->   {"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"A"}}`, tool(update, "c", ""), `client <-   {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`},
			good: append(states, "ACP-TOOL-08")},
		{name: "asked about a pending call", rows: []string{tool(announce, "c", "pending"), question9("c"), allow, tool(update, "c", "in_progress")}, good: []string{"ACP-TOOL-15", "ACP-TOOL-16", "ACP-PERM-04"}},
		{name: "in progress while the question is open", rows: []string{tool(announce, "c", "pending"), question9("c"), tool(update, "c", "in_progress"), allow},
			bad: []string{"ACP-TOOL-15: frame 3/params/update/status: a tool call is in progress while its permission is open"}, good: []string{"ACP-TOOL-16"}},
		{name: "in progress while the question is open, for it was allowed elsewhere", rows: []string{tool(announce, "c", "pending"), question9("c"), tool(update, "c", "in_progress"), allow},
			facts: Facts{Tools: []HostTool{{Call: "c", Asked: true, Allowed: true, Seq: -1}}}, good: []string{"ACP-TOOL-15", "ACP-TOOL-16"}},
		{name: "asked about a completed call", rows: []string{tool(announce, "c", "completed"), question9("c"), allow}, bad: []string{"ACP-TOOL-15: frame 2: permission is asked for a tool call that is completed already"}},
		{name: "asked about a failed call", rows: []string{tool(announce, "c", "failed"), question9("c"), allow}, bad: []string{"ACP-TOOL-15: frame 2: permission is asked for a tool call that is failed already"}},
		{name: "asked about a call that is in progress", rows: []string{tool(announce, "c", "in_progress"), question9("c"), allow}, bad: []string{"ACP-TOOL-15: frame 2: permission is asked for a tool call that is in_progress already"}},
		{name: "asked about the next stage of a call that is in progress", rows: []string{tool(announce, "c", "pending"), question9("c"), allow, tool(update, "c", "in_progress"), question9("c"), allow}, good: []string{"ACP-TOOL-15"}},
		{name: "said to be pending where it is asked about", rows: []string{tool(announce, "c", "pending"), question9("c", "pending"), allow}, good: []string{"ACP-TOOL-15", "ACP-TOOL-05"}},
		{name: "said to be completed where it is asked about", rows: []string{tool(announce, "c", "pending"), question9("c", "completed"), allow},
			bad: []string{"ACP-TOOL-15: frame 2/params/toolCall/status: permission is asked for a tool call that is said to be completed"}},
		{name: "said to be failed where it is asked about", rows: []string{tool(announce, "c", "pending"), question9("c", "failed"), allow}, bad: []string{"ACP-TOOL-15: frame 2/params/toolCall/status: "}},
		{name: "said to be in progress where it is asked about", rows: []string{tool(announce, "c", "pending"), question9("c", "in_progress"), allow}, bad: []string{"ACP-TOOL-15: frame 2/params/toolCall/status: "}},
		{name: "said to be in progress where its next stage is asked about", rows: []string{tool(announce, "c", "pending"), question9("c"), allow, question9("c", "in_progress"), allow}, good: []string{"ACP-TOOL-15"}},
		{name: "said to be pending again where its next stage is asked about", rows: []string{tool(announce, "c", "pending"), question9("c"), allow, tool(update, "c", "in_progress"), question9("c", "pending"), allow},
			bad: []string{"ACP-TOOL-05: frame 5/params/toolCall/status: the status of a tool call went from in_progress to pending"}},
		{name: "back behind what was said where it was asked about", rows: []string{tool(announce, "c", "pending"), question9("c"), allow, question9("c", "in_progress"), allow, tool(update, "c", "pending")},
			bad: []string{"ACP-TOOL-05: frame 6/params/update/status: "}},
		{name: "completed while the question is open", rows: []string{tool(announce, "c", "pending"), question9("c"), tool(update, "c", "completed"), dismiss},
			bad: []string{"ACP-TOOL-15: frame 3/params/update/status: a tool call is completed while its permission is open"}},
		{name: "failed while the question is open", rows: []string{tool(announce, "c", "pending"), question9("c"), tool(update, "c", "failed"), dismiss}, good: []string{"ACP-TOOL-15"}},
		{name: "asked about an unknown call", rows: []string{tool(announce, "c", ""), question9("d"), allow}, bad: []string{"ACP-TOOL-16: frame 2/params/toolCall/toolCallId: permission is asked for a tool call that was not announced"}, good: []string{"ACP-TOOL-15"}},
		{name: "asked about a call that is announced behind the question", notes: early, rows: []string{promptA, question9("c"), tool(announce, "c", "pending"), allow, tool(update, "c", "in_progress"), tool(update, "c", "completed"), promptOK},
			good: append(states, "ACP-TOOL-08", "ACP-TOOL-15", "ACP-TOOL-16")},
		{name: "announced behind the answer", notes: early, rows: []string{promptA, question9("c"), allow, tool(announce, "c", "in_progress"), tool(update, "c", "completed"), promptOK}, good: append(states, "ACP-TOOL-15", "ACP-TOOL-16")},
		{name: "asked about a call that is announced as it runs", notes: early, rows: []string{promptA, question9("c"), tool(announce, "c", "in_progress"), allow, tool(update, "c", "completed"), promptOK},
			bad: []string{"ACP-TOOL-15: frame 3/params/update/status: a tool call is in progress while its permission is open"}, good: []string{"ACP-TOOL-16"}},
		{name: "announced twice behind the question", notes: early, rows: []string{promptA, question9("c"), tool(announce, "c", "pending"), tool(announce, "c", "completed"), allow, promptOK},
			bad: []string{"ACP-TOOL-02: frame 4/params/update/toolCallId: ", "ACP-TOOL-15: frame 4/params/update/status: "}, good: []string{"ACP-TOOL-16"}},
		{name: "updated between the question and the announcement", notes: early, rows: []string{promptA, question9("c"), tool(update, "c", ""), tool(announce, "c", "completed"), allow, promptOK},
			bad: []string{"ACP-TOOL-06: frame 3/params/update/toolCallId: ", "ACP-TOOL-02: frame 4/params/update/toolCallId: ", "ACP-TOOL-15: frame 4/params/update/status: "}, good: []string{"ACP-TOOL-16"}},
		{name: "asked about a call that is only updated behind the question", rows: []string{promptA, question9("c"), allow, tool(update, "c", "completed"), promptOK},
			bad: []string{"ACP-TOOL-16: frame 2/params/toolCall/toolCallId: ", "ACP-TOOL-06: frame 4/params/update/toolCallId: "}},
		{name: "asked about a call that is announced in the next turn", rows: []string{promptA, question9("c"), allow, promptOK,
			`client ->   {"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"A"}}`, tool(announce, "c", "completed"), `client <-   {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`},
			bad: []string{"ACP-TOOL-16: frame 2/params/toolCall/toolCallId: "}},
		{name: "no options", rows: []string{tool(announce, "c", ""), `client <-   {"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"A","toolCall":{"toolCallId":"c"},"options":[]}}`, dismiss},
			bad: []string{"ACP-PERM-04: frame 2/params/options: permission is asked without options"}},
		{name: "two options with one id", rows: []string{tool(announce, "c", ""), `client <-   {"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"A","toolCall":{"toolCallId":"c"},"options":[{"optionId":"a","name":"A","kind":"allow_once"},{"optionId":"a","name":"B","kind":"reject_once"}]}}`, dismiss},
			bad: []string{"ACP-PERM-04: frame 2/params/options: two options have the same id"}},
	}
}

// grantCases: the host's side is given as facts. The question is frame 2 (place 1), its answer frame 3 (place 2).
func grantCases() []oracleCase {
	asked := []string{tool("tool_call", "c", "pending"), question9("c")}
	rows := func(more ...string) []string { return append(append([]string(nil), asked...), more...) }
	ran := func(seq int) []HostTool {
		return []HostTool{{Call: "c", Asked: true, Ran: true, Status: "completed", Seq: seq}}
	}
	const decide = `muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"approval/decide","params":{}}`
	const done = `muse 1 ->   {"jsonrpc":"2.0","method":"item/completed","params":{}}`
	grants := func(seq int) []Decision { return []Decision{{Seq: seq, Call: "c", Choice: "allow_once", Grants: true}} }
	return []oracleCase{
		{name: "runs after the grant", rows: rows(allow, decide, done), facts: Facts{Decisions: grants(3), Tools: ran(4)}, good: []string{"ACP-PERM-01"}},
		{name: "does not run after a refusal", rows: rows(reject, decide, done), facts: Facts{Tools: []HostTool{{Call: "c", Asked: true, Status: "rejected", Seq: 4}}}, good: []string{"ACP-PERM-01"}},
		{name: "runs after a refusal", rows: rows(reject, decide, done), facts: Facts{Decisions: grants(3), Tools: ran(4)},
			bad: []string{`ACP-PERM-01: frame 4: the host was told to go ahead with the tool call "c"`, `ACP-PERM-01: frame 5: the tool call "c" ran without`}},
		{name: "runs after the question was dismissed", rows: rows(dismiss, decide, done), facts: Facts{Decisions: grants(3)}, bad: []string{"ACP-PERM-01: frame 4"}},
		{name: "is decided before the answer", rows: rows(decide, allow, done), facts: Facts{Decisions: grants(2), Tools: ran(4)}, bad: []string{"ACP-PERM-01: frame 3", "ACP-PERM-16: frame 3"}},
		{name: "runs before the answer", rows: rows(done, allow), facts: Facts{Tools: ran(2)}, bad: []string{"ACP-PERM-01: frame 3"}},
		{name: "runs though nobody was asked", rows: []string{done}, facts: Facts{Tools: ran(0)}, bad: []string{"ACP-PERM-01: frame 1"}},
		{name: "runs for it was allowed elsewhere", rows: rows(done), facts: Facts{Tools: []HostTool{{Call: "c", Asked: true, Allowed: true, Ran: true, Status: "completed", Seq: 2}}}},
		{name: "an option that was never offered grants nothing", rows: rows(`client ->   {"jsonrpc":"2.0","id":9,"result":{"outcome":{"outcome":"selected","optionId":"x"}}}`, decide, done),
			facts: Facts{Decisions: grants(3)}, bad: []string{"ACP-PERM-01: frame 4"}},
		{name: "a tool that asks for nothing may run", rows: []string{tool("tool_call", "c", ""), done}, facts: Facts{Tools: []HostTool{{Call: "c", Ran: true, Seq: 1}}}},
		{name: "allowed after the turn was cancelled, and nothing happens", rows: []string{promptA, asked[0], asked[1], cancelA, tool("tool_call_update", "c", "failed"), stopped, allow},
			facts: Facts{Tools: []HostTool{{Call: "c", Asked: true, Status: "cancelled", Seq: 4}}}, good: []string{"ACP-PERM-01", "ACP-PERM-11"}},
		{name: "allowed after the turn was cancelled, and the host is told", rows: []string{promptA, asked[0], asked[1], cancelA, tool("tool_call_update", "c", "failed"), stopped, allow, decide},
			facts: Facts{Decisions: grants(7)}, bad: []string{"ACP-PERM-11: frame 8"}},
	}
}

// toolWith is a tool call of session A with more members.
func toolWith(members string) string {
	return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"","status":"completed",%s}}}`, members)
}
