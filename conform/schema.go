package conform

import (
	"slices"
	"strings"

	"acp-conform/wire"
	"acp-conform/wire/schema"
)

// schemaRule says which requirement the schema states about a part of a frame. The first rule that fits a problem
// takes the blame; every rule whose part is there is exercised.
type schemaRule struct {
	id     string
	method string // of the request or notification, or of the request that a response answers
	update string // beginning of the kind of update; for session/update only
	part   string // member of the update, the result or an option that the rule is about; empty for the whole
}

var schemaRules = []schemaRule{
	{id: "ACP-INIT-04", method: "initialize", part: "protocolVersion"},
	{id: "ACP-INIT-01", method: "initialize"},
	{id: "ACP-CFG-09", method: "session/new", part: "category"},
	{id: "ACP-NEW-08", method: "session/new", part: "modes"},
	{id: "ACP-NEW-08", method: "session/new", part: "configOptions"},
	{id: "ACP-NEW-01", method: "session/new"},
	{id: "ACP-CFG-09", method: "session/set_config_option", part: "category"},
	{id: "ACP-CFG-01", method: "session/set_config_option"},
	{id: "ACP-CLOSE-03", method: "session/close"},
	{id: "ACP-RES-02", method: "session/resume"},
	{id: "ACP-PR-02", method: "session/prompt"},
	{id: "ACP-PERM-03", method: "session/request_permission", part: "kind"},
	{id: "ACP-PERM-02", method: "session/request_permission"},
	{id: "ACP-ELIC-04", method: "elicitation/create", part: "requestedSchema"},
	{id: "ACP-ELIC-03", method: "elicitation/create"},
	{id: "ACP-TOOL-03", method: "session/update", update: "tool_call", part: "kind"},
	{id: "ACP-TOOL-04", method: "session/update", update: "tool_call", part: "status"},
	{id: "ACP-TOOL-09", method: "session/update", update: "tool_call", part: "content"},
	{id: "ACP-TOOL-02", method: "session/update", update: "tool_call"},
	{id: "ACP-CONT-01", method: "session/update", update: "agent_", part: "content"},
	{id: "ACP-CONT-01", method: "session/update", update: "user_", part: "content"},
	{id: "ACP-PLAN-02", method: "session/update", update: "plan", part: "entries"},
	{id: "ACP-CMD-01", method: "session/update", update: "available_commands_update", part: "availableCommands"},
	{id: "ACP-INFO-01", method: "session/update", update: "session_info_update"},
	{id: "ACP-USE-02", method: "session/update", update: "usage_update", part: "cost"},
	{id: "ACP-USE-01", method: "session/update", update: "usage_update"},
	{id: "ACP-CFG-09", method: "session/update", update: "config_option_update", part: "category"},
	{id: "ACP-CFG-01", method: "session/update", update: "config_option_update"},
	{id: "ACP-PR-07", method: "session/update"},
}

// The requirements that hold for every frame of the adapter.
const (
	schemaCustom = "ACP-EXT-02"
	schemaMethod = "ACP-EXT-03"
	schemaError  = "ACP-RPC-07"
)

// schemaCheck is the name of the check that holds frames against their schemas.
const schemaCheck = "every frame fits its schema"

// SchemaRequirements lists the requirements that the schemas decide.
func SchemaRequirements() []string {
	ids := []string{schemaError, schemaCustom, schemaMethod}
	for _, r := range schemaRules {
		ids = append(ids, r.id)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// schemaChecks holds every frame against its schema. What the adapter sent wrongly is a finding; what we sent wrongly
// is a harness error.
func (s *Scenario) schemaChecks(records []wire.Record) {
	if s.engine.Schemas == nil {
		return
	}
	checker := s.engine.Schemas.NewChecker(schema.Deliberately(s.sentRaw), schema.Tolerate(s.host.Variants()...))
	seen, broken := map[string]bool{}, map[string]bool{}
	for _, r := range records {
		about := subjectOf(r, records)
		about.hostID = s.host.Schema()
		for _, id := range about.ids() {
			seen[id] = true
		}
		for _, p := range checker.Check(r) {
			switch {
			case p.Severity == schema.Info:
				s.notes = append(s.notes, p.String())
			case p.Blame == schema.Harness:
				s.Harness("our own frame does not fit its schema: %s", p)
			case p.Class == schema.ClassEnvelope || p.Class == schema.ClassID:
				// Oracles of their own say it.
			default:
				id := about.blame(p)
				broken[id] = true
				place := s.place(r.Seq, p.Pointer, "what the schema says", short(r.Data))
				place.Offset = p.Offset
				s.oracle(schemaCheck, []string{id}, false, place, "%s", p.Message)
			}
		}
	}
	for _, id := range sortedKeys(seen) {
		if !broken[id] {
			s.oracle(schemaCheck, []string{id}, true, nil, "")
		}
	}
}

// schemaSubject is what a frame of the adapter is about.
type schemaSubject struct {
	onClient, isError bool
	hostID            string
	method, update    string
	raw               string
}

func subjectOf(r wire.Record, records []wire.Record) schemaSubject {
	if r.Dir != wire.FromAdapter || !r.Frame.IsMessage() {
		return schemaSubject{}
	}
	about := schemaSubject{onClient: r.Lane == wire.Client, method: r.Frame.Method, isError: r.Frame.Error != nil, raw: string(r.Data)}
	if r.Answers >= 0 {
		about.method = records[r.Answers].Frame.Method
	}
	about.update = wire.LookupString(r.Frame.Params, "update", "sessionUpdate")
	return about
}

// ids lists what the schema decides about the frame.
func (a schemaSubject) ids() []string {
	switch {
	case a.method == "" && !a.onClient:
		return nil
	case !a.onClient:
		return []string{a.hostID}
	case a.isError:
		return []string{schemaError, schemaCustom}
	}
	ids := []string{schemaCustom, schemaMethod}
	for _, r := range schemaRules {
		if a.fits(r) && (r.part == "" || strings.Contains(a.raw, `"`+r.part+`"`)) {
			ids = append(ids, r.id)
		}
	}
	return ids
}

func (a schemaSubject) fits(r schemaRule) bool {
	return r.method == a.method && strings.HasPrefix(a.update, r.update)
}

// blame gives the requirement that a problem breaks. On a host's lane it is the one about calls of the host.
func (a schemaSubject) blame(p schema.Problem) string {
	switch {
	case !a.onClient:
		return a.hostID
	case p.Class == schema.ClassCustom:
		return schemaCustom
	case p.Class == schema.ClassMethod:
		return schemaMethod
	case a.isError || p.Class == schema.ClassError:
		return schemaError
	}
	for _, r := range schemaRules {
		if a.fits(r) && (r.part == "" || strings.Contains(p.Pointer+"/", "/"+r.part+"/")) {
			return r.id
		}
	}
	return schemaCustom
}

// sentRaw reports whether the script gives this frame byte for byte; it may be wrong on purpose then.
func (s *Scenario) sentRaw(r wire.Record) bool {
	if r.Dir != wire.ToAdapter {
		return false
	}
	if r.Lane == wire.Client {
		return s.asScripted[r.Seq]
	}
	return s.host.Verbatim(r.Data)
}
