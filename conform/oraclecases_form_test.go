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
	const unasked = `ACP-INIT-06: frame 3/method: elicitation/create is used`
	const told = `muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"userInput/cancel","params":{}}`
	inputs := func(seqs ...int) (f Facts) {
		for _, seq := range seqs {
			f.Inputs = append(f.Inputs, HostInput{Seq: seq, Accepted: true})
		}
		return f
	}
	return []oracleCase{
		{name: "a form for an editor that shows forms", rows: []string{opened(`{"elicitation":{"form":{}}}`), initOK, asked("form"), answered}, good: []string{"ACP-ELIC-01"}},
		{name: "a form for an editor that shows none", rows: []string{opened(`{}`), initOK, asked("form"), answered}, bad: []string{wrong + `"form"`, unasked}},
		{name: "an empty object offers no mode", rows: []string{opened(`{"elicitation":{}}`), initOK, asked("form"), answered}, bad: []string{wrong + `"form"`, unasked}},
		{name: "null offers no mode", rows: []string{opened(`{"elicitation":{"form":null}}`), initOK, asked("form"), answered}, bad: []string{wrong + `"form"`, unasked}},
		{name: "flat fields", rows: []string{forms, initOK, fields(`{"a":{"type":"string"},"b":{"type":"boolean"},"c":{"type":"array","items":{"type":"string"}},"d":{"type":"array","items":{"anyOf":[]}}}`), answered}, good: []string{"ACP-ELIC-04"}},
		{name: "a field that is an object", rows: []string{forms, initOK, fields(`{"a":{"type":"object"}}`), answered}, bad: []string{`ACP-ELIC-04: frame 3/params/requestedSchema/properties/a: the field "a" of a form is of the type "object"`}},
		{name: "a field with fields", rows: []string{forms, initOK, fields(`{"a":{"type":"string","properties":{}}}`), answered}, bad: []string{`ACP-ELIC-04: `}},
		{name: "a list of lists", rows: []string{forms, initOK, fields(`{"a":{"type":"array","items":{"type":"array"}}}`), answered}, bad: []string{`ACP-ELIC-04: frame 3/params/requestedSchema/properties/a: the field "a" of a form is a list of the type "array"`}},
		{name: "told after the answer", rows: []string{forms, initOK, asked("form"), answered, told}, facts: inputs(4), good: []string{"ACP-ELIC-11"}},
		{name: "told before the answer", rows: []string{forms, initOK, asked("form"), told, answered}, facts: inputs(3), bad: []string{"ACP-ELIC-11: frame 4: the host was told about the user's input"}},
		{name: "told before the form", rows: []string{forms, initOK, told, asked("form"), answered}, facts: inputs(2), bad: []string{"ACP-ELIC-11: frame 3: "}},
		{name: "told before the second answer", rows: []string{forms, initOK, asked("form"), answered, told, asked("form"), told, answered}, facts: inputs(4, 6), bad: []string{"ACP-ELIC-11: frame 7: "}},
		{name: "told where no form was shown", rows: []string{forms, initOK, told, told, asked("form"), answered}, facts: inputs(2, 3)},
		{name: "told for the session is closed", rows: []string{forms, initOK, asked("form"), closeA, told, answered, closeAOK}, facts: inputs(4)},
		{name: "a link for an editor that shows forms", rows: []string{opened(`{"elicitation":{"form":{}}}`), initOK, asked("url"), answered}, bad: []string{wrong + `"url"`, unasked}},
	}
}
