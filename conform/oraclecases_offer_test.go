package conform

// offerCases are about what both sides offer, how the connection is opened, the codes of errors, and what becomes of a
// turn whose client refuses something or goes away.
func offerCases() []oracleCase {
	const (
		plain      = `client ->   {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":null},"terminal":false,"elicitation":{}}}}`
		able       = `client ->   {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true},"terminal":true,"auth":{"terminal":true},"session":{"configOptions":{"boolean":{}}}}}}`
		logins     = `client <-   {"jsonrpc":"2.0","id":1,"result":{"authMethods":[{"id":"a"},{"id":"b","type":"terminal"}]}}`
		closes     = `client <-   {"jsonrpc":"2.0","id":1,"result":{"agentCapabilities":{"sessionCapabilities":{"close":{}}}}}`
		closesNone = `client <-   {"jsonrpc":"2.0","id":1,"result":{"agentCapabilities":{"sessionCapabilities":{"close":null}}}}`
		toggles    = `client <-   {"jsonrpc":"2.0","id":4,"result":{"sessionId":"B","configOptions":[{"id":"a","type":"boolean"}]}}`
		closeB     = `client ->   {"jsonrpc":"2.0","id":7,"method":"session/close","params":{"sessionId":"B"}}`
		closed     = `client <-   {"jsonrpc":"2.0","id":7,"result":{}}`
		noMethod7  = `client <-   {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":""}}`
		refuseB    = `client ->   {"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":""}}`
		askB       = `client <-   {"jsonrpc":"2.0","id":9,"method":"_b/ask","params":{"sessionId":"B"}}`
		chunkOfB   = `client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"B","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}}`
	)
	failed := func(id, code string) string {
		return `client <-   {"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":""}}`
	}
	asks := func(method string) string {
		return `client <-   {"jsonrpc":"2.0","id":9,"method":"` + method + `","params":{"path":"/x"}}`
	}
	return []oracleCase{
		{name: "nothing is used that is not offered", rows: []string{plain, initOK}, good: []string{"ACP-INIT-06"}},
		{name: "a file that is not offered", rows: []string{plain, initOK, asks("fs/read_text_file")}, bad: []string{"ACP-INIT-06: frame 3/method: fs/read_text_file is used"}},
		{name: "a file that may only be read", rows: []string{able, initOK, asks("fs/write_text_file")}, bad: []string{"ACP-INIT-06: frame 3/method: fs/write_text_file is used"}},
		{name: "a terminal that is not offered", rows: []string{plain, initOK, asks("terminal/create")}, bad: []string{"ACP-INIT-06: frame 3/method: terminal/create is used"}},
		{name: "a file and a terminal that are offered", rows: []string{able, initOK, asks("fs/read_text_file"), asks("terminal/create")}, bad: []string{"ACP-RPC-14: frame 4", "ACP-PERM-10: frame 4"}, good: []string{"ACP-INIT-06"}},
		{name: "a login in a terminal that is not offered", rows: []string{plain, logins}, bad: []string{"ACP-INIT-06: frame 2/result/authMethods: "}},
		{name: "a login in a terminal that is offered", rows: []string{able, logins}, good: []string{"ACP-INIT-06"}},
		{name: "an option of a type that is not offered", rows: []string{plain, initOK, newB, toggles}, bad: []string{"ACP-CFG-03: frame 4/result/configOptions/0/type: ", "ACP-INIT-06: frame 4/result/configOptions: "}},
		{name: "an option of a type that is offered", rows: []string{able, initOK, newB, toggles}, good: []string{"ACP-INIT-06"}},

		{name: "nothing before a session", rows: []string{plain, initOK, `client <-   {"jsonrpc":"2.0","method":"_x/y"}`, newB, newBOK}, good: []string{"ACP-INIT-15"}},
		{name: "an update before a session was asked for", rows: []string{plain, initOK, chunkOfB, newB, newBOK}, bad: []string{"ACP-NEW-07: frame 3/params/sessionId: ", "ACP-INIT-15: frame 3/method: session/update came before"},
			notes: []string{"agent_message_chunk came in a session before its first prompt, which some clients do not show"}},
		{name: "an update before the answer that gives the session", rows: []string{plain, initOK, newB, chunkOfB, newBOK}, good: []string{"ACP-INIT-15"}, bad: []string{"ACP-NEW-07: frame 4/params/sessionId: "},
			notes: []string{"agent_message_chunk came in a session before its first prompt, which some clients do not show"}},

		{name: "what is advertised is there", rows: []string{plain, closes, newB, newBOK, closeB, closed}, good: []string{"ACP-INIT-10"}},
		{name: "what is advertised fails otherwise", rows: []string{plain, closes, newB, newBOK, closeB, failed("7", "-32602")}, good: []string{"ACP-INIT-10", "ACP-ERR-01", "ACP-ERR-03"}},
		{name: "what is advertised is not there", rows: []string{plain, closes, newB, newBOK, closeB, noMethod7},
			bad: []string{"ACP-INIT-10: frame 6/error/code: session/close was answered as a method that does not exist", "ACP-ERR-01: frame 6/error/code: "}},
		{name: "what is not advertised is not there", rows: []string{plain, closesNone, newB, newBOK, closeB, noMethod7}, good: []string{"ACP-ERR-01"}},
		{name: "the baseline works", rows: []string{plain, initOK, newB, newBOK, promptB, chunkOfB, promptBOK}, good: []string{"ACP-INIT-17"}},
		{name: "the baseline is not there", rows: []string{plain, initOK, newB, failed("4", "-32601")},
			bad: []string{"ACP-INIT-17: frame 4/error/code: session/new was answered as a method that does not exist", "ACP-ERR-01: frame 4"}},

		{name: "a code that the client had said", rows: []string{plain, initOK, newB, newBOK, promptB, askB, `client ->   {"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":""}}`, failed("5", "-32601")}, good: []string{"ACP-ERR-01", "ACP-RPC-17"}},
		{name: "a request that is no JSON, says the answer", rows: []string{plain, initOK, newB, failed("4", "-32700")}, bad: []string{"ACP-ERR-01: frame 4/error/code: a request that is JSON"}, good: []string{"ACP-ERR-03"}},
		{name: "a code that JSON-RPC keeps for itself", rows: []string{plain, initOK, newB, failed("4", "-32100")}, bad: []string{"ACP-ERR-03: frame 4/error/code: the code -32100"}, good: []string{"ACP-ERR-01"}},
		{name: "codes that an adapter may have", rows: []string{plain, initOK, newB, failed("4", "-32099"), newB, failed("4", "-32800"), newB, failed("4", "-32002"), newB, failed("4", "7")}, good: []string{"ACP-ERR-01", "ACP-ERR-03"}},

		{name: "a success without a result", rows: []string{plain, `client <-   {"jsonrpc":"2.0","id":1}`},
			bad: []string{"ACP-RPC-05: frame 2: neither", "ACP-RPC-04: frame 2: neither", "ACP-RPC-03: frame 1: "}},
		{name: "a success with nothing to say", rows: []string{plain, closes, newB, newBOK, closeB, `client <-   {"jsonrpc":"2.0","id":7,"result":null}`}, good: []string{"ACP-RPC-05"}},

		{name: "a turn goes on when its client refuses", rows: []string{plain, initOK, newB, newBOK, promptB, askB, refuseB, promptBOK}, good: []string{"ACP-RPC-17"}},
		{name: "a turn hangs when its client refuses", rows: []string{plain, initOK, newB, newBOK, promptB, askB, refuseB},
			bad: []string{"ACP-RPC-03: frame 5: ", "ACP-RPC-17: frame 7/error: the client answered a request of the adapter with an error"}},
		{name: "a turn is open when its client leaves", rows: []string{plain, initOK, newB, newBOK, promptB, askB, refuseB}, left: 7, inTurns: true, good: []string{"ACP-RPC-03"}},
		{name: "a turn is answered only when its client leaves", rows: []string{plain, initOK, newB, newBOK, promptB, askB, refuseB, promptBOK}, left: 7, bad: []string{"ACP-RPC-17: frame 7/error: "}},

		{name: "who is told to end, ends", rows: []string{plain, initOK}, told: true, listened: true, good: []string{"ACP-TRN-15"}},
		{name: "who is told to end, goes on", rows: []string{plain, initOK}, told: true, bad: []string{"ACP-TRN-15: nowhere: the adapter was told to end, and went on"}},
		{name: "who is told to end, leaves something behind", rows: []string{plain, initOK}, told: true, listened: true, ending: Ending{Clean: true, Left: "a host was still running"},
			bad: []string{"ACP-TRN-11: nowhere: a host", "ACP-TRN-15: nowhere: a host was still running after the adapter was told to end"}},
	}
}
