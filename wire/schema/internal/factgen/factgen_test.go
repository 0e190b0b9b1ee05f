package factgen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStrip(t *testing.T) {
	t.Parallel()
	s := stripper{known: keywords()}
	got, err := s.strip(map[string]any{
		"title": "A title", "description": "Prose.", "default": map[string]any{"x": "prose"}, "type": "object",
		"required": []any{"title"},
		"properties": map[string]any{
			"title":       map[string]any{"type": "string", "description": "Prose.", "examples": []any{"prose"}},
			"description": map[string]any{"anyOf": []any{map[string]any{"$ref": "#/$defs/X"}, map[string]any{"type": "null", "title": "prose"}}},
		},
		"additionalProperties": true,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"type": "object", "required": []any{"title"}, "additionalProperties": true,
		"properties": map[string]any{
			"title":       map[string]any{"type": "string"},
			"description": map[string]any{"anyOf": []any{map[string]any{"$ref": "#/$defs/X"}, map[string]any{"type": "null"}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestStripRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		in   map[string]any
		want string
	}{
		{"a new keyword", map[string]any{"properties": map[string]any{"a": map[string]any{"if": true}}}, `properties: a: the keyword "if" is new here; say in strip.go what it is`},
		{"a schema that is none", map[string]any{"items": "x"}, `items: a schema is neither an object nor a boolean: x`},
		{"a list that is none", map[string]any{"anyOf": true}, `anyOf: expected a list of schemas, got true`},
	} {
		_, err := stripper{known: keywords()}.strip(tt.in)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestMissingFolder(t *testing.T) {
	t.Parallel()
	_, err := Generate(Folders{ACP: filepath.Join(t.TempDir(), "none"), MSP: t.TempDir()})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "v1.schema.json") {
		t.Errorf("got %v", err)
	}
}

// ACP's list of methods and the markers in its schema must agree.
func TestMethodsMustAgree(t *testing.T) {
	t.Parallel()
	const schema = `{"$defs":{"PingRequest":{"type":"object","x-side":"agent","x-method":"ping"},"PingResponse":{"x-side":"agent","x-method":"ping"}}}`
	for _, tt := range []struct{ name, schema, meta, want string }{
		{"agree", schema, `{"version":1,"agentMethods":{"ping":"ping"}}`, ""},
		{"another side", schema, `{"clientMethods":{"ping":"ping"}}`, "m.json has ping on the side client, the schema on agent"},
		{"not listed", schema, `{}`, "the schema has the method ping, which m.json does not list"},
		{"not marked", schema, `{"agentMethods":{"ping":"ping","pong":"pong"}}`, "m.json lists pong, but no type of the schema is marked with it"},
		{"nothing marked", `{"$defs":{}}`, `{}`, "no type of the schema is marked with a method"},
		{"strange name", `{"$defs":{"Ping":{"x-side":"agent","x-method":"ping"}}}`, `{}`, "the type Ping of ping is no request, response or notification by its name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"s.json": tt.schema, "m.json": tt.meta} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			doc, err := acp(dir, "s.json", "m.json")
			if tt.want != "" {
				if err == nil || err.Error() != tt.want {
					t.Errorf("got %v, want %s", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			out, err := doc.print()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(out), `"protocol 1, release unknown"`) || !strings.Contains(string(out), `{"method":"ping","side":"agent","request":{"params":"PingRequest","result":"PingResponse"}}`) {
				t.Errorf("got\n%s", out)
			}
		})
	}
}

// No prose gets through: names and values of a protocol have no spaces.
func TestNoProse(t *testing.T) {
	t.Parallel()
	folders, err := FindFolders(".")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Generate(folders)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the published schemas are not here (%v); ACP_DATA and MSP_DATA name their folders", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		for line := range strings.Lines(string(content)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), `": `); ok && key != `"source` && strings.Contains(value, " ") {
				t.Errorf("%s has prose: %s", name, line)
			}
		}
	}
}
