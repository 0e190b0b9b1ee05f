package schema

import "slices"

// Sharpening rewrites the published definitions so that the validator's complaints point at what is wrong:
//
//   - A union with a discriminator becomes a set of conditions: the discriminator picks the branch, and only that
//     branch is checked. "No branch matches" never has to be explained.
//   - "X or null" becomes "null, or else X"; a union of constants becomes an enum; branches that differ in their
//     required members are picked by the member that is there.
//   - Enums that MSP declares open lose their list.
//
// The closed form, for what an ACP adapter sends, has more rules:
//
//   - No object has members that its type does not know (ACP-EXT-02).
//   - Where the schema takes any string besides its constants, a string of one's own begins with an underscore
//     (ACP-CFG-09).

// object is a schema that is no boolean.
type object = map[string]any

// looseUnion is what the schema's shape does not say about two kinds of unions.
type looseUnion struct {
	discriminator string
	custom        bool   // values that begin with an underscore are anybody's (ACP-PR-07)
	fallback      string // the discriminator's value that names the branch without one
}

func looseUnions() map[string]looseUnion {
	return map[string]looseUnion{
		"SessionUpdate": {discriminator: "sessionUpdate", custom: true},
		"AuthMethod":    {discriminator: "type", fallback: "agent"},
		"McpServer":     {discriminator: "type", fallback: "stdio"},
	}
}

const (
	draftURL = "https://json-schema.org/draft/2020-12/schema"
	refHead  = "#/$defs/"
)

// rootName names the definition through which a value is checked as a whole.
func rootName(def string) string { return "root-" + def }

// sharpen gives a schema document with the definitions and a root for each.
func sharpen(defs map[string]any, closed bool) any {
	s := sharpener{defs: defs, closed: closed, loose: looseUnions()}
	out := object{}
	for name, def := range defs {
		sharp := s.schema(def)
		if o, ok := sharp.(object); ok {
			s.loosen(name, o)
		}
		out[name] = sharp
		out[rootName(name)] = s.place(object{"$ref": refHead + name})
	}
	return object{"$schema": draftURL, "$defs": out}
}

type sharpener struct {
	defs   map[string]any
	closed bool
	loose  map[string]looseUnion
}

// schema rewrites one schema. Its input stays as it is.
func (s sharpener) schema(v any) any {
	in, ok := v.(object)
	if !ok {
		return v
	}
	out := object{}
	for keyword, value := range in {
		switch keyword {
		case "x-side", "x-method", "x-msp-openness":
		case "enum":
			if in["x-msp-openness"] != "open" {
				out[keyword] = value
			}
		case "properties":
			properties := object{}
			for name, p := range value.(object) {
				properties[name] = s.place(s.schema(p))
			}
			out[keyword] = properties
		case "items", "additionalProperties":
			out[keyword] = s.place(s.schema(value))
		case "not", "unevaluatedProperties":
			out[keyword] = s.schema(value)
		case "allOf":
			out[keyword] = append(s.list(value), listOf(out[keyword])...)
		case "anyOf", "oneOf":
			out["allOf"] = append(listOf(out["allOf"]), s.union(keyword, value.([]any)))
		default:
			out[keyword] = value
		}
	}
	return out
}

func (s sharpener) list(v any) []any {
	var out []any
	for _, item := range listOf(v) {
		out = append(out, s.schema(item))
	}
	return out
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// place closes a schema that stands for a value of its own, if it describes an object by its members.
func (s sharpener) place(v any) any {
	if o, ok := v.(object); ok && s.closed && s.hasMembers(o, 0) {
		o["unevaluatedProperties"] = false
	}
	return v
}

// hasMembers reports whether a schema names members, itself or in what it refers to.
func (s sharpener) hasMembers(v any, depth int) bool {
	o, ok := v.(object)
	if !ok || depth > 20 {
		return false
	}
	if o["properties"] != nil {
		return true
	}
	if ref, ok := o["$ref"].(string); ok && s.hasMembers(s.defs[ref[len(refHead):]], depth+1) {
		return true
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		if slices.ContainsFunc(listOf(o[keyword]), func(v any) bool { return s.hasMembers(v, depth+1) }) {
			return true
		}
	}
	return s.hasMembers(o["then"], depth+1) || s.hasMembers(o["else"], depth+1)
}

// loosen adds what the schema's shape does not say.
func (s sharpener) loosen(name string, o object) {
	loose, ok := s.loose[name]
	if !ok {
		return
	}
	if loose.custom {
		rule := object{}
		for keyword, value := range o {
			rule[keyword] = value
			delete(o, keyword)
		}
		o["if"] = tagged(loose.discriminator, object{"type": "string", "pattern": "^_"})
		o["then"], o["else"] = object{"additionalProperties": true}, rule
	}
	if loose.fallback != "" && s.closed {
		values := []any{loose.fallback}
		def, _ := s.defs[name].(object)
		for _, b := range listOf(def["anyOf"]) {
			if value, ok := constOf(b, loose.discriminator); ok {
				values = append(values, value)
			}
		}
		o["properties"] = object{loose.discriminator: object{"enum": values}}
	}
}

// tagged is the condition that a value is an object whose discriminator fits a schema.
func tagged(name string, value any) object {
	return object{"type": "object", "required": []any{name}, "properties": object{name: value}}
}

// union rewrites the branches of an anyOf or oneOf.
func (s sharpener) union(keyword string, branches []any) any {
	if len(branches) == 1 {
		return s.schema(branches[0])
	}
	if enum := s.constants(branches); enum != nil {
		return enum
	}
	if rest, ok := withoutNull(branches); ok {
		return object{"if": object{"type": "null"}, "then": true, "else": s.union(keyword, rest)}
	}
	if name := discriminator(branches); name != "" {
		return s.tagged(name, branches)
	}
	if rule := s.byRequired(branches); rule != nil {
		return rule
	}
	return object{keyword: s.list(branches)}
}

// constants makes one enum of a union of constants. A last branch that takes any value of their type makes the union
// open.
func (s sharpener) constants(branches []any) any {
	var values []any
	kind, anything := "", object(nil)
	for _, b := range branches {
		o, ok := b.(object)
		t, isText := o["type"].(string)
		if !ok || !isText || kind != "" && t != kind {
			return nil
		}
		kind = t
		for keyword := range o {
			if keyword != "type" && keyword != "const" && keyword != "format" {
				return nil
			}
		}
		if value, there := o["const"]; there {
			values = append(values, value)
		} else {
			anything = o
		}
	}
	switch {
	case len(values) == 0:
		return nil
	case anything == nil:
		return object{"type": kind, "enum": values}
	case s.closed && kind == "string":
		return object{"type": kind, "if": object{"not": object{"pattern": "^_"}}, "then": object{"enum": values}}
	}
	return s.schema(anything)
}

// withoutNull gives the other branches of a union with null.
func withoutNull(branches []any) ([]any, bool) {
	var rest []any
	for _, b := range branches {
		if o, ok := b.(object); !ok || len(o) != 1 || o["type"] != "null" {
			rest = append(rest, b)
		}
	}
	return rest, len(rest) > 0 && len(rest) < len(branches)
}

// constOf gives the constant that a branch demands of a member, if it does.
func constOf(branch any, name string) (any, bool) {
	o, _ := branch.(object)
	member, _ := o["properties"].(object)
	rule, _ := member[name].(object)
	value, ok := rule["const"]
	return value, ok && slices.Contains(requiredOf(branch), name)
}

func requiredOf(schema any) []string {
	o, _ := schema.(object)
	var out []string
	for _, name := range listOf(o["required"]) {
		out = append(out, name.(string))
	}
	return out
}

// discriminator finds the member whose constants tell most branches apart.
func discriminator(branches []any) string {
	best, most := "", 0
	for _, b := range branches {
		for _, name := range requiredOf(b) {
			n := 0
			for _, other := range branches {
				if _, ok := constOf(other, name); ok {
					n++
				}
			}
			if n > most {
				best, most = name, n
			}
		}
	}
	return best
}

// tagged rewrites a union that a discriminator tells apart. Branches without its constant are what is left over.
func (s sharpener) tagged(name string, branches []any) any {
	var values, rules, rest []any
	for _, b := range branches {
		value, ok := constOf(b, name)
		if !ok {
			rest = append(rest, b)
			continue
		}
		values = append(values, value)
		rules = append(rules, object{"if": tagged(name, object{"const": value}), "then": s.schema(b)})
	}
	var chain any = tagged(name, object{"enum": values})
	if len(rest) > 0 {
		chain = s.union("anyOf", rest)
	}
	for i := len(rules) - 1; i >= 0; i-- {
		rules[i].(object)["else"] = chain
		chain = rules[i]
	}
	return chain
}

// byRequired rewrites a union whose branches each require a member that no other branch requires.
func (s sharpener) byRequired(branches []any) any {
	own := make([]string, len(branches))
	for i, b := range branches {
		for _, name := range s.requiredThrough(b) {
			alone := true
			for j, other := range branches {
				if i != j && slices.Contains(s.requiredThrough(other), name) {
					alone = false
				}
			}
			if alone {
				own[i] = name
				break
			}
		}
		if own[i] == "" {
			return nil
		}
	}
	// Where none of the members is there, the union itself says what would do.
	var chain any = object{"anyOf": s.list(branches)}
	for i := len(branches) - 1; i >= 0; i-- {
		chain = object{"if": tagged(own[i], true), "then": s.schema(branches[i]), "else": chain}
	}
	return chain
}

// requiredThrough gives the required members of a schema and of what it refers to.
func (s sharpener) requiredThrough(v any) []string {
	o, _ := v.(object)
	out := requiredOf(v)
	if ref, ok := o["$ref"].(string); ok {
		out = append(out, s.requiredThrough(s.defs[ref[len(refHead):]])...)
	}
	for _, part := range listOf(o["allOf"]) {
		out = append(out, s.requiredThrough(part)...)
	}
	return out
}
