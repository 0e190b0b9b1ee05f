package reference

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/muse"
)

// card is a tool call as the client sees it: announced pending; in progress after an accepted grant, or at its first
// output where nothing was asked; completed or failed before the prompt's response (muse-adapter.md §7.2). Its status
// only moves forward (ACP-TOOL-05).
type card struct {
	id        string
	name      string
	title     string
	kind      acp.ToolKind
	rawInput  json.RawMessage
	status    acp.ToolCallStatus
	announced bool
	output    string // what came in pieces
	content   []cardContent
	rawOutput json.RawMessage
	locations []location
	denial    string // what the model was told when the adapter denied the call
	forceFail bool   // for the fault lies-about-denied-command
}

type toolCallData struct {
	CallID   string `json:"callId"`
	ToolName string `json:"toolName"`
}

type toolResultData struct {
	CallID string             `json:"callId"`
	Status acp.ToolCallStatus `json:"status"`
}

// card finds or makes the card with that id.
func (s *session) card(id, name string) *card {
	t := s.turn
	c := t.cards[id]
	if c == nil {
		c = &card{id: id, name: name, title: name, kind: kindOf(name), status: acp.ToolCallStatusPending}
		t.cards[id] = c
		t.cardOrder = append(t.cardOrder, c)
	}
	return c
}

func kindOf(tool string) acp.ToolKind {
	switch tool {
	case "bash":
		return acp.ToolKindExecute
	case "write_file", "edit_file":
		return acp.ToolKindEdit
	case "read_file":
		return acp.ToolKindRead
	case "web_search", "search":
		return acp.ToolKindSearch
	case "web_fetch":
		return acp.ToolKindFetch
	default:
		return acp.ToolKindOther
	}
}

// describe takes title and arguments from an item and reports whether they changed.
func (c *card) describe(it muse.Item, float bool) bool {
	title, raw := genericTitle(it), json.RawMessage(nil)
	if it.Kind == muse.KindToolCall {
		raw = rawInput(it.Args, float)
		title = titleOf(c.name, raw, it.CommandText)
	}
	changed := title != c.title || string(raw) != string(c.rawInput)
	c.title, c.rawInput = title, raw
	return changed && c.announced
}

// rawInput reads tool arguments: the object as it is, nothing for JSON of another type, and the text itself where it
// is no JSON (muse-adapter.md §6.2).
func rawInput(args string, float bool) json.RawMessage {
	args = strings.TrimSpace(args)
	switch {
	case args == "":
		return json.RawMessage("{}")
	case !json.Valid([]byte(args)):
		raw, err := json.Marshal(map[string]string{"arguments": args})
		if err != nil {
			return nil
		}
		return raw
	case args[0] != '{':
		return nil
	case float:
		var v any
		if json.Unmarshal([]byte(args), &v) == nil {
			if raw, err := json.Marshal(v); err == nil {
				return raw
			}
		}
	}
	return json.RawMessage(args)
}

// longestTitle is the most characters of a title.
const longestTitle = 1024

// titleOf is the title of a tool call: what it looks for, else its description, command or path, else its name.
func titleOf(tool string, raw json.RawMessage, command string) string {
	members, _ := object(raw)
	for _, name := range []string{"pattern", "query"} {
		if s, ok := text(members[name]); ok && s != "" && (tool == "search" && name == "pattern" || tool == "web_search" && name == "query") {
			return cut(tool+": "+s, longestTitle)
		}
	}
	if s := describes(members); s != "" {
		return cut(s, longestTitle)
	}
	if command != "" {
		return cut(command, longestTitle)
	}
	return tool
}

// describes is the first of description, command and path that says something.
func describes(members map[string]json.RawMessage) string {
	for _, name := range []string{"description", "command", "path"} {
		if s, ok := text(members[name]); ok && s != "" {
			return s
		}
	}
	return ""
}

// present takes what a finished item shows.
func (c *card) present(it muse.Item, cwd string) {
	output := it.VisibleOutput
	if output == "" {
		output = c.output
	}
	if output == "" && it.Kind != muse.KindToolCall {
		output = it.FallbackText
	}
	args, _ := object(c.rawInput)
	path, _ := text(args["path"])
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	done := it.Status == muse.StatusCompleted
	result, isObject := object(json.RawMessage(strings.TrimSpace(output)))
	inner, hasOutput := text(result["output"])
	switch {
	case c.name == "bash" && isObject && hasOutput:
		c.rawOutput = json.RawMessage(strings.TrimSpace(output))
		output = inner
	case c.name == "read_file" && done && path != "",
		(c.name == "write_file" || c.name == "edit_file") && done && path != "" && wroteBytes(output):
		given, _ := text(args["path"])
		c.title = cut(c.name+": "+given, longestTitle)
		c.locations = []location{{path}}
	}
	if c.denial == "" && it.FailureReason != "" && !strings.Contains(output, it.FailureReason) {
		output = strings.TrimLeft(output+"\n[Failure: "+it.FailureReason+"]", "\n")
	}
	c.content = nil
	if output != "" {
		c.content = []cardContent{textContent(output)}
	}
}

func wroteBytes(output string) bool {
	return regexp.MustCompile(`^wrote \d+ bytes to `).MatchString(output)
}

// announce sends the tool_call.
func (s *session) announce(c *card) {
	c.announced = true
	if err := s.agent.Append("tool/call", toolCallData{c.id, c.name}); err != nil {
		s.a.logf("a tool call was not logged: %v", err)
	}
	if !s.a.fault(NoAnnouncement) {
		s.send(c, "tool_call")
	}
}

// show sends the whole card once more.
func (s *session) show(c *card) { s.send(c, "tool_call_update") }

func (s *session) send(c *card, kind string) {
	other := UpdatesOther
	if kind == "tool_call" {
		other = ""
	}
	s.update(cardUpdate{
		SessionUpdate: kind, ToolCallID: acp.ToolCallId(c.id), Title: s.mistitle(c.title, c.rawInput), Kind: c.kind, Status: c.status,
		RawInput: s.misinput(c.rawInput, other), Locations: c.locations, Content: c.content, RawOutput: c.rawOutput,
	})
}

// progress says that the tool runs, once.
func (s *session) progress(c *card) {
	if c.status == acp.ToolCallStatusPending {
		c.status = acp.ToolCallStatusInProgress
		s.show(c)
	}
}

// output adds to what a running tool has written.
func (s *session) output(c *card, more string) {
	if c.ended() {
		return
	}
	c.output += more
	c.content = []cardContent{textContent(s.shownOutput(c.output))}
	c.status = acp.ToolCallStatusInProgress
	s.show(c)
}

func (c *card) ended() bool {
	return c.status == acp.ToolCallStatusCompleted || c.status == acp.ToolCallStatusFailed
}

// closeCard ends a tool. What the model was told about a denial is the last text (approval-seam.md §0.2).
func (s *session) closeCard(c *card, good bool) {
	if c.ended() {
		return
	}
	for _, p := range s.turn.pendings {
		if p.callID() == c.id {
			p.resolved = true // whatever the host says of it: there is nothing left to approve
			s.withdrawAsk(p)
		}
	}
	c.status = acp.ToolCallStatusFailed
	if good && !c.forceFail {
		c.status = acp.ToolCallStatusCompleted
	} else if n := len(c.content); c.denial != "" && (n == 0 || c.content[n-1].Content.Text != c.denial) {
		c.content = append(c.content, textContent(c.denial))
	}
	s.pieces(c)
	if c.announced {
		s.show(c)
	} else {
		s.announce(c)
	}
	if err := s.agent.Append("tool/result", toolResultData{c.id, c.status}); err != nil {
		s.a.logf("a tool result was not logged: %v", err)
	}
	if s.a.fault(StatusBackwards) {
		was := c.status
		c.status = acp.ToolCallStatusInProgress
		s.show(c)
		c.status = was
	}
}

// closeCards ends what has not ended when its turn does.
func (s *session) closeCards() {
	for _, c := range s.turn.cardOrder {
		if c.announced && !s.a.fault(CardsLeftOpen) {
			s.closeCard(c, false)
		}
	}
}
