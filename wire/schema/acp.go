package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/wire"
)

// checkACP checks a message on the client's lane.
func (c *Checker) checkACP(s *subject) {
	if s.fromAdapter {
		s.strangers()
	}
	f := s.frame
	switch f.Kind {
	case wire.Request:
		if s.fromAdapter && !validACPID(f.ID) {
			s.add(ClassID, "/id", fmt.Sprintf("expected a string, an integer or null; got %s", wire.Clip(f.ID)))
		}
		c.callACP(s)
	case wire.Notification:
		c.callACP(s)
	case wire.Response:
		c.answerACP(s)
	}
}

// callACP checks the method of a request or notification, and its params.
func (c *Checker) callACP(s *subject) {
	receiver, other := "client", "agent"
	if !s.fromAdapter {
		receiver, other = other, receiver
	}
	m, stable := c.schemas.acp.method(s.method, receiver)
	if !stable {
		var draft bool
		if m, draft = c.schemas.draft.method(s.method, receiver); !draft {
			c.unknownACP(s, receiver, other)
			return
		}
		s.report(Info, ClassMethod, "/method", fmt.Sprintf("%s is known only to the unstable schema", s.method))
	}
	form, wrong := m.Request, m.Notification
	word := "request"
	if s.frame.Kind == wire.Notification {
		form, wrong, word = wrong, form, "notification"
	}
	if form == nil {
		if s.fromAdapter {
			s.add(ClassMethod, "/method", fmt.Sprintf("%s is no %s", s.method, word))
		}
		form = wrong
	}
	surface := c.schemas.acp
	if !stable {
		surface = c.schemas.draft
	}
	if s.absent(s.frame.Params, surface.required[form.Params]) {
		return
	}
	c.valueACP(s, form.Params, "/params", s.frame.Params)
}

// unknownACP judges a method that neither schema gives to the receiver (ACP-EXT-03).
func (c *Checker) unknownACP(s *subject, receiver, other string) {
	if !s.fromAdapter || strings.HasPrefix(s.method, "_") || strings.HasPrefix(s.method, "$/") {
		return
	}
	text := fmt.Sprintf("%q is no method of a %s; methods of one's own begin with an underscore", s.method, receiver)
	if _, there := c.schemas.acp.method(s.method, other); there {
		text = fmt.Sprintf("%s is a method of an %s, not of a %s", s.method, other, receiver)
	}
	s.add(ClassMethod, "/method", text)
}

// answerACP checks a response by the method that it answers.
func (c *Checker) answerACP(s *subject) {
	if s.frame.Error != nil {
		c.valueACP(s, "Error", "/error", s.frame.Error)
		return
	}
	asked := "agent"
	if !s.fromAdapter {
		asked = "client"
	}
	surface := c.schemas.acp
	m, ok := surface.method(s.method, asked)
	if !ok {
		surface = c.schemas.draft
		if m, ok = surface.method(s.method, asked); !ok {
			return
		}
	}
	if m.Request == nil {
		return
	}
	// Pages of the protocol show null where a result has nothing to say (acp-requirements.md §0, 3).
	if string(s.frame.Result) == "null" && len(surface.required[m.Request.Result]) == 0 {
		return
	}
	c.valueACP(s, m.Request.Result, "/result", s.frame.Result)
}

// valueACP checks a value against the stable schema, then against the unstable one: what only the stable one minds is
// news, not an error. Below a variant that only the unstable schema knows, that schema rules.
func (c *Checker) valueACP(s *subject, def, at string, raw []byte) {
	if _, stable := c.schemas.acp.defs[def]; !stable {
		c.draftValue(s, def, at, raw)
		return
	}
	minds, err := c.schemas.acp.findings(def, raw, s.fromAdapter)
	if err != nil {
		s.fail(at, err)
		return
	}
	if len(minds) == 0 {
		return
	}
	errors, err := c.schemas.draft.findings(def, raw, s.fromAdapter)
	if err != nil {
		s.fail(at, err)
		return
	}
	inDraft, inStable := places(errors), places(minds)
	for _, f := range minds {
		if inDraft[f.place()] {
			s.found(Error, at, f)
		} else {
			f.text += " (the unstable schema takes it)"
			s.found(Info, at, f)
		}
	}
	for _, f := range errors {
		if !inStable[f.place()] {
			s.found(Error, at, f)
		}
	}
}

// place is a finding without its words, which differ between the schemas: they list different values.
func (f finding) place() finding {
	return finding{pointer: f.pointer, class: f.class, member: f.member}
}

func places(all []finding) map[finding]bool {
	out := make(map[finding]bool, len(all))
	for _, f := range all {
		out[f.place()] = true
	}
	return out
}

// draftValue checks a value that only the unstable schema knows.
func (c *Checker) draftValue(s *subject, def, at string, raw []byte) {
	findings, err := c.schemas.draft.findings(def, raw, s.fromAdapter)
	if err != nil {
		s.fail(at, err)
	}
	for _, f := range findings {
		s.found(Error, at, f)
	}
}

// strangers reports members of the envelope that JSON-RPC does not know (ACP-EXT-02).
func (s *subject) strangers() {
	members, err := wire.Members(bytes.Trim(s.frame.Raw, " \t\r"))
	if err != nil {
		return
	}
	known := []string{"jsonrpc", "id", "method", "params"}
	if s.frame.Kind == wire.Response {
		known = []string{"jsonrpc", "id", "result", "error"}
	}
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			s.found(Error, "", finding{pointer: "/" + escapeToken(m.Name), class: ClassCustom,
				text: fmt.Sprintf("a %s has no member %q", s.frame.Kind, m.Name)})
		}
	}
}

// validACPID holds an id to the schema's RequestId: a string, a 64-bit integer or null.
func validACPID(id json.RawMessage) bool {
	if id[0] == '"' || id[0] == 'n' {
		return true
	}
	var n int64
	return json.Unmarshal(id, &n) == nil
}
