package conform

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"acp-conform/wire"
)

// toolUpdate is a tool_call or tool_call_update of the adapter.
type toolUpdate struct {
	Variant  string          `json:"sessionUpdate"` // tool_call or tool_call_update
	ID       string          `json:"toolCallId"`
	Status   string          `json:"status"`
	Title    string          `json:"title"`
	Kind     string          `json:"kind"`
	RawInput json.RawMessage `json:"rawInput"`
	Content  json.RawMessage `json:"content"`
}

func (u *toolUpdate) closed() bool { return u.Status == "completed" || u.Status == "failed" }

// toolUpdateOf reads a record as an update of a tool call; nil when it is none.
func toolUpdateOf(r wire.Record) *toolUpdate {
	raw := updateOf(r)
	if raw == nil {
		return nil
	}
	var u toolUpdate
	if json.Unmarshal(raw, &u) != nil || !strings.HasPrefix(u.Variant, "tool_call") {
		return nil
	}
	return &u
}

// updateOf gives the update of a session/update of the adapter; nil when the record is none.
func updateOf(r wire.Record) json.RawMessage {
	if r.Lane != wire.Client || r.Dir != wire.FromAdapter || r.Frame.Method != methodUpdate {
		return nil
	}
	return wire.Lookup(r.Frame.Params, "update")
}

// shown joins the texts of one kind of chunk in a session.
func shown(records []wire.Record, session, variant string) string {
	var b strings.Builder
	for _, r := range records {
		u := updateOf(r)
		if u == nil || r.Session != session || wire.LookupString(u, "sessionUpdate") != variant {
			continue
		}
		b.WriteString(wire.LookupString(u, "content", "text"))
	}
	return b.String()
}

// Shown is the text of one kind of chunk ("agent_message_chunk", "agent_thought_chunk") that the user saw in session
// n, counted from 1 (0: the newest), over all its turns. A greeting in front of all that the client asks of the session
// belongs to none.
func (s *Scenario) Shown(n int, variant string) string {
	session, err := s.sessionOf(n)
	if err != nil {
		return ""
	}
	records := s.log.Records()
	begun := slices.IndexFunc(records, func(r wire.Record) bool {
		return r.Lane == wire.Client && r.Dir == wire.ToAdapter && r.Session == session && (r.Frame.Method == methodPrompt || takesUp(r.Frame.Method))
	})
	if begun < 0 {
		return ""
	}
	return shown(records[begun:], session, variant)
}

// Outcome is how a turn ended.
type Outcome struct {
	Answered   bool
	StopReason string // empty for an error
	Code       int    // of the error; 0 for a success
	Message    string
	Seq        int // of the answer
	Turn       int // of the prompt
}

// Outcomes gives how the turns of session n ended, in the order of their prompts; n 0 means all sessions.
func (s *Scenario) Outcomes(n int) []Outcome {
	records := s.log.Records()
	var outcomes []Outcome
	for _, t := range s.turns {
		if n > 0 && (n > len(s.sessions) || t.session != s.sessions[n-1]) {
			continue
		}
		o := Outcome{Turn: t.seq}
		if f, ok := answerTo(records, t.seq); ok {
			o.Answered = true
			o.StopReason = wire.LookupString(f.Result, "stopReason")
			if f.Error != nil {
				json.Unmarshal(wire.Lookup(f.Error, "code"), &o.Code)
				o.Message = wire.LookupString(f.Error, "message")
			}
			for _, r := range records {
				if r.Answers == t.seq {
					o.Seq = r.Seq
				}
			}
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// Question is a request for permission, as the client saw it.
type Question struct {
	Seq     int
	Session int // counted from 1; 0 for a session that the client does not know
	Call    string
	// HostCall is the host's id of the tool call, where it is known to stand for one of the host's; else Call.
	HostCall string
	Options  []string // names, in the offered order
	Kinds    []string
	Params   json.RawMessage
	// Answered is true when the harness answered; Granted when the answer picked an offered option that allows.
	Answered bool
	Granted  bool
	// Before holds the files of the workspace at the moment before the answer was sent.
	Before map[string]bool
}

// Questions lists the requests for permission in the order in which they were looked at.
func (s *Scenario) Questions() []Question {
	var list []Question
	hostCall := matchCalls(s.log.Records(), s.Facts().Tools)
	for _, q := range s.questions {
		if q.form {
			continue
		}
		out := Question{Seq: q.seq, Session: s.number(q.session), Call: wire.LookupString(q.frame.Params, "toolCall", "toolCallId"),
			Params: q.frame.Params, Answered: q.answered, Before: q.marks}
		out.HostCall = hostCall(q.session, out.Call)
		picked, _ := optionID(q.frame.Params, q.answer)
		if outcome := wire.Lookup(q.answer.Result, "outcome"); q.answer.Error == nil && wire.LookupString(outcome, "outcome") == "selected" {
			picked = wire.LookupString(outcome, "optionId")
		}
		for _, o := range optionsOf(q.frame.Params) {
			out.Options = append(out.Options, o.Name)
			out.Kinds = append(out.Kinds, o.Kind)
			if q.answered && o.ID == picked && strings.HasPrefix(o.Kind, "allow") {
				out.Granted = true
			}
		}
		list = append(list, out)
	}
	return list
}

// number gives the place of a session, counted from 1; 0 when it is unknown.
func (s *Scenario) number(session string) int {
	for i, id := range s.sessions {
		if id == session {
			return i + 1
		}
	}
	return 0
}

// ToolCall is a tool call as the client saw it.
type ToolCall struct {
	ID       string
	HostCall string // as in Question
	Session  int
	Title    string
	Kind     string
	Statuses []string // in the order of arrival, repeats left out
	RawInput json.RawMessage
	Text     string // the texts of the last content
	Blocks   int    // how many blocks the last content has
	Seqs     []int  // of its updates
	// Announced is true when it began with a tool_call; Begun is the Seq of the first in_progress, or -1.
	Announced bool
	Begun     int
}

// ToolCalls lists the tool calls in the order of their first update.
func (s *Scenario) ToolCalls() []ToolCall {
	var list []ToolCall
	index := map[string]int{}
	records := s.log.Records()
	hostCall := matchCalls(records, s.Facts().Tools)
	for _, r := range records {
		u := toolUpdateOf(r)
		if u == nil {
			continue
		}
		key := r.Session + "\x00" + u.ID
		i, known := index[key]
		if !known {
			i = len(list)
			index[key] = i
			list = append(list, ToolCall{ID: u.ID, HostCall: hostCall(r.Session, u.ID), Session: s.number(r.Session), Announced: u.Variant == "tool_call", Begun: -1})
		}
		c := &list[i]
		c.Seqs = append(c.Seqs, r.Seq)
		if u.Status == "in_progress" && c.Begun < 0 {
			c.Begun = r.Seq
		}
		if u.Title != "" {
			c.Title = u.Title
		}
		if u.Kind != "" {
			c.Kind = u.Kind
		}
		if u.RawInput != nil {
			c.RawInput = u.RawInput
		}
		if u.Content != nil {
			c.Text, c.Blocks = contentText(u.Content), blocksIn(u.Content)
		}
		if n := len(c.Statuses); u.Status != "" && (n == 0 || c.Statuses[n-1] != u.Status) {
			c.Statuses = append(c.Statuses, u.Status)
		}
	}
	return list
}

func blocksIn(content json.RawMessage) int {
	var list []json.RawMessage
	if json.Unmarshal(content, &list) != nil {
		return 0
	}
	return len(list)
}

func contentText(content json.RawMessage) string {
	var list []struct {
		Content struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if json.Unmarshal(content, &list) != nil {
		return ""
	}
	var texts []string
	for _, c := range list {
		if c.Content.Text != "" {
			texts = append(texts, c.Content.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Exists reports whether the workspace holds a file now, or held it when the scenario ended.
func (s *Scenario) Exists(file string) bool {
	if s.ended {
		return s.final[file]
	}
	return s.world.files()[file]
}

// Records gives the log so far.
func (s *Scenario) Records() []wire.Record { return s.log.Records() }

// HostStarts lists the argv of every host that was started.
func (s *Scenario) HostStarts() [][]string {
	var list [][]string
	for _, r := range s.log.Records() {
		if r.Dir == wire.Start {
			var argv []string
			json.Unmarshal(r.Data, &argv)
			list = append(list, argv)
		}
	}
	return list
}

// File gives the contents of a file of the workspace while the scenario runs; "" when there is none.
func (s *Scenario) File(name string) string {
	data, err := os.ReadFile(filepath.Join(s.world.workspace, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(data)
}

// Initialized gives the place and the result of the answer to initialize.
func (s *Scenario) Initialized() (int, json.RawMessage) {
	for _, r := range s.log.Records() {
		if r.Answers >= 0 && r.Dir == wire.FromAdapter && s.log.Records()[r.Answers].Frame.Method == methodInitialize {
			return r.Seq, r.Frame.Result
		}
	}
	return -1, s.initialized
}

// SessionIDs lists the ids of the sessions, in the order of their creation.
func (s *Scenario) SessionIDs() []string { return slices.Clone(s.sessions) }
