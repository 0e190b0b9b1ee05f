package schema

import (
	"slices"
	"testing"
)

// Every definition of every schema compiles, in both forms.
func TestEveryDefinitionCompiles(t *testing.T) {
	t.Parallel()
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, surface := range []*surface{s.acp, s.draft, s.msp} {
		for def := range surface.defs {
			for _, form := range []*compiled{surface.open, surface.closed} {
				if _, err := form.schema(def); err != nil {
					t.Errorf("%s %s: %v", form.url, def, err)
				}
			}
		}
	}
}

// Problems of the stable schema that the unstable one does not have are news, not errors. That is right only while
// the unstable schema asks for no more than the stable one.
func TestUnstableAsksForNoMore(t *testing.T) {
	t.Parallel()
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for def, required := range s.acp.required {
		if s.draft.defs[def] == nil {
			t.Errorf("the unstable schema has no %s", def)
		}
		for _, name := range s.draft.required[def] {
			if !slices.Contains(required, name) {
				t.Errorf("%s needs %q only in the unstable schema", def, name)
			}
		}
	}
	for name, m := range s.acp.methods {
		if d, ok := s.draft.methods[name]; !ok || d.Side != m.Side {
			t.Errorf("the unstable schema has %s otherwise: %+v", name, d)
		}
	}
}

// No union that a discriminator could tell apart is left to "no branch matches".
func TestUnionsAreSharp(t *testing.T) {
	t.Parallel()
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	// Unions of types, and of two kinds of lists, have nothing that tells their branches apart beforehand.
	plain := []string{"RequestId", "ElicitationContentValue", "SessionConfigSelectOptions", "ModelReasoningEffortVariants"}
	for _, surface := range []*surface{s.acp, s.draft, s.msp} {
		sharp := sharpen(surface.defs, true).(object)["$defs"].(object)
		for def := range surface.defs {
			if blunt := bluntUnion(sharp[def]); blunt && !slices.Contains(plain, def) {
				t.Errorf("%s of %s has a union without a discriminator: %v", def, surface.source.Name, sharp[def])
			}
		}
	}
}

// bluntUnion looks for a union that is not the last resort of a condition.
func bluntUnion(v any) bool {
	switch v := v.(type) {
	case object:
		for keyword, value := range v {
			switch keyword {
			case "anyOf", "oneOf":
				if _, list := value.([]any); list { // a member may have that name
					return true
				}
			case "not", "else":
				if union, ok := value.(object); ok && len(union) == 1 && union["anyOf"] != nil {
					continue
				}
			}
			if bluntUnion(value) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, bluntUnion)
	}
	return false
}
