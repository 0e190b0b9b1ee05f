package fakemuse

// When a host ends in the middle of a tool call.
const (
	exitAsked   = "asked"
	exitGranted = "granted"
	exitRunning = "running"
)

// exits reports whether the host ends at this point of the call.
func (c *toolCall) exits(at string) bool {
	return c.spec != nil && c.spec.Exit != nil && c.spec.Exit.At == at
}

// exit lets the host end as soon as the turn is parked.
func (c *toolCall) exit() error {
	c.turn.host.leave = &c.spec.Exit.Code
	return c.parkForever()
}

// exitAcknowledged lets the host end when the client has taken note of the question; at once where it got no request.
func (c *toolCall) exitAcknowledged() error {
	for c.turn.host.awaitsReceipt(c.approval.id) {
		if err := c.park(); err != nil {
			return err
		}
	}
	return c.exit()
}

func (h *host) awaitsReceipt(id string) bool {
	for _, about := range h.asked {
		if about == id {
			return true
		}
	}
	return false
}

// runsCommand reports whether the tool is one that runs a command.
func (c *toolCall) runsCommand() bool {
	return c.spec.Name == "bash" || c.spec.Name == "shell" && c.turn.aside != nil
}

// speaks is what happens when the call's command writes something for the first time; nil when nothing does. The claim
// of the command is held meanwhile.
func (c *toolCall) speaks() func() {
	if !c.exits(exitRunning) {
		return nil
	}
	return func() {
		h := c.turn.host
		h.server.mu.Lock()
		defer h.server.mu.Unlock()
		if h.server.turns[c.turn] {
			h.finish(exitText(c.spec.Exit.Code), c.spec.Exit.Code)
		}
	}
}
