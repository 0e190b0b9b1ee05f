package runner

import (
	"encoding/json"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// museFacts reads host lanes that speak MSP.
type museFacts struct {
	facts     conform.Facts
	approvals map[string]*approval // by approvalId
	tools     map[string]int       // by tool call id: place in facts.Tools
	items     map[string]string    // the tool calls of items
	decided   map[string]bool      // the commands of the adapter's decisions
}

type approval struct {
	call    string
	session string
	choices map[string]choice
}

type choice struct {
	ChoiceID string `json:"choiceId"`
	Label    string `json:"label"`
	Decision string `json:"decision"`
	Scope    string `json:"scope"`
}

func (c choice) approves() bool {
	return slices.Contains([]string{"approved", "approvedForSession", "approvedPolicyAmendment"}, c.Decision)
}

// Facts implements conform.Host.
func (h *museHost) Facts(records []wire.Record) conform.Facts {
	f := museFacts{approvals: map[string]*approval{}, tools: map[string]int{}, items: map[string]string{}, decided: map[string]bool{}}
	for _, r := range records {
		switch {
		case r.Lane.Name != "muse":
		case r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Request:
			f.command(r, records)
		case r.Dir == wire.ToAdapter:
			f.hostFrame(r)
		}
	}
	return f.facts
}

func (f *museFacts) command(r wire.Record, records []wire.Record) {
	switch r.Frame.Method {
	case "turn/start":
		var p struct {
			Input []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"input"`
		}
		json.Unmarshal(r.Frame.Params, &p)
		turn := conform.HostTurn{Seq: r.Seq, Lane: r.Lane, Session: r.Session}
		for _, part := range p.Input {
			if part.Type == "text" {
				turn.Texts = append(turn.Texts, part.Text)
			}
		}
		f.facts.Turns = append(f.facts.Turns, turn)
	case "initialize":
		f.facts.NoDialogs = f.facts.NoDialogs || string(wire.Lookup(r.Frame.Params, "capabilities", "userInputDialogs")) == "false"
	case "userInput/answer", "userInput/cancel":
		f.userInput(r, records)
	case "approval/decide":
		if command := wire.LookupString(r.Frame.Params, "commandId"); command != "" {
			f.decided[command] = true
		}
		d := conform.Decision{Seq: r.Seq, Session: r.Session, Choice: wire.LookupString(r.Frame.Params, "choiceId"),
			Feedback: wire.LookupString(r.Frame.Params, "feedback")}
		json.Unmarshal(wire.Lookup(r.Frame.Params, "requirementId", "sourceIndex"), &d.Stage)
		if a := f.approvals[wire.LookupString(r.Frame.Params, "approvalId")]; a != nil {
			c := a.choices[d.Choice]
			d.Call, d.Label, d.Grants, d.Lasts = a.call, c.Label, c.approves(), c.approves() && (c.Scope == "session" || c.Scope == "localPersistent")
		}
		for _, later := range records[r.Seq:] {
			if later.Answers == r.Seq {
				d.Accepted = later.Frame.Result != nil
			}
		}
		f.facts.Decisions = append(f.facts.Decisions, d)
	}
}

func (f *museFacts) hostFrame(r wire.Record) {
	switch r.Frame.Method {
	case "turn/completed":
		for i := range f.facts.Turns { // a session has one turn at a time
			if t := &f.facts.Turns[i]; t.Lane == r.Lane && t.Session == r.Session {
				t.Over = t.Over || wire.LookupString(r.Frame.Params, "terminal") != "cancelled"
			}
		}
	case "approval/requested", "approval/request", "approval/updated":
		id := wire.LookupString(r.Frame.Params, "approvalId")
		a := f.approvals[id]
		if a == nil {
			a = &approval{session: r.Session, choices: map[string]choice{}}
			f.approvals[id] = a
		}
		// A host that does not name the call still names the item.
		if call := firstWord(wire.LookupString(r.Frame.Params, "toolCallId"), f.items[wire.LookupString(r.Frame.Params, "itemId")]); call != "" {
			a.call = call
			f.tool(call, r.Session).Asked = true
			f.input(call, wire.LookupString(r.Frame.Params, "rawArgs"))
		}
		var list []choice
		json.Unmarshal(wire.Lookup(r.Frame.Params, "availableChoices"), &list)
		for _, c := range list {
			a.choices[c.ChoiceID] = c
		}
	case "approval/resolved":
		p := r.Frame.Params
		a := f.approvals[wire.LookupString(p, "approvalId")]
		ours := f.decided[wire.LookupString(p, "decidedByCommandId")]
		if a != nil && a.call != "" && !ours && wire.LookupString(p, "policyResult") == "allow" {
			f.tool(a.call, a.session).Allowed = true
		}
	case "userInput/requested", "userInput/request":
		f.facts.AskedUser = true
	case "item/started", "item/updated", "item/completed":
		item := wire.Lookup(r.Frame.Params, "item")
		if wire.LookupString(item, "kind") != "toolCall" {
			return
		}
		t := f.tool(wire.LookupString(item, "callId"), r.Session)
		f.items[wire.LookupString(item, "itemId")] = t.Call
		f.input(t.Call, wire.LookupString(item, "args"))
		t.Status = wire.LookupString(item, "status")
		t.Output = wire.LookupString(item, "visibleOutput")
		if r.Frame.Method == "item/completed" {
			t.Seq = r.Seq
			t.Ran = ran(t.Status, wire.LookupString(item, "failureReason"))
		}
	}
}

// input keeps the arguments of a tool call.
func (f *museFacts) input(call, args string) {
	if t := &f.facts.Tools[f.tools[call]]; json.Valid([]byte(args)) {
		if t.Input != nil && string(t.Input) != args {
			t.Earlier = append(t.Earlier, t.Input)
		}
		t.Input = json.RawMessage(args)
	}
}

// ran reports whether a tool that ended so had begun. One that was rejected or cancelled had not; neither had one that
// failed, unless its command came to an end of its own.
func ran(status, reason string) bool {
	switch status {
	case "completed", "timedOut":
		return true
	case "failed":
		return strings.HasPrefix(reason, "exit status ") || reason == "the command was ended by a signal"
	}
	return false
}

// tool gives the entry of a tool call, made anew when it is not known. The pointer is good until the next call.
func (f *museFacts) tool(call, session string) *conform.HostTool {
	i, known := f.tools[call]
	if !known {
		i = len(f.facts.Tools)
		f.tools[call] = i
		f.facts.Tools = append(f.facts.Tools, conform.HostTool{Call: call, Session: session, Seq: -1})
	}
	return &f.facts.Tools[i]
}
