package fakemuse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

type listResult struct {
	Sessions   []sessionData   `json:"sessions"`
	NextCursor *string         `json:"nextCursor"`
	Applied    json.RawMessage `json:"appliedFilter,omitempty"`
}

// listLimit is the most rows of one page of session/list.
const listLimit = 200

// row is a session as session/list shows it: without its approval mode (msp.md §5.2).
func (s *session) row() sessionData {
	d := s.data()
	d.ApprovalMode = nil
	return d
}

// listCursor is the place of a session in the list.
func (s *session) listCursor() string { return fmt.Sprintf("p:k:%d:%s", s.updated.UnixMicro(), s.id) }

// sessionList lists the sessions that are stored, and those that this host has loaded; the newest first.
func (h *host) sessionList(c *call) reply {
	p := c.params
	limit := p.optionalNumber("limit", 50)
	cursor, workspace := p.optional("cursor"), p.optional("workspaceRoot")
	var since time.Time
	if text := p.optional("updatedAfter"); text != "" {
		var err error
		if since, err = time.Parse(time.RFC3339Nano, text); err != nil {
			p.fail("`updatedAfter` is no instant")
		}
	}
	filter := p.listFilter()
	if p.problem == "" && (limit < 1 || limit > listLimit) {
		p.fail("`limit` must be between 1 and %d", listLimit)
	}
	if err := p.err(); err != nil {
		return fails(err)
	}
	var sessions []*session
	for _, s := range h.server.stored {
		if (s.host == h || s.durable) && (workspace == "" || s.workspace == workspace) && s.updated.After(since) && filter(s) {
			sessions = append(sessions, s)
		}
	}
	slices.SortFunc(sessions, func(a, b *session) int {
		if d := b.updated.Compare(a.updated); d != 0 {
			return d
		}
		return strings.Compare(a.id, b.id)
	})
	if cursor != "" {
		at := slices.IndexFunc(sessions, func(s *session) bool { return s.listCursor() == cursor })
		if at < 0 {
			p.fail("`cursor` is not one of this list")
			return fails(p.err())
		}
		sessions = sessions[at+1:]
	}
	result := listResult{Sessions: []sessionData{}, Applied: p.raw("filter")}
	for n, s := range sessions {
		if n == limit {
			next := sessions[n-1].listCursor()
			result.NextCursor = &next
			break
		}
		result.Sessions = append(result.Sessions, s.row())
	}
	return reply{result: result}
}

// listFilter reads the filter of session/list: by id, by name, by branch. The fake's sessions have no branch of their
// own, so only the filter for none finds them.
func (p *params) listFilter() func(*session) bool {
	filter := p.optionalObject("filter")
	if filter == nil {
		return func(*session) bool { return true }
	}
	var tests []func(*session) bool
	if ids := filter.optionalObject("sessionId"); ids != nil {
		any := ids.texts("anyOf")
		filter.adopt(ids)
		tests = append(tests, func(s *session) bool { return slices.Contains(any, s.id) })
	}
	if text := filter.optionalObject("text"); text != nil {
		for _, field := range text.texts("fields") {
			text.variant(field, []string{"name", "title"})
		}
		any, all := text.texts("anyOf"), text.texts("allOf")
		filter.adopt(text)
		tests = append(tests, func(s *session) bool {
			holds := func(part string) bool { return strings.Contains(strings.ToLower(s.name), strings.ToLower(part)) }
			return (any == nil || slices.ContainsFunc(any, holds)) && !slices.ContainsFunc(all, func(part string) bool { return !holds(part) })
		})
	}
	if branch := filter.optionalObject("branch"); branch != nil {
		var names []*string
		if raw := branch.raw("anyOf"); raw != nil && json.Unmarshal(raw, &names) != nil {
			filter.fail("invalid type for `anyOf`, expected a sequence")
		}
		tests = append(tests, func(*session) bool { return slices.Contains(names, nil) })
	}
	p.adopt(filter)
	return func(s *session) bool {
		return !slices.ContainsFunc(tests, func(test func(*session) bool) bool { return !test(s) })
	}
}

type renameResult struct {
	CommandID string `json:"commandId"`
	Status    string `json:"status"`
	Name      string `json:"name,omitempty"`
}

type nameParams struct {
	view
	Name string `json:"name"`
}

// rename names a session.
func (h *host) rename(c *call) reply {
	name := strings.TrimSpace(c.params.text("name"))
	if c.params.problem == "" && name == "" {
		c.params.fail("`name` must not be empty")
	}
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	for _, other := range h.server.stored {
		if other != s && other.name == name && other.workspace == s.workspace {
			return fails(rejected(c.method, c.commandID, "name_taken"))
		}
	}
	s.name = name
	return reply{result: renameResult{c.commandID, "accepted", name}, after: func() {
		v := s.next(s.fresh())
		s.publish("session/nameChanged", v, nameParams{view: v, Name: name})
	}}
}

type effortParams struct {
	view
	Effort string `json:"reasoningEffort"`
	Source string `json:"source"`
}

// setEffort chooses how much the model thinks.
func (h *host) setEffort(c *call) reply {
	c.params.need("reasoningEffort")
	effort := c.params.choice("reasoningEffort", h.server.efforts())
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	s.effort = effort
	return reply{result: commandResult{CommandID: c.commandID, Status: "accepted"}, after: func() {
		v := s.next(s.fresh())
		s.publish("session/reasoningEffortChanged", v, effortParams{view: v, Effort: effort, Source: "user"})
	}}
}
