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
	servers                                                map[string]bool
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
	var err *rpcError
	in.servers, err = h.clientServers(p.method, config)
	return in, err
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
		if err := h.refusedByProfile(); err != nil {
			return fails(err)
		}
		if h.flags.Ephemeral && in.mode == "allowAll" {
			return fails(rejected(c.method, in.commandID, "approval-mode-ceiling"))
		}
		if h.server.stored[in.sessionID] != nil {
			return fails(rejected(c.method, in.commandID, "session_id_conflict"))
		}
		return h.begin(in)
	})
}

// newSession makes an empty session.
func (s *Server) newSession(id string) *session {
	base := s.clockBase()
	return &session{
		server: s, id: id, clock: base, created: base, updated: base, commands: ledger{}, approvals: map[string]*approval{},
		inputs: map[string]*question{}, unqueued: map[string]bool{}, outputs: map[string]output{}, earliest: 1,
	}
}

// defaultRoute gives the provider and the model of a session that names some of it, or none: what the script says, else
// the catalogue's default. The offline provider has no model.
func (s *Server) defaultRoute(provider, model string) (string, string) {
	script := s.options.Script
	if model == "" && provider != "echo" {
		model = defaultModel
		if c := script.Models; c != nil {
			for _, row := range c.Models {
				if row.IsDefault {
					model = row.ModelID
				}
			}
		}
		if script.Host.Model != nil {
			model = *script.Host.Model
		}
	}
	if provider == "" {
		provider = defaultProvider
		if script.Models != nil {
			provider = script.Models.ProviderID
		}
		if script.Host.Provider != nil {
			provider = *script.Host.Provider
		}
	}
	return provider, model
}

func (h *host) begin(in startInput) reply {
	s := h.server.newSession(in.sessionID)
	s.openedBy, s.workspace, s.home, s.host, s.servers = in.commandID, in.workspace, h.home(), h, in.servers
	model := firstOf(in.model, h.flags.Model)
	if set := h.fact.Settings; set != nil {
		model, s.effort = firstOf(model, set.Model), set.Effort
	}
	s.provider, s.model = h.server.defaultRoute(firstOf(in.provider, h.flags.Provider), model)
	s.mode = approvalModeState{Mode: firstOf(in.mode, defaultMode), Source: "startup"}
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
	if h.flags.Ephemeral && mode == "allowAll" {
		return fails(rejected(c.method, c.commandID, "approval-mode-ceiling"))
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
