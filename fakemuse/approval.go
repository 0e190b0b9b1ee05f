package fakemuse

import (
	"bytes"
	"encoding/json"
	"path/filepath"
)

// approval is one question of the host. It stays in its session after it was resolved, so that a late decision can be
// told so.
type approval struct {
	id         string
	task       string
	stream     streamRef // of its own records
	turn       *turn
	spec       *Approval
	tool       *Tool
	item       item
	subject    subjectData
	current    int // index of the stage to be decided
	cursor     int // of its opening
	opening    view
	params     json.RawMessage // of approval/request, brought up to date with every stage
	resolution *resolution
	elsewhere  bool // what is decided elsewhere was decided
	widened    bool // the wider choices are offered
}

// resolution is the end of an approval.
type resolution struct {
	decision  string
	by        string // user, policy
	commandID string
	grants    bool
	feedback  string
	amendment *amendment
	cursor    string
}

type requirementID struct {
	ApprovalID  string `json:"approvalId"`
	SourceIndex int    `json:"sourceIndex"`
}

// subjectData is a subject on the wire.
type subjectData struct {
	Kind      string      `json:"kind"`
	ToolName  string      `json:"toolName,omitempty"`
	Command   string      `json:"command,omitempty"`
	Path      string      `json:"path,omitempty"`
	Access    string      `json:"access,omitempty"`
	Target    string      `json:"target,omitempty"`
	Host      string      `json:"host,omitempty"`
	Port      *int        `json:"port,omitempty"`
	Protocol  string      `json:"protocol,omitempty"`
	Workspace string      `json:"workspaceRoot,omitempty"`
	Origin    *Origin     `json:"origin,omitempty"`
	Stages    []stageData `json:"stages,omitempty"`
}

type stageData struct {
	RequirementID   requirementID    `json:"requirementId"`
	Position        int              `json:"position"`
	TotalStages     int              `json:"totalStages"`
	Argv            []string         `json:"argv"`
	ArgvComplete    bool             `json:"argvComplete"`
	Resolution      stageResolution  `json:"resolution"`
	SuggestedPrefix *SuggestedPrefix `json:"suggestedPrefix,omitempty"`
	instead         json.RawMessage
}

// MarshalJSON writes a stage, with the members that a script gives in place of the host's.
func (d stageData) MarshalJSON() ([]byte, error) {
	type plain stageData
	own := encode(plain(d))
	if d.instead == nil {
		return own, nil
	}
	members := map[string]json.RawMessage{}
	for _, from := range [][]byte{own, d.instead} {
		if err := json.Unmarshal(from, &members); err != nil {
			return nil, err
		}
	}
	return encode(members), nil
}

type stageResolution struct {
	Kind       string   `json:"kind"`
	ArgvPrefix []string `json:"argvPrefix,omitempty"`
}

type approvalParams struct {
	SessionID      string          `json:"sessionId"`
	ApprovalID     string          `json:"approvalId"`
	TurnID         string          `json:"turnId"`
	TaskID         string          `json:"taskId"`
	ItemID         string          `json:"itemId"`
	ToolCallID     *string         `json:"toolCallId,omitempty"`
	ToolName       string          `json:"toolName"`
	RawArgs        string          `json:"rawArgs"`
	ViewCursor     string          `json:"viewCursor"`
	SourceRange    *sourceRange    `json:"sourceRange"`
	Subject        subjectData     `json:"subject"`
	Current        requirementID   `json:"currentRequirementId"`
	Choices        []Choice        `json:"availableChoices"`
	ProtectedWrite bool            `json:"protectedWrite"`
	JudgeEscalated bool            `json:"judgeEscalated"`
	SubagentOrigin *SubagentOrigin `json:"subagentOrigin,omitempty"`
}

const unresolved = "unresolved"

// newApproval makes the approval of a tool call. Approval, task and item share one id, as in a real host (msp.md §7.2),
// unless the host is one that gives each its own.
func (c *toolCall) newApproval() *approval {
	s := c.turn.session
	own := c.item.ItemID
	a := &approval{
		id: firstOf(c.approvalID, own), task: firstOf(c.taskID, own), turn: c.turn, spec: c.spec.Approval, tool: c.spec,
		item: c.subject(),
	}
	a.stream = streamRef{Kind: "approval.review", ID: s.id}
	if s.server.variants.has(streamsByKind) {
		a.stream.ID = s.server.newID()
	}
	a.subject = a.makeSubject()
	a.current = a.undecided(-1)
	c.approval = a
	s.approvals[a.id] = a
	s.asked = append(s.asked, a)
	return a
}

// openApproval asks for a tool call.
func (c *toolCall) openApproval() *approval {
	t, s := c.turn, c.turn.session
	a := c.newApproval()
	a.opening = s.next(s.freshIn(a.stream))
	a.cursor = s.cursor
	a.refresh()
	s.attention()
	s.events = append(s.events, event{cursor: a.cursor, method: "approval/requested", params: a.params, durable: true})
	variants := s.server.variants
	if variants.has(requestFirst) || variants.has(approvalRequest) {
		t.host.ask(a)
	}
	if !variants.has(approvalRequest) {
		s.deliver("approval/requested", a.params)
	}
	if variants.has(approvalBoth) {
		t.host.ask(a)
	}
	return a
}

// refresh brings the request's params up to date.
func (a *approval) refresh() {
	call := &a.item.CallID
	if a.spec.NoCall {
		call = nil
	}
	a.params = json.RawMessage(encode(approvalParams{
		SessionID: a.turn.session.id, ApprovalID: a.id, TurnID: a.turn.id, TaskID: a.task, ItemID: a.item.ItemID,
		ToolCallID: call, ToolName: a.item.Tool, RawArgs: *a.item.Args, ViewCursor: a.opening.ViewCursor,
		SourceRange: a.opening.SourceRange, Subject: a.subject, Current: a.requirement(), Choices: a.choices(),
		ProtectedWrite: a.spec.ProtectedWrite, JudgeEscalated: a.spec.JudgeEscalated, SubagentOrigin: a.spec.SubagentOrigin,
	}))
}

func (a *approval) requirement() requirementID {
	return requirementID{ApprovalID: a.id, SourceIndex: a.current}
}

// ask sends the request of an approval. It is answered with a receipt only, so nothing waits for it.
func (h *host) ask(a *approval) { h.sendRequest("approval/request", a.id, a.params) }

// sendRequest sends a request of ours about something with an id.
func (h *host) sendRequest(method, about string, params json.RawMessage) {
	h.whenOpen(func() {
		h.requests++
		h.asked[h.requests] = about
		h.send(encode(requestFrame{JSONRPC: "2.0", ID: h.requests, Method: method, Params: params}))
	})
}

// undecided gives the index of the first stage behind one that needs a decision; without stages, and when there is
// none, -1 and 0 answer for "the only one".
func (a *approval) undecided(behind int) int {
	for i := behind + 1; i < len(a.subject.Stages); i++ {
		if a.subject.Stages[i].Resolution.Kind == unresolved {
			return i
		}
	}
	return max(behind, 0)
}

// makeSubject says what is asked about: what the script says, or what a real host makes of the tool and its arguments.
func (a *approval) makeSubject() subjectData {
	s := a.turn.session
	var d subjectData
	if given := a.spec.Subject; given != nil {
		d = subjectData{
			Kind: given.Kind, ToolName: given.ToolName, Command: given.Command, Path: given.Path, Access: given.Access,
			Target: given.Target, Host: given.Host, Port: given.Port, Protocol: given.Protocol, Workspace: given.Workspace,
			Origin: given.Origin,
		}
		if d.Kind == "shell" {
			d.Workspace = firstOf(d.Workspace, s.workspace)
		}
	} else {
		d = a.subjectOfTool()
	}
	stages := a.spec.Stages
	if len(stages) == 0 && d.Kind == "shell" {
		stages = []Stage{{Argv: splitCommand(d.Command)}}
	}
	for i, stage := range stages {
		data := stageData{
			RequirementID: requirementID{ApprovalID: a.id, SourceIndex: i}, Position: i + 1, TotalStages: len(stages),
			Argv: stage.Argv, ArgvComplete: !stage.Incomplete, Resolution: stageResolution{Kind: firstOf(stage.Known, unresolved)},
		}
		data.SuggestedPrefix, data.instead = stage.Suggested, bytes.ReplaceAll(stage.Instead, []byte("{{approval}}"), []byte(a.id))
		if data.SuggestedPrefix == nil && a.setName(d.Kind) == setShell && len(stage.Argv) > 0 {
			data.SuggestedPrefix = &SuggestedPrefix{ArgvPrefix: stage.Argv[:1], Label: prefixLabel(stage.Argv)}
		}
		d.Stages = append(d.Stages, data)
	}
	return d
}

func (a *approval) subjectOfTool() subjectData {
	s := a.turn.session
	args := argsOf(*a.item.Args)
	switch a.tool.Name {
	case "bash", "shell":
		return subjectData{Kind: "shell", Command: args.text("command"), Workspace: s.workspace}
	case "write_file", "edit_file", "read_file":
		path, access := args.text("path"), "write"
		if !filepath.IsAbs(path) && s.workspace != "" {
			path = filepath.Join(s.workspace, path)
		}
		if a.tool.Name == "read_file" {
			access = "read"
		}
		return subjectData{Kind: "fileAccess", ToolName: a.tool.Name, Path: path, Access: access}
	}
	return subjectData{Kind: "tool", ToolName: a.tool.Name}
}
