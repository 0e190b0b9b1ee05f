package otheradapter

import (
	"encoding/json"
	"slices"
	"strings"
)

// The codes with which Muse says that a decision came too late: somebody else decided, or the stage is over.
const (
	codeResolvedBefore = -32051
	codeOtherStage     = -32053
)

// ask is one approval that Muse waits for.
type ask struct {
	id        string
	card      *card
	stage     json.RawMessage // the requirement to be decided, as Muse named it
	choices   []choice
	escalates bool         // the call wants more rights than it has
	requested bool         // Muse asked for it, and did not only announce it
	listing   bool         // the list of what is pending is being fetched
	put       map[int]bool // stages that the client was asked about
	open      string       // id of the open request to the client
}

// choice is one of Muse's choices.
type choice struct {
	id, label, decision, scope string
}

// approves reports whether the choice lets the tool run. One whose decision is not known might.
func (c choice) approves() bool { return !c.denies() }

func (c choice) denies() bool {
	return slices.Contains([]string{"denied", "abort", "timedOut", "deniedPolicyAmendment"}, c.decision)
}

// stillMeans reports whether another choice has the same id and decides the same, for as long.
func (c choice) stillMeans(now choice) bool {
	return now.id == c.id && now.decision == c.decision && now.scope == c.scope
}

func (c choice) kind() string {
	word, once := "allow_", c.scope != "session" && c.scope != "localPersistent" && !strings.HasSuffix(c.decision, "PolicyAmendment")
	if c.denies() {
		word, once = "reject_", c.scope != "localPersistent" && c.decision != "deniedPolicyAmendment"
	}
	if once {
		return word + "once"
	}
	return word + "always"
}

func (a *ask) index() int {
	n, _ := asObject(a.stage).integer("sourceIndex")
	return n
}

// take remembers what Muse says of an approval; what it leaves out stays as it was.
func (a *ask) take(o object) {
	if stage := o["currentRequirementId"]; asObject(stage) != nil {
		a.stage = stage
	}
	if list := o.list("availableChoices"); list != nil {
		a.choices = nil
		for _, raw := range list {
			c := asObject(raw)
			a.choices = append(a.choices, choice{c.text("choiceId"), c.text("label"), c.text("decision"), c.text("scope")})
		}
	}
}

// offer gives the choices to show. For a call that wants more rights only those count that hold once.
func (a *ask) offer() []choice {
	if !a.escalates {
		return a.choices
	}
	return slices.DeleteFunc(slices.Clone(a.choices), func(c choice) bool { return c.scope != "once" })
}

// narrowest gives the denial that reaches least far, and false when Muse offers none.
func (a *ask) narrowest() (choice, bool) {
	reach := func(c choice) int {
		if c.decision == "deniedPolicyAmendment" {
			return 3
		}
		if i := slices.Index([]string{"once", "session"}, c.scope); i >= 0 {
			return i
		}
		return 2
	}
	denials := slices.DeleteFunc(slices.Clone(a.choices), func(c choice) bool { return !c.denies() || c.decision == "timedOut" })
	if len(denials) == 0 {
		return choice{}, false
	}
	return slices.MinFunc(denials, func(x, y choice) int { return reach(x) - reach(y) }), true
}

// approval takes an approval that Muse announces or asks for. After an announcement that comes first the list of what
// is pending is fetched before anybody is asked: it proves that Muse still waits, where no request comes.
func (t *talk) approval(tn *turn, o object, requested bool) {
	id := o.text("approvalId")
	a := tn.asks[id]
	if tn.over[id] {
		return
	}
	if a == nil {
		args := asObject(arguments(o.text("rawArgs")))
		a = &ask{id: id, put: map[int]bool{}, card: t.card(tn, o.text("toolCallId"), o.text("toolName"), o.text("rawArgs")),
			escalates: args["sandbox_permissions"] != nil || args["justification"] != nil}
		a.take(o)
		tn.asks[id] = a
	}
	if a.requested = a.requested || requested; a.requested || a.listing {
		t.consider(tn, a)
		return
	}
	a.listing = true
	t.on.call("approval/listPending", map[string]any{"sessionId": t.muse}, t.later(tn, func(all object, problem *refusal) {
		if a.listing = false; tn.asks[id] == a && (problem != nil || listed(all, id) || a.requested) {
			t.consider(tn, a)
		}
	}))
}

// listed reports whether an approval is among those that Muse waits for.
func listed(all object, id string) bool {
	return slices.ContainsFunc(all.list("approvals"), func(raw json.RawMessage) bool { return asObject(raw).text("approvalId") == id })
}

// moved takes news of an approval: another stage, or other choices.
func (t *talk) moved(tn *turn, o object) {
	if a := tn.asks[o.text("approvalId")]; a != nil {
		a.take(o)
		t.consider(tn, a)
	}
}

// resolved takes the end of an approval. What the client still answers is of no use any more.
func (t *talk) resolved(tn *turn, o object) {
	tn.over[o.text("approvalId")] = true
	a := tn.asks[o.text("approvalId")]
	if a == nil {
		return
	}
	t.front.forget(a.open)
	delete(tn.asks, a.id)
	if o.text("policyResult") == "allow" {
		t.show(a.card, "in_progress")
	}
}

// withdraw makes the answers to all open questions of a turn worthless.
func (t *talk) withdraw(tn *turn) {
	for _, a := range tn.asks {
		t.front.forget(a.open)
	}
	tn.asks = map[string]*ask{}
	for id := range tn.inquiries {
		t.informed(tn, id)
	}
}

// option is one option of a permission.
type option struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	ID   string `json:"optionId"`
}

// permission is what the client is asked.
type permission struct {
	Tool      toolUpdate `json:"toolCall"`
	Options   []option   `json:"options"`
	SessionID string     `json:"sessionId"`
}

// consider asks the client about the current stage, unless it was asked about it or is being asked about another.
func (t *talk) consider(tn *turn, a *ask) {
	stage := a.index()
	if a.open != "" || a.listing || a.put[stage] || tn.cancelled || tn.problem != nil || t.leaving {
		return
	}
	a.put[stage] = true
	shown := a.offer()
	if len(shown) == 0 {
		t.deny(tn, a)
		return
	}
	p := permission{SessionID: t.id, Tool: toolUpdate{ID: a.card.id, Title: a.card.title, Kind: a.card.kind, Status: "pending", Input: a.card.input}}
	for _, c := range shown {
		p.Options = append(p.Options, option{ID: c.id, Name: c.label, Kind: c.kind()})
	}
	a.open = t.front.ask(t, "session/request_permission", p, func(m message) {
		if t.turn == tn && tn.asks[a.id] == a && !t.leaving {
			a.open = ""
			t.chosen(tn, a, stage, shown, m)
		}
	})
}

// chosen takes the client's answer. Only an option that was shown, and that Muse still offers for the same stage and
// with the same meaning, is passed on; where it means something else by now, the client is asked again. Everything else
// that is no choice is a denial.
func (t *talk) chosen(tn *turn, a *ask, stage int, shown []choice, m message) {
	if a.index() != stage {
		t.consider(tn, a)
		return
	}
	outcome := asObject(m.result).object("outcome")
	picked := outcome.text("optionId")
	meant := slices.IndexFunc(shown, func(c choice) bool { return c.id == picked })
	if m.failed != nil || outcome.text("outcome") != "selected" || meant < 0 {
		t.deny(tn, a)
		return
	}
	i := slices.IndexFunc(a.choices, shown[meant].stillMeans)
	if i < 0 {
		a.put[stage] = false
		t.consider(tn, a)
		return
	}
	t.decide(tn, a, a.choices[i])
}

// deny decides against the tool, as narrowly as Muse offers.
func (t *talk) deny(tn *turn, a *ask) {
	c, can := a.narrowest()
	if !can {
		t.abandon(tn, failure("the question was not answered with yes, and Muse offers no way to say no", "noDenial"))
		return
	}
	t.decide(tn, a, c)
}

func (t *talk) decide(tn *turn, a *ask, c choice) {
	t.on.call("approval/decide", map[string]any{"choiceId": c.id, "requirementId": a.stage, "approvalId": a.id, "sessionId": t.muse,
		"commandId": commandID()}, t.later(tn, func(result object, problem *refusal) {
		switch {
		case problem == nil:
			if c.approves() && result.truth("terminal") {
				t.show(a.card, "in_progress")
			}
		case problem.lost, problem.Code == codeResolvedBefore, problem.Code == codeOtherStage:
		default:
			t.abandon(tn, failure("Muse did not take the decision: "+problem.Message, "decisionRefused"))
		}
	}))
}
