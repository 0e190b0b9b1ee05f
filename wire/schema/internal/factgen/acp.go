package factgen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// acp reads one surface of the Agent Client Protocol: its schema and the list of its methods by side.
func acp(folder, schemaFile, metaFile string) (*document, error) {
	doc := &document{source: source{Name: "agent-client-protocol", Files: map[string]string{}}}
	var published struct {
		Defs map[string]any `json:"$defs"`
	}
	var meta struct {
		Version  int               `json:"version"`
		Agent    map[string]string `json:"agentMethods"`
		Client   map[string]string `json:"clientMethods"`
		Protocol map[string]string `json:"protocolMethods"`
	}
	if err := doc.source.read(folder, schemaFile, &published); err != nil {
		return nil, err
	}
	if err := doc.source.read(folder, metaFile, &meta); err != nil {
		return nil, err
	}
	doc.source.Version = fmt.Sprintf("protocol %d, release %s", meta.Version, acpRelease(folder))

	methods, err := acpMethods(published.Defs)
	if err != nil {
		return nil, err
	}
	// The list and the markers in the schema must tell the same story.
	listed := map[string][]string{}
	for side, names := range map[string]map[string]string{"agent": meta.Agent, "client": meta.Client, "protocol": meta.Protocol} {
		for _, name := range names {
			listed[name] = append(listed[name], side)
		}
	}
	for name, sides := range listed {
		m := methods[name]
		if m == nil {
			return nil, fmt.Errorf("%s lists %s, but no type of the schema is marked with it", metaFile, name)
		}
		if len(sides) == 2 && m.Side != "both" || len(sides) == 1 && m.Side != sides[0] {
			return nil, fmt.Errorf("%s has %s on the side %s, the schema on %s", metaFile, name, strings.Join(sides, ", "), m.Side)
		}
	}
	for name := range methods {
		if listed[name] == nil {
			return nil, fmt.Errorf("the schema has the method %s, which %s does not list", name, metaFile)
		}
		doc.methods = append(doc.methods, *methods[name])
	}
	doc.defs, err = stripDefs(withoutEnvelopes(published.Defs))
	return doc, err
}

// acpMethods collects the types that are marked with a method.
func acpMethods(defs map[string]any) (map[string]*method, error) {
	methods := map[string]*method{}
	for _, name := range sortedKeys(defs) {
		def, _ := defs[name].(map[string]any)
		marked, _ := def["x-method"].(string)
		if marked == "" {
			continue
		}
		side, _ := def["x-side"].(string)
		m := methods[marked]
		if m == nil {
			m = &method{Name: marked, Side: side}
			methods[marked] = m
		}
		if m.Side != side {
			return nil, fmt.Errorf("the types of %s name two sides, %s and %s", marked, m.Side, side)
		}
		switch {
		case strings.HasSuffix(name, "Notification"):
			m.Notification = &shape{Params: name}
		case strings.HasSuffix(name, "Request"):
			m.request().Params = name
		case strings.HasSuffix(name, "Response"):
			m.request().Result = name
		default:
			return nil, fmt.Errorf("the type %s of %s is no request, response or notification by its name", name, marked)
		}
	}
	if len(methods) == 0 {
		return nil, errors.New("no type of the schema is marked with a method")
	}
	return methods, nil
}

func (m *method) request() *shape {
	if m.Request == nil {
		m.Request = &shape{}
	}
	return m.Request
}

// withoutEnvelopes leaves out the lists of everything that a side may send: methods say it better.
func withoutEnvelopes(defs map[string]any) map[string]any {
	out := map[string]any{}
	for name, def := range defs {
		if object, ok := def.(map[string]any); ok && object["x-docs-ignore"] == true {
			continue
		}
		out[name] = def
	}
	return out
}

// acpRelease takes the number of the release from the folder's README. The schema itself does not say it.
func acpRelease(folder string) string {
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		return "unknown"
	}
	found := regexp.MustCompile(`release (\d+\.\d+\.\d+)`).FindSubmatch(text)
	if found == nil {
		return "unknown"
	}
	return string(found[1])
}
