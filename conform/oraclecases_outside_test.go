package conform

import "fmt"

// kind is an update of session A that says nothing but its kind; requests is a request about it.
func kind(update string) string {
	return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":%q}}}`, update)
}

func requests(method string) string {
	return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","id":9,"method":%q,"params":{"sessionId":"A"}}`, method)
}

// outsideCases are about what comes while a session has no turn.
func outsideCases() []oracleCase {
	const next, nextOK = `client ->   {"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"A"}}`, `client <-   {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`
	const loads, loaded = `client ->   {"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"A"}}`, `client <-   {"jsonrpc":"2.0","id":3,"result":{}}`
	cases := []oracleCase{
		{name: "a request of a turn", rows: []string{promptA, requests("fs/read_text_file"), promptOK}, good: []string{"ACP-PR-16"}},
		{name: "a request of the next turn", rows: []string{promptA, promptOK, next, requests("fs/read_text_file"), nextOK}, good: []string{"ACP-PR-16"}},
		{name: "a tool call before the first turn", rows: []string{tool("tool_call", "c", "completed"), promptA, promptOK}, good: []string{"ACP-PR-16", "ACP-PR-09"},
			notes: []string{"tool_call came in a session before its first prompt, which some clients do not show"}},
		{name: "a greeting, twice", rows: []string{newB, newBOK, chunkB, chunkB, promptB, promptBOK}, good: []string{"ACP-PR-16", "ACP-PR-09", "ACP-ISO-05"},
			notes: []string{"agent_message_chunk came in a session before its first prompt, which some clients do not show"}},
		{name: "a greeting before the answer that gives the session", rows: []string{newB, chunkB, newBOK, promptB, promptBOK}, good: []string{"ACP-PR-16", "ACP-PR-09", "ACP-ISO-05"},
			bad:   []string{"ACP-NEW-07: frame 2/params/sessionId: an update of a new session"},
			notes: []string{"agent_message_chunk came in a session before its first prompt, which some clients do not show"}},
		{name: "a question before the first turn", rows: []string{newB, newBOK, questionB, allow, promptB, promptBOK}, bad: []string{"ACP-PR-16: frame 3/method: ", "ACP-TOOL-16: frame 3"}},
		{name: "a form before the first turn", rows: []string{newB, newBOK, formB, promptB, promptBOK}, bad: []string{"ACP-PR-16: frame 3/method: ", "ACP-ELIC-01: frame 3"}},
		{name: "a tool call in a session that never had a turn", rows: []string{newB, newBOK, tool("tool_call", "c", "completed")}, alone: true,
			bad: []string{"ACP-ISO-05: frame 3/params/sessionId: "}, notes: []string{"tool_call came in a session before its first prompt, which some clients do not show"}},
		{name: "a request before the first turn", rows: []string{requests("fs/write_text_file"), promptA, promptOK}, bad: []string{"ACP-PR-16: frame 1/method: "}},
		{name: "a form between two turns", rows: []string{promptA, promptOK, requests("elicitation/create"), next, nextOK}, bad: []string{"ACP-PR-16: frame 3/method: ", "ACP-ELIC-01: frame 3"}},
		{name: "the turn of another session", rows: []string{newB, newBOK, promptB, requests("fs/read_text_file"), promptBOK}, bad: []string{"ACP-PR-16: frame 4/method: "}},
		{name: "a turn that its client cancelled", rows: []string{promptA, cancelA, stopped, kind("plan")}, bad: []string{"ACP-CAN-03: frame 4/params/update: "}, good: []string{"ACP-PR-16"}},
		{name: "what is loaded is no turn", rows: []string{promptA, promptOK, loads, chunk(), kind("user_message_chunk"), tool("tool_call", "c", "completed"), loaded}, good: []string{"ACP-PR-09", "ACP-PR-16"}},
		{name: "what is loaded comes before the answer", rows: []string{promptA, promptOK, loads, loaded, chunk()}, bad: []string{"ACP-PR-09: frame 5/params/update: "}},
		{name: "a request while another of the client runs", rows: []string{promptA, promptOK, loads, requests("fs/read_text_file"), loaded}, good: []string{"ACP-PR-16"}},
	}
	for _, update := range []string{"plan", "user_message_chunk", "agent_thought_chunk"} {
		cases = append(cases,
			oracleCase{name: "in its turn: " + update, rows: []string{promptA, kind(update), promptOK}, good: []string{"ACP-PR-09", "ACP-PR-16"}},
			oracleCase{name: "behind its turn: " + update, rows: []string{promptA, promptOK, kind(update)}, bad: []string{"ACP-PR-09: frame 3/params/update: "}},
			oracleCase{name: "before any turn: " + update, rows: []string{kind(update), promptA, promptOK}, good: []string{"ACP-PR-09", "ACP-PR-16"},
				notes: []string{update + " came in a session before its first prompt, which some clients do not show"}})
	}
	for _, update := range []string{"available_commands_update", "current_mode_update", "config_option_update", "session_info_update", "usage_update"} {
		cases = append(cases, oracleCase{name: "at any time: " + update, rows: []string{kind(update), promptA, promptOK, kind(update)}, good: []string{"ACP-PR-09", "ACP-PR-16"}})
	}
	for _, method := range []string{"fs/read_text_file", "fs/write_text_file", "terminal/create"} {
		cases = append(cases, oracleCase{name: "behind its turn: " + method, rows: []string{promptA, promptOK, requests(method)}, bad: []string{"ACP-PR-16: frame 3/method: " + method + " came while no turn"}})
	}
	for _, method := range []string{"terminal/release", "terminal/kill", "terminal/output", "terminal/wait_for_exit", "_own/method"} {
		cases = append(cases, oracleCase{name: "at any time: " + method, rows: []string{promptA, promptOK, requests(method)}, good: []string{"ACP-PR-16"}})
	}
	return cases
}

const (
	newB      = `client ->   {"jsonrpc":"2.0","id":4,"method":"session/new","params":{}}`
	newBOK    = `client <-   {"jsonrpc":"2.0","id":4,"result":{"sessionId":"B"}}`
	promptB   = `client ->   {"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{"sessionId":"B"}}`
	promptBOK = `client <-   {"jsonrpc":"2.0","id":5,"result":{"stopReason":"end_turn"}}`
	chunkB    = `client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"B","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Welcome"}}}}`
	questionB = `client <-   {"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"B","toolCall":{"toolCallId":"c"},"options":[{"optionId":"a","name":"Allow","kind":"allow_once"}]}}`
	formB     = `client <-   {"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"sessionId":"B"}}`
	closeA    = `client ->   {"jsonrpc":"2.0","id":6,"method":"session/close","params":{"sessionId":"A"}}`
	closeAOK  = `client <-   {"jsonrpc":"2.0","id":6,"result":{}}`
)

// sessionCases are about the sessions that the adapter names.
func sessionCases() []oracleCase {
	const id = "ACP-ISO-05"
	info := func(session string) string {
		return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":"session_info_update"}}}`, session)
	}
	const resumes = `client ->   {"jsonrpc":"2.0","id":7,"method":"session/resume","params":{"sessionId":"A"}}`
	const resumed = `client <-   {"jsonrpc":"2.0","id":7,"result":{}}`
	return []oracleCase{
		{name: "a session that the client was given", rows: []string{newB, newBOK, info("B")}, good: []string{id, "ACP-NEW-07"}},
		{name: "a session that the client is about to be given", rows: []string{newB, info("B"), newBOK}, good: []string{id},
			bad: []string{"ACP-NEW-07: frame 2/params/sessionId: an update of a new session"}},
		{name: "a session that the client takes up again", rows: []string{resumes, resumed, kind("session_info_update")}, alone: true, good: []string{id}},
		{name: "a session that the client was never given", rows: []string{newB, newBOK, info("C")}, bad: []string{id + ": frame 3/params/sessionId: session/update is about a session that the client was never given"}},
		{name: "a session without a name", rows: []string{newB, newBOK, info("")}, bad: []string{id + ": frame 3/params/sessionId: session/update is about a session that the client was never given"}},
		{name: "a session that the client has only asked about", rows: []string{newB, newBOK, promptA, `client <-   {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":""}}`, kind("session_info_update")}, alone: true,
			bad: []string{id + ": frame 5/params/sessionId: "}},
		{name: "a request about a session that the client was never given", rows: []string{newB, newBOK, promptB, requests("fs/read_text_file"), promptBOK}, alone: true,
			bad: []string{"ACP-PR-16: frame 4/method: ", id + ": frame 4/params/sessionId: fs/read_text_file is about a session"}},
		{name: "what a method of its own calls a session", rows: []string{newB, newBOK, `client <-   {"jsonrpc":"2.0","method":"_x/y","params":{"sessionId":"C"}}`, info("B")}, good: []string{id}},
		{name: "a session that is being closed", rows: []string{promptA, promptOK, closeA, kind("session_info_update"), closeAOK}, good: []string{id}},
		{name: "a session that was closed", rows: []string{promptA, promptOK, closeA, closeAOK, kind("session_info_update")}, bad: []string{id + ": frame 5/params/sessionId: session/update is about a session that the client has closed"}},
		{name: "a session that could not be closed", rows: []string{promptA, promptOK, closeA, `client <-   {"jsonrpc":"2.0","id":6,"error":{"code":1,"message":""}}`, kind("session_info_update")}, good: []string{id}},
		{name: "a session that was closed and taken up again", rows: []string{promptA, promptOK, closeA, closeAOK, resumes, resumed, kind("session_info_update")}, good: []string{id}},
	}
}
