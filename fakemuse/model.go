package fakemuse

const (
	defaultProvider = "meta"
	defaultModel    = "muse-spark-1.3"
)

// modelRow is one model of the catalogue.
type modelRow struct {
	ModelID      string    `json:"modelId"`
	DisplayLabel string    `json:"displayLabel"`
	ProviderID   string    `json:"providerId"`
	ProfileID    *string   `json:"profileId"`
	ReleaseDate  *string   `json:"releaseDate"`
	Description  *string   `json:"description"`
	ContextLimit *int      `json:"contextLimit"`
	OutputLimit  *int      `json:"outputLimit"`
	Cost         *struct{} `json:"cost"`
	IsActive     bool      `json:"isActive"`
	IsDefault    bool      `json:"isDefault"`
}

type modelListResult struct {
	ProviderID string     `json:"providerId"`
	ProfileID  *string    `json:"profileId"`
	Source     string     `json:"source"`
	Models     []modelRow `json:"models"`
}

// contextWindow is the size that a real host reports for its default model.
const contextWindow = 1_007_997

func catalogue() []modelRow {
	profile, released, limit, output := "tbh", "2026-08-01", contextWindow, 64_000
	row := func(id, label string) modelRow {
		return modelRow{
			ModelID: id, DisplayLabel: label, ProviderID: defaultProvider, ProfileID: &profile, ReleaseDate: &released,
			ContextLimit: &limit, OutputLimit: &output, IsDefault: id == defaultModel,
		}
	}
	return []modelRow{row(defaultModel, "Muse Spark 1.3"), row("muse-spark-1.3-contributor", "Muse Spark 1.3 Contributor")}
}

// modelList gives the catalogue. A row is active only for a session (msp.md §6.8).
func (h *host) modelList(c *call) reply {
	id := c.params.optional("sessionId")
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	models := catalogue()
	if id != "" {
		s, err := h.loaded(id)
		if err != nil {
			return fails(err)
		}
		for i := range models {
			models[i].IsActive = models[i].ModelID == s.model && models[i].ProviderID == s.provider
		}
	}
	return reply{result: modelListResult{
		ProviderID: defaultProvider, ProfileID: models[0].ProfileID, Source: "providerCatalog", Models: models,
	}}
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
	s.model, s.provider = modelID, firstOf(provider, s.provider)
	return reply{result: commandResult{CommandID: c.commandID, Status: "accepted"}, after: func() {
		v := s.next(s.fresh())
		s.publish("session/modelChanged", v, modelChangedParams{view: v, ModelID: modelID, ProviderID: s.provider, Source: "user"})
	}}
}
