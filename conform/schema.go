package conform

import (
	"strings"

	"acp-conform/wire"
)

// schemaIDs names the requirements that a frame's schema states, by method.
var schemaIDs = map[string][]string{
	"initialize":                 {"ACP-INIT-01"},
	"session/new":                {"ACP-NEW-01"},
	"session/prompt":             {"ACP-PR-02"},
	"session/update":             {"ACP-PR-07"},
	"session/request_permission": {"ACP-PERM-02"},
}

// schemaChecks holds every frame against its schema. What the adapter sent wrongly is a finding; what we sent wrongly
// is a harness error.
func (s *Scenario) schemaChecks(records []wire.Record) {
	if s.engine.Schemas == nil {
		return
	}
	checker := s.engine.Schemas.NewChecker()
	const name = "every frame fits its schema"
	seen, broken := map[string]bool{}, map[string]bool{}
	for _, r := range records {
		problems := checker.Check(r)
		ids := s.schemaOf(r, records)
		for _, id := range ids {
			seen[id] = true
		}
		for _, p := range problems {
			switch {
			case p.Severity == wire.Info:
				s.notes = append(s.notes, p.String())
			case p.Blame == wire.Harness && s.sentRaw(r):
			case p.Blame == wire.Harness:
				s.Harness("our own frame does not fit its schema: %s", p)
			case !r.Frame.IsMessage():
				// purity has said it already
			default:
				for _, id := range ids {
					broken[id] = true
				}
				place := s.place(r.Seq, p.Pointer, "what the schema says", short(r.Data))
				s.oracle(name, ids, false, place, "%s", p.Message)
			}
		}
	}
	for _, id := range sortedKeys(seen) {
		if !broken[id] {
			s.oracle(name, []string{id}, true, nil, "")
		}
	}
}

// schemaOf gives the requirements that the schema of a frame of the adapter decides.
func (s *Scenario) schemaOf(r wire.Record, records []wire.Record) []string {
	if r.Dir != wire.FromAdapter || r.Lane != wire.Client || !r.Frame.IsMessage() {
		return nil
	}
	method := r.Frame.Method
	if r.Answers >= 0 {
		method = records[r.Answers].Frame.Method
		if r.Frame.Error != nil {
			return []string{"ACP-RPC-07"}
		}
	}
	return schemaIDs[method]
}

// sentRaw reports whether the script sent this frame as raw bytes, wrong on purpose.
func (s *Scenario) sentRaw(r wire.Record) bool {
	if r.Lane != wire.Client || r.Dir != wire.ToAdapter {
		return false
	}
	for _, step := range s.script.told.Steps {
		if step.Op == "line" {
			if raw, err := wire.Unescape([]byte(*step.Line)); err == nil && strings.TrimSpace(string(raw)) == strings.TrimSpace(string(r.Data)) {
				return true
			}
		}
	}
	return false
}
