package reference

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// The faults that grant what nobody allowed: by a clock, by what was allowed before or elsewhere, by what is no answer to
// the question, or because of what is asked about.
const (
	GrantOnTimeout     Fault = "grant-on-timeout"
	GrantsLastingDeny  Fault = "grants-lasting-rejection"
	NarrowsRejection   Fault = "narrows-rejection"
	RemembersElsewhere Fault = "remembers-grant-of-other-session"
	RemembersLasting   Fault = "remembers-lasting-grant"
	GrantOnOddOption   Fault = "grant-on-odd-option"
	GrantOnErrorData   Fault = "grant-on-error-data"
	GrantOnOtherError  Fault = "grant-on-other-error"
	GrantOnTwins       Fault = "grant-on-repeated-member"
	MatchesOtherType   Fault = "matches-id-of-other-type"
	RequestAnswers     Fault = "request-answers-question"
	LastAnswerCounts   Fault = "last-answer-counts"
	GrantOnKind        Fault = "grant-on-kind"
	GrantOnMention     Fault = "grant-on-mention"
	GrantsOtherTools   Fault = "grants-other-tools"
	GrantsJudged       Fault = "grants-judge-escalations"
	GrantsProtected    Fault = "grants-protected-writes"
	GrantOnOutside     Fault = "grant-on-option-outside"
	GrantOnAnySpelling Fault = "grant-on-any-spelling"
)

func grantFaults() []FaultInfo {
	return []FaultInfo{
		{GrantOnTimeout, "A question that is open for a second is answered with its first allowing option, whatever comes later."},
		{GrantsLastingDeny, "A selected rejection that lasts is taken as the first allowing option."},
		{NarrowsRejection, "A selected rejection is sent as the narrowest one that is offered."},
		{RemembersElsewhere, "What was allowed in one session is not asked about in another."},
		{RemembersLasting, "What was allowed for good is not asked about again, though the host asks."},
		{GrantOnOddOption, "A selection whose option id is null, true, a list or an object is taken as the first allowing option."},
		{GrantOnErrorData, "An error that has data is taken as the first allowing option."},
		{GrantOnOtherError, "An error with a code that is not a usual one is taken as the first allowing option."},
		{GrantOnTwins, "Of two equal members of an answer the last counts."},
		{MatchesOtherType, "An id is matched whether it is a text or a number."},
		{RequestAnswers, "A request under the id of an open question settles it with its first allowing option, whatever is answered later."},
		{LastAnswerCounts, "Of several answers to one question that come together the last counts."},
		{GrantOnKind, "The kind of an option is taken for its id."},
		{GrantOnMention, "A rejection that names an allowing option beside it grants."},
		{GrantsOtherTools, "Only for commands the client is asked, everything else is granted."},
		{GrantsJudged, "What a judge has passed on to the user is granted."},
		{GrantsProtected, "A protected write is granted."},
		{GrantOnOutside, "An option id that stands beside the outcome counts where there is none in it."},
		{GrantOnAnySpelling, "The members of an answer are matched without regard to upper and lower case."},
	}
}

// impatience is how long the fault grant-on-timeout waits: shorter than any user thinks in a scenario, and longer than any
// other answer of a scenario takes to come.
const impatience = time.Second

// hurry is for the fault grant-on-timeout: when the time is over the question is answered for the user. What it gives
// ends the waiting.
func (a *adapter) hurry(k *ask) (stop func()) {
	o := firstOption(k.params.Options, option.grants)
	if !a.fault(GrantOnTimeout) || o == nil {
		return func() {}
	}
	timer := time.AfterFunc(impatience, func() {
		if a.calls.close(k) {
			k.heard(selects(*o))
		}
	})
	return func() { timer.Stop() }
}

// close takes a question out of those that are open, and reports whether it was one.
func (c *calls) close(k question) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, other := range c.open {
		if other == k {
			delete(c.open, id)
			return true
		}
	}
	return false
}

// overreads reports whether an answer that allows nothing is taken as the first allowing option.
func (a *adapter) overreads(r reply, got answer, offered []option) bool {
	kind := func(o option) bool { return o.ID == got.option && o.Kind == acp.PermissionOptionKindRejectAlways }
	failed, _ := object(r.err)
	result, _ := object(r.result)
	outcome, _ := object(result["outcome"])
	id := outcome["optionId"]
	usual := []string{"-32603", "-32601", "-32800", "-32000"}
	switch {
	case got.trouble == noTrouble:
		return a.fault(GrantsLastingDeny) && got.outcome == approval.Rejected && slices.ContainsFunc(offered, kind)
	case got.trouble == notOffered:
		return a.fault(GrantOnOddOption) && len(id) > 0 && slices.Contains([]byte("nt[{"), id[0])
	case got.trouble == rpcError:
		return a.fault(GrantOnErrorData) && failed["data"] != nil ||
			a.fault(GrantOnOtherError) && !slices.Contains(usual, string(failed["code"]))
	case got.trouble == unreadable && a.fault(GrantOnTwins):
		r.broken = r.broken && r.err != nil
		return readAnswerBy(object, r, offered).outcome == approval.AllowedOnce
	}
	return false
}

// elsewhere gives the allowing option that an answer names where none can stand, or under a name that is spelled otherwise.
func (a *adapter) elsewhere(r reply, got answer, offered []option) (string, bool) {
	if got.trouble != notOffered && got.trouble != unreadable || r.broken {
		return "", false
	}
	result, _ := object(r.result)
	if id, ok := text(result["optionId"]); ok && got.trouble == notOffered && got.given == "" && a.fault(GrantOnOutside) {
		i := slices.IndexFunc(offered, func(o option) bool { return o.ID == id && o.grants() })
		return id, i >= 0
	}
	again := readAnswerBy(anySpelling, r, offered)
	return again.option, again.outcome == approval.AllowedOnce && a.fault(GrantOnAnySpelling)
}

// anySpelling reads an object as encoding/json fills a struct.
func anySpelling(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	members, ok := object(raw)
	for _, name := range []string{"outcome", "optionId"} {
		for given, value := range members {
			if strings.EqualFold(given, name) {
				members[name] = value
			}
		}
	}
	return members, ok
}

// narrowed is the choice that a selected rejection is sent as.
func (s *session) narrowed(picked muse.Choice, choices []muse.Choice) muse.Choice {
	if narrowest, ok := narrowestDeny(choices, false); ok && s.a.fault(NarrowsRejection) {
		return narrowest
	}
	return picked
}

// noteGrant keeps what was granted, for the faults that do not ask again.
func (s *session) noteGrant(p *pending, choice muse.Choice) {
	once := choice.Scope == "once"
	s.allowed[p.v.ToolName] = s.allowed[p.v.ToolName] || once
	if s.a.fault(RemembersLasting) && !once {
		s.allowed["for good: "+p.v.RawArgs] = true
	}
	if s.a.fault(RemembersElsewhere) {
		s.a.mu.Lock()
		defer s.a.mu.Unlock()
		s.a.grantedIn[p.v.RawArgs] = s.id
	}
}

// unasked reports whether a fault grants an approval without a question.
func (s *session) unasked(p *pending) bool {
	s.a.mu.Lock()
	in, granted := s.a.grantedIn[p.v.RawArgs]
	s.a.mu.Unlock()
	return granted && in != s.id ||
		s.allowed["for good: "+p.v.RawArgs] ||
		s.a.fault(GrantsOtherTools) && p.v.ToolName != "bash" ||
		s.a.fault(GrantsJudged) && string(p.v.JudgeEscalated) == "true" ||
		s.a.fault(GrantsProtected) && string(p.v.ProtectedWrite) == "true"
}

// otherTyped is the open question whose id is the same in the other type, for the fault matches-id-of-other-type.
func (a *adapter) otherTyped(id json.RawMessage) question {
	name, isText := text(id)
	if !a.fault(MatchesOtherType) || !isText {
		return nil
	}
	return a.calls.take(json.RawMessage(name), false)
}

// answeredBy settles the open question that has the id of a request, for the fault request-answers-question. What follows
// begins with the answer that comes later, so that it does not depend on how fast the client is.
func (a *adapter) answeredBy(m rpc.Message) {
	if !a.fault(RequestAnswers) {
		return
	}
	a.calls.mu.Lock()
	defer a.calls.mu.Unlock()
	if k, ok := a.calls.open[string(m.ID)].(*ask); ok {
		k.settled = firstOption(k.params.Options, option.grants)
	}
}

// setAside keeps an answer until the end of the read in which it came, in the place of an earlier one to the same
// question, for the fault last-answer-counts. It reports whether it did.
func (a *adapter) setAside(m rpc.Message) bool {
	if !a.fault(LastAnswerCounts) {
		return false
	}
	same := func(other rpc.Message) bool { return string(other.ID) == string(m.ID) }
	a.answers = append(slices.DeleteFunc(a.answers, same), m)
	return true
}

// hearAside hands out the answers that were set aside.
func (a *adapter) hearAside() {
	answers := a.answers
	a.answers = nil
	for _, m := range answers {
		a.hear(m)
	}
}
