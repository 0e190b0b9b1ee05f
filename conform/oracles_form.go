package conform

import (
	"encoding/json"
	"fmt"
	"slices"

	"acp-conform/wire"
)

// offeredForms looks at every request for input from the user: its mode must be one that the client advertised. An empty
// object advertises no mode, and neither does null.
func offeredForms(e *evidence) []finding {
	var initialize []byte
	var bad []finding
	asked := false
	for _, r := range e.records {
		if r.Lane != wire.Client {
			continue
		}
		if r.Dir == wire.ToAdapter && r.Frame.Method == methodInitialize {
			initialize = r.Frame.Params
		}
		if r.Dir != wire.FromAdapter || r.Frame.Kind != wire.Request || r.Frame.Method != methodForm {
			continue
		}
		asked = true
		if mode := wire.LookupString(r.Frame.Params, "mode"); !advertises(initialize, mode) {
			bad = append(bad, e.bad(r.Seq, "/params/mode", "a mode that the client advertised", mode, "ACP-ELIC-01", "the user is to be asked in the mode %q, which the client did not advertise", mode))
		}
	}
	if !asked {
		return nil
	}
	return verdicts([]string{"ACP-ELIC-01"}, bad)
}

// flatForms looks at the fields of every form: each is a text, a number, a truth or a list of texts. The schema lets types
// pass that it does not know, so it cannot say this.
func flatForms(e *evidence) []finding {
	var bad []finding
	asked := false
	for _, r := range e.fromAdapter() {
		if r.Frame.Kind != wire.Request || r.Frame.Method != methodForm || wire.LookupString(r.Frame.Params, "mode") == "url" {
			continue
		}
		asked = true
		members, err := wire.Members(wire.Lookup(r.Frame.Params, "requestedSchema", "properties"))
		if err != nil {
			continue // a schema that cannot be read is for the schemas to say
		}
		for _, m := range members {
			if what := deepField(m.Value); what != "" {
				bad = append(bad, e.bad(r.Seq, "/params/requestedSchema/properties/"+m.Name, "a text, a number, a truth or a list of texts", what, "ACP-ELIC-04", "the field %q of a form is %s", m.Name, what))
			}
		}
	}
	if !asked {
		return nil
	}
	return verdicts([]string{"ACP-ELIC-04"}, bad)
}

// deepField says what a field is that no form may have; empty for one that it may.
func deepField(raw json.RawMessage) string {
	kind := wire.LookupString(raw, "type")
	items := wire.LookupString(raw, "items", "type")
	switch {
	case wire.Lookup(raw, "properties") != nil, !slices.Contains([]string{"string", "number", "integer", "boolean", "array"}, kind):
		return fmt.Sprintf("of the type %q", kind)
	case kind == "array" && items != "" && items != "string":
		return fmt.Sprintf("a list of the type %q", items)
	}
	return ""
}
