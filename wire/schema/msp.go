package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/wire"
)

// checkMSP checks a message on the lane of a Muse host. The adapter is the protocol's client.
func (c *Checker) checkMSP(s *subject) {
	f := s.frame
	switch f.Kind {
	case wire.Request:
		c.value(s, c.schemas.msp, "RequestId", "/id", f.ID)
		c.callMSP(s)
	case wire.Notification:
		if v := wire.Lookup(f.Raw, "emittedAtMs"); v != nil && !s.fromAdapter {
			c.integer(s, "/emittedAtMs", v)
		}
		c.callMSP(s)
	case wire.Response:
		c.answerMSP(s)
	}
}

func (c *Checker) integer(s *subject, at string, v json.RawMessage) {
	var n int64
	if json.Unmarshal(v, &n) != nil || string(v) == "null" {
		s.add(ClassValue, at, fmt.Sprintf("expected an integer; got %s", wire.Clip(v)))
	}
}

// callMSP checks the method of a request or notification, and its params.
func (c *Checker) callMSP(s *subject) {
	receiver := "client"
	if s.fromAdapter {
		receiver = "host"
	}
	m, known := c.schemas.msp.method(s.method, receiver)
	form, word := m.Request, "request"
	if s.frame.Kind == wire.Notification {
		form, word = m.Notification, "notification"
	}
	if !known || form == nil {
		c.unknownMSP(s, receiver, word)
		return
	}
	if s.method == "initialize" && s.fromAdapter {
		c.wants[s.Lane] = string(wire.Lookup(s.frame.Params, "capabilities", "experimentalApi")) == "true"
	}
	if string(s.frame.Params) == "null" {
		s.add(ClassValue, "/params", "empty params are left out, never null")
		return
	}
	if s.absent(s.frame.Params, c.schemas.msp.required[form.Params]) || form.Params == "" {
		return
	}
	c.value(s, c.schemas.msp, form.Params, "/params", s.frame.Params)
}

// unknownMSP judges a method that the schema does not give to the receiver. The schema has the stable methods alone,
// so a client that asked for experimental ones may know more.
func (c *Checker) unknownMSP(s *subject, receiver, word string) {
	if !s.fromAdapter {
		return
	}
	text := fmt.Sprintf("%q is no %s that a %s takes", s.method, word, receiver)
	if c.wants[s.Lane] {
		s.report(Info, ClassMethod, "/method", text+"; the adapter asked for experimental methods")
		return
	}
	s.add(ClassMethod, "/method", text)
}

// answerMSP checks a response by the method that it answers.
func (c *Checker) answerMSP(s *subject) {
	if s.frame.Error != nil {
		c.value(s, c.schemas.msp, "ErrorObject", "/error", s.frame.Error)
		if !s.fromAdapter {
			c.errorKind(s)
		}
		return
	}
	if len(s.frame.Result) > 0 && s.frame.Result[0] != '{' {
		s.add(ClassValue, "/result", fmt.Sprintf("expected an object; got %s", wire.Clip(s.frame.Result)))
		return
	}
	asked := "client"
	if !s.fromAdapter {
		asked = "host"
	}
	m, known := c.schemas.msp.method(s.method, asked)
	if !known || m.Request == nil || m.Request.Result == "" {
		return
	}
	c.value(s, c.schemas.msp, m.Request.Result, "/result", s.frame.Result)
	if s.method == "view/page" {
		c.pageMSP(s)
	}
}

// errorKind holds an error of the host to the error table: data.kind is always there, and it is one that the code
// allows (msp.md §2, §8).
func (c *Checker) errorKind(s *subject) {
	data := wire.Lookup(s.frame.Error, "data")
	kind := wire.LookupString(data, "kind")
	if data == nil {
		s.add(ClassError, "/error", `a host's error says its kind in "data"`)
		return
	}
	code := string(wire.Lookup(s.frame.Error, "code"))
	for _, row := range c.schemas.msp.errors {
		if code == fmt.Sprint(row.Code) && kind != "" && kind != row.Kind && !slices.Contains(row.Overrides, kind) {
			all := append([]string{row.Kind}, row.Overrides...)
			s.add(ClassError, "/error/data/kind", fmt.Sprintf("the code %s goes with %s; got %s", code, strings.Join(all, ", "), wire.Clip([]byte(kind))))
		}
	}
}

// pageMSP checks the events of a page as the notifications that they were (msp.md §5.3).
func (c *Checker) pageMSP(s *subject) {
	var page struct {
		Events []struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		} `json:"events"`
	}
	if json.Unmarshal(s.frame.Result, &page) != nil {
		return
	}
	for i, e := range page.Events {
		m, known := c.schemas.msp.method(e.Method, "client")
		if known && m.Notification != nil && m.Notification.Params != "" && e.Params != nil {
			c.value(s, c.schemas.msp, m.Notification.Params, fmt.Sprintf("/result/events/%d/params", i), e.Params)
		}
	}
}
