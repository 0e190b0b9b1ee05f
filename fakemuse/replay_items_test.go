package fakemuse

import (
	"slices"
	"strings"
)

// openTool is the tool of the open step.
func (t *turnScript) openTool() object {
	if tool, is := t.open["tool"].(object); is {
		return tool
	}
	return object{}
}

func (t *turnScript) startItem(line int, item tree) {
	t.openID = item.text("itemId")
	switch item.text("kind") {
	case "agentMessage", "reasoning":
		name := "say"
		if item.text("kind") == "reasoning" {
			name = "think"
		}
		t.open = object{name: object{"chunks": []any{}}}
	case "toolCall":
		t.open = object{"tool": toolOf(item)}
	default:
		t.openID = ""
		return
	}
	t.add(line, t.open)
}

func toolOf(item tree) object {
	return object{"name": item.text("tool"), "rawArgs": item.text("args"), "callId": item.text("callId"), "deltas": []any{}}
}

// openText is the text of the open step.
func (t *turnScript) openText() object {
	for _, name := range []string{"say", "think"} {
		if text, is := t.open[name].(object); is {
			return text
		}
	}
	return nil
}

func (t *turnScript) delta(line int, f tree) {
	if f.text("params", "itemId") != t.openID {
		if t.started || t.openID != "" {
			return
		}
		// A text that was under way before the recording began.
		t.openID = f.text("params", "itemId")
		t.open = object{"say": object{"chunks": []any{}}}
		t.openStored = &object{"itemId": t.openID}
		t.steps = append(t.steps, t.open)
	}
	chunk := f.text("params", "delta")
	if text := t.openText(); text != nil {
		at := len(text["chunks"].([]any))
		text["chunks"] = append(text["chunks"].([]any), chunk)
		t.shown = append(t.shown, shownStep{line, func(event string) { pause(text, at, event) }})
	} else if tool := t.openTool(); tool["deltas"] != nil {
		tool["deltas"] = append(tool["deltas"].([]any), chunk)
	}
}

// pause puts a wait in front of a chunk.
func pause(text object, at int, event string) {
	var chunks []any
	seen := 0
	for _, c := range text["chunks"].([]any) {
		if _, is := c.(string); is {
			if seen == at {
				chunks = append(chunks, object{"wait": event})
			}
			seen++
		}
		chunks = append(chunks, c)
	}
	if at >= seen {
		chunks = append(chunks, object{"wait": event})
	}
	text["chunks"] = chunks
}

// endItem takes the last revision of an item.
func (t *turnScript) endItem(line int, f tree, item tree) {
	kind := item.text("kind")
	if item.text("itemId") == t.openID && t.openID != "" {
		t.endOpen(line, f, item)
		t.openID, t.open = "", nil
		return
	}
	switch kind {
	case "userMessage", "compaction":
	case "agentMessage", "reasoning":
		name, body := "say", item.text("text")
		if kind == "reasoning" {
			name = "think"
			if list := item.list("summary"); len(list) > 0 {
				body, _ = list[0].(string)
			}
		}
		text := object{"chunks": []any{body}, "whole": true}
		t.streamOf(text, f)
		t.add(line, object{name: text})
	case "toolCall":
		if t.started {
			t.startItem(line, item) // one that came without its beginning cannot be replayed; the comparison will say so
			t.endOpen(line, f, item)
			t.openID, t.open = "", nil
		}
	default:
		shown := object{}
		for name, v := range item {
			if !slices.Contains([]string{"itemId", "turnId", "revision", "recordedAt"}, name) {
				shown[name] = v
			}
		}
		t.add(line, object{"show": shown})
	}
}

func (t *turnScript) streamOf(text object, f tree) {
	usual := "session"
	if t.variants[streamsByKind] {
		usual = "run"
	}
	if kind := f.text("params", "sourceRange", "stream", "kind"); kind != usual {
		text["stream"] = kind
	}
}

// endOpen takes the end of the open text, tool or question.
func (t *turnScript) endOpen(line int, f, item tree) {
	if text := t.openText(); text != nil {
		t.streamOf(text, f)
		if t.openStored != nil && (*t.openStored)["itemId"] == item.text("itemId") {
			said := ""
			for _, c := range text["chunks"].([]any) {
				if s, is := c.(string); is {
					said += s
				}
			}
			(*t.openStored)["text"] = strings.TrimSuffix(item.text("text"), said)
		}
		if item.text("status") == "cancelled" {
			text["hang"] = true
		}
		at := len(text["chunks"].([]any))
		t.shown = append(t.shown, shownStep{line, func(event string) { pause(text, at, event) }})
		if at == 0 { // nothing was said
			text["chunks"] = []any{item.text("text")}
		}
		return
	}
	output, shown := item["visibleOutput"].(string)
	if ask, is := t.open["ask"].(object); is {
		if shown && !strings.HasPrefix(output, `{"status":"answered"`) && !strings.HasPrefix(output, "User declined to answer: ") && output != "" {
			ask["output"] = output
		}
		return
	}
	tool := t.openTool()
	status := item.text("status")
	if status == "rejected" {
		return
	}
	ends := object{"status": status}
	if reason := item.text("failureReason"); reason != "" {
		ends["reason"] = reason
	}
	if shown {
		ends["output"] = output
	}
	tool["ends"] = ends
	if status == "cancelled" && t.cancelled() {
		tool["hang"] = true
	}
}

// ask makes the open tool call a question.
func (t *turnScript) ask(p tree) {
	if t.openID != p.text("itemId") || t.open["tool"] == nil {
		return
	}
	tool := t.openTool()
	delete(t.open, "tool")
	ask := object{"name": p.text("toolName"), "callId": p.text("toolCallId"), "questions": p.at("questions")}
	if args, is := tool["rawArgs"].(string); is {
		ask["rawArgs"] = args
	}
	if ms := p.at("autoResolutionMs"); ms != nil {
		ask["autoResolutionMs"] = ms
	}
	t.open["ask"] = ask
}
