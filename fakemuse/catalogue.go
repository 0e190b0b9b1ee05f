package fakemuse

import "slices"

// The catalogues of a script, as the host serves them.

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (h *host) skillList(c *call) reply {
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	return reply{result: struct {
		Skills []Skill `json:"skills"`
	}{orEmpty(h.server.options.Script.Skills)}}
}

func (h *host) hookList(c *call) reply {
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	return reply{result: struct {
		Hooks []Hook `json:"hooks"`
	}{orEmpty(h.server.options.Script.Hooks)}}
}

func (h *host) pluginList(c *call) reply {
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	return reply{result: struct {
		Plugins []Plugin `json:"plugins"`
	}{orEmpty(h.server.options.Script.Plugins)}}
}

// usageRead gives what is used of the subscription, if the script says.
func (h *host) usageRead(c *call) reply {
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	return reply{result: struct {
		Usage *Quota `json:"usage,omitempty"`
	}{h.server.options.Script.Quota}}
}

type activationResult struct {
	CommandID  string `json:"commandId"`
	Status     string `json:"status"`
	Selector   string `json:"selector"`
	Scope      string `json:"scope"`
	Activation string `json:"activation"`
	Previous   string `json:"previous"`
}

type skillChangedParams struct {
	SessionID string `json:"sessionId"`
}

// skillSetActivation switches a skill on or off in one scope.
func (h *host) skillSetActivation(c *call) reply {
	p := c.params
	selector := p.text("selector")
	p.need("activation")
	activation := p.choice("activation", []string{"on", "userInvocableOnly", "off"})
	p.need("scope")
	scope := p.choice("scope", []string{"user", "project", "bundled", "plugin"})
	if err := p.err(); err != nil {
		return fails(err)
	}
	if !slices.ContainsFunc(h.server.options.Script.Skills, func(s Skill) bool { return s.Selector == selector }) {
		e := failure(-32032, "skillNotFound", "skill %s was not found", selector)
		e.Data.Selector = selector
		return fails(e)
	}
	key := scope + " " + selector
	previous := firstOf(h.server.skills[key], "on")
	h.server.skills[key] = activation
	s := c.session
	return reply{
		result: activationResult{c.commandID, "accepted", selector, scope, activation, previous},
		after:  func() { s.notify("skill/changed", encode(skillChangedParams{s.id})) },
	}
}
