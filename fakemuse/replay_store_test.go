package fakemuse

import (
	"encoding/json"
	"slices"
	"strings"
)

// storedSessions makes the sessions that were there before the recording began.
func (s *scripter) storedSessions() {
	var sessions []any
	for _, id := range sortedNames(s.stored) {
		sessions = append(sessions, s.storedSession(id))
	}
	if sessions != nil {
		s.script["sessions"] = sessions
	}
}

// cursorOf is the number in a cursor of a session, -1 for others.
func cursorOf(session, cursor string) int {
	n, ours := strings.CutPrefix(cursor, "v:"+session+":")
	var at int
	if !ours || json.Unmarshal([]byte(n), &at) != nil {
		return -1
	}
	return at
}

func (s *scripter) storedSession(id string) object {
	out := object{"sessionId": id}
	resumed, head, after := -1, -1, -1
	for i, l := range s.lines {
		f := l.frame
		if l.client || !f.has("result") || s.lines[s.request[i]].frame.text("params", "sessionId") != id {
			continue
		}
		r := f.object("result")
		switch m := s.method[i]; m {
		case "session/resume", "session/read":
			s.storedFacts(out, r)
			if m == "session/resume" && resumed < 0 {
				resumed = i
			}
		case "view/subscribe":
			if head < 0 && resumed < 0 {
				head = cursorOf(id, r.text("viewCursor"))
				after = cursorOf(id, s.lines[s.request[i]].frame.text("params", "after"))
			}
		case "model/list":
			for _, m := range r.list("models") {
				if row := tree(m.(map[string]any)); row.at("isActive") == true && out["modelId"] == nil {
					out["modelId"], out["providerId"] = row.text("modelId"), row.text("providerId")
				}
			}
		}
	}
	for _, l := range s.lines {
		for _, row := range l.frame.list("result", "sessions") {
			if t := tree(row.(map[string]any)); t.text("sessionId") == id {
				s.sessionFacts(out, t)
			}
		}
	}
	if resumed < 0 && s.actedOn(id) {
		out["loaded"] = true
	}
	s.storedEvents(out, id, resumed, head, after)
	if resumed >= 0 {
		s.storedTurn(out, id, resumed)
	}
	if used := s.firstUsage(id); used != nil {
		out["tokenUsage"] = used
	}
	return out
}

// actedOn says whether the client did something with a session for which a host must have it loaded.
func (s *scripter) actedOn(id string) bool {
	for i, l := range s.lines {
		free := []string{"session/resume", "session/read", "session/list", "session/fork", "view/page", "item/readOutput"}
		if l.client && l.frame.text("params", "sessionId") == id && !slices.Contains(free, s.method[i]) &&
			s.lines[s.answer[i]].frame.text("error", "data", "kind") != "sessionNotLoaded" {
			return true
		}
	}
	return false
}

func (s *scripter) sessionFacts(out object, session tree) {
	for _, name := range []string{"workspaceRoot", "createdAt", "updatedAt", "turnCount", "forkedFrom", "name"} {
		if v, there := session[name]; there && out[name] == nil && (v != nil || name == "workspaceRoot") {
			out[name] = v
		}
	}
	for _, name := range []string{"providerId", "modelId"} {
		if v, there := session[name]; there && out[name] == nil {
			if v == nil {
				v = ""
			}
			out[name] = v
		}
	}
	more := object{}
	for name, v := range session {
		own := []string{
			"sessionId", "path", "status", "activeTurnId", "createdAt", "updatedAt", "workspaceRoot", "providerId", "modelId", "turnCount",
			"forkedFrom", "approvalMode", "name", "attention",
		}
		if !slices.Contains(own, name) {
			more[name] = v
		}
	}
	if len(more) > 0 && out["more"] == nil {
		out["more"] = more
	}
	if mode := session.text("approvalMode", "mode"); mode != "" && out["approvalMode"] == nil {
		out["approvalMode"] = mode
	}
}

// storedFacts takes what a resume or a read says of a session.
func (s *scripter) storedFacts(out object, r tree) {
	first := out["cursor"] == nil
	s.sessionFacts(out, r.object("session"))
	if first {
		out["cursor"] = max(0, cursorOf(r.text("session", "sessionId"), r.text("viewCursor")))
	}
	if out["items"] == nil {
		if items := r.list("history", "items"); items != nil {
			out["items"] = items
		}
	}
	if state := r.object("history", "snapshot", "state"); state != nil {
		out["items"] = state.list("items")
		if goal := state.at("goal"); goal != nil {
			out["goal"] = goal
		}
		if list := state.list("todoList", "items"); list != nil {
			out["todos"] = list
		}
		if state.has("tokenUsage") {
			out["tokenUsage"] = object{
				"promptTokens": state.at("tokenUsage", "promptTokens"), "outputTokens": state.at("tokenUsage", "outputTokens"),
				"totalTokens": state.at("tokenUsage", "totalTokens"),
			}
		}
	}
	if last := r.at("lastTurn"); last != nil && out["lastTurn"] == nil {
		out["lastTurn"] = last
	}
}

// storedEvents takes the events that were in the view: those that pages give, and those that came because somebody
// subscribed. What came because of a command of the client is not among them.
func (s *scripter) storedEvents(out object, id string, resumed, head, after int) {
	live := s.firstLive(id, resumed)
	events := map[int]object{}
	pushed := map[int]bool{}
	for i, l := range s.lines {
		f := l.frame
		if l.client {
			continue
		}
		for _, e := range f.list("result", "events") {
			event := tree(e.(map[string]any))
			if at := cursorOf(id, event.text("params", "viewCursor")); at >= 0 && at < live && s.lines[s.request[i]].frame.text("params", "sessionId") == id {
				events[at] = storedEvent(at, event)
			}
		}
		if at := cursorOf(id, f.text("params", "viewCursor")); at > after && at < live && f.method() != "" && !f.has("id") && f.has("params", "sourceRange") {
			events[at] = storedEvent(at, f)
			pushed[at] = true
		}
	}
	var list []any
	cursors := make([]int, 0, len(events))
	for at := range events {
		cursors = append(cursors, at)
	}
	slices.Sort(cursors)
	for _, at := range cursors {
		if head >= 0 && at > after && at <= head && len(pushed) > 0 && !pushed[at] {
			events[at]["dropped"] = true
		}
		list = append(list, events[at])
	}
	if list != nil {
		out["events"] = list
		if out["items"] != nil && len(out["items"].([]any)) == 0 {
			delete(out, "items")
		}
	}
	if head < 0 {
		return
	}
	at := max(after, head)
	if live != noLive {
		at = live - 1
	}
	out["cursor"] = at
	if head > at {
		out["head"] = head
	}
}

func storedEvent(at int, f tree) object {
	params := object{}
	for name, v := range f.object("params") {
		if name != "sessionId" && name != "viewCursor" && name != "sourceRange" {
			params[name] = v
		}
	}
	return object{"cursor": at, "method": f.method(), "params": params}
}

const noLive = 1 << 30

// firstLive is the cursor of the first event that was not in the view before: all behind the one at which the session
// was resumed, or the first that follows from a command.
func (s *scripter) firstLive(id string, resumed int) int {
	if resumed >= 0 {
		return cursorOf(id, s.lines[resumed].frame.text("result", "viewCursor")) + 1
	}
	commanded := false
	for i, l := range s.lines {
		if l.client && l.frame.text("params", "sessionId") == id && l.frame.has("params", "commandId") {
			commanded = true
		}
		if at := cursorOf(id, l.frame.text("params", "viewCursor")); !l.client && commanded && at >= 0 && s.method[i] == "" {
			return at
		}
	}
	return noLive
}

// firstUsage is what was used before the first report of the recording.
func (s *scripter) firstUsage(id string) object {
	for _, l := range s.lines {
		f := l.frame
		if l.client || f.method() != "session/tokenUsage" || f.text("params", "sessionId") != id {
			continue
		}
		in, out := f.number("params", "usage", "inputTokens"), f.number("params", "usage", "outputTokens")
		prompt, output := f.number("params", "cumulative", "promptTokens")-in, f.number("params", "cumulative", "outputTokens")-out
		return object{"promptTokens": prompt, "outputTokens": output, "totalTokens": prompt + output}
	}
	return nil
}

// storedTurn makes the turn that was under way when the session was resumed.
func (s *scripter) storedTurn(out object, id string, resumed int) {
	r := s.lines[resumed].frame.object("result")
	turnID, orphan := r.text("session", "activeTurnId"), false
	begins := resumed
	if turnID == "" {
		for i := s.request[resumed]; i < resumed; i++ {
			if f := s.lines[i].frame; f.method() == "turn/completed" && f.text("params", "sessionId") == id {
				turnID, orphan, begins = f.text("params", "turnId"), true, s.request[resumed]
			}
		}
	}
	if turnID == "" || s.begins(turnID) >= 0 {
		return
	}
	t := s.newTurn(turnID, begins, false)
	t.session = id
	open := t.pendingItem(out, r)
	t.make()
	turn := t.members
	turn["turnId"] = turnID
	if c := r.text("history", "snapshot", "state", "activeTurn", "commandId"); c != "" {
		turn["commandId"] = c
	}
	if orphan {
		turn["orphan"] = true
		turn["steps"] = turn["steps"].([]any)[:min(1, len(turn["steps"].([]any)))]
	}
	switch {
	case open != nil:
		turn["open"] = open
	case t.openStored != nil:
		turn["open"] = *t.openStored
	}
	out["turn"] = turn
}

// pendingItem opens the step on which the turn works: a tool call that is asked for, or a question.
func (t *turnScript) pendingItem(out object, r tree) object {
	item := tree{}
	items, _ := out["items"].([]any)
	events, _ := out["events"].([]any)
	for _, e := range events {
		if i, is := e.(object)["params"].(object)["item"]; is {
			items = append(items[:len(items):len(items)], i)
		}
	}
	for _, v := range items {
		i := tree(v.(map[string]any))
		if i.text("turnId") == t.id {
			if i.text("status") == "inProgress" {
				item = i
			} else if i.text("itemId") == item.text("itemId") {
				item = tree{}
			}
		}
	}
	var asked tree
	for _, l := range t.lines[t.begins:] {
		m := l.frame.method()
		if !l.client && (m == "approval/request" || m == "userInput/request") && turnOf(l.frame) == t.id {
			asked = l.frame.object("params")
			break
		}
	}
	if asked == nil && item.text("itemId") == "" {
		return nil
	}
	if asked != nil && item.text("itemId") != asked.text("itemId") {
		item = tree{"itemId": asked.text("itemId"), "kind": "toolCall", "tool": asked.text("toolName"), "callId": asked.text("toolCallId"), "args": asked.text("rawArgs")}
	}
	open := object{"itemId": item.text("itemId")}
	t.startItem(t.begins, item)
	t.shown = nil
	for _, name := range []string{"approvalId", "taskId", "userInputId"} {
		if id := asked.text(name); id != "" {
			open[name] = id
		}
	}
	if asked != nil {
		open["cursor"] = cursorOf(t.session, asked.text("viewCursor"))
	}
	return open
}
