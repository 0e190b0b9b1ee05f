package factgen

import (
	"encoding/json"
	"fmt"
	"strings"
)

// msp reads the Muse Session Protocol: methods of the host, requests and notifications of both directions, and the
// error table.
func msp(folder string) (*document, error) {
	doc := &document{source: source{Name: "muse-session-protocol", Files: map[string]string{}}}
	type row struct {
		Description string   `json:"description"`
		Params      *defName `json:"params"`
		Result      *defName `json:"result"`
	}
	var published struct {
		Defs          map[string]any `json:"$defs"`
		Methods       map[string]row `json:"methods"`
		Notifications map[string]row `json:"notifications"`
		Requests      map[string]row `json:"requests"`
		Errors        []struct {
			Code      int      `json:"code"`
			Kind      string   `json:"kind"`
			Overrides []string `json:"overrideKinds,omitempty"`
			Retryable *bool    `json:"retryable,omitempty"`
		} `json:"errors"`
		Capabilities struct {
			Grantable []string `json:"grantable"`
		} `json:"capabilities"`
	}
	var manifest struct {
		Version     int    `json:"schemaVersion"`
		Fingerprint string `json:"fingerprint"`
	}
	if err := doc.source.read(folder, "stable/msp.schema.json", &published); err != nil {
		return nil, err
	}
	if err := doc.source.read(folder, "stable/manifest.json", &manifest); err != nil {
		return nil, err
	}
	doc.source.Version = fmt.Sprintf("schema %d", manifest.Version)
	doc.source.Fingerprint = manifest.Fingerprint

	for name, r := range published.Methods {
		doc.methods = append(doc.methods, method{Name: name, Side: "host", Request: &shape{Params: r.Params.name(), Result: r.Result.name()}})
	}
	for name, r := range published.Requests {
		doc.methods = append(doc.methods, method{Name: name, Side: "client", Request: &shape{Params: r.Params.name(), Result: r.Result.name()}})
	}
	for name, r := range published.Notifications {
		side := "client"
		// The direction of a notification stands only in its first words.
		if strings.HasPrefix(r.Description, "Client-to-server ") {
			side = "host"
		}
		doc.methods = append(doc.methods, method{Name: name, Side: side, Notification: &shape{Params: r.Params.name()}})
	}
	for _, e := range published.Errors {
		line, err := marshal(e)
		if err != nil {
			return nil, fmt.Errorf("the error table: %w", err)
		}
		doc.errors = append(doc.errors, json.RawMessage(line))
	}
	doc.capabilities = published.Capabilities.Grantable
	var err error
	doc.defs, err = stripDefs(published.Defs)
	return doc, err
}

// defName is a reference to a definition.
type defName struct {
	Ref string `json:"$ref"`
}

func (d *defName) name() string {
	if d == nil {
		return ""
	}
	return strings.TrimPrefix(d.Ref, "#/$defs/")
}
