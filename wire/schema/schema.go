// Package schema holds frames against the published schemas of ACP and MSP.
//
// It is apart from package wire because its JSON Schema library compiles five drafts of the meta-schema whenever a
// program begins: what deals in frames only, such as the stand-in of package fakemuse, does not wait for that.
package schema

//go:generate go run ./internal/factgen/gen

import (
	"embed"
	"encoding/json"
	"fmt"
	"sort"
	"sync"
)

// The facts of the published schemas, made by go generate (see internal/factgen).
//
//go:embed acp_gen.json acp_unstable_gen.json msp_gen.json
var factFiles embed.FS

// Source says where the facts about a protocol come from.
type Source struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`               // the protocol's version and, where known, the release of its schema
	Fingerprint string            `json:"fingerprint,omitempty"` // what an MSP host of this schema says in initialize
	Files       map[string]string `json:"files"`                 // SHA-256 by file
}

// MSPError is a row of the error table of MSP (its schema's Appendix B).
type MSPError struct {
	Code      int      `json:"code"`
	Kind      string   `json:"kind"`                    // data.kind unless a call site says it more exactly
	Overrides []string `json:"overrideKinds,omitempty"` // the more exact kinds
	Retryable *bool    `json:"retryable,omitempty"`     // nil where the table leaves it open
}

// methodFact is one method with the side that receives it: "agent", "client" or "host"; "both" and "protocol" are
// received by either side.
type methodFact struct {
	Method       string     `json:"method"`
	Side         string     `json:"side"`
	Request      *shapeFact `json:"request"`
	Notification *shapeFact `json:"notification"`
}

// shapeFact names the definitions of what a method carries.
type shapeFact struct {
	Params string `json:"params"`
	Result string `json:"result"`
}

// surface is one protocol as one of its schemas states it.
type surface struct {
	source       Source
	methods      map[string]methodFact
	errors       []MSPError
	capabilities []string
	defs         map[string]any
	required     map[string][]string // the required members of each definition
	open, closed *compiled
}

// Schemas holds the schemas of ACP v1 (stable, and what is not stable yet) and of MSP v1, stripped to facts.
//
//   - Load it once and share it: all methods may be called from any goroutine.
//   - A definition is compiled when it is needed for the first time.
type Schemas struct {
	acp, draft, msp *surface
}

// Load reads the embedded facts.
func Load() (*Schemas, error) {
	var s Schemas
	for _, f := range []struct {
		file string
		into **surface
	}{{"acp_gen.json", &s.acp}, {"acp_unstable_gen.json", &s.draft}, {"msp_gen.json", &s.msp}} {
		var err error
		if *f.into, err = loadSurface(f.file); err != nil {
			return nil, fmt.Errorf("loading the schema facts %s: %w", f.file, err)
		}
	}
	return &s, nil
}

func loadSurface(file string) (*surface, error) {
	data, err := factFiles.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Source       Source                     `json:"source"`
		Methods      []methodFact               `json:"methods"`
		Errors       []MSPError                 `json:"errors"`
		Capabilities []string                   `json:"capabilities"`
		Defs         map[string]json.RawMessage `json:"defs"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("decoding: %w", err)
	}
	s := &surface{
		source: doc.Source, errors: doc.Errors, capabilities: doc.Capabilities,
		methods:  make(map[string]methodFact, len(doc.Methods)),
		defs:     make(map[string]any, len(doc.Defs)),
		required: make(map[string][]string, len(doc.Defs)),
	}
	for _, m := range doc.Methods {
		s.methods[m.Method] = m
	}
	for name, raw := range doc.Defs {
		def, err := decodeValue(raw)
		if err != nil {
			return nil, fmt.Errorf("decoding the definition %s: %w", name, err)
		}
		s.defs[name] = def
		s.required[name] = requiredOf(def)
	}
	s.open = &compiled{url: "facts:///" + file + "/open", document: sync.OnceValue(func() any { return sharpen(s.defs, false) })}
	s.closed = &compiled{url: "facts:///" + file + "/closed", document: sync.OnceValue(func() any { return sharpen(s.defs, true) })}
	return s, nil
}

// method looks a method up that the given side receives.
func (s *surface) method(name, receiver string) (methodFact, bool) {
	m, ok := s.methods[name]
	return m, ok && (m.Side == receiver || m.Side == "both" || m.Side == "protocol")
}

// names lists the methods that a side receives, as requests or as notifications.
func (s *surface) names(receiver string, request, notification bool) []string {
	var out []string
	for name, m := range s.methods {
		if m.Side == receiver && (request && m.Request != nil || notification && m.Notification != nil) {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// Sources says where the facts come from: ACP stable, ACP unstable, MSP.
func (s *Schemas) Sources() []Source {
	return []Source{s.acp.source, s.draft.source, s.msp.source}
}

// ACPAgentMethods lists the stable methods that a client may send to an agent, notifications included, sorted.
func (s *Schemas) ACPAgentMethods() []string { return s.acp.names("agent", true, true) }

// ACPClientMethods lists the stable methods that an agent may send to a client, notifications included, sorted.
func (s *Schemas) ACPClientMethods() []string { return s.acp.names("client", true, true) }

// MSPMethods lists the requests that a host answers, sorted.
func (s *Schemas) MSPMethods() []string { return s.msp.names("host", true, false) }

// MSPNotifications lists the notifications that a host sends, sorted.
func (s *Schemas) MSPNotifications() []string { return s.msp.names("client", false, true) }

// MSPClientNotifications lists the notifications that a host receives, sorted.
func (s *Schemas) MSPClientNotifications() []string { return s.msp.names("host", false, true) }

// MSPServerRequests lists the requests that a host sends, sorted.
func (s *Schemas) MSPServerRequests() []string { return s.msp.names("client", true, false) }

// MSPErrors is the error table of MSP in the schema's order.
func (s *Schemas) MSPErrors() []MSPError { return append([]MSPError(nil), s.msp.errors...) }

// MSPCapabilities lists the capabilities that an MSP host may grant.
func (s *Schemas) MSPCapabilities() []string { return append([]string(nil), s.msp.capabilities...) }
