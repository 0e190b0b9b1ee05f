package otheradapter

// Approvals that belong to nobody here: of a subagent, of a session that this adapter did not make, or of no tool call
// that the client could have seen. Nobody is asked; Muse is told no, as narrowly as it offers, so that it goes on.

// unasked reports whether an approval belongs to nobody.
func unasked(o object) bool { return o.object("subagentOrigin") != nil || o.text("toolCallId") == "" }

// turnDown denies an approval that belongs to nobody, once.
func (k *keeper) turnDown(h *host, o object) {
	id := o.text("approvalId")
	a := &ask{id: id}
	a.take(o)
	no, can := a.narrowest()
	k.mu.Lock()
	seen := k.refused[id]
	k.refused[id] = true
	k.mu.Unlock()
	if seen || id == "" || !can || a.stage == nil {
		return
	}
	h.call("approval/decide", map[string]any{"choiceId": no.id, "requirementId": a.stage, "approvalId": id,
		"sessionId": o.text("sessionId"), "commandId": commandID()}, func(object, *refusal) {})
}
