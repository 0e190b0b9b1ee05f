package fakemuse

import "slices"

// due reports whether the decision comes now, or has come already, of its own accord.
func (e *Elsewhere) due(events map[string]bool) bool {
	return e != nil && (e.AtOnce || e.Wait != "" && events[e.Wait])
}

// crosses reports whether the decision comes just before the first one of this client.
func (e *Elsewhere) crosses() bool { return e != nil && !e.AtOnce && e.Wait == "" }

// choice gives what was decided, as a choice, and whether it is about the whole approval.
func (a *approval) elsewhereChoice() (Choice, bool) {
	e := a.spec.Elsewhere
	if e.Decision != "" {
		return Choice{ChoiceID: e.Decision, Decision: e.Decision, Scope: "once", Grants: knownDecisions()[e.Decision]}, true
	}
	choices := a.choices()
	i := slices.IndexFunc(choices, func(c Choice) bool { return c.ChoiceID == e.Choice })
	if i < 0 {
		a.turn.session.server.problem(ProblemInternal, a.turn.host.who(), "the approval does not offer %q, which is chosen elsewhere", e.Choice)
		return Choice{ChoiceID: e.Choice, Decision: "abort", Scope: "once"}, true
	}
	return choices[i], false
}

// decideElsewhere takes the decision of somebody else. Only another client has a command for it.
func (a *approval) decideElsewhere() {
	a.elsewhere = true
	choice, whole := a.elsewhereChoice()
	terminal := whole || !choice.Grants || a.undecided(a.current) == a.current
	by := decider{by: a.spec.Elsewhere.By}
	if by.by == "user" {
		by.commandID = a.turn.session.server.newID()
	}
	a.decide(choice, by, terminal)
}

// widen offers other choices for the current stage, and says so.
func (a *approval) widen() {
	s := a.turn.session
	a.widened = true
	a.refresh()
	at := a.requirement()
	a.update(approvalChange{Kind: "choicesChanged", RequirementID: &at, Reason: "the rules for this tool have changed"})
	s.attention()
}

// happen lets happen to an open approval what the script has for now.
func (a *approval) happen() {
	events := a.turn.session.server.events
	if w := a.spec.Widened; w != nil && !a.widened && (w.Wait == "" || events[w.Wait]) {
		a.widen()
	}
	if e := a.spec.Elsewhere; !a.elsewhere && e.due(events) {
		a.decideElsewhere()
	}
}

// waiting gives the events that an open approval waits for.
func (a *approval) waiting() []string {
	var events []string
	if w := a.spec.Widened; w != nil && !a.widened && w.Wait != "" {
		events = append(events, w.Wait)
	}
	if e := a.spec.Elsewhere; e != nil && !a.elsewhere && e.Wait != "" {
		events = append(events, e.Wait)
	}
	return events
}

// waits reports whether the turn is parked at an event.
func (t *turn) waits(event string) bool { return slices.Contains(t.waitingFor(), event) }

// waitingFor lists the events at which the turn is parked, its open approvals included.
func (t *turn) waitingFor() []string {
	var events []string
	if t.waiting != "" {
		events = append(events, t.waiting)
	}
	for _, c := range t.openCalls() {
		if c.approval != nil && c.approval.resolution == nil {
			events = append(events, c.approval.waiting()...)
		}
	}
	return events
}
