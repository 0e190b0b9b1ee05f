package fakemuse

import (
	"slices"
	"strings"
)

// turnScript is a turn while its script is made.
type turnScript struct {
	*scripter
	id, commandID string
	session       string
	started       bool
	begins, ends  int // lines; ends is len(lines) when the turn does not end
	steps         []any
	shown         []shownStep
	members       object
	open          object // the text or tool that is under way
	openID        string
	openStored    *object // what was under way before the recording began
}

// shownStep is a line at which a step, or a piece of one, first shows: where a gate can be put.
type shownStep struct {
	line int
	gate func(event string)
}

// turns makes the scripted turns.
func (s *scripter) turns() {
	var turns []any
	for i, l := range s.lines {
		f := l.frame
		if l.client || f.method() != "turn/started" && f.method() != "turn/completed" {
			continue
		}
		id := f.text("params", "turnId")
		if f.method() == "turn/completed" {
			if s.begins(id) < 0 && s.startRequest(id) >= 0 {
				turns = append(turns, object{"prompt": s.prompt(id), "launchFails": failureOf(f), "steps": []any{}})
			}
			continue
		}
		t := s.newTurn(id, i, true)
		t.commandID, t.session = f.text("params", "commandId"), f.text("params", "sessionId")
		t.make()
		turns = append(turns, t.members)
	}
	if turns == nil {
		turns = []any{}
	}
	s.script["turns"] = turns
}

func failureOf(f tree) object {
	e := f.object("params", "error")
	return object{"kind": e.text("kind"), "message": e.text("message"), "retryable": e["retryable"] == true}
}

func (s *scripter) begins(turnID string) int {
	return slices.IndexFunc(s.lines, func(l recorded) bool {
		return !l.client && l.frame.method() == "turn/started" && l.frame.text("params", "turnId") == turnID
	})
}

// startRequest gives the line of the client's turn/start with a command id.
func (s *scripter) startRequest(commandID string) int {
	return slices.IndexFunc(s.lines, func(l recorded) bool {
		return l.client && l.frame.method() == "turn/start" && l.frame.text("params", "commandId") == commandID
	})
}

// prompt is what the client said in a turn/start.
func (s *scripter) prompt(commandID string) string {
	var texts []string
	if i := s.startRequest(commandID); i >= 0 {
		for _, part := range s.lines[i].frame.list("params", "input") {
			if p := tree(part.(map[string]any)); p.text("type") == "text" {
				texts = append(texts, p.text("text"))
			}
		}
	}
	return strings.Join(texts, "\n")
}

func (s *scripter) newTurn(id string, begins int, started bool) *turnScript {
	t := &turnScript{scripter: s, id: id, begins: begins, ends: len(s.lines), started: started, steps: []any{}, members: object{}}
	for i := begins; i < len(s.lines); i++ {
		if l := s.lines[i]; !l.client && l.frame.method() == "turn/completed" && l.frame.text("params", "turnId") == id {
			t.ends = i
			break
		}
	}
	return t
}

// make reads the turn's frames.
func (t *turnScript) make() {
	if t.started {
		if t.startRequest(t.commandID) >= 0 {
			if text := t.prompt(t.commandID); text != "" {
				t.members["prompt"] = text
			}
		} else {
			t.members["goal"] = t.objective()
		}
	}
	for i := t.begins; i < len(t.lines) && i <= t.ends; i++ {
		if l := t.lines[i]; !l.client {
			t.frame(i, l.frame)
		}
	}
	t.close()
	t.gate()
	t.members["steps"] = t.steps
}

// objective is the goal for which a turn began.
func (t *turnScript) objective() string {
	text := ""
	for _, l := range t.lines[:t.begins] {
		if !l.client && l.frame.method() == "session/goalChanged" {
			text = l.frame.text("params", "goal", "objective")
		}
	}
	return text
}

// add puts a step behind the others.
func (t *turnScript) add(line int, step object) {
	at := len(t.steps)
	t.steps = append(t.steps, step)
	t.shown = append(t.shown, shownStep{line, func(event string) { t.gated(at, event) }})
}

// gated marks a step; the waits are put in when all are known.
func (t *turnScript) gated(at int, event string) {
	t.steps[at] = []any{object{"wait": event}, t.steps[at]}
}

// frame takes one frame of the host.
func (t *turnScript) frame(line int, f tree) {
	item := f.object("params", "item")
	ours := turnOf(f) == t.id
	switch m := f.method(); {
	case m == "session/tokenUsage" && ours:
		t.add(line, object{"usage": f.at("params", "usage")})
	case m == "turn/retryScheduled" && ours:
		t.add(line, object{"retry": object{
			"attempt": f.at("params", "attempt"), "maxAttempts": f.at("params", "maxAttempts"),
			"retryDelayMs": f.at("params", "retryDelayMs"), "reason": f.at("params", "reason"),
		}})
	case m == "session/todoListChanged" && f.text("params", "sessionId") == t.session:
		t.add(line, object{"todos": f.at("params", "items")})
	case m == "item/started" && ours:
		t.startItem(line, item)
	case m == "item/delta" && f.text("params", "itemId") != "":
		t.delta(line, f)
	case m == "item/updated" && ours && item.has("patchSummary") && t.openID == item.text("itemId"):
		patch := object{"text": ""}
		for name, v := range item.object("patchSummary") {
			patch[name] = v
		}
		t.openTool()["patch"] = patch
	case m == "item/completed" && ours:
		t.endItem(line, f, item)
	case (m == "approval/requested" || m == "approval/request") && ours && t.openID != "":
		if tool := t.openTool(); tool["approval"] == nil && t.open["ask"] == nil {
			tool["approval"] = approvalOf(f.object("params"))
		}
	case (m == "userInput/requested" || m == "userInput/request") && ours:
		t.ask(f.object("params"))
	case m == "turn/completed" && ours:
		t.end(line, f)
	case t.isExtra(m) && line > t.begins && f.text("params", "sessionId") == t.session:
		t.add(line, object{"event": eventOf(f)})
	}
}

// cancelled says whether the turn ends cancelled.
func (t *turnScript) cancelled() bool {
	return t.ends < len(t.lines) && t.lines[t.ends].frame.text("params", "terminal") == "cancelled"
}

// end takes turn/completed.
func (t *turnScript) end(line int, f tree) {
	p := f.object("params")
	timings := []any{}
	if p.has("durationMs") {
		timings = append(timings, "duration")
	}
	if p.has("timeToFirstTokenMs") {
		timings = append(timings, "firstToken")
	}
	t.members["timings"] = timings
	if p.has("usage") {
		t.members["totals"] = p.at("usage")
	}
	switch p.text("terminal") {
	case "failed":
		t.add(line, object{"fail": failureOf(f)})
	case "cancelled":
		if reason := p.text("reason"); reason != "" {
			t.members["cancelReason"] = reason
		}
	default:
		t.shown = append(t.shown, shownStep{line, func(event string) { t.steps = append(t.steps, object{"wait": event}) }})
	}
}

// close says how a turn goes on that the recording does not end, or that is cancelled.
func (t *turnScript) close() {
	if t.ends < len(t.lines) && !t.cancelled() {
		return
	}
	if t.open != nil {
		if text := t.openText(); text != nil {
			text["hang"] = true
			if chunks := text["chunks"].([]any); len(chunks) == 0 {
				text["chunks"] = []any{"…"}
			}
			return
		}
		if tool := t.openTool(); tool["approval"] == nil && t.open["ask"] == nil {
			tool["hang"] = true
		}
		return
	}
	if n := len(t.steps); n > 0 {
		last, _ := t.steps[n-1].(object)
		for _, name := range []string{"tool", "say", "think"} {
			if o, is := last[name].(object); is && o["hang"] == true {
				return
			}
		}
	}
	t.steps = append(t.steps, object{"hang": true})
}

// gate puts waits where the turn went on only after the host had answered the client.
func (t *turnScript) gate() {
	chosen := map[int][]int{} // index in shown -> requests
	for q, a := range t.answer {
		if q <= t.begins || t.sent[q] >= t.ends && t.ends < len(t.lines) || t.lines[a].frame.method() != "" {
			continue
		}
		for n, shown := range t.shown {
			if shown.line > t.sent[q] {
				chosen[n] = append(chosen[n], q)
				break
			}
		}
	}
	for n := len(t.shown) - 1; n >= 0; n-- {
		if requests := chosen[n]; requests != nil {
			event := gateName(slices.Max(requests))
			t.gates[t.shown[n].line] = append(t.gates[t.shown[n].line], event)
			t.shown[n].gate(event)
		}
	}
	var flat []any
	for _, step := range t.steps {
		if list, is := step.([]any); is {
			flat = append(flat, list...)
		} else {
			flat = append(flat, step)
		}
	}
	t.steps = flat
	if flat == nil {
		t.steps = []any{}
	}
}
