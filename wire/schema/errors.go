package schema

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// findings checks a JSON text against a definition. In the closed form members that the type does not know are
// problems too.
func (s *surface) findings(def string, raw []byte, closed bool) ([]finding, error) {
	value, err := decodeValue(raw)
	if err != nil {
		return nil, fmt.Errorf("decoding the value of a %s: %w", def, err)
	}
	if !closed {
		return s.open.validate(def, value)
	}
	strict, err := s.closed.validate(def, value)
	if err != nil || len(strict) == 0 {
		return nil, err
	}
	wrong, err := s.open.validate(def, value)
	if err != nil {
		return nil, err
	}
	return s.strangers(def, value, wrong)
}

// strangers adds to what is wrong what only the closed form minds. The validator forgets which members a type knows
// when one of them is wrong, a stranger further down included. So a stranger counts only in an object in whose
// members nothing is wrong; it is then taken out of the value, and the rest is looked at again.
func (s *surface) strangers(def string, value any, wrong []finding) ([]finding, error) {
	known, troubled := map[finding]bool{}, map[string]bool{}
	note := func(f finding) {
		known[f] = true
		for p := f.pointer; !troubled[p]; p = parentPointer(p) {
			troubled[p] = true
		}
	}
	for _, f := range wrong {
		note(f)
	}
	for {
		strict, err := s.closed.validate(def, value)
		if err != nil {
			return nil, err
		}
		deeper := map[string]bool{} // objects with a finding below their members
		for _, f := range strict {
			if f.class != ClassCustom && !known[f] {
				wrong = append(wrong, f)
				note(f)
			}
			for p := f.pointer; p != ""; {
				if p = parentPointer(p); p == "" || deeper[parentPointer(p)] {
					break
				}
				deeper[parentPointer(p)] = true
			}
		}
		var certain []finding
		for _, f := range strict {
			if home := parentPointer(f.pointer); f.class == ClassCustom && !troubled[home] && !deeper[home] {
				certain = append(certain, f)
			}
		}
		if len(certain) == 0 {
			return tidy(wrong), nil
		}
		wrong = append(wrong, certain...)
		for _, f := range certain {
			removeMember(value, f.pointer)
		}
	}
}

// removeMember takes the member at a pointer out of a decoded value.
func removeMember(value any, pointer string) {
	tokens := strings.Split(pointer, "/")[1:]
	for i, token := range tokens {
		switch v := value.(type) {
		case object:
			name := unescapeToken(token)
			if i == len(tokens)-1 {
				delete(v, name)
				return
			}
			value = v[name]
		case []any:
			n, err := strconv.Atoi(token)
			if err != nil || n < 0 || n >= len(v) {
				return
			}
			value = v[n]
		}
	}
}

func (c *compiled) validate(def string, value any) ([]finding, error) {
	schema, err := c.schema(def)
	if err != nil {
		return nil, err
	}
	err = schema.Validate(value)
	if err == nil {
		return nil, nil
	}
	invalid, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return nil, fmt.Errorf("checking a %s: %w", def, err)
	}
	return tidy(flatten(invalid)), nil
}

// tidy sorts findings and drops twins.
func tidy(all []finding) []finding {
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if a.pointer != b.pointer {
			return a.pointer < b.pointer
		}
		return a.text < b.text
	})
	var out []finding
	for i, f := range all {
		if i == 0 || f.pointer != all[i-1].pointer || f.text != all[i-1].text {
			out = append(out, f)
		}
	}
	return out
}

// flatten turns the validator's tree of errors into findings with sentences of our own.
func flatten(e *jsonschema.ValidationError) []finding {
	f := finding{pointer: pointerOf(e.InstanceLocation), class: ClassValue}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return missing(f, k.Missing, "")
	case *kind.DependentRequired:
		return missing(f, k.Missing, fmt.Sprintf(", which %q needs beside it", k.Prop))
	case *kind.Type:
		f.want = phrase(k.Want)
		f.text = fmt.Sprintf("expected %s", f.want)
	case *kind.Enum:
		f.class, f.text = ClassVariant, fmt.Sprintf("expected %s", oneOf(k.Want))
	case *kind.Const:
		f.class, f.text = ClassVariant, fmt.Sprintf("expected %s", oneOf([]any{k.Want}))
	case *kind.Format:
		f.text = fmt.Sprintf("expected %v", k.Err)
	case *kind.FalseSchema:
		f.class = ClassCustom
		f.member = unescapeToken(f.pointer[strings.LastIndexByte(f.pointer, '/')+1:])
		f.text = fmt.Sprintf("the protocol has no member %q here; data of one's own goes into _meta", f.member)
	case *kind.Minimum:
		f.text = fmt.Sprintf("expected %s or more", k.Want.RatString())
	case *kind.Maximum:
		f.text = fmt.Sprintf("expected %s or less", k.Want.RatString())
	case *kind.MinLength:
		f.text = fmt.Sprintf("expected %d characters or more", k.Want)
	case *kind.Pattern:
		f.text = fmt.Sprintf("expected a text that fits %s", k.Want)
	case *kind.Not:
		f.class, f.text = ClassVariant, "expected another form of this type"
	case *kind.AnyOf, *kind.OneOf:
		if len(e.Causes) > 0 {
			return alternatives(f, e.Causes)
		}
		f.text = "expected a value that fits one form of this type alone"
	default:
		if len(e.Causes) > 0 {
			var all []finding
			for _, cause := range e.Causes {
				all = append(all, flatten(cause)...)
			}
			return all
		}
		f.text = "expected a value that keeps the rules of its type"
	}
	return []finding{f}
}

func missing(f finding, names []string, why string) []finding {
	var all []finding
	for _, name := range names {
		f.class, f.member = ClassMissing, name
		f.text = fmt.Sprintf("the member %q is missing%s", name, why)
		all = append(all, f)
	}
	return all
}

// alternatives picks the branch of a union that the value was most likely meant for: the one whose first problem
// lies deepest, then the one with the fewest problems. Where each branch only wants another type, it says so in one
// sentence.
func alternatives(f finding, causes []*jsonschema.ValidationError) []finding {
	var best []finding
	var wants []string
	for _, cause := range causes {
		branch := tidy(flatten(cause))
		if len(branch) == 1 && branch[0].pointer == f.pointer && branch[0].want != "" {
			wants = append(wants, branch[0].want)
		}
		if best == nil || depth(branch) > depth(best) || depth(branch) == depth(best) && len(branch) < len(best) {
			best = branch
		}
	}
	if len(wants) == len(causes) {
		f.want = strings.Join(wants, " or ")
		f.text = fmt.Sprintf("expected %s", f.want)
		return []finding{f}
	}
	return best
}

func depth(all []finding) int {
	if len(all) == 0 {
		return 0
	}
	least := strings.Count(all[0].pointer, "/")
	for _, f := range all {
		least = min(least, strings.Count(f.pointer, "/"))
	}
	return least
}

// phrase names JSON types in words.
func phrase(types []string) string {
	words := map[string]string{
		"object": "an object", "array": "an array", "string": "a string", "number": "a number",
		"integer": "an integer", "boolean": "a boolean", "null": "null",
	}
	var out []string
	for _, t := range types {
		if t != "null" {
			out = append(out, words[t])
		}
	}
	if len(out) < len(types) {
		out = append(out, words["null"])
	}
	return strings.Join(out, " or ")
}

// oneOf names the values of a closed set.
func oneOf(values []any) string {
	out := make([]string, len(values))
	for i, v := range values {
		if s, ok := v.(string); ok {
			out[i] = fmt.Sprintf("%q", s)
		} else {
			out[i] = fmt.Sprint(v)
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return "one of " + strings.Join(out, ", ")
}
