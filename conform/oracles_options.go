package conform

import (
	"encoding/json"
	"fmt"
	"slices"

	"acp-conform/wire"
)

// settings are the modes and the options of a session, as one frame of the adapter states them.
type settings struct {
	at      placed // of the object that holds them
	modes   json.RawMessage
	options []configOption
}

// configOption is one config option. The values are those that can be chosen of a select, in groups or not.
type configOption struct {
	id, kind, category, current string
	pointer                     string
	values                      []string
}

// settingsOf gives what a frame of the adapter states of modes and options.
func settingsOf(r wire.Record, records []wire.Record) (st settings, ok bool) {
	switch {
	case r.Answers >= 0 && r.Frame.Result != nil:
		method := records[r.Answers].Frame.Method
		if !slices.Contains([]string{methodNewSession, methodLoad, methodResume, methodSetOption}, method) {
			return st, false
		}
		st.at = placed{"/result", r.Frame.Result}
	case wire.LookupString(updateOf(r), "sessionUpdate") == "config_option_update":
		st.at = placed{"/params/update", updateOf(r)}
	default:
		return st, false
	}
	if modes := wire.Lookup(st.at.value, "modes"); len(modes) > 0 && modes[0] == '{' {
		st.modes = modes
	}
	for _, o := range elements(st.at, "configOptions") {
		st.options = append(st.options, readOption(o))
	}
	return st, st.modes != nil || st.options != nil
}

func readOption(at placed) configOption {
	o := configOption{
		id: wire.LookupString(at.value, "id"), kind: wire.LookupString(at.value, "type"), category: wire.LookupString(at.value, "category"),
		current: wire.LookupString(at.value, "currentValue"), pointer: at.pointer,
	}
	for _, v := range elements(at, "options") {
		if wire.Lookup(v.value, "group") == nil {
			o.values = append(o.values, wire.LookupString(v.value, "value"))
			continue
		}
		for _, inner := range elements(v, "options") {
			o.values = append(o.values, wire.LookupString(inner.value, "value"))
		}
	}
	return o
}

// modeIDs are the ids of the modes that can be chosen.
func (st settings) modeIDs() (ids []string) {
	for _, m := range elements(placed{value: st.modes}, "availableModes") {
		ids = append(ids, wire.LookupString(m.value, "id"))
	}
	return ids
}

// wellFormed looks at all modes and options that the adapter states: what they are by themselves, whatever was set.
func wellFormed(e *evidence) []finding {
	var bad []finding
	var ids []string
	booleans := clientHas(e.hello(), booleanOptions()...)
	for _, r := range e.fromAdapter() {
		st, ok := settingsOf(r, e.records)
		if !ok {
			continue
		}
		if st.modes != nil {
			ids = append(ids, "ACP-MODE-01")
			bad = append(bad, e.oneOfItsModes(r, st)...)
		}
		names := map[string]bool{}
		for _, o := range st.options {
			ids = append(ids, "ACP-CFG-01", "ACP-CFG-02", "ACP-CFG-03")
			if names[o.id] {
				bad = append(bad, e.bad(r.Seq, o.pointer+"/id", "an id that no other option has", o.id, "ACP-CFG-01", "two options of a session have the id %q", o.id))
			}
			names[o.id] = true
			if o.kind == "select" && !slices.Contains(o.values, o.current) {
				bad = append(bad, e.bad(r.Seq, o.pointer+"/currentValue", "one of "+fmt.Sprintf("%q", o.values), o.current, "ACP-CFG-02", "the option %q has a value that cannot be chosen", o.id))
			}
			if o.kind == "boolean" && !booleans {
				bad = append(bad, e.bad(r.Seq, o.pointer+"/type", "no option of this type", o.kind, "ACP-CFG-03", "the option %q is a boolean, which the client did not offer to show", o.id))
			}
		}
		if twin, ok := st.mirror(); ok {
			ids = append(ids, "ACP-CFG-10")
			if current := wire.LookupString(st.modes, "currentModeId"); twin.current != current {
				bad = append(bad, e.bad(r.Seq, twin.pointer+"/currentValue", current, twin.current, "ACP-CFG-10", "the option %q does not have the mode that the session is said to be in", twin.id))
			}
		}
	}
	return verdicts(distinct(ids), bad)
}

// mirror is the option that stands for the modes: of the category mode, with the same values. There is none where a
// session states only one of the two.
func (st settings) mirror() (configOption, bool) {
	if st.modes == nil {
		return configOption{}, false
	}
	modes := slices.Sorted(slices.Values(st.modeIDs()))
	for _, o := range st.options {
		if o.category == "mode" && slices.Equal(slices.Sorted(slices.Values(o.values)), modes) {
			return o, true
		}
	}
	return configOption{}, false
}

func (e *evidence) oneOfItsModes(r wire.Record, st settings) (bad []finding) {
	const id = "ACP-MODE-01"
	ids := st.modeIDs()
	if current := wire.LookupString(st.modes, "currentModeId"); !slices.Contains(ids, current) {
		bad = append(bad, e.bad(r.Seq, st.at.pointer+"/modes/currentModeId", "one of "+fmt.Sprintf("%q", ids), current, id, "the session is in a mode that cannot be chosen"))
	}
	if len(distinct(ids)) != len(ids) {
		bad = append(bad, e.bad(r.Seq, st.at.pointer+"/modes/availableModes", "modes with different ids", fmt.Sprintf("%q", ids), id, "two modes have the same id"))
	}
	return bad
}
