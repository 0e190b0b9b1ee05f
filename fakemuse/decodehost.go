package fakemuse

import (
	"encoding/json"
	"strings"
	"time"
)

// hostMembers reads what a script says about the host and its store.
func (d *decoder) hostMembers(m map[string]node, script *Script) {
	read(d, m, "host", &script.Host, strict[HostFacts])
	read(d, m, "models", &script.Models, d.catalogue)
	read(d, m, "clock", &script.Clock, node.instant)
	read(d, m, "ids", &script.IDs, strict[uint64])
	read(d, m, "branch", &script.Branch, strict[*Branch])
	read(d, m, "skills", &script.Skills, strict[[]Skill])
	read(d, m, "hooks", &script.Hooks, strict[[]Hook])
	read(d, m, "plugins", &script.Plugins, strict[[]Plugin])
	read(d, m, "quota", &script.Quota, strict[*Quota])
	read(d, m, "brokenServers", &script.BrokenServers, node.texts)
	if sessions, there := m["sessions"]; there && d.err == nil {
		seen := map[string]bool{}
		for _, e := range d.list(sessions) {
			s := d.stored(e)
			if seen[s.SessionID] && d.err == nil {
				d.fail(e.errorf("%s: the sessionId %q is there twice", e.name, s.SessionID))
			}
			seen[s.SessionID] = true
			script.Sessions = append(script.Sessions, s)
		}
	}
	if shells, there := m["shells"]; there && d.err == nil {
		for _, e := range d.list(shells) {
			script.Shells = append(script.Shells, d.shell(e))
		}
	}
	if on, there := m["on"]; there && d.err == nil {
		for _, e := range d.list(on) {
			script.On = append(script.On, d.trigger(e))
		}
	}
}

func (d *decoder) catalogue(n node) (*Catalogue, error) {
	c, err := strict[*Catalogue](n)
	if err == nil && (c == nil || c.Models == nil) {
		return nil, n.errorf("%s needs a member %q", n.name, "models")
	}
	return c, err
}

func (n node) instant() (time.Time, error) {
	text, err := n.text()
	if err != nil {
		return time.Time{}, err
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Year() < 1 {
		return time.Time{}, n.errorf("%s is no instant like 2026-10-05T10:00:00Z", n.name)
	}
	return t.UTC(), nil
}

func (d *decoder) shell(n node) Shell {
	shell := Shell{Line: n.line()}
	m := d.object(n, "command", "approval", "output", "fails", "deltas", "ends", "hang", "stored")
	need(d, n, m, "command", &shell.Command, node.text)
	shell.Tool.Name = "shell"
	read(d, m, "approval", &shell.Tool.Approval, d.approval)
	d.toolEnd(n, m, &shell.Tool)
	return shell
}

func (d *decoder) trigger(n node) Trigger {
	t := Trigger{Line: n.line()}
	m := d.object(n, "method", "call", "exit", "silence", "fails", "wait", "event")
	need(d, n, m, "method", &t.Method, node.text)
	read(d, m, "call", &t.Call, func(n node) (int, error) { return n.whole(1, 1<<31-1) })
	read(d, m, "exit", &t.Exit, node.exitCode)
	read(d, m, "silence", &t.Silence, node.onlyTrue)
	read(d, m, "fails", &t.Fails, d.answerFailure)
	read(d, m, "wait", &t.Wait, node.text)
	read(d, m, "event", &t.Event, d.event)
	acts := len(m) - 1
	if _, there := m["call"]; there {
		acts--
	}
	if acts != 1 && d.err == nil {
		d.fail(n.errorf("%s must have exactly one of the members [exit silence fails wait event]", n.name))
	}
	return t
}

// answerFailure reads an error that a request is answered with.
func (d *decoder) answerFailure(n node) (*AnswerFailure, error) {
	f, err := strict[*AnswerFailure](n)
	if err == nil && (f == nil || f.Code >= 0 || f.Kind == "" || f.Message == "") {
		return nil, n.errorf("%s needs a code below 0, a kind and a message", n.name)
	}
	if err == nil && len(f.Data) > 0 && f.Data[0] != '{' {
		return nil, n.errorf("%s: its data must be an object", n.name)
	}
	return f, err
}

func (d *decoder) stored(n node) Stored {
	s := Stored{Line: n.line()}
	m := d.object(n, "sessionId", "workspaceRoot", "providerId", "modelId", "approvalMode", "name", "reasoningEffort", "turnCount",
		"createdAt", "updatedAt", "cursor", "earliest", "head", "loaded", "items", "events", "tokenUsage", "goal", "todos",
		"lastTurn", "forkedFrom", "more", "turn")
	need(d, n, m, "sessionId", &s.SessionID, node.sessionID)
	s.Workspace = new(string)
	read(d, m, "workspaceRoot", &s.Workspace, strict[*string])
	read(d, m, "providerId", &s.Provider, node.anyTextPointer)
	read(d, m, "modelId", &s.Model, node.anyTextPointer)
	read(d, m, "approvalMode", &s.Mode, func(n node) (string, error) { return n.closed(approvalModes()) })
	read(d, m, "name", &s.Name, node.text)
	read(d, m, "reasoningEffort", &s.Effort, func(n node) (string, error) { return n.closed(reasoningEfforts()) })
	read(d, m, "createdAt", &s.CreatedAt, node.instant)
	read(d, m, "updatedAt", &s.UpdatedAt, node.instant)
	read(d, m, "turnCount", &s.TurnCount, node.count)
	read(d, m, "cursor", &s.Cursor, node.count)
	read(d, m, "earliest", &s.Earliest, node.count)
	read(d, m, "head", &s.Head, node.count)
	read(d, m, "loaded", &s.Loaded, node.flag)
	if items, there := m["items"]; there {
		for _, e := range d.list(items) {
			s.Items = append(s.Items, take(d, d.show, e))
		}
	}
	if events, there := m["events"]; there && d.err == nil {
		s.Events = d.storedEvents(events)
		if last := len(s.Events) - 1; last >= 0 && s.Cursor == 0 {
			s.Cursor = s.Events[last].Cursor
		}
	}
	read(d, m, "tokenUsage", &s.Total, strict[cumulativeUsage])
	read(d, m, "goal", &s.Goal, strict[*Goal])
	read(d, m, "todos", &s.Todos, strict[[]Todo])
	read(d, m, "lastTurn", &s.LastTurn, node.objectText)
	read(d, m, "forkedFrom", &s.Forked, node.objectText)
	read(d, m, "more", &s.More, node.objectText)
	read(d, m, "turn", &s.Turn, d.storedTurn)
	return s
}

func (d *decoder) storedEvents(n node) []StoredEvent {
	var events []StoredEvent
	for _, e := range d.list(n) {
		event := take(d, strict[StoredEvent], e)
		last := 0
		if len(events) > 0 {
			last = events[len(events)-1].Cursor
		}
		switch {
		case d.err != nil:
			return nil
		case event.Method == "" || len(event.Params) == 0 || event.Params[0] != '{':
			d.fail(e.errorf("%s needs a method, and params that are an object", e.name))
		case event.Cursor <= last:
			d.fail(e.errorf("%s: its cursor must be greater than %d", e.name, last))
		}
		events = append(events, event)
	}
	return events
}

func (d *decoder) storedTurn(n node) (*StoredTurn, error) {
	t := &StoredTurn{}
	m := d.object(n, "turnId", "commandId", "text", "open", "steps", "totals", "timings", "cancelReason", "orphan")
	read(d, m, "orphan", &t.Orphan, node.flag)
	need(d, n, m, "turnId", &t.TurnID, node.text)
	read(d, m, "commandId", &t.CommandID, node.text)
	read(d, m, "text", &t.Text, node.anyText)
	read(d, m, "open", &t.Open, strict[*StoredOpen])
	d.turnEnd(m, &t.Plan)
	if steps, there := m["steps"]; there {
		t.Plan.Steps = d.steps(steps)
	}
	if t.CommandID == "" {
		t.CommandID = t.TurnID
	}
	if t.Open != nil && d.err == nil {
		if t.Open.ItemID == "" || len(t.Plan.Steps) == 0 {
			return nil, n.errorf("%s: what is open needs an itemId, and a first step that it belongs to", n.name)
		}
		if first := t.Plan.Steps[0]; first.Tool == nil && first.Ask == nil && len(first.Say) == 0 && len(first.Think) == 0 {
			return nil, n.errorf("%s: only a tool, a question or a text can be open", n.name)
		}
	}
	return t, d.err
}

func (n node) count() (int, error) { return n.whole(0, 1<<31-1) }

// sessionID reads an id that can also be the name of a folder.
func (n node) sessionID() (string, error) {
	id, err := n.text()
	if err == nil && (strings.ContainsAny(id, "/\\:") || strings.HasPrefix(id, ".")) {
		return "", n.errorf("%s cannot be the name of a folder", n.name)
	}
	return id, err
}

func (n node) objectText() (json.RawMessage, error) {
	if n.raw[0] != '{' {
		return nil, n.want("an object")
	}
	return n.raw, nil
}
