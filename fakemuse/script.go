package fakemuse

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
// Every member but "turns" may be left out. A member that does not exist, or a value that cannot be, is an error that
// names file and line.
type Script struct {
	Version  string   // the host's version; empty: what Options say
	Variants []string // host variants that the scenario fixes
	Turns    []Turn
}

// Turn is what the model does in one turn. When a turn begins, the first unused one whose Prompt is part of the text of
// its input is taken. When its steps are done the turn is completed.
type Turn struct {
	Line   int
	Prompt string // "" fits every input
	Repeat bool   // the turn may be begun any number of times, or never
	Steps  []Step
}

// Step is one step of a turn. Exactly one of its members is set.
type Step struct {
	Line    int
	Think   []string // a reasoning item, its summary in these chunks
	Say     []string // a message, in these chunks
	Tool    *Tool    // a tool call
	Wait    string   // the turn waits here for Server.Release of this name
	Hang    bool     // the turn stays as it is until it is cancelled
	Fail    *Failure // the turn fails
	Exit    *int     // the host exits with this code, at once
	Silence bool     // the host says nothing any more, whatever comes; it still exits when its input ends
	Raw     *Raw     // bytes in place of a frame
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
