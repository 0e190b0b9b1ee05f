package otheradapter

import (
	"encoding/json"
	"strconv"
)

// part is one part of what Muse is asked.
type part struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

// inputOf makes Muse's input of the blocks of a prompt, in their order.
func inputOf(blocks []json.RawMessage) ([]part, *refusal) {
	if len(blocks) == 0 {
		return nil, refuse(codeBadParams, "prompt must be an array with at least one block")
	}
	var parts []part
	for i, raw := range blocks {
		b := asObject(raw)
		text, ok := "", false
		switch b.text("type") {
		case "text":
			text, ok = b.textOr("text")
		case "resource_link":
			var uri string
			uri, ok = b.textOr("uri")
			text = "See " + b.text("name") + " at " + uri
		case "resource":
			r := b.object("resource")
			var body string
			body, ok = r.textOr("text")
			text = "Contents of " + r.text("uri") + ":\n" + body
		}
		if !ok {
			return nil, refuse(codeBadParams, "block "+strconv.Itoa(i)+" of the prompt is of no kind that can be sent")
		}
		parts = append(parts, part{Type: "text", Text: text})
	}
	return parts, nil
}
