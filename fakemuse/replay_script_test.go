package fakemuse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// scripter makes a script from a recording. It takes what a host cannot know: who it is, what the model says and does,
// what is asked with which choices, what is stored, and which of the named ways of hosts this one has.
type scripter struct {
	lines    []recorded
	method   map[int]string   // of the request that a line is, or answers
	answer   map[int]int      // request line -> line of its answer
	request  map[int]int      // answer line -> line of its request
	sent     []int            // line -> the line behind which it is sent
	script   map[string]any   // the script
	variants map[string]bool  // the host's ways
	started  map[string]bool  // sessions that the recording starts
	stored   map[string]tree  // sessions that it does not start
	gates    map[int][]string // host line -> events that happen before it
	known    []string         // the notifications of MSP
}

type object = map[string]any

// scriptOf derives a script, and the events that the driver lets happen.
func scriptOf(t *testing.T, r recording) *scripter {
	t.Helper()
	loaded, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	s := &scripter{
		lines: r.lines, method: map[int]string{}, answer: map[int]int{}, request: map[int]int{}, script: object{},
		variants: map[string]bool{}, started: map[string]bool{}, stored: map[string]tree{}, gates: map[int][]string{},
		known: loaded.MSPNotifications(),
	}
	s.matchAnswers()
	s.order()
	s.hostFacts()
	s.sessions()
	s.ways()
	s.turns()
	s.shells()
	s.storedSessions()
	s.extras()
	var names []string
	for _, name := range VariantNames() {
		if s.variants[name] {
			names = append(names, name)
		}
	}
	if names != nil {
		s.script["variants"] = names
	}
	return s
}

func (s *scripter) text() []byte {
	text, err := json.MarshalIndent(s.script, "", " ")
	if err != nil {
		panic(err)
	}
	return text
}

// matchAnswers pairs the client's requests with the host's answers.
func (s *scripter) matchAnswers() {
	open := map[string]int{}
	for i, l := range s.lines {
		switch {
		case l.client && l.frame.method() != "" && l.frame.has("id"):
			open[l.frame.id()] = i
			s.method[i] = l.frame.method()
		case !l.client && l.frame.isResponse():
			if q, there := open[l.frame.id()]; there {
				delete(open, l.frame.id())
				s.answer[q], s.request[i], s.method[i] = i, q, s.method[q]
			}
		}
	}
}

// order says behind which line each client line is sent: where it stands, or, when a running turn went on before the
// answer came, behind the last event of that turn before the answer.
func (s *scripter) order() {
	s.sent = make([]int, len(s.lines))
	latest := -1
	for i := range s.lines {
		s.sent[i] = i
		answer, answered := s.answer[i]
		if answered && !s.stops(i) {
			running := s.runningAt(i)
			for j := i + 1; j < answer && running != ""; j++ {
				l := s.lines[j]
				if !l.client && s.turnOf(l.frame) == running && !s.answersBetween(i, j) {
					s.sent[i] = j
				}
			}
		}
		if s.lines[i].client {
			latest = max(latest, s.sent[i])
			s.sent[i] = latest
		}
	}
}

func (s *scripter) answersBetween(i, j int) bool {
	for k := i + 1; k < j; k++ {
		if q, is := s.request[k]; is && q > i {
			return true
		}
	}
	return false
}

// stops says whether a request acts on the running turn itself: what comes after it follows from it.
func (s *scripter) stops(i int) bool {
	m := s.method[i]
	return slices.Contains([]string{"approval/decide", "turn/cancel", "turn/interrupt", "turn/steer"}, m) || strings.HasPrefix(m, "userInput/") ||
		m == "turn/start" && s.lines[s.answer[i]].frame.text("result", "disposition") != "queued"
}

// runningAt gives the turn that runs at a line.
func (s *scripter) runningAt(line int) string {
	running := ""
	for _, l := range s.lines[:line] {
		if l.client {
			continue
		}
		switch l.frame.method() {
		case "turn/started":
			running = l.frame.text("params", "turnId")
		case "turn/completed":
			running = ""
		case "":
			if id := l.frame.text("result", "session", "activeTurnId"); id != "" {
				running = id
			}
		}
	}
	return running
}

// turnOf gives the turn that a frame of the host is about.
func turnOf(f tree) string {
	for _, path := range [][]string{{"params", "turnId"}, {"params", "item", "turnId"}} {
		if id := f.text(path...); id != "" {
			return id
		}
	}
	return ""
}

// turnOf gives the turn that a frame of the host is about, also for a piece of an item.
func (s *scripter) turnOf(f tree) string {
	if f.method() != "item/delta" {
		return turnOf(f)
	}
	for _, l := range s.lines {
		if !l.client && l.frame.text("params", "item", "itemId") == f.text("params", "itemId") {
			return turnOf(l.frame)
		}
	}
	return ""
}

// hostFacts says who the host is.
func (s *scripter) hostFacts() {
	host := object{}
	for i, l := range s.lines {
		if l.client || s.method[i] != "initialize" || !l.frame.has("result") {
			continue
		}
		r := l.frame.object("result")
		s.script["version"] = r.text("serverInfo", "version")
		host["name"], host["userAgent"], host["home"] = r.text("serverInfo", "name"), r.text("userAgent"), r.text("museHome")
		host["fingerprint"] = r.text("schema", "fingerprint")
		host["platformFamily"], host["platformOs"] = r.text("platformFamily"), r.text("platformOs")
		host["grants"] = r.list("grantedCapabilities")
	}
	for i, l := range s.lines {
		if l.client {
			continue
		}
		switch {
		case l.frame.method() == "session/contextUsage" && host["contextWindow"] == nil:
			host["contextWindow"] = l.frame.number("params", "windowTokens")
		case l.frame.method() == "session/branchChanged" && s.script["branch"] == nil:
			s.script["branch"] = object{"branch": l.frame.text("params", "branch"), "vcs": l.frame.text("params", "vcs")}
		case s.method[i] == "session/start" && l.frame.has("result"):
			made, asked := l.frame.object("result", "session"), s.lines[s.request[i]].frame.object("params")
			if !asked.has("modelId") && host["modelId"] == nil {
				host["modelId"] = made.text("modelId")
			}
			if !asked.has("providerId") && host["providerId"] == nil {
				host["providerId"] = made.text("providerId")
			}
			if s.script["clock"] == nil {
				s.script["clock"] = made.text("createdAt")
			}
		case s.method[i] == "model/list" && l.frame.has("result") && s.script["models"] == nil:
			s.script["models"] = s.catalogueOf(l.frame.object("result"))
		}
	}
	s.script["host"] = host
	for method, member := range map[string]string{"skill/list": "skills", "hook/list": "hooks", "plugin/list": "plugins"} {
		for i, l := range s.lines {
			if !l.client && s.method[i] == method && l.frame.has("result", member) {
				s.script[member] = l.frame.at("result", member)
			}
		}
	}
	for i, l := range s.lines {
		if !l.client && s.method[i] == "usage/read" && l.frame.has("result", "usage") {
			s.script["quota"] = l.frame.at("result", "usage")
		}
	}
}

// catalogueOf is a catalogue without what the host knows: which model is active.
func (s *scripter) catalogueOf(result tree) object {
	models := []any{}
	for _, m := range result.list("models") {
		row := object{}
		for name, v := range m.(map[string]any) {
			if name != "isActive" {
				row[name] = v
			}
		}
		models = append(models, row)
	}
	return object{"providerId": result.at("providerId"), "profileId": result.at("profileId"), "source": result.at("source"), "models": models}
}

// sessions tells the sessions that the recording starts from those that are stored.
func (s *scripter) sessions() {
	for i, l := range s.lines {
		if !l.client && (s.method[i] == "session/start" || s.method[i] == "session/fork" || s.method[i] == "session/sideChat") {
			s.started[l.frame.text("result", "session", "sessionId")] = true
		}
	}
	for i, l := range s.lines {
		id := l.frame.text("params", "sessionId")
		if !l.client || id == "" || s.started[id] || s.method[i] == "session/start" {
			continue
		}
		if s.lines[s.answer[i]].frame.text("error", "data", "kind") != "sessionNotFound" {
			s.stored[id] = tree{}
		}
	}
	for _, l := range s.lines {
		for _, row := range l.frame.list("result", "sessions") {
			if id := tree(row.(map[string]any)).text("sessionId"); !s.started[id] {
				s.stored[id] = tree{}
			}
		}
	}
}

// extras are notifications of which MSP knows nothing, or which are about things outside of the conversation. Inside of a
// turn they are steps of it; here are the others, which come behind the answer to some request.
func (s *scripter) extras() {
	var on []any
	calls := map[string]int{}
	last := ""
	for i, l := range s.lines {
		if l.client {
			if m := s.method[i]; m != "" {
				calls[m]++
				last = m
			}
			continue
		}
		if s.isExtra(l.frame.method()) && (s.runningAt(i) == "" || last == "") {
			on = append(on, object{"method": last, "call": calls[last], "event": eventOf(l.frame)})
		}
	}
	if on != nil {
		s.script["on"] = on
	}
}

// isExtra says whether a notification is one that only the script can know of.
func (s *scripter) isExtra(method string) bool {
	own := []string{
		"session/viewHealthChanged", "session/modelRouteUnserved", "turn/foregroundCompleted", "usage/changed", "skill/changed",
	}
	return method != "" && method != "approval/request" && method != "userInput/request" &&
		(!slices.Contains(s.known, method) || slices.Contains(own, method))
}

// eventOf is a notification without its envelope and without what the host adds.
func eventOf(f tree) object {
	params := object{}
	bare := !f.has("params", "viewCursor")
	for name, v := range f.object("params") {
		if bare || !slices.Contains([]string{"sessionId", "viewCursor", "sourceRange"}, name) {
			params[name] = v
		}
	}
	e := object{"method": f.method(), "params": params}
	if bare {
		e["bare"] = true
	}
	return e
}

func gateName(line int) string { return fmt.Sprintf("line %d was handled", line+1) }
