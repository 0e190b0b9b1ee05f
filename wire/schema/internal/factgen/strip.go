package factgen

import (
	"fmt"
	"sort"
)

// How a keyword of a schema is treated.
type treatment int

const (
	drop    treatment = iota + 1 // prose, hints for generators of code
	keep                         // a fact that is no schema
	schema                       // one schema
	schemas                      // a list of schemas
	named                        // schemas by a name that is ours to keep, whatever it is
)

// keywords knows every keyword that the published schemas use.
func keywords() map[string]treatment {
	return map[string]treatment{
		"title": drop, "description": drop, "examples": drop, "default": drop, "$comment": drop,
		"x-docs-ignore": drop, "x-deserialize-default-on-error": drop, "x-deserialize-skip-invalid-items": drop,
		// The branches of a union say the same with their consts.
		"discriminator": drop,

		"type": keep, "required": keep, "enum": keep, "const": keep, "format": keep, "$ref": keep, "pattern": keep,
		"minimum": keep, "maximum": keep, "minLength": keep, "maxLength": keep, "minItems": keep, "maxItems": keep,
		"dependentRequired": keep, "x-msp-openness": keep, "x-side": keep, "x-method": keep,

		"items": schema, "not": schema, "additionalProperties": schema, "unevaluatedProperties": schema,
		"anyOf": schemas, "oneOf": schemas, "allOf": schemas,
		"properties": named,
	}
}

// stripper takes the prose out of schemas.
type stripper struct{ known map[string]treatment }

// strip gives the facts of a schema.
func (s stripper) strip(v any) (any, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a schema is neither an object nor a boolean: %v", v)
	}
	out := map[string]any{}
	for _, keyword := range sortedKeys(object) {
		value := object[keyword]
		var err error
		switch s.known[keyword] {
		case drop:
			continue
		case keep:
			out[keyword] = value
		case schema:
			out[keyword], err = s.strip(value)
		case schemas:
			out[keyword], err = s.stripList(value)
		case named:
			out[keyword], err = s.stripNamed(value)
		default:
			return nil, fmt.Errorf("the keyword %q is new here; say in strip.go what it is", keyword)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", keyword, err)
		}
	}
	return out, nil
}

func (s stripper) stripList(v any) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("expected a list of schemas, got %v", v)
	}
	out := make([]any, len(list))
	for i, item := range list {
		var err error
		if out[i], err = s.strip(item); err != nil {
			return nil, fmt.Errorf("%d: %w", i, err)
		}
	}
	return out, nil
}

func (s stripper) stripNamed(v any) (any, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("expected schemas by name, got %v", v)
	}
	out := map[string]any{}
	for _, name := range sortedKeys(object) {
		var err error
		if out[name], err = s.strip(object[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

// stripDefs strips the definitions of a schema document.
func stripDefs(defs map[string]any) (map[string]any, error) {
	s := stripper{known: keywords()}
	out := map[string]any{}
	for _, name := range sortedKeys(defs) {
		facts, err := s.strip(defs[name])
		if err != nil {
			return nil, fmt.Errorf("the definition %s: %w", name, err)
		}
		out[name] = facts
	}
	return out, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
