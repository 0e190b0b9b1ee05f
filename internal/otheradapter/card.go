package otheradapter

import (
	"encoding/json"
	"fmt"
	"slices"
)

// card is a tool call as the client sees it.
type card struct {
	id     string // ours
	call   string // Muse's call id, or the item's
	title  string
	kind   string
	input  json.RawMessage
	text   string
	status string // empty until it is announced
}

// toolUpdate announces a tool call or tells what became of it. Content is always all of it.
type toolUpdate struct {
	Content []toolContent   `json:"content,omitempty"`
	Input   json.RawMessage `json:"rawInput,omitempty"`
	Status  string          `json:"status,omitempty"`
	Kind    string          `json:"kind,omitempty"`
	Title   string          `json:"title,omitempty"`
	ID      string          `json:"toolCallId"`
	Variant string          `json:"sessionUpdate,omitempty"`
}

type toolContent struct {
	Content textBlock `json:"content"`
	Type    string    `json:"type"`
}

// card gives the card of a tool call, announced as pending when it is new. Ids of calls may come again in a later
// turn, so the number of the turn is a part of ours.
func (t *talk) card(tn *turn, call, tool, args string) *card {
	i := slices.IndexFunc(tn.cards, func(c *card) bool { return c.call == call })
	if i >= 0 {
		return tn.cards[i]
	}
	c := &card{id: fmt.Sprintf("turn%d.%s", tn.number, call), call: call, input: arguments(args), kind: kindOf(tool), title: tool}
	in := asObject(c.input)
	for _, name := range []string{"path", "command", "description"} {
		if s := in.text(name); s != "" {
			c.title = s
		}
	}
	tn.cards = append(tn.cards, c)
	t.show(c, "pending")
	return c
}

func kindOf(tool string) string {
	switch tool {
	case "bash":
		return "execute"
	case "write_file", "edit_file":
		return "edit"
	case "read_file":
		return "read"
	case "search", "web_search":
		return "search"
	case "web_fetch":
		return "fetch"
	}
	return "other"
}

// show moves a card on and tells the client. A status never goes back, and nothing follows its end.
func (t *talk) show(c *card, status string) {
	steps := []string{"", "pending", "in_progress", "completed", "failed"}
	was := slices.Index(steps, c.status)
	if was >= slices.Index(steps, "completed") || slices.Index(steps, status) <= was {
		return
	}
	u := toolUpdate{ID: c.id, Status: status, Variant: "tool_call_update"}
	if c.status == "" {
		u = toolUpdate{ID: c.id, Status: status, Variant: "tool_call", Input: c.input, Kind: c.kind, Title: c.title}
	}
	c.status = status
	u.Content = contentOf(c.text)
	t.update(u)
}

func contentOf(text string) []toolContent {
	if text == "" {
		return nil
	}
	return []toolContent{{Type: "content", Content: textBlock{Type: "text", Text: text}}}
}

// tool takes an item that is a tool call.
func (t *talk) tool(tn *turn, e *entry, item object) {
	call := item.text("callId")
	if call == "" {
		call = item.text("itemId")
	}
	e.card = t.card(tn, call, item.text("tool"), item.text("args"))
	status := item.text("status")
	if status == "inProgress" {
		t.tell(e, false)
		return
	}
	if out := item.text("visibleOutput"); out != "" {
		e.card.text = out
	}
	if why := item.text("failureReason"); why != "" {
		e.card.text += "\n(" + why + ")"
	}
	if status == "completed" {
		t.show(e.card, "completed")
	} else {
		t.show(e.card, "failed")
	}
}

// output shows what a tool has written so far. A tool that nobody asks about has begun with its first output.
func (t *talk) output(c *card, text string) {
	if text == c.text || c.status == "completed" || c.status == "failed" {
		return
	}
	c.text = text
	if c.status == "pending" {
		t.show(c, "in_progress")
		return
	}
	t.update(toolUpdate{ID: c.id, Variant: "tool_call_update", Content: contentOf(text)})
}
