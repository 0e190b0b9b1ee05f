package conform

import "fmt"

// updated is an update of session A with this content, without its braces.
func updated(update string) string {
	return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{%s}}}`, update)
}

// hello is the opening of a client with these capabilities.
func hello(capabilities string) string {
	return fmt.Sprintf(`client ->   {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientCapabilities":%s}}`, capabilities)
}

// inTurn puts rows into a turn of session A.
func inTurn(rows ...string) []string { return append(append([]string{promptA}, rows...), promptOK) }

// emittedCases are about what the adapter shows and uses without being asked for it.
func emittedCases() []oracleCase {
	const fs, term, unoffered = "ACP-FS-01", "ACP-TERM-01", "ACP-INIT-06: frame 4/method: "
	uses := func(capabilities, method string) []string {
		return append([]string{hello(capabilities), initOK}, inTurn(requests(method))...)
	}
	chunk := func(content string) []string {
		return inTurn(updated(`"sessionUpdate":"agent_message_chunk","content":` + content))
	}
	call := func(members string) []string {
		return inTurn(tool("tool_call", "c", "completed"), updated(`"sessionUpdate":"tool_call_update","toolCallId":"c",`+members))
	}
	cases := []oracleCase{
		{name: "files and terminals that are offered", rows: append(uses(`{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}`, "fs/read_text_file")[:4],
			allow, requests("fs/write_text_file"), allow, requests("terminal/create"), allow, promptOK), good: []string{fs, term}},
		{name: "a turn that uses neither", rows: append([]string{hello(`{}`), initOK}, inTurn()...), good: []string{fs, term}},
		{name: "bytes", rows: chunk(`{"type":"image","mimeType":"image/png","data":"aGk="}`), good: []string{"ACP-CONT-02"}},
		{name: "bytes without their padding", rows: chunk(`{"type":"audio","mimeType":"audio/wav","data":"aGk"}`), good: []string{"ACP-CONT-02"}},
		{name: "bytes of a file", rows: chunk(`{"type":"resource","resource":{"uri":"file:///x","blob":"aGk="}}`), good: []string{"ACP-CONT-02"}},
		{name: "bytes that are none", rows: chunk(`{"type":"image","mimeType":"image/png","data":"not really"}`), bad: []string{"ACP-CONT-02: frame 2/params/update/content/data: "}},
		{name: "bytes of a file that are none", rows: chunk(`{"type":"resource","resource":{"uri":"file:///x","blob":"%"}}`), bad: []string{"ACP-CONT-02: frame 2/params/update/content/resource/blob: "}},
		{name: "bytes that are none, of a tool", rows: call(`"content":[{"type":"content","content":{"type":"image","mimeType":"image/png","data":"%"}}]`),
			bad: []string{"ACP-CONT-02: frame 3/params/update/content/0/content/data: "}},
		{name: "a diff and a place", rows: call(`"content":[{"type":"diff","path":"/w/a","newText":"x"}],"locations":[{"path":"/w/a","line":1},{"path":"/w/b","line":null}]`), good: []string{"ACP-TOOL-10", "ACP-TOOL-11"}},
		{name: "a diff of a relative path", rows: call(`"content":[{"type":"diff","path":"a","newText":"x"}]`), bad: []string{"ACP-TOOL-10: frame 3/params/update/content/0/path: "}},
		{name: "a place that is relative", rows: call(`"locations":[{"path":"/w/a"},{"path":"./a"}]`), bad: []string{"ACP-TOOL-11: frame 3/params/update/locations/1/path: "}},
		{name: "a line before the first", rows: call(`"locations":[{"path":"/w/a","line":0}]`), bad: []string{"ACP-TOOL-11: frame 3/params/update/locations/0/line: "}},
		{name: "news of a session", rows: inTurn(updated(`"sessionUpdate":"session_info_update","title":null,"updatedAt":"2026-11-30T23:00:00Z"`), updated(`"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":0.5,"currency":"EUR"}`)),
			good: []string{"ACP-INFO-01", "ACP-INFO-02", "ACP-USE-02"}},
		{name: "a time in words", rows: inTurn(updated(`"sessionUpdate":"session_info_update","updatedAt":"yesterday"`)), good: []string{"ACP-INFO-02"}, bad: []string{"ACP-INFO-01: frame 2/params/update/updatedAt: "}},
		{name: "a currency in words", rows: inTurn(updated(`"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":1,"currency":"euro"}`)), bad: []string{"ACP-USE-02: frame 2/params/update/cost/currency: "}},
		{name: "a cancelled prompt that is answered twice", rows: []string{promptA, cancelA, stopped, stopped}, bad: []string{"ACP-RPC-03: frame 4/id: ", "ACP-CAN-13: frame 3/id: a cancelled prompt was answered 2 times"}},
		{name: "a cancelled prompt that is answered once", rows: []string{promptA, cancelA, stopped}, good: []string{"ACP-CAN-13"}},
	}
	for _, member := range []string{"sessionId", "cwd", "additionalDirectories"} {
		cases = append(cases, oracleCase{name: "news of a session with " + member, rows: inTurn(updated(fmt.Sprintf(`"sessionUpdate":"session_info_update",%q:"x"`, member))),
			good: []string{"ACP-INFO-01"}, bad: []string{"ACP-INFO-02: frame 2/params/update/" + member + ": "}})
	}
	for _, none := range []string{`{}`, `null`, `{"fs":null,"terminal":null}`, `{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false}`} {
		cases = append(cases,
			oracleCase{name: "a file for a client that offers " + none, rows: uses(none, "fs/read_text_file"), good: []string{term}, bad: []string{fs + ": frame 4/method: ", unoffered}},
			oracleCase{name: "a terminal for a client that offers " + none, rows: uses(none, "terminal/create"), good: []string{fs}, bad: []string{term + ": frame 4/method: ", unoffered}})
	}
	cases = append(cases,
		oracleCase{name: "a file is read where only writing is offered", rows: uses(`{"fs":{"writeTextFile":true}}`, "fs/read_text_file"), bad: []string{fs + ": frame 4/method: ", unoffered}},
		oracleCase{name: "a file is written where only reading is offered", rows: uses(`{"fs":{"readTextFile":true}}`, "fs/write_text_file"), bad: []string{fs + ": frame 4/method: ", unoffered}})
	return cases
}

// settingsCases are about the modes and the options that the adapter states.
func settingsCases() []oracleCase {
	made := func(members string) []string {
		return []string{newB, `client <-   {"jsonrpc":"2.0","id":4,"result":{"sessionId":"B",` + members + `}}`}
	}
	const modes = `"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}`
	choice := func(id, category, current string) string {
		return fmt.Sprintf(`{"id":%q,"name":"N","type":"select","category":%q,"currentValue":%q,"options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]}`, id, category, current)
	}
	const loud = `"configOptions":[{"id":"loud","name":"Loud","type":"boolean","currentValue":true}]`
	const groups = `"configOptions":[{"id":"m","name":"M","type":"select","currentValue":"y","options":[{"group":"g","name":"G","options":[{"value":"x","name":"X"},{"value":"y","name":"Y"}]}]}]`
	all := []string{"ACP-MODE-01", "ACP-CFG-01", "ACP-CFG-02", "ACP-CFG-03", "ACP-CFG-10"}
	return []oracleCase{
		{name: "modes and options", rows: made(modes + `,"configOptions":[` + choice("mode", "mode", "a") + `,` + choice("x", "model", "b") + `]`), good: all},
		{name: "modes alone", rows: made(modes), good: all[:1]},
		{name: "null for both", rows: made(`"modes":null,"configOptions":null`)},
		{name: "choices in groups", rows: made(groups), good: all[1:4]},
		{name: "a mode that is none", rows: made(`"modes":{"currentModeId":"c","availableModes":[{"id":"a","name":"A"}]}`), bad: []string{"ACP-MODE-01: frame 2/result/modes/currentModeId: "}},
		{name: "modes with one id", rows: made(`"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"},{"id":"a","name":"B"}]}`), bad: []string{"ACP-MODE-01: frame 2/result/modes/availableModes: "}},
		{name: "options with one id", rows: made(`"configOptions":[` + choice("x", "", "a") + `,` + choice("x", "", "b") + `]`), bad: []string{"ACP-CFG-01: frame 2/result/configOptions/1/id: "}},
		{name: "a value that is none", rows: made(`"configOptions":[` + choice("x", "", "c") + `]`), bad: []string{"ACP-CFG-02: frame 2/result/configOptions/0/currentValue: "}},
		{name: "a boolean for a client that shows none", rows: append([]string{hello(`{"session":{"configOptions":{"boolean":null}}}`), initOK}, made(loud)...), bad: []string{"ACP-CFG-03: frame 4/result/configOptions/0/type: ", "ACP-INIT-06: frame 4/result/configOptions: "}},
		{name: "a boolean for a client that shows them", rows: append([]string{hello(`{"session":{"configOptions":{"boolean":{}}}}`), initOK}, made(loud)...), good: all[1:4]},
		{name: "another mode in the option", rows: made(modes + `,"configOptions":[` + choice("mode", "mode", "b") + `]`), good: all[:4], bad: []string{"ACP-CFG-10: frame 2/result/configOptions/0/currentValue: "}},
		{name: "an option for other modes", rows: made(`"modes":{"currentModeId":"a","availableModes":[{"id":"a","name":"A"}]},"configOptions":[` + choice("mode", "mode", "b") + `]`), good: all[:4]},
		{name: "an update of options", rows: inTurn(updated(`"sessionUpdate":"config_option_update","configOptions":[` + choice("x", "", "c") + `]`)), bad: []string{"ACP-CFG-02: frame 2/params/update/configOptions/0/currentValue: "}},
	}
}
