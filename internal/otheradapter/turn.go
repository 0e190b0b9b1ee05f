package otheradapter

import (
	"encoding/json"
	"strings"
	"time"
)

// turn is one prompt, from its line to its answer.
type turn struct {
	number int
	parts  []part
	answer func(any, *refusal)

	opened    bool   // the session is loaded
	command   string // of turn/start; empty until it is sent
	id        string // Muse's id; empty until it is known
	cancelled bool
	problem   *refusal // why we stop it ourselves
	stopSent  bool
	bound     *time.Timer // runs while Muse has to stop it

	items map[string]*entry // by Muse's item id
	cards []*card           // in the order of their announcement
	asks  map[string]*ask   // by approval id
	over  map[string]bool   // approvals that are resolved
	hole  *hole             // what is being fetched; nil when nothing is missing

	inquiries map[string]*inquiry // by Muse's id of the question to its user
}

func newTurn(number int, parts []part, answer func(any, *refusal)) *turn {
	return &turn{number: number, parts: parts, answer: answer, items: map[string]*entry{}, asks: map[string]*ask{},
		over: map[string]bool{}, inquiries: map[string]*inquiry{}}
}

func (tn *turn) learn(id string) {
	if tn.id == "" {
		tn.id = id
	}
}

// owns reports whether Muse speaks of this turn.
func (tn *turn) owns(id string) bool {
	return tn != nil && tn.command != "" && id != "" && (id == tn.id || id == tn.command)
}

// heard takes one message of Muse about this session.
func (t *talk) heard(h *host, method string, o object) {
	tn := t.turn
	if tn == nil || t.on != h || tn.command == "" {
		return
	}
	if tn.hole != nil {
		tn.hole.behind = append(tn.hole.behind, waitingWord{method, o})
		return
	}
	if tn.problem != nil && strings.HasPrefix(method, "item/") {
		return // the turn was given up: what Muse still says of it would be behind a hole, or news of what was stopped
	}
	switch method {
	case "view/gap":
		t.missing(tn, o)
	case "turn/started":
		if o.text("commandId") == tn.command {
			tn.learn(o.text("turnId"))
			t.stop(tn)
		}
	case "turn/completed":
		if tn.owns(o.text("turnId")) {
			t.completed(tn, o)
		}
	case "item/started", "item/updated", "item/completed":
		if item := o.object("item"); tn.owns(item.text("turnId")) {
			t.snapshot(tn, item)
		}
	case "item/delta":
		t.piece(tn, o)
	case "approval/requested", "approval/request":
		switch {
		case unasked(o): // told again after a hole
			t.front.keeper.turnDown(h, o)
		case tn.owns(o.text("turnId")):
			t.approval(tn, o, method == "approval/request")
		}
	case "approval/updated":
		t.moved(tn, o)
	case "approval/resolved":
		t.resolved(tn, o)
	case "userInput/requested", "userInput/request":
		if tn.owns(o.text("turnId")) {
			t.inquire(tn, o)
		}
	case "userInput/settled":
		t.informed(tn, o.text("userInputId"))
	}
}

// completed maps Muse's end of a turn to the prompt's answer.
func (t *talk) completed(tn *turn, o object) {
	cause := o.object("error")
	text := "the turn failed on Muse: " + cause.text("message")
	switch {
	case o.text("terminal") == "completed":
		t.settle(tn, stopped("end_turn"), nil)
	case o.text("terminal") == "cancelled":
		t.settle(tn, stopped("cancelled"), nil)
	case cause.text("kind") == "stepLimit":
		t.settle(tn, stopped("max_turn_requests"), nil)
	case cause.text("kind") == "authRequired":
		t.settle(tn, nil, refuse(codeNoLogin, text))
	default:
		t.settle(tn, nil, failure(text, cause.text("kind")))
	}
}

// entry is one item of Muse in this turn.
type entry struct {
	kind     string // empty while only pieces came
	revision int
	fields   map[string]*flow
	order    []string // of the fields
	card     *card    // of a tool call
}

func (tn *turn) entry(id string) *entry {
	e := tn.items[id]
	if e == nil {
		e = &entry{revision: -1, fields: map[string]*flow{}}
		tn.items[id] = e
	}
	return e
}

func (e *entry) field(name string) *flow {
	f := e.fields[name]
	if f == nil {
		f = &flow{}
		e.fields[name] = f
		e.order = append(e.order, name)
	}
	return f
}

// piece takes a delta.
func (t *talk) piece(tn *turn, o object) {
	e := tn.entry(o.text("itemId"))
	name := o.text("field")
	if name == "" {
		name = "text"
	}
	e.field(name).add(units(o["delta"]))
	t.tell(e, false)
}

// snapshot takes an item as a whole.
func (t *talk) snapshot(tn *turn, item object) {
	e := tn.entry(item.text("itemId"))
	if revision, _ := item.integer("revision"); revision > e.revision {
		e.revision = revision
	} else {
		return
	}
	e.kind = item.text("kind")
	ended := item.text("status") != "inProgress"
	switch e.kind {
	case "agentMessage":
		if text, there := item["text"]; there {
			e.field("text").replace(units(text))
		}
	case "reasoning":
		for i, summary := range item.list("summary") {
			e.field(summaryField(i)).replace(units(summary))
		}
	case "toolCall":
		t.tool(tn, e, item)
		return
	}
	t.tell(e, ended)
}

func summaryField(i int) string { return "summary." + string(encoded(i)) }

// tell sends what is new of an item.
func (t *talk) tell(e *entry, last bool) {
	for _, name := range e.order {
		variant, lead := "", ""
		switch {
		case e.kind == "agentMessage" && name == "text":
			variant = "agent_message_chunk"
		case e.kind == "reasoning" && strings.HasPrefix(name, "summary."):
			variant = "agent_thought_chunk"
			if name != summaryField(0) && e.fields[name].given == 0 {
				lead = "\n"
			}
		case e.kind == "toolCall" && name == "output" && e.card != nil:
			t.output(e.card, e.fields[name].whole())
			continue
		default:
			continue
		}
		for _, word := range e.fields[name].fresh(last) {
			t.update(chunk{Content: textBlock{Text: lead + word, Type: "text"}, Variant: variant})
			lead = ""
		}
	}
}

// flush sends what waits for more, when no more can come.
func (t *talk) flush(tn *turn) {
	for _, e := range tn.items {
		t.tell(e, true)
	}
}

type textBlock struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

type chunk struct {
	Content textBlock `json:"content"`
	Variant string    `json:"sessionUpdate"`
}

// arguments reads the arguments of a tool: an object, or the text as it is.
func arguments(text string) json.RawMessage {
	if text == "" {
		return json.RawMessage("{}")
	}
	if asObject(json.RawMessage(text)) != nil {
		return json.RawMessage(text)
	}
	return encoded(map[string]string{"arguments": text})
}
