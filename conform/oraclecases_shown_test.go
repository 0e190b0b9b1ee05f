package conform

import (
	"encoding/json"
	"fmt"
)

// shownCases are about what the client is shown of a call that it is asked about: frame 1 announces it, 2 asks, 4 tells
// what became of it.
func shownCases() []oracleCase {
	const id = "ACP-PERM-17"
	const bash = `{"command":"rm -r x","description":"Clears up","timeout":1.50}`
	const write = `{"path":"a","content":"b\nc","mode":{"deep":"d"}}`
	announced := func(members string) string {
		return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":"tool_call","toolCallId":"c"%s}}}`, members)
	}
	asked := func(members string) string {
		return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"A","toolCall":{"toolCallId":"c"%s},"options":[{"optionId":"a","name":"Allow","kind":"allow_once"}]}}`, members)
	}
	updated := func(members string) string {
		return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":"tool_call_update","toolCallId":"c"%s}}}`, members)
	}
	input := func(raw string) string { return `,"rawInput":` + raw }
	title := func(text string) string { return fmt.Sprintf(`,"title":%q`, text) }
	host := func(told string, earlier ...string) Facts {
		t := HostTool{Call: "c", Input: json.RawMessage(told), Seq: -1}
		for _, e := range earlier {
			t.Earlier = append(t.Earlier, json.RawMessage(e))
		}
		return Facts{Tools: []HostTool{t}}
	}
	// In each of the three places, with the truth in the others.
	var cases []oracleCase
	everywhere := func(name, told, raw, wrong string) {
		for i, place := range []string{"announcement", "question", "update"} {
			shown := []string{input(told), input(told), input(told)}
			shown[i] = input(raw)
			c := oracleCase{name: name + " in the " + place, rows: []string{announced(shown[0]), asked(shown[1]), allow, updated(shown[2])}, facts: host(told)}
			if c.good = []string{id}; wrong != "" {
				at := []string{"frame 1/params/update", "frame 2/params/toolCall", "frame 4/params/update"}[i]
				c.good, c.bad = nil, []string{fmt.Sprintf(`%s: %s/rawInput: what the client is shown of the tool call "c", which it is asked about, %s`, id, at, wrong)}
			}
			cases = append(cases, c)
		}
	}
	const another, missing = "holds another ", "does not hold the command"
	for _, good := range []struct{ name, raw string }{
		{"the input itself", bash},
		{"the members in another order", `{"timeout":1.50,"description":"Clears up","command":"rm -r x"}`},
		{"a number otherwise and more members", `{"command":"rm -r x","timeout":1.5,"cwd":"/"}`},
		{"the input in another member", `{"tool":"bash","arguments":` + bash + `}`},
		{"the input as a text", `{"tool":"bash","arguments":"{\"command\":\"rm -r x\"}"}`},
		{"the command in another member", `{"cmd":"rm -r x"}`},
		{"the command in a member of its own", `{"script":"rm -r x"}`},
		{"the command alone", `"rm -r x"`},
		{"the command behind its shell", `{"command":["bash","-lc","rm -r x"]}`},
		{"the words of the command", `{"command":["rm","-r","x"]}`},
		{"nothing yet", `{}`},
		{"null", `null`},
	} {
		everywhere(good.name, bash, good.raw, "")
	}
	for _, bad := range []struct{ name, raw, wrong string }{
		{"another command", `{"command":"ls"}`, missing},
		{"another command as a text", `"ls"`, missing},
		{"more than the command", `{"command":"rm -r x --dry-run"}`, missing},
		{"less than the command", `{"command":"rm -r"}`, missing},
		{"no command", `{"description":"Clears up"}`, missing},
		{"the command beside another", `{"command":"ls","_real":"rm -r x"}`, another + `command than the host told: "ls"`},
		{"the command under another", `{"cmd":"ls","input":` + bash + `}`, another + `cmd than the host told: "ls"`},
		{"the description as the command", `{"command":"Clears up","script":"rm -r x"}`, another + `command than the host told: "Clears up"`},
		{"more words than the shell's", `{"command":["bash","-c","rm -r x","--dry-run"]}`, missing},
		{"another list of words", `{"command":["ls"],"script":"rm -r x"}`, another + `command than the host told: "ls"`},
	} {
		everywhere(bad.name, bash, bad.raw, bad.wrong)
	}
	everywhere("each argument that is a text", write, `{"file":"a","text":"b\nc"}`, "")
	everywhere("an argument less", write, `{"path":"a"}`, "does not hold the content that the host told")
	everywhere("another argument", write, `{"path":"/b","content":"b\nc","was":"a"}`, another+`path than the host told: "/b"`)
	return append(append(cases,
		oracleCase{name: "no word about the input", rows: []string{announced(""), asked(""), allow, updated("")}, facts: host(bash), good: []string{id}},
		oracleCase{name: "what the host told before", rows: []string{announced(input(`{"command":"ls"}`)), asked(input(bash)), allow}, facts: host(bash, `{"command":"ls"}`), good: []string{id}},
		oracleCase{name: "an id of its own", rows: []string{announced(input(bash)), asked(input(`{"command":"ls"}`)), allow},
			facts: Facts{Tools: []HostTool{{Call: "h", Input: json.RawMessage(bash), Seq: -1}}}, bad: []string{id + ": frame 2/params/toolCall/rawInput: "}},
		oracleCase{name: "a call that nobody is asked about", rows: []string{announced(input(`{"command":"ls"}`))}, facts: host(bash)},
		oracleCase{name: "a call that the host tells nothing of", rows: []string{announced(input(`{"command":"ls"}`)), asked(""), allow}},
	), titleCases(host, title, input, announced, asked)...)
}

// titleCases are about titles, which are all that a client has where there is no input.
func titleCases(host func(string, ...string) Facts, title, input, announced, asked func(string) string) []oracleCase {
	const id = "ACP-PERM-17"
	var cases []oracleCase
	for _, text := range []string{"rm -r x", "`rm -r x`", "Stage 1 of 2: rm -r x", "bash: rm -r x", "Run `rm -r x`", "Clears up", "Deletes a folder", "rm -r x\nin the workspace", "Needs rm -r x to clear up"} {
		told := `{"command":"rm -r x","description":"Clears up","why":"Needs rm -r x to clear up"}`
		cases = append(cases, oracleCase{name: "the title " + text, rows: []string{announced(title(text)), asked(title(text)), allow}, facts: host(told), good: []string{id}})
	}
	for _, text := range []string{"rm -r x --dry-run", "echo rm -r x", "`rm -r x` (changes nothing)", "Stage 1 of 2: rm -r x --dry-run"} {
		cases = append(cases,
			oracleCase{name: "the title " + text, rows: []string{announced(title("rm -r x")), asked(title(text)), allow}, facts: host(`{"command":"rm -r x"}`),
				bad: []string{id + `: frame 2/params/toolCall/title: the client is shown nothing but a title of the tool call "c"`}},
			oracleCase{name: "beside the input, the title " + text, rows: []string{announced(input(`{"command":"rm -r x"}`)), asked(title(text)), allow}, facts: host(`{"command":"rm -r x"}`), good: []string{id}})
	}
	return cases
}
