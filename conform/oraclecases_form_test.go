package conform

// formCases are about requests for input from the user.
func formCases() []oracleCase {
	opened := func(capabilities string) string {
		return `client ->   {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientCapabilities":` + capabilities + `}}`
	}
	asked := func(mode string) string {
		return `client <-   {"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"mode":"` + mode + `","sessionId":"A"}}`
	}
	fields := func(properties string) string {
		return `client <-   {"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"mode":"form","sessionId":"A","requestedSchema":{"type":"object","properties":` + properties + `}}}`
	}
	forms := opened(`{"elicitation":{"form":{}}}`)
	const answered = `client ->   {"jsonrpc":"2.0","id":9,"result":{"action":"cancel"}}`
	const wrong = `ACP-ELIC-01: frame 3/params/mode: the user is to be asked in the mode `
	return []oracleCase{
		{name: "a form for an editor that shows forms", rows: []string{opened(`{"elicitation":{"form":{}}}`), initOK, asked("form"), answered}, good: []string{"ACP-ELIC-01"}},
		{name: "a form for an editor that shows none", rows: []string{opened(`{}`), initOK, asked("form"), answered}, bad: []string{wrong + `"form"`}},
		{name: "an empty object offers no mode", rows: []string{opened(`{"elicitation":{}}`), initOK, asked("form"), answered}, bad: []string{wrong + `"form"`}},
		{name: "null offers no mode", rows: []string{opened(`{"elicitation":{"form":null}}`), initOK, asked("form"), answered}, bad: []string{wrong + `"form"`}},
		{name: "flat fields", rows: []string{forms, initOK, fields(`{"a":{"type":"string"},"b":{"type":"boolean"},"c":{"type":"array","items":{"type":"string"}},"d":{"type":"array","items":{"anyOf":[]}}}`), answered}, good: []string{"ACP-ELIC-04"}},
		{name: "a field that is an object", rows: []string{forms, initOK, fields(`{"a":{"type":"object"}}`), answered}, bad: []string{`ACP-ELIC-04: frame 3/params/requestedSchema/properties/a: the field "a" of a form is of the type "object"`}},
		{name: "a field with fields", rows: []string{forms, initOK, fields(`{"a":{"type":"string","properties":{}}}`), answered}, bad: []string{`ACP-ELIC-04: `}},
		{name: "a list of lists", rows: []string{forms, initOK, fields(`{"a":{"type":"array","items":{"type":"array"}}}`), answered}, bad: []string{`ACP-ELIC-04: frame 3/params/requestedSchema/properties/a: the field "a" of a form is a list of the type "array"`}},
		{name: "a link for an editor that shows forms", rows: []string{opened(`{"elicitation":{"form":{}}}`), initOK, asked("url"), answered}, bad: []string{wrong + `"url"`}},
	}
}
