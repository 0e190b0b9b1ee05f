package fakemuse

import (
	"encoding/json"
	"path/filepath"
)

type startResult struct {
	Session    sessionData `json:"session"`
	ViewCursor string      `json:"viewCursor"`
}

type startedParams struct {
	Session sessionData `json:"session"`
}

type modeChangedParams struct {
	view
	Mode       string `json:"mode"`
	Source     string `json:"source"`
	CommandID  string `json:"commandId"`
	ClientName string `json:"clientName"`
}

const defaultMode = "promptUnmatched"

// startInput is what session/start says.
type startInput struct {
	commandID, sessionID, workspace, model, provider, mode string
}

func (h *host) startInput(p *params) (startInput, *rpcError) {
	in := startInput{
		commandID: p.text("commandId"), sessionID: p.optional("sessionId"), workspace: p.optional("workspaceRoot"),
		model: p.optional("modelId"), provider: p.optional("providerId"), mode: p.choice("approvalMode", approvalModes()),
	}
	roots := p.texts("workspaceRoots")
	if in.workspace == "" && len(roots) > 0 {
		in.workspace = roots[0]
	}
	if in.workspace != "" && !filepath.IsAbs(in.workspace) {
		p.fail("`workspaceRoot` must be absolute")
	}
	config := p.optionalObject("config")
	if err := p.err(); err != nil {
		return in, err
	}
	return in, h.checkConfig(config)
}

// checkConfig refuses MCP servers of a client that was not granted them; an empty map is fine (msp.md §5.2).
func (h *host) checkConfig(config *params) *rpcError {
	if config == nil {
		return nil
	}
	servers := config.optionalObject("mcpServers")
	if err := config.err(); err != nil {
		return err
	}
	if servers == nil || len(servers.members) == 0 {
		return nil
	}
	for _, capability := range h.granted {
		if capability == "sessionMcp" {
			return nil
		}
	}
	e := failure(-32010, "capabilityRequired", "session MCP configuration requires the sessionMcp capability")
	e.Data.Capability = "sessionMcp"
	return e
}

// sessionStart makes a session. `session/started` comes before the answer, as a real host sends it; the event of a
// mode other than the default one comes after it (msp.md §5.1).
func (h *host) sessionStart(c *call) reply {
	in, err := h.startInput(c.params)
	if err != nil {
		return fails(err)
	}
	c.commandID = in.commandID
	return h.once(h.server.openings, c, func() reply {
		if in.sessionID == "" {
			in.sessionID = h.server.newID()
		}
		if h.server.stored[in.sessionID] != nil {
			return fails(rejected(c.method, in.commandID, "session_id_conflict"))
		}
		return h.begin(in)
	})
}

func (h *host) begin(in startInput) reply {
	s := &session{
		server: h.server, id: in.sessionID, openedBy: in.commandID, workspace: in.workspace, home: museHome(h.fact.Env), host: h,
		provider: firstOf(in.provider, h.flags.Provider, defaultProvider), model: firstOf(in.model, h.flags.Model, defaultModel),
		mode: approvalModeState{Mode: firstOf(in.mode, defaultMode), Source: "startup"}, clock: clockBase(),
		created: clockBase(), updated: clockBase(), commands: ledger{}, approvals: map[string]*approval{},
	}
	h.server.stored[s.id] = s
	started := json.RawMessage(encode(startedParams{Session: s.data()}))
	s.records(1)
	s.notify("session/started", started)
	changed := s.mode.Mode != defaultMode
	result := startResult{Session: s.data()}
	numbered := changed && !h.server.variants.has(cursorEmpty)
	var opening view
	if changed {
		opening = s.next(s.fresh())
	} else if h.server.variants.has(cursorNumbered) {
		s.cursor, numbered = 3, true // events of its making that no client sees, as in the protocol's own transcripts
	}
	if numbered {
		result.ViewCursor = s.cursorText(s.cursor)
	}
	if !changed {
		return reply{result: result}
	}
	id := in.commandID
	s.mode.Source, s.mode.LastCommandID = "approvalReconfigure", &id
	return reply{result: result, after: func() {
		s.publish("session/approvalModeChanged", opening, modeChangedParams{
			view: opening, Mode: s.mode.Mode, Source: s.mode.Source, CommandID: in.commandID, ClientName: h.clientName,
		})
	}}
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// setApprovalMode changes the policy for later actions; what is pending stays (msp.md §7.1).
func (h *host) setApprovalMode(c *call) reply {
	c.params.need("mode")
	mode := c.params.choice("mode", approvalModes())
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	outcome := "noop"
	var after func()
	if s.mode.Mode != mode {
		outcome = "completed"
		id := c.commandID
		s.mode = approvalModeState{Mode: mode, Source: "approvalReconfigure", LastCommandID: &id}
		after = func() {
			v := s.next(s.fresh())
			s.publish("session/approvalModeChanged", v, modeChangedParams{
				view: v, Mode: mode, Source: "approvalReconfigure", CommandID: c.commandID, ClientName: h.clientName,
			})
		}
	}
	return reply{after: after, result: struct {
		CommandID     string            `json:"commandId"`
		Status        string            `json:"status"`
		ApplyOutcome  string            `json:"applyOutcome"`
		EffectiveMode approvalModeState `json:"effectiveMode"`
	}{c.commandID, "accepted", outcome, s.mode}}
}
