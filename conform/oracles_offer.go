package conform

import (
	"encoding/json"
	"slices"
	"strings"

	"acp-conform/wire"
)

// unoffered looks at what the adapter wants of its client: a client capability that is left out, false or null is not
// there, and nothing of it is used. Which one it is, the last initialize says.
func unoffered(e *evidence) []finding {
	const id = "ACP-INIT-06"
	var client json.RawMessage // the params of initialize; nil before
	var bad []finding
	for _, r := range e.records {
		switch {
		case r.Lane != wire.Client:
		case r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request && r.Frame.Method == methodInitialize:
			client = r.Frame.Params
		case r.Dir == wire.FromAdapter && client != nil:
			if place, what := wants(r.Frame, client); what != "" {
				bad = append(bad, e.bad(r.Seq, place, "nothing that the client did not offer", what, id, "%s is used, and the client did not offer it", what))
			}
		}
	}
	if client == nil {
		return nil
	}
	return verdicts([]string{id}, bad)
}

// wants says what a frame of the adapter needs of a client that offered no such thing, and where it says so; empty where
// it needs nothing, or what is offered.
func wants(f wire.Frame, client json.RawMessage) (place, what string) {
	needed, capability := offeredBy(f.Method)
	if needed != "" && !clientHas(client, capability...) || f.Method == methodForm && !advertises(client, wire.LookupString(f.Params, "mode")) {
		return "/method", f.Method
	}
	if f.Result == nil {
		return "", ""
	}
	if !clientHas(client, "auth", "terminal") && anyOfType(wire.Lookup(f.Result, "authMethods"), "terminal") {
		return "/result/authMethods", "a login in a terminal"
	}
	if !clientHas(client, booleanOptions()...) && anyOfType(wire.Lookup(f.Result, "configOptions"), "boolean") {
		return "/result/configOptions", "an option that is true or false"
	}
	return "", ""
}

// anyOfType reports whether a list has an object of this type.
func anyOfType(list json.RawMessage, kind string) bool {
	var all []json.RawMessage
	return json.Unmarshal(list, &all) == nil && slices.ContainsFunc(all, func(one json.RawMessage) bool {
		return wire.LookupString(one, "type") == kind
	})
}

// beforeSessions looks at what comes before the client has asked for a session: nothing of it can be about one.
func beforeSessions(e *evidence) []finding {
	const id = "ACP-INIT-15"
	initialized := false
	var bad []finding
	for _, r := range e.records {
		switch {
		case r.Lane != wire.Client:
		case r.Dir == wire.ToAdapter && r.Frame.Kind == wire.Request && (r.Frame.Method == methodNewSession || takesUp(r.Frame.Method)):
			if !initialized {
				return nil // what comes of a session that was asked for before initialize, nobody says
			}
			return verdicts([]string{id}, bad)
		case r.Dir == wire.FromAdapter && r.Answers >= 0 && e.records[r.Answers].Frame.Method == methodInitialize:
			initialized = true
		case r.Dir == wire.FromAdapter && r.Session != "" && r.Answers < 0 && !strings.HasPrefix(r.Frame.Method, "_"):
			bad = append(bad, e.bad(r.Seq, "/method", "nothing about a session before there is one", r.Frame.Method, id,
				"%s came before the client had asked for a session", r.Frame.Method))
		}
	}
	return bad
}

// optionalMethods are the methods that an adapter advertises, with the place of the mark in its answer to initialize.
func optionalMethods() map[string][]string {
	return map[string][]string{
		methodLoad:       {"loadSession"},
		methodResume:     {"sessionCapabilities", "resume"},
		methodClose:      {"sessionCapabilities", "close"},
		"session/list":   {"sessionCapabilities", "list"},
		"session/delete": {"sessionCapabilities", "delete"},
		"logout":         {"auth", "logout"},
	}
}

// Advertises reports whether the adapter's answer to initialize offers an optional method.
func (s *Scenario) Advertises(method string) bool {
	path, optional := optionalMethods()[method]
	return optional && offers(s.initialized, path)
}

func offers(initialized json.RawMessage, path []string) bool {
	return marked(initialized, append([]string{"agentCapabilities"}, path...))
}

// baseline are the methods that every adapter has.
func baseline() []string { return []string{methodInitialize, methodNewSession, methodPrompt} }

// promisedMethods looks at the answers to requests for what an adapter must have, and for what it says that it has: none of
// them says that there is no such method. That all of the baseline works is good where a session was made in which a
// prompt was answered with a result and something was told of it.
func promisedMethods(e *evidence) []finding {
	const advertised, must, code = "ACP-INIT-10", "ACP-INIT-17", "ACP-ERR-01"
	var initialized json.RawMessage
	var bad []finding
	var ids []string
	made, told, ended := false, false, false
	for _, r := range e.fromAdapter() {
		told = told || updateOf(r) != nil
		if r.Answers < 0 {
			continue
		}
		method := e.records[r.Answers].Frame.Method
		path, optional := optionalMethods()[method]
		id := ""
		switch {
		case slices.Contains(baseline(), method):
			id = must
		case optional && offers(initialized, path):
			id = advertised
		default:
			continue
		}
		var number int
		json.Unmarshal(wire.Lookup(r.Frame.Error, "code"), &number)
		switch {
		case number == methodUnknown && e.passedOn(r, number):
		case number == methodUnknown:
			f := e.bad(r.Seq, "/error/code", "another answer than that there is no such method", short(r.Frame.Error), id, "%s was answered as a method that does not exist", method)
			f.ids = append(f.ids, code)
			bad = append(bad, f)
		case id == advertised && !slices.Contains(ids, advertised):
			ids = append(ids, advertised)
		case r.Frame.Error != nil:
		case method == methodInitialize:
			initialized = r.Frame.Result
		case method == methodNewSession:
			made = true
		case method == methodPrompt:
			ended = true
		}
	}
	if made && told && ended {
		ids = append(ids, must)
	}
	return verdicts(ids, bad)
}

// The codes of JSON-RPC for a line that is no JSON, and for a method that does not exist.
const (
	notJSON       = -32700
	methodUnknown = -32601
)

// errorCodes looks at the codes of the errors that requests are answered with. One that says what cannot be so is wrong;
// which of the others fits better is a matter of taste. Of the codes that JSON-RPC keeps for itself, none is used that it
// has not defined; those from -32099 to -32000 it leaves to whoever wants them.
func errorCodes(e *evidence) []finding {
	const meaning, reserved = "ACP-ERR-01", "ACP-ERR-03"
	var bad []finding
	seen := false
	for _, r := range e.fromAdapter() {
		var code int
		if r.Frame.Kind != wire.Response || r.Frame.Error == nil || json.Unmarshal(wire.Lookup(r.Frame.Error, "code"), &code) != nil {
			continue
		}
		seen = true
		if defined := []int{notJSON, -32600, methodUnknown, -32602, -32603}; code >= -32768 && code < -32099 && !slices.Contains(defined, code) {
			bad = append(bad, e.bad(r.Seq, "/error/code", "no code that JSON-RPC keeps for itself", short(r.Frame.Error), reserved, "the code %d is reserved by JSON-RPC", code))
		}
		if r.Answers >= 0 && code == notJSON && !e.passedOn(r, code) {
			bad = append(bad, e.bad(r.Seq, "/error/code", "another code: the request is JSON", short(r.Frame.Error), meaning, "a request that is JSON was answered as a line that is none"))
		}
	}
	if !seen {
		return nil
	}
	return verdicts([]string{meaning, reserved}, bad)
}

// passedOn reports whether the client had answered a request of the adapter with this code before: what becomes of the turn
// may be told by the same.
func (e *evidence) passedOn(response wire.Record, code int) bool {
	return slices.ContainsFunc(e.records[:response.Seq], func(r wire.Record) bool {
		var said int
		return r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Frame.Error != nil &&
			json.Unmarshal(wire.Lookup(r.Frame.Error, "code"), &said) == nil && said == code
	})
}
