package reference

import (
	"context"
	"encoding/json"
	"slices"
	"unicode/utf8"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/rpc"
)

// The faults of the wire, of the handshake and of what clients say beside what is known.
const (
	LosesHalves      Fault = "loses-halves-of-characters"
	DropsUnread      Fault = "drops-what-is-not-read"
	DeafToTerm       Fault = "deaf-when-told-to-end"
	BusyNoSession    Fault = "no-session-while-busy"
	OddUnanswered    Fault = "odd-requests-unanswered"
	FirstWordSpoils  Fault = "first-word-spoils"
	SecondForgets    Fault = "second-initialize-forgets"
	NeedsClientFacts Fault = "needs-client-facts"
	RefusesAbility   Fault = "refuses-capabilities-of-client"
	RefusesUnknown   Fault = "refuses-unknown-members"
	RefusesMeta      Fault = "refuses-meta"
	ReadsForeignMeta Fault = "reads-foreign-meta"
	TellsBeforeAll   Fault = "tells-before-any-session"
	WithdrawnIgnored Fault = "withdrawn-question-stays"
)

func protocolFaults() []FaultInfo {
	return []FaultInfo{
		{LosesHalves, "A character whose bytes come in two reads is lost."},
		{DropsUnread, "What is long waits until something short comes, and is dropped where there is no room for it by then."},
		{DeafToTerm, "An adapter that is told to end goes on until its stdin ends."},
		{BusyNoSession, "While a turn runs, the request for a new session gets no answer."},
		{OddUnanswered, "A cancel that is a request, and a list of sessions that was not offered, get no answer."},
		{FirstWordSpoils, "A request that comes before initialize makes that fail."},
		{SecondForgets, "Behind a second initialize nothing works that needs one."},
		{NeedsClientFacts, "An initialize without the client's capabilities, or without its name, is refused."},
		{RefusesAbility, "An initialize of a client that has terminals, or speaks of its sessions, is refused."},
		{RefusesUnknown, "A request with a member that nobody knows is refused."},
		{RefusesMeta, "A request with _meta is refused."},
		{ReadsForeignMeta, "A request whose _meta has a trace context that cannot be read is refused."},
		{TellsBeforeAll, "The title of a session is told before there is one."},
		{WithdrawnIgnored, "A question that the client answers as cancelled by an error stays open."},
	}
}

// halved is for the fault loses-halves-of-characters: a read that fills no page and ends inside a character loses its
// part of it, and the next one the rest.
func (a *adapter) halved(read []byte) []byte {
	const page = 4096 // longer reads may end anywhere, by luck
	if !a.fault(LosesHalves) {
		return read
	}
	for a.half && len(read) > 0 && !utf8.RuneStart(read[0]) {
		read = read[1:]
	}
	if len(read) == 0 {
		return read
	}
	begin := len(read) - 1
	for begin > 0 && !utf8.RuneStart(read[begin]) {
		begin--
	}
	if a.half = len(read) < page && !utf8.FullRune(read[begin:]); a.half {
		return read[:begin]
	}
	return read
}

// narrow is for the fault drops-what-is-not-read.
func (a *adapter) narrow() {
	const room = 6 // long lines that may wait; each turn of the scenario that shows it has more
	if a.fault(DropsUnread) {
		a.out.Narrow(room)
	}
}

// deafTo gives the end that the adapter listens to: none for the fault deaf-when-told-to-end.
func (a *adapter) deafTo(ctx context.Context) <-chan struct{} {
	if a.fault(DeafToTerm) {
		return nil
	}
	return ctx.Done()
}

// unanswered reports whether a fault gives a request no answer.
func (a *adapter) unanswered(method string) bool {
	switch {
	case a.fault(OddUnanswered):
		return method == acp.AgentMethodSessionCancel || method == acp.AgentMethodSessionList
	case a.fault(BusyNoSession) && method == acp.AgentMethodSessionNew:
		a.mu.Lock()
		defer a.mu.Unlock()
		return slices.ContainsFunc(a.order, func(s *session) bool { return s.running() != nil })
	}
	return false
}

// untaken gives the refusal of a request that a fault does not take as it is.
func (a *adapter) untaken(method string, raw json.RawMessage) *rpc.Error {
	params, _ := object(raw)
	meta, hasMeta := params["_meta"]
	trace, _ := object(meta)
	first := method == acp.AgentMethodInitialize
	capabilities, hasCapabilities := params["clientCapabilities"]
	members, _ := object(capabilities)
	refused := false
	switch {
	case a.fault(FirstWordSpoils):
		a.spoilt = a.spoilt || !first && !a.initialized
		refused = first && a.spoilt
	case a.fault(NeedsClientFacts):
		_, named := object(params["clientInfo"])
		refused = first && !(hasCapabilities && named)
	case a.fault(RefusesAbility):
		refused = first && (string(members["terminal"]) == "true" || members["session"] != nil)
	case a.fault(RefusesUnknown):
		refused = unknownMember(params, knownMembers(method))
	case a.fault(RefusesMeta):
		refused = hasMeta
	case a.fault(ReadsForeignMeta):
		_, isText := text(trace["traceparent"])
		refused = trace["traceparent"] != nil && !isText
	}
	if refused {
		return invalid("%s is not taken like this", method)
	}
	return nil
}

func unknownMember(params map[string]json.RawMessage, known []string) bool {
	for name := range params {
		if known != nil && !slices.Contains(known, name) {
			return true
		}
	}
	return false
}

// knownMembers are the members of a request's params, for the fault refuses-unknown-members; nil where it does not look.
func knownMembers(method string) []string {
	switch method {
	case acp.AgentMethodInitialize:
		return []string{"protocolVersion", "clientCapabilities", "clientInfo", "_meta"}
	case acp.AgentMethodSessionNew:
		return []string{"cwd", "mcpServers", "additionalDirectories", "_meta"}
	case acp.AgentMethodSessionPrompt:
		return []string{"sessionId", "prompt", "_meta"}
	}
	return nil
}

// again is for the fault second-initialize-forgets.
func (a *adapter) again() {
	if a.fault(SecondForgets) && a.initialized {
		a.forgets = true
	}
}

// tellEarly is for the fault tells-before-any-session. It comes in front of the answer to initialize, behind which a
// session may be asked for at once.
func (a *adapter) tellEarly(method string) {
	if method == acp.AgentMethodInitialize && a.fault(TellsBeforeAll) {
		a.titleOf(nobody)
	}
}

// stays is for the fault withdrawn-question-stays.
func (a *adapter) stays(m rpc.Message) bool {
	failed, _ := object(m.Error)
	return a.fault(WithdrawnIgnored) && string(failed["code"]) == "-32800"
}
