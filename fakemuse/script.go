package fakemuse

import (
	"encoding/json"
	"time"
)

// Script is a muse.json, decoded: what the host cannot know by itself. In the file:
//
//	{
//	  "version": "1.1.1-R2514.1",
//	  "variants": ["events-first"],
//	  "turns": [
//	    {"prompt": "touch the marker", "steps": [
//	      {"think": ["The user wants ", "a marker."]},
//	      {"say": "I will create it."},
//	      {"tool": {"name": "bash", "args": {"command": "touch marker"}, "approval": {}}},
//	      {"wait": "marker looked at"},
//	      {"say": ["Do", "ne."]}
//	    ]}
//	  ]
//	}
//
// The types of its fields say what else there is: Turn and its Step, and so on; go doc -all ./fakemuse prints them all.
// Every member but "turns" may be left out. A member that does not exist, or a value that cannot be, is an error that names
// file and line.
type Script struct {
	Version  string   // the host's version; empty: what Options say
	Variants []string // host variants that the scenario fixes
	Turns    []Turn

	Host          HostFacts  // "host": who the host says it is
	Models        *Catalogue // "models": what it can route to
	Clock         time.Time  // "clock": the first instant of every session; zero: a fixed one
	IDs           uint64     // "ids": where the counter of ids begins
	Branch        *Branch    // "branch": the version control of the workspaces
	Skills        []Skill    // "skills"
	Hooks         []Hook     // "hooks"
	Plugins       []Plugin   // "plugins"
	Quota         *Quota     // "quota": what usage/read says
	BrokenServers []string   // "brokenServers": names of MCP servers that do not start
	Sessions      []Stored   // "sessions": what is stored already when the first host starts
	Shells        []Shell    // "shells": how the user's own shell lines go
	On            []Trigger  // "on": what happens when a method is called
}

// Turn is what the model does in one turn. When a turn begins, the first unused one whose Prompt is part of the text of
// its input is taken. When its steps are done the turn is completed.
type Turn struct {
	Line   int
	Prompt string // "" fits every input
	Repeat bool   // the turn may be begun any number of times, or never
	Steps  []Step

	// Goal makes it a turn for a goal whose objective contains this text: it begins when the goal is set or resumed,
	// or by itself when a turn ends and the goal is still active. A goal that no turn of the script is for wakes none.
	Goal         *string
	LaunchFails  *Failure // "launchFails": queued, the turn fails when it should begin
	LateAck      bool     // "lateAck": the answer to turn/start comes behind all events up to the turn's first stop
	CancelReason string   // "cancelReason": what a cancel of the turn gives as its reason
	Totals       *Usage   // "totals": the counters in turn/completed
	Timings      *Timings // "timings": which of its durations the host tells; nil: all that there are
}

// Step is one step of a turn. Exactly one of its members is set, except for those that say more about a text.
type Step struct {
	Line    int
	Think   []string // a reasoning item, its summary in these chunks
	Say     []string // a message, in these chunks
	Tool    *Tool    // a tool call
	Tools   []Tool   // tool calls side by side, two or more: all begin, and all are asked for, at the same time
	Wait    string   // the turn waits here for Server.Release of this name
	Hang    bool     // the turn stays as it is until it is cancelled
	Fail    *Failure // the turn fails
	Exit    *int     // the host exits with this code, at once
	Silence bool     // the host says nothing any more, whatever comes; it still exits when its input ends
	Raw     *Raw     // bytes in place of a frame

	Lost  []Step          // steps whose events do not reach the client; what follows tells of a hole
	Ask   *Ask            // the user is asked
	Usage *Usage          // what one model call cost; a turn with such a step reports no other usage
	Retry *Retry          // the model call failed and is scheduled again
	Show  json.RawMessage // an item of any kind, whole: its members but for ids, times and revision
	Event *Event          // a notification of any name
	Todos []Todo          // the todo list changes

	// Text says how Think and Say come, when they are written as an object.
	Text Text
}

// Text is the way in which a text comes: {"chunks": ["a", {"wait": "event"}, "b"], "whole": false, …}.
type Text struct {
	Whole  bool           // at once: no item/started, no deltas
	Stream string         // the kind of stream that is named as its source
	Hang   bool           // behind the last chunk the text is never finished
	Pauses map[int]string // the event that is waited for in front of the chunk with this index
}

// Tool is a tool call of the model.
//
// The host really acts for these names: bash (args.command), write_file (args.path, args.content), edit_file
// (args.path, args.find, args.replace), read_file (args.path). All other tools do nothing.
type Tool struct {
	Name     string
	Args     string    // the arguments as JSON text, byte for byte as in the script ("args": {…}, or "rawArgs": "…")
	CallID   string    // "callId"; by default one that is unique in the script
	Approval *Approval // nil: the host does not ask
	Output   *string   // what the tool shows, in place of its real output
	Fails    string    // the tool fails with this text, and does nothing

	Deltas []string  // "deltas": its output as it comes; nil: all at once; empty: only in the end
	Ends   *ToolEnd  // "ends": how it ends; it does nothing
	Hang   bool      // "hang": behind its deltas it does not end by itself
	Stored bool      // "stored": its output is kept, to be read with item/readOutput
	Patch  *Patch    // "patch": what it changed, shown before it ends
	Exit   *ToolExit // "exit": the host ends in the middle of it
}

// ToolExit is a host that exits in the middle of a tool call, and leaves nothing running. In a script:
// {"code": 1, "at": "asked"}.
type ToolExit struct {
	Code int
	// At is "asked" (when it has asked for approval and the client has taken note of it), "granted" (when that was granted, before the tool does anything)
	// or "running" (a command: at the first that it writes; any other tool: when its deltas were shown).
	At string
}

// ToolEnd is the end of a tool call, where the script says it outright. Members that are left out are as usual.
type ToolEnd struct {
	Status string  `json:"status,omitempty"`
	Reason string  `json:"reason,omitempty"`
	Output *string `json:"output,omitempty"`
}

// Patch is a change of files.
type Patch struct {
	Files   int    `json:"files"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Text    string `json:"text"`
}

// Approval is what the host asks before it runs a tool. An empty one asks as a real host does for this tool.
type Approval struct {
	// Choices are the choices; empty: those of a real host for the subject's kind.
	Choices []Choice
	// ChoiceSet is the name of a real host's set of choices, where the script names one: see ChoiceSets.
	ChoiceSet string
	// Stages are decided one after the other; empty: one stage for a shell subject, none for others.
	Stages []Stage
	// Subject is what is asked about; nil: made from the tool and its arguments.
	Subject        *Subject
	ProtectedWrite bool
	JudgeEscalated bool
	SubagentOrigin *SubagentOrigin
	// NoCall ("noCall") leaves out which tool call is asked about. MSP demands it, so no real host does that.
	NoCall bool
	// LateAck ("lateAck") sends the answer to a decision behind its events.
	LateAck bool
	// Elsewhere ("elsewhere") is decided by somebody else.
	Elsewhere *Elsewhere
	// Widened ("widened") are the choices that the host offers in place of the first ones.
	Widened *Widened
	// Stuck ("stuck") takes a decision that does not end the approval, and nothing follows from it.
	Stuck bool
	// DecideFails ("decideFails") is what decisions are answered with; the approval stays open.
	DecideFails *AnswerFailure
}

// Elsewhere is what somebody else decides about an approval, once. It comes just before the first decision of this
// client, which then is refused; or at another time. In a script:
//
//	{"choice": "allow_once", "by": "user", "wait": "the question is open"}
type Elsewhere struct {
	Choice   string // what is chosen for the current stage, of the choices that are offered; or
	Decision string // the decision that ends the whole approval
	By       string // user (another client; the default), policy or llmJudge
	AtOnce   bool   // "atOnce": as soon as it was asked
	Wait     string // when this event happens
}

// Widened are choices that the host comes to offer for the current stage, and says so: at once, or when the event
// happens. In a script: {"choices": "mcp"} or {"choices": […], "wait": "the question is open"}.
type Widened struct {
	Choices   []Choice
	ChoiceSet string
	Wait      string
}

// AnswerFailure is an error in place of an answer: any row of msp.md §8. For decisions, Choice limits it to those for
// that choice.
type AnswerFailure struct {
	Choice    string          `json:"choice,omitempty"`
	Code      int             `json:"code"`
	Kind      string          `json:"kind"`
	Message   string          `json:"message"`
	Retryable bool            `json:"retryable,omitempty"`
	Data      json.RawMessage `json:"data,omitempty"` // further members of the error's data
}

// Choice is one choice of an approval.
type Choice struct {
	ChoiceID        string `json:"choiceId"`
	Label           string `json:"label"`
	Decision        string `json:"decision"`
	Scope           string `json:"scope"`
	AcceptsFeedback bool   `json:"acceptsFeedback,omitempty"`
	RulePreview     string `json:"rulePreview,omitempty"`
	// Grants says whether the tool runs when this is chosen. In a script only for decisions that MSP does not know.
	Grants bool `json:"-"`
}

// Stage is one command of a compound command. In a script it is its argv alone, or an object.
type Stage struct {
	Argv []string
	// Incomplete says that argv does not show the whole command.
	Incomplete bool
	// Known is the kind of resolution of a stage that needs no decision, such as "knownSafe"; empty if it needs one.
	Known string
	// Instead ("instead") are members of the stage on the wire, as they stand, in place of those that the host would give;
	// only {{approval}} in them is the id of the approval.
	Instead json.RawMessage
	// Suggested is the rule that the host suggests for this stage; nil: what a real host suggests.
	Suggested *SuggestedPrefix
}

// SuggestedPrefix is a rule for commands that begin with these words.
type SuggestedPrefix struct {
	ArgvPrefix []string `json:"argvPrefix"`
	Label      string   `json:"label"`
}

// Subject is what an approval is about.
type Subject struct {
	Kind      string
	Command   string
	Path      string
	Access    string
	Target    string
	Host      string
	Port      *int
	Protocol  string
	ToolName  string
	Workspace string // "workspaceRoot"
	Origin    *Origin
}

// Origin says where a subject comes from.
type Origin struct {
	Kind    string `json:"kind"`
	Command string `json:"command,omitempty"`
	URL     string `json:"url,omitempty"`
}

// SubagentOrigin marks the approval of a child agent, shown in its parent's session.
type SubagentOrigin struct {
	SubagentID     string `json:"subagentId"`
	ChildSessionID string `json:"childSessionId"`
	ChildRunID     string `json:"childRunId"`
}

// Failure is how a turn fails (msp.md §6.4).
type Failure struct {
	Kind      string
	Message   string
	Retryable bool
}

// Raw is bytes that the host writes in place of a frame. In a script it is the text alone, or an object.
type Raw struct {
	Bytes   []byte
	Partial bool // no LF behind them
}
