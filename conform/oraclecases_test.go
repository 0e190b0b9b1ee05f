package conform

import "slices"

// oracleCases are small transcripts, each good or bad in one way.
func oracleCases() []oracleCase {
	return slices.Concat(lineCases(), responseCases(), turnCases(), toolCases(), grantCases(), endCases(), formCases(), outsideCases(), sessionCases(), answerCases(), shownCases(), emittedCases(), settingsCases(), offerCases())
}

func lineCases() []oracleCase {
	purity := []string{"ACP-TRN-01", "ACP-TRN-02", "ACP-TRN-03", "ACP-RPC-01", "ACP-RPC-04"}
	without := func(id string) []string {
		return slices.DeleteFunc(slices.Clone(purity), func(s string) bool { return s == id })
	}
	return []oracleCase{
		{name: "pure lines", rows: []string{initAsk, initOK}, good: append(purity, "ACP-TRN-14")},
		{name: "not UTF-8", rows: []string{initAsk, initOK, `client <-!  "\xff"`},
			bad: []string{"ACP-TRN-01: frame 3: byte 1 is not UTF-8"}, good: without("ACP-TRN-01")},
		{name: "a byte order mark", rows: []string{`client <-!  \xef\xbb\xbf{}`}, bad: []string{"ACP-TRN-01: frame 1: the line begins with a byte order mark"}},
		{name: "a blank line", rows: []string{initAsk, initOK, `client <-   `},
			bad: []string{"ACP-TRN-02: frame 3: a line of stdout is blank"}, good: without("ACP-TRN-02")},
		{name: "a log line", rows: []string{initAsk, `client <-   started`, initOK},
			bad: []string{"ACP-TRN-03: frame 2: stdout carries what is no message: the line is not JSON"}, good: without("ACP-TRN-03")},
		{name: "a member twice inside a message", rows: []string{initAsk, `client <-   {"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}`},
			bad: []string{"ACP-TRN-03: frame 2/result/a: stdout carries what readers read differently: an object has a member twice"}, good: without("ACP-TRN-03")},
		{name: "a member twice inside what a tool was given", rows: []string{promptA, toolWith(`"rawInput":{"a":1,"a":2}`), promptOK}, good: purity},
		{name: "a scalar", rows: []string{`client <-   42`}, bad: []string{"ACP-TRN-03: frame 1: "}},
		{name: "a batch that nobody asked for", rows: []string{`client <-   [{"jsonrpc":"2.0","method":"x"}]`}, bad: []string{"ACP-TRN-03: frame 1: "}},
		{name: "a batch that answers a batch", rows: []string{`client ->   [{"jsonrpc":"2.0","id":1,"method":"x"}]`, `client <-   [{"jsonrpc":"2.0","id":1,"error":{}}]`}, good: purity},
		{name: "a batch of requests", rows: []string{`client ->   [{"jsonrpc":"2.0","id":1,"method":"x"}]`, `client <-   [{"jsonrpc":"2.0","method":"x"}]`}, bad: []string{"ACP-TRN-03: frame 2: "}},
		{name: "no version", rows: []string{initAsk, `client <-   {"id":1,"result":{}}`},
			bad:  []string{`ACP-RPC-01: frame 2: the member "jsonrpc" is missing`, "ACP-RPC-03: frame 1: the request initialize was never answered"},
			good: without("ACP-RPC-01")},
		{name: "a result and an error", rows: []string{`client <-   {"jsonrpc":"2.0","id":1,"result":{},"error":{}}`},
			bad: []string{"ACP-RPC-04: frame 1: both a result and an error"}, good: without("ACP-RPC-04")},
		{name: "cut short", rows: []string{initAsk, initOK, `client <-!  {"jsonrpc":"2.0","method":"x"}\-`},
			bad: []string{"ACP-TRN-14: frame 3: the last line of stdout has no LF"}},
	}
}

func responseCases() []oracleCase {
	return []oracleCase{
		{name: "each request has its response", rows: []string{initAsk, initOK, promptA, promptOK}, good: []string{"ACP-RPC-02", "ACP-RPC-03"}},
		{name: "no response", rows: []string{initAsk, initOK, promptA}, bad: []string{"ACP-RPC-03: frame 3: the request session/prompt was never answered"}, good: []string{"ACP-RPC-02"}},
		{name: "two responses", rows: []string{initAsk, initOK, initOK}, bad: []string{"ACP-RPC-03: frame 3/id: a response repeats the id"}},
		{name: "an id that was never used", rows: []string{initAsk, `client <-   {"jsonrpc":"2.0","id":"1","result":{}}`, initOK},
			bad: []string{"ACP-RPC-02: frame 2/id: a response has an id that no request of the client had"}, good: []string{"ACP-RPC-03"}},
		{name: "a bad line calls for the id null", rows: []string{`client ->   {bad`, `client <-   {"jsonrpc":"2.0","id":null,"error":{}}`, initAsk, initOK}, good: []string{"ACP-RPC-02", "ACP-RPC-03"}},
		{name: "a bad line calls for its own id", rows: []string{`client ->   {"id":7}`, `client <-   {"jsonrpc":"2.0","id":7,"error":{}}`, initAsk, initOK}, good: []string{"ACP-RPC-02"}},
		{name: "a bad line calls for one answer only", rows: []string{initAsk, initOK, `client ->   {bad`, `client <-   {"jsonrpc":"2.0","id":null,"error":{}}`, `client <-   {"jsonrpc":"2.0","id":null,"error":{}}`},
			bad: []string{"ACP-RPC-02: frame 5/id: "}},
		{name: "a blank line calls for none", rows: []string{initAsk, initOK, `client ->   `, `client <-   {"jsonrpc":"2.0","id":null,"error":{}}`}, bad: []string{"ACP-RPC-02: frame 4/id: "}},
		{name: "a notification without an answer", rows: []string{initAsk, initOK, `client ->   {"jsonrpc":"2.0","method":"x"}`}, good: []string{"ACP-RPC-06"}},
		{name: "a notification with an answer", rows: []string{initAsk, initOK, `client ->   {"jsonrpc":"2.0","method":"x"}`, `client <-   {"jsonrpc":"2.0","id":null,"error":{}}`},
			bad: []string{"ACP-RPC-02: frame 4/id: ", "ACP-RPC-06: frame 4: a response came that no request called for"}},
		{name: "a cancel without an answer", rows: []string{initAsk, initOK, promptA, cancelA, stopped}, good: []string{"ACP-CAN-05", "ACP-RPC-06"}},
		{name: "a cancel with an answer", rows: []string{initAsk, initOK, promptA, cancelA, `client <-   {"jsonrpc":"2.0","id":null,"result":{}}`, stopped},
			bad: []string{"ACP-RPC-02: frame 5/id: ", "ACP-RPC-06: frame 5: ", "ACP-CAN-05: frame 5: "}},
		{name: "an id of the adapter used again after its answer", rows: []string{tool("tool_call", "c", ""), question9("c"), dismiss, question9("c"), dismiss}, good: []string{"ACP-RPC-14"}},
		{name: "an id of the adapter used twice at a time", rows: []string{tool("tool_call", "c", ""), question9("c"), question9("c"), dismiss, dismiss},
			bad: []string{"ACP-RPC-14: frame 3/id: two open requests", "ACP-PERM-10: frame 3/id: two open requests"}},
	}
}

func turnCases() []oracleCase {
	return []oracleCase{
		{name: "updates before the response", rows: []string{promptA, chunk(), promptOK}, good: []string{"ACP-PR-09"}},
		{name: "an update behind the response", rows: []string{promptA, promptOK, chunk()}, bad: []string{"ACP-PR-09: frame 3/params/update: an update of a finished turn"}},
		{name: "a plan behind the response", rows: []string{promptA, promptOK,
			`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":"plan","entries":[]}}}`},
			bad: []string{"ACP-PR-09: frame 3/params/update: an update of a finished turn"}},
		{name: "a late update of another kind", rows: []string{promptA, promptOK,
			`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":"available_commands_update"}}}`}, good: []string{"ACP-PR-09"}},
		{name: "an update between two turns", rows: []string{promptA, promptOK, chunk(),
			`client ->   {"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"A"}}`, `client <-   {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`},
			bad: []string{"ACP-PR-09: frame 3"}},
		{name: "an update before any turn", rows: []string{chunk(), promptA, promptOK}, good: []string{"ACP-PR-09", "ACP-PR-16"},
			notes: []string{"agent_message_chunk came in a session before its first prompt, which some clients do not show"}},
		{name: "a cancelled turn", rows: []string{promptA, cancelA, chunk(), stopped}, good: []string{"ACP-CAN-01", "ACP-CAN-02", "ACP-CAN-03"}},
		{name: "an update behind a cancelled response", rows: []string{promptA, cancelA, stopped, chunk()}, bad: []string{"ACP-CAN-03: frame 4"}, good: []string{"ACP-CAN-01"}},
		{name: "a cancelled turn that ends otherwise", rows: []string{promptA, cancelA, promptOK}, bad: []string{"ACP-CAN-01: frame 3/result/stopReason: "}, good: []string{"ACP-CAN-02"}},
		{name: "a cancelled turn that ends with an error", rows: []string{promptA, cancelA, `client <-   {"jsonrpc":"2.0","id":2,"error":{"code":1,"message":""}}`},
			bad: []string{"ACP-CAN-02: frame 3/error: a cancelled prompt was answered with an error"}, good: []string{"ACP-CAN-01"}},
		{name: "a cancel that comes too late", rows: []string{promptA, promptOK, cancelA}, good: []string{"ACP-PR-09"}},
	}
}

func endCases() []oracleCase {
	return []oracleCase{
		{name: "it ends with its stdin", rows: []string{initAsk, initOK}, ending: Ending{Clean: true}, good: []string{"ACP-TRN-11"}},
		{name: "it has to be asked to end", rows: []string{initAsk, initOK}, ending: Ending{Forced: "SIGTERM"},
			bad: []string{"ACP-TRN-11: nowhere: the adapter did not end when its stdin was closed; it needed SIGTERM"}},
		{name: "it leaves something behind", rows: []string{initAsk, initOK}, ending: Ending{Clean: true, Left: "a process was still running"},
			bad: []string{"ACP-TRN-11: nowhere: a process was still running after the adapter had ended"}},
		{name: "it ends with an error status", rows: []string{initAsk, initOK}, ending: Ending{Text: "exit status 3"},
			bad: []string{"ACP-TRN-17: nowhere: the adapter did not end well after its stdin was closed: exit status 3"}, good: []string{"ACP-TRN-11"}},
		{name: "it ends by a signal of its own", rows: []string{initAsk, initOK}, ending: Ending{Text: "signal: segmentation fault"}, bad: []string{"ACP-TRN-17: nowhere: "}},
		{name: "it ends with the status 0", rows: []string{initAsk, initOK}, ending: Ending{Text: "exit status 0", Clean: true}, good: []string{"ACP-TRN-17"}},
		{name: "nothing behind the end of stdin", rows: []string{initAsk, initOK}, left: 2, good: []string{"ACP-TRN-16"}},
		{name: "an answer behind the end of stdin", rows: []string{initAsk, initOK}, left: 1, good: []string{"ACP-TRN-16"}},
		{name: "a request behind the end of stdin", rows: []string{initAsk, initOK, `client <-   {"jsonrpc":"2.0","id":1,"method":"_x/y"}`}, left: 2,
			bad: []string{"ACP-TRN-16: frame 3/method: _x/y came behind the end of stdin"}},
		{name: "a notification behind the end of stdin", rows: []string{initAsk, initOK, `client <-   {"jsonrpc":"2.0","method":"_x/bye"}`}, left: 2,
			bad: []string{"ACP-TRN-16: frame 3/method: _x/bye came behind the end of stdin"}},
		{name: "a notification of JSON-RPC itself behind the end of stdin", rows: []string{initAsk, initOK, `client <-   {"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`}, left: 2, good: []string{"ACP-TRN-16"}},
		{name: "a notification before the end of stdin", rows: []string{initAsk, initOK, `client <-   {"jsonrpc":"2.0","method":"_x/hello"}`}, left: 3, good: []string{"ACP-TRN-16"}},
		{name: "an open turn is closed behind the end of stdin", rows: []string{promptA, tool("tool_call", "c", ""), tool("tool_call_update", "c", "failed"), stopped}, left: 2, good: []string{"ACP-TRN-16", "ACP-PR-16"}},
		{name: "a notification of an open turn behind the end of stdin", rows: []string{promptA, `client <-   {"jsonrpc":"2.0","method":"_x/y"}`, stopped}, left: 1, good: []string{"ACP-TRN-16"}},
		{name: "an update that may come at any time behind the end of stdin", rows: []string{promptA, promptOK, kind("session_info_update")}, left: 2, good: []string{"ACP-TRN-16"}},
		{name: "an update of a finished turn behind the end of stdin", rows: []string{promptA, promptOK, chunk()}, left: 2, bad: []string{"ACP-PR-09: frame 3"}},
		{name: "a question behind the end of stdin", rows: []string{promptA, tool("tool_call", "c", "completed"), promptOK, requests("fs/read_text_file")}, left: 3, bad: []string{"ACP-PR-16: frame 4/method: "}},
	}
}
