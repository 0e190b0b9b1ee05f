package fakemuse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"acp-conform/wire"
)

// params reads the params of one request. Members that nobody asks for are ignored (msp.md §2); the first thing that
// is wrong is kept, in the words of a real host.
type params struct {
	method  string
	members map[string]json.RawMessage
	problem string
}

func readParams(method string, raw json.RawMessage) *params {
	p := &params{method: method, members: map[string]json.RawMessage{}}
	if raw == nil {
		return p
	}
	members, err := wire.Members(raw)
	if err != nil {
		p.fail("expected an object")
		return p
	}
	for _, m := range members {
		p.members[m.Name] = m.Value
	}
	return p
}

func (p *params) fail(format string, args ...any) {
	if p.problem == "" {
		p.problem = fmt.Sprintf(format, args...)
	}
}

// err is the error for what was wrong, or nil.
func (p *params) err() *rpcError {
	if p.problem == "" {
		return nil
	}
	return invalidParams(p.method, p.problem)
}

// raw gives a member, nil where it is absent or null.
func (p *params) raw(name string) json.RawMessage {
	if v := p.members[name]; v != nil && string(v) != "null" {
		return v
	}
	return nil
}

// need gives a member that must be there.
func (p *params) need(name string) json.RawMessage {
	v, there := p.members[name]
	if !there {
		p.fail("missing field `%s`", name)
	}
	return v
}

// text reads a required string.
func (p *params) text(name string) string {
	v := p.need(name)
	if v == nil {
		return ""
	}
	return p.string(name, v)
}

// optional reads a string that may be absent or null.
func (p *params) optional(name string) string {
	v := p.raw(name)
	if v == nil {
		return ""
	}
	return p.string(name, v)
}

func (p *params) string(name string, v json.RawMessage) string {
	var s string
	if v[0] != '"' || json.Unmarshal(v, &s) != nil {
		p.fail("invalid type for `%s`, expected a string", name)
	}
	return s
}

// flag reads a boolean that may be absent.
func (p *params) flag(name string, standard bool) bool {
	v := p.raw(name)
	if v == nil {
		return standard
	}
	var b bool
	if json.Unmarshal(v, &b) != nil {
		p.fail("invalid type for `%s`, expected a boolean", name)
	}
	return b
}

// choice reads a member of a closed enumeration that may be absent.
func (p *params) choice(name string, allowed []string) string {
	s := p.optional(name)
	if s != "" || p.raw(name) != nil {
		p.variant(s, allowed)
	}
	return s
}

func (p *params) variant(s string, allowed []string) {
	if !slices.Contains(allowed, s) {
		p.fail("unknown variant `%s`, expected one of `%s`", s, strings.Join(allowed, "`, `"))
	}
}

// texts reads a list of strings that may be absent.
func (p *params) texts(name string) []string {
	v := p.raw(name)
	if v == nil {
		return nil
	}
	var list []string
	if json.Unmarshal(v, &list) != nil {
		p.fail("invalid type for `%s`, expected a sequence of strings", name)
	}
	return list
}

// object reads a required object.
func (p *params) object(name string) *params {
	return p.sub(name, p.need(name))
}

// optionalObject reads an object that may be absent; nil if it is.
func (p *params) optionalObject(name string) *params {
	v := p.raw(name)
	if v == nil {
		return nil
	}
	return p.sub(name, v)
}

func (p *params) sub(name string, v json.RawMessage) *params {
	inner := &params{method: p.method, members: map[string]json.RawMessage{}}
	if v == nil {
		return inner
	}
	members, err := wire.Members(v)
	if err != nil {
		p.fail("invalid type for `%s`, expected an object", name)
	}
	for _, m := range members {
		inner.members[m.Name] = m.Value
	}
	return inner
}

// list reads a required list of objects.
func (p *params) list(name string) []*params {
	var values []json.RawMessage
	v := p.need(name)
	if v == nil {
		return nil
	}
	if json.Unmarshal(v, &values) != nil || values == nil {
		p.fail("invalid type for `%s`, expected a sequence", name)
	}
	var list []*params
	for _, value := range values {
		list = append(list, p.sub(name, value))
	}
	return list
}

// number reads a required integer.
func (p *params) number(name string) int {
	v := p.need(name)
	var n int
	if v != nil && json.Unmarshal(v, &n) != nil {
		p.fail("invalid type for `%s`, expected an integer", name)
	}
	return n
}

// optionalNumber reads an integer that may be absent or null.
func (p *params) optionalNumber(name string, standard int) int {
	if p.raw(name) == nil {
		return standard
	}
	return p.number(name)
}

// adopt takes over what was wrong with a part.
func (p *params) adopt(inner *params) {
	if inner != nil && inner.problem != "" {
		p.fail("%s", inner.problem)
	}
}

func approvalModes() []string {
	return []string{"allowAll", "promptUnmatched", "onRequest", "denyUnmatched"}
}

// efforts are the efforts that this version of the host takes: before 1.1 the highest were not known (msp.md §12).
func (s *Server) efforts() []string {
	all := reasoningEfforts()
	if strings.HasPrefix(s.options.Version, "1.0.") {
		return all[:6]
	}
	return all
}

func reasoningEfforts() []string {
	return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"}
}
