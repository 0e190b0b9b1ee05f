package conform

import (
	"slices"
	"testing"

	"acp-conform/scenarios"
	"acp-conform/wire"
	"acp-conform/wire/schema"
)

// What does not fit its schema: the adapter's frame is a finding about the right requirement, our own an error of the
// harness, and what a script says wrongly on purpose neither.
func TestBlame(t *testing.T) {
	t.Parallel()
	schemas, err := schema.Load()
	if err != nil {
		t.Fatal(err)
	}
	const wrong = `{"jsonrpc":"2.0","method":"item/started","params":{"sessionId":7}}`
	onPrompt := func(f func(p *peer)) func(p *peer) {
		return handlers{"session/prompt": func(p *peer, req wire.Frame) {
			f(p)
			p.reply(req, `{"stopReason":"end_turn"}`)
		}}.serve
	}
	answers := func(method, result string) func(p *peer) {
		return handlers{method: func(p *peer, f wire.Frame) { p.reply(f, result) }}.serve
	}
	line := `{"jsonrpc":"2.0","id":71,"method":"session/prompt","params":{"sessionId":3}}`
	tests := []struct {
		name     string
		adapter  func(p *peer)
		verbatim bool
		do       []scenarios.Step
		verdict  Verdict
		reason   string
		id       string // that failed
	}{
		{name: "all is right", do: []scenarios.Step{prompt("x")}, verdict: Pass},
		{name: "initialize", adapter: answers("initialize", `{"protocolVersion":1,"agentCapabilities":7}`), do: []scenarios.Step{prompt("x")}, verdict: Fail, reason: "every frame fits its schema: ", id: "ACP-INIT-01"},
		{name: "the version", adapter: answers("initialize", `{"protocolVersion":"one"}`), do: []scenarios.Step{prompt("x")}, verdict: Fail, reason: "every frame fits its schema: ", id: "ACP-INIT-04"},
		{name: "session/new", adapter: answers("session/new", `{"sessionId":"s","modes":7}`), do: []scenarios.Step{prompt("x")}, verdict: Fail, reason: "every frame fits its schema: ", id: "ACP-NEW-08"},
		{name: "the id of a session", adapter: answers("session/new", `{"sessionId":7}`), do: []scenarios.Step{prompt("x")}, verdict: Fail, id: "ACP-NEW-01"},
		{name: "a block of text", adapter: onPrompt(func(p *peer) {
			p.update("session-1", `{"sessionUpdate":"agent_message_chunk","content":{"type":"text"}}`)
		}), do: []scenarios.Step{prompt("x")}, verdict: Fail, reason: "every frame fits its schema: ", id: "ACP-CONT-01"},
		{name: "the answer to a prompt", adapter: answers("session/prompt", `{"stopReason":"bored"}`), do: []scenarios.Step{prompt("x")}, verdict: Fail, reason: "every frame fits its schema: ", id: "ACP-PR-02"},
		{name: "an update", adapter: onPrompt(func(p *peer) { p.update("session-1", `{"sessionUpdate":"agent_message_chunk"}`) }), do: []scenarios.Step{prompt("x")}, verdict: Fail, reason: "every frame fits its schema: ", id: "ACP-PR-07"},
		{name: "the status of a tool call", adapter: onPrompt(func(p *peer) {
			p.update("session-1", `{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","status":"done"}`)
			p.end("session-1", "c")
		}), do: []scenarios.Step{prompt("x")}, verdict: Fail, id: "ACP-TOOL-04"},
		{name: "what the adapter says to its host", adapter: onPrompt(func(p *peer) {
			p.host.get(`{"jsonrpc":"2.0","id":1,"method":"turn/start","params":{"sessionId":7}}`)
			p.host.send(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"kind":"invalidParams","retryable":false}}}`)
		}), do: []scenarios.Step{prompt("x")}, verdict: Fail, reason: "every frame fits its schema: ", id: "MUSE-SESS-07"},
		{name: "what the host says", adapter: onPrompt(func(p *peer) { p.host.send(wrong) }), do: []scenarios.Step{prompt("x")}, verdict: CouldNotRun, reason: "our own frame does not fit its schema"},
		{name: "what the host says wrongly on purpose", verbatim: true, adapter: onPrompt(func(p *peer) { p.host.send(wrong) }), do: []scenarios.Step{prompt("x")}, verdict: Pass},
		{name: "what the client says wrongly on purpose", adapter: answers("session/prompt", `{"stopReason":"end_turn"}`),
			do: []scenarios.Step{{Op: "line", Line: &line}}, verdict: Pass},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := &game{adapter: tt.adapter, engine: func(e *Engine) { e.Schemas = schemas }, do: perform(t, tt.do...)}
			if tt.verbatim {
				g.host.verbatim = map[string]bool{wrong: true}
			}
			r, _ := play(t, g)
			if tt.verdict != Fail || tt.reason != "" {
				wantVerdict(t, r, tt.verdict, tt.reason)
			}
			if tt.id == "" {
				return
			}
			found := slices.ContainsFunc(r.Failures(), func(c Check) bool {
				return c.Name == "every frame fits its schema" && slices.Contains(c.IDs, tt.id) && c.Place != nil && c.Place.Frame > 0
			})
			if !found {
				t.Errorf("%s did not fail: %q", tt.id, failed(r))
			}
			if !slices.Contains(r.Requirements, tt.id) {
				t.Errorf("%s is not among the requirements of the result: %q", tt.id, r.Requirements)
			}
		})
	}
}

// Every requirement that a schema decides is the one of some rule, and none is there twice for the same part.
func TestSchemaRequirements(t *testing.T) {
	t.Parallel()
	ids := SchemaRequirements()
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("the list is not sorted, or has twins: %q", ids)
	}
	for _, r := range schemaRules {
		about := schemaSubject{onClient: true, method: r.method, update: r.update, raw: `"` + r.part + `"`}
		if !slices.Contains(about.ids(), r.id) {
			t.Errorf("a frame about %+v does not exercise its own rule", r)
		}
	}
}
