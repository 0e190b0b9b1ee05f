package fakemuse

import "slices"

const (
	defaultProvider = "meta"
	defaultModel    = "muse-spark-1.3"
)

// contextWindow is the size that a real host reports for its default model.
const contextWindow = 1_007_997

// window is the size of the context that the host reports.
func (s *Server) window() int {
	if n := s.options.Script.Host.ContextWindow; n > 0 {
		return n
	}
	return contextWindow
}

// catalogue is what model/list says: the script's, or one like that of a real host.
func (s *Server) catalogue() Catalogue {
	if c := s.options.Script.Models; c != nil {
		return *c
	}
	profile, released, limit, output := "tbh", "2026-08-01", contextWindow, 64_000
	row := func(id, label string) ModelRow {
		return ModelRow{
			ModelID: id, DisplayLabel: label, ProviderID: defaultProvider, ProfileID: &profile, ReleaseDate: &released,
			ContextLimit: &limit, OutputLimit: &output, IsDefault: id == defaultModel,
		}
	}
	return Catalogue{
		ProviderID: defaultProvider, ProfileID: &profile, Source: "providerCatalog",
		Models: []ModelRow{row(defaultModel, "Muse Spark 1.3"), row("muse-spark-1.3-contributor", "Muse Spark 1.3 Contributor")},
	}
}

// modelList gives the catalogue. A row is active only for a session (msp.md §6.8).
func (h *host) modelList(c *call) reply {
	id := c.params.optional("sessionId")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	catalogue := h.server.catalogue()
	catalogue.Models = slices.Clone(catalogue.Models)
	var s *session
	if id != "" {
		var err *rpcError
		if s, err = h.loaded(id); err != nil {
			return fails(err)
		}
	}
	for i := range catalogue.Models {
		row := &catalogue.Models[i]
		row.IsActive = s != nil && row.ModelID == s.model && row.ProviderID == s.provider
	}
	return reply{result: catalogue}
}

type modelChangedParams struct {
	view
	ModelID    string `json:"modelId"`
	ProviderID string `json:"providerId,omitempty"`
	Source     string `json:"source"`
}

// commandResult is the plain answer to a command.
type commandResult struct {
	CommandID string `json:"commandId"`
	Status    string `json:"status"`
}

// setModel routes the session to a model, known to the catalogue or not.
func (h *host) setModel(c *call) reply {
	model := c.params.object("model")
	modelID := model.text("modelId")
	provider := model.optional("providerId")
	model.optional("profileId")
	model.optional("displayLabel")
	c.params.adopt(model)
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	s.model, s.provider, s.modelSource = modelID, firstOf(provider, s.provider), "user"
	return reply{result: commandResult{CommandID: c.commandID, Status: "accepted"}, after: func() {
		v := s.next(s.fresh())
		s.publish("session/modelChanged", v, modelChangedParams{view: v, ModelID: modelID, ProviderID: s.provider, Source: "user"})
	}}
}
