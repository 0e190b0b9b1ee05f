package otheradapter

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// wordsBound is how many characters Muse takes of an answer in words.
const wordsBound = 500

// inquiry is what Muse wants to know of its user, until it knows or gives up.
type inquiry struct {
	topics []topic
	open   string // id of the open request to the client
}

// topic is one of its questions.
type topic struct {
	id, text, head string
	labels         []string // empty: it is answered in words
	least, most    int      // labels to be taken, where several may be; most is 0 where exactly one is
}

func topicOf(o object) topic {
	tp := topic{id: o.text("id"), text: o.text("question"), head: o.text("header")}
	for _, raw := range o.list("options") {
		tp.labels = append(tp.labels, asObject(raw).text("label"))
	}
	if how := o.object("selection"); how.text("mode") == "multiple" {
		tp.least, tp.most = 1, len(tp.labels)
		if n, given := how.integer("minSelections"); given {
			tp.least = n
		}
		if n, given := how.integer("maxSelections"); given {
			tp.most = n
		}
	}
	return tp
}

// shownChoice is a value of a field, and how it is shown.
type shownChoice struct {
	Title string `json:"title"`
	Const string `json:"const"`
}

// shape is the schema of the topic's field.
func (tp topic) shape() map[string]any {
	shape := map[string]any{"description": tp.text, "type": "string"}
	if tp.head != "" {
		shape["title"] = tp.head
	}
	var all []shownChoice
	for _, l := range tp.labels {
		all = append(all, shownChoice{l, l})
	}
	switch {
	case len(all) == 0:
		shape["maxLength"] = wordsBound
	case tp.most > 0:
		shape["type"], shape["items"] = "array", map[string]any{"anyOf": all}
		shape["maxItems"], shape["minItems"] = tp.most, tp.least
	default:
		shape["oneOf"] = all
	}
	return shape
}

// answer makes Muse's form of what stands in the field; nil when it does not fit.
func (tp topic) answer(raw json.RawMessage) map[string]any {
	var word *string
	var words []string
	switch {
	case tp.most > 0:
		if json.Unmarshal(raw, &words) != nil || len(words) < tp.least || len(words) > tp.most {
			return nil
		}
		for i, w := range words {
			if !slices.Contains(tp.labels, w) || slices.Contains(words[:i], w) {
				return nil
			}
		}
		return map[string]any{"selectedLabels": words, "questionId": tp.id}
	case json.Unmarshal(raw, &word) != nil || word == nil:
		return nil
	case len(tp.labels) == 0 && *word != "" && utf8.RuneCountInString(*word) <= wordsBound:
		return map[string]any{"freeText": *word, "questionId": tp.id}
	case slices.Contains(tp.labels, *word):
		return map[string]any{"selectedLabel": *word, "questionId": tp.id}
	}
	return nil
}

// fieldName names the fields of a form by their place, whatever Muse calls its questions.
func fieldName(i int) string { return "answer_" + strconv.Itoa(i+1) }

// inquire shows what Muse wants to know as a form. A host that was told that nobody can be asked does not ask.
func (t *talk) inquire(tn *turn, o object) {
	id := o.text("userInputId")
	if tn.inquiries[id] != nil || tn.cancelled || tn.problem != nil || t.leaving {
		return
	}
	q := &inquiry{}
	tn.inquiries[id] = q
	fields, title := map[string]any{}, ""
	var names []string
	for i, raw := range o.list("questions") {
		tp := topicOf(asObject(raw))
		q.topics, names = append(q.topics, tp), append(names, fieldName(i))
		fields[fieldName(i)] = tp.shape()
		if title += tp.text; i+1 < len(o.list("questions")) {
			title += " "
		}
	}
	if !t.front.keeper.dialogs.Load() || len(names) == 0 {
		t.decline(id, "nobody can be asked here")
		return
	}
	q.open = t.front.ask(t, "elicitation/create", map[string]any{"sessionId": t.id, "message": title, "mode": "form",
		"requestedSchema": map[string]any{"required": names, "properties": fields, "type": "object"}}, func(m message) {
		if t.turn == tn && tn.inquiries[id] == q && q.open != "" && !t.leaving {
			q.open = ""
			if m.failed != nil {
				m.result = nil
			}
			t.inform(id, q, asObject(m.result))
		}
	})
}

// inform tells Muse what came of a form. Only an answer that fits in every field is one.
func (t *talk) inform(id string, q *inquiry, result object) {
	content := result.object("content")
	var answers []any
	for i, tp := range q.topics {
		if a := tp.answer(content[fieldName(i)]); a != nil {
			answers = append(answers, a)
		}
	}
	switch {
	case result.text("action") != "accept":
		t.decline(id, "the user does not answer")
	case len(answers) != len(q.topics):
		t.decline(id, "what came back does not fit the form")
	default:
		t.on.call("userInput/answer", map[string]any{"answers": answers, "userInputId": id, "sessionId": t.muse, "commandId": commandID()},
			func(object, *refusal) {})
	}
}

// decline tells Muse that it gets no answer.
func (t *talk) decline(id, why string) {
	t.on.call("userInput/cancel", map[string]any{"reason": why, "userInputId": id, "sessionId": t.muse, "commandId": commandID()},
		func(object, *refusal) {})
}

// informed hears that Muse has what it wanted, or wants it no more.
func (t *talk) informed(tn *turn, id string) {
	if q := tn.inquiries[id]; q != nil {
		t.front.forget(q.open)
		q.open = ""
	}
}
