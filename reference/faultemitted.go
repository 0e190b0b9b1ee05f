package reference

import "strings"

// emittedFaults are those of what the client is told and nobody asked for: updates, options and paths that are not as the
// protocol has them. Each changes the line that it is about, or puts one in front of a thought.
func emittedFaults() []lineFault {
	const thought = `"sessionUpdate":"agent_thought_chunk"`
	// ahead of a thought stands another update of its session, or a request about it.
	update := func(name, sentence, content string) lineFault {
		return lineFault{FaultInfo{Fault(name), sentence}, thought, `(?s)^(\{.*"update":)\{.*$`, `${1}` + content + "}}\n$0"}
	}
	request := func(name, sentence, method, member string) lineFault {
		return lineFault{FaultInfo{Fault(name), sentence}, thought, `(?s)^.*("sessionId":"[^"]*").*$`,
			`{"jsonrpc":"2.0","id":"` + name + `","method":"` + method + `","params":{${1},` + member + "}}\n$0"}
	}
	settings := func(name, sentence, old, replacement string) lineFault {
		return lineFault{FaultInfo{Fault(name), sentence}, `"configOptions":`, old, replacement}
	}
	call := func(name, sentence, old, replacement string) lineFault {
		return lineFault{FaultInfo{Fault(name), sentence}, `"sessionUpdate":"tool_call`, old, replacement}
	}
	image := `{"sessionUpdate":"agent_message_chunk","content":{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("?", 4) + `"}}`
	return []lineFault{
		update("text-block-without-text", "A text block has no text.", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text"}}`),
		update("image-is-no-base64", "The bytes of an image are no base64.", image),
		update("plan-entry-with-own-status", "An entry of a plan has a status that is not in the schema.",
			`{"sessionUpdate":"plan","entries":[{"content":"Look","priority":"high","status":"done"}]}`),
		update("command-without-description", "A slash command has no description.",
			`{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"help"}]}`),
		update("title-is-a-number", "The title of a session is a number.", `{"sessionUpdate":"session_info_update","title":7}`),
		update("title-names-folder", "The update of a session's title names its folder too.", `{"sessionUpdate":"session_info_update","title":"A title","cwd":"/"}`),
		update("usage-is-null", "What a session has used is null.", `{"sessionUpdate":"usage_update","used":null,"size":1000}`),
		update("currency-in-words", "The currency of a cost is a word.", `{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":1,"currency":"dollars"}}`),
		request("reads-unoffered-file", "A file is asked for that the client does not offer.", "fs/read_text_file", `"path":"/x"`),
		request("makes-unoffered-terminal", "A terminal is asked for that the client does not offer.", "terminal/create", `"command":"true"`),

		call("relative-diff", "A tool call shows a diff whose path is relative.",
			`\{"type":"content","content":\{"type":"text","text":"(?:[^"\\]|\\.)*"\}\}`, `$0,{"type":"diff","path":"marker","newText":"ran"}`),
		call("relative-location", "The place that a tool call works at is relative.", `"locations":\[\{"path":"[^"]*/`, `"locations":[{"path":"`),
		call("location-one-folder-up", "The place that a tool call works at is in the folder above that of the session.",
			`("locations":\[\{"path":"[^"]*)/[^"/]*(/[^"/]*")`, `$1$2`),

		{FaultInfo{"refusal-for-a-good-end", "A turn that ended well is answered with refusal."}, `"stopReason"`, `"end_turn"`, `"refusal"`},

		settings("boolean-option", "A session has an option that is on or off.", `"configOptions":\[`, `$0{"id":"loud","name":"Loud","type":"boolean","currentValue":false},`),
		settings("same-option-twice", "Two options of a session have the same id.", `"id":"approval-policy"`, `"id":"sandbox-mode"`),
		settings("option-has-no-choice", "An option has a value that cannot be chosen.", `("id":"approval-policy".*?"currentValue":)"[a-z]*"`, `$1"sometimes"`),
		settings("category-of-its-own", "An option is of a category of the adapter's own, without an underscore.", `"category":"mode"`, `"category":"modes"`),
		settings("mode-is-no-choice", "A new session is in a mode that cannot be chosen.", `"currentModeId":"[a-zA-Z]*"`, `"currentModeId":"yolo"`),
		settings("mode-beside-its-option", "A new session is said to be in another mode than its option says.", `"currentModeId":"[a-zA-Z]*"`, `"currentModeId":"rejectApprovals"`),
		settings("mode-described-by-number", "The description of a mode is a number.", `("availableModes":\[\{"id":"[^"]*","name":"[^"]*","description":)"[^"]*"`, `${1}7`),
	}
}
