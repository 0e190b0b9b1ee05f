package conform

import (
	"encoding/json"

	"acp-conform/wire"
)

// Host is the other side of an adapter: one kind of agent host, played by the harness. A new kind joins by
// implementing this; steps and verdicts do not change.
type Host interface {
	// Dir is the folder that goes first on the adapter's PATH; Path is the host program itself.
	Dir() string
	Path() string
	// Kind is the name of the host's lanes.
	Kind() string
	// Variants are the host variants that are played; where a known disagreement between hosts and their schema is
	// played on purpose, it has the variant's name.
	Variants() []string
	// Schema is the requirement that a frame breaks which the adapter sent to the host and the host's schema forbids.
	Schema() string
	// Release lets a script go on that waits for the named event. The host is at work when it returns.
	Release(event string) error
	// Expect checks a sentence of the feature against the next step of the host's script that no sentence told yet.
	Expect(told ScriptStep) error
	// TellAll takes the whole script as told.
	TellAll()
	// Untold lists the steps of the script that no sentence told.
	Untold() []string
	// Unused lists what the script holds and the adapter never got to.
	Unused() []string
	// Problems lists what went wrong on the host's side.
	Problems() []HostProblem
	// Calls lists the starts of the host program that made no host, such as a question for its version, and those that
	// it refused.
	Calls() []HostCall
	// Facts reads from the log what happened on the host's lanes.
	Facts(records []wire.Record) Facts
	// Verbatim reports whether the script gives the host these bytes to say, right or wrong.
	Verbatim(frame []byte) bool
	// Order says what the printed order has to know about this kind of host.
	Order() wire.OrderOptions
	// Stop ends everything that the host started and returns when all of it is gone.
	Stop() error
}

// ScriptStep is one thing that a host is scripted to do, in words that fit every kind of host.
type ScriptStep struct {
	// Kind is "hears" (what selects the turn), "thinks", "says", "breaks off" (says, and never ends it), "uses" (a tool),
	// "asks" (the user), "hangs", "waits", "fails", "exits", "falls silent" (and says nothing any more, whatever comes), "refuses" (a call, with a code) or "noise" (bytes in
	// place of a frame). Behind the use of a tool that is asked about, there are also "is answered elsewhere", "offers
	// instead", "is marked" (with a word about the question), "gets stuck" (a decision for one of several stages is taken, and nothing follows) and "shows a part
	// otherwise" (members of a stage as they stand). An answer of the user can get stuck too.
	Kind string
	// Call is the method at whose first call the step happens; empty for steps of a turn.
	Call string
	// Text is what is heard, the name of an event, the message of a failure, an exit code, or the bytes.
	Text string
	// Cause is the kind of a failure.
	Cause string
	// Chunks are the pieces of what is thought or said. Hidden is what the host says of a thought that is for nobody's eyes.
	Chunks []string
	Hidden string
	// Tool and Command are the tool's name and the command that it runs.
	Tool, Command string
	// Input are the arguments of a tool that runs no command, as JSON.
	Input string
	// Asks is true when the host asks for approval first. Choices are the labels that it offers; nil means the
	// host's usual set.
	Asks    bool
	Choices []string
	// Refused is the code with which decisions about the tool are answered; 0 where they are taken.
	Refused int
	// Stages are the commands of a compound command that are asked about one after the other.
	Stages []string
	// Repeats is true when the turn that the step belongs to may be begun any number of times, or never.
	Repeats bool
	// Questions are what the user is asked.
	Questions []ScriptQuestion
	// Rights and Reason are set when the tool call asks for wider rights.
	Rights, Reason string
	// Beside is true when the tool is used at the same time as the one before it.
	Beside bool
	// Origin is who asks for approval, where it is not the agent itself: "a subagent", or "another session" of the host; or
	// "no tool call" where the approval does not say for what.
	Origin string
	// Lost is true when what the host says about the step does not reach the adapter.
	Lost bool
	// By is who answers elsewhere: "user" (by another client), "policy" or "llmJudge".
	By string
	// When says at what point of a tool's use something happens: "asked", "granted" or "running" for an end of the host;
	// "at once", "with the answer", or the name of an event for an answer that comes from elsewhere.
	When string
}

// ScriptQuestion is one question to the user.
type ScriptQuestion struct {
	Text    string
	Choices []string // nil where it is answered in words
	Several bool     // several choices may be taken
}

// HostCall is one start of the host program that made no host.
type HostCall struct {
	Argv    []string // without the program's name
	Refused string   // why the program does not take these arguments; empty when it does
}

// HostProblem is something that went wrong on the host's side.
type HostProblem struct {
	// Adapter is true when the adapter is to blame, false when the script or the harness is.
	Adapter bool
	Text    string
}

// Places are the folders of a scenario that concern a host.
type Places struct {
	Root      string // the private folder
	Workspace string // the sessions' working directory
	Data      string // XDG_DATA_HOME of the adapter and its hosts
	Temp      string // where the folder of the host program is made; empty means the system's folder for temporary files
}

// HostFactory makes the host of one scenario.
type HostFactory interface {
	// New starts a host. The script is the scenario's file for this kind of host; nil means an empty script. The host
	// touches nothing outside the root
	// but for the folder of its program.
	New(log *wire.Log, places Places, scriptFile string, script []byte) (Host, error)
	// ScriptFile is the name of the script in a scenario's folder, such as "muse.json".
	ScriptFile() string
}

// Preparer is a HostFactory that has work to do once for a run rather than once for every scenario.
type Preparer interface {
	HostFactory
	// Prepare gives the factory for the scenarios of one run, and what to call once the last of them has ended. It is
	// called before the first process of the run is started. Temp is where folders are made; empty means the system's
	// folder for temporary files.
	Prepare(temp string) (hosts HostFactory, release func() error, err error)
}

// Facts are what happened on the host's side.
type Facts struct {
	Turns     []HostTurn
	Decisions []Decision
	Tools     []HostTool
	Inputs    []HostInput
	// AskedUser: the host asked for input from the user.
	AskedUser bool
	// NoDialogs: the adapter told the host that its user cannot be asked.
	NoDialogs bool
}

// HostTurn is one turn that the adapter began on a host.
type HostTurn struct {
	Seq     int
	Lane    wire.Lane
	Session string
	Texts   []string // the text parts of the input
	Over    bool     // the host has told its end, and not because it was cancelled
}

// Decision is one answer to an approval that the adapter sent to the host.
type Decision struct {
	Seq      int
	Session  string
	Call     string // id of the tool call; empty when the approval is unknown
	Stage    int    // of the approval, in the host's numbering
	Choice   string
	Label    string // of the choice, as the host offered it; empty when it did not
	Grants   bool   // the choice approves
	Lasts    bool   // the choice holds for more than this once
	Feedback string
	Accepted bool // the host took it
}

// HostInput is what the adapter told the host about one question to the user: the answers, or that there is none.
type HostInput struct {
	Seq       int
	Session   string
	Cancelled bool            // nobody answered
	Reason    string          // why not
	Answers   json.RawMessage // as they were sent; nil when it was cancelled
	Words     []string        // the labels and texts in the answers
	Accepted  bool            // the host took it
}

// HostTool is one tool call on the host's side.
type HostTool struct {
	Call  string
	Input json.RawMessage // its arguments; nil when the host never told them as JSON
	// Earlier holds the other arguments that the host told under the same id, before them.
	Earlier []json.RawMessage
	Session string
	Asked   bool // the host asked for approval
	Allowed bool // somebody else than the adapter allowed it: a policy, a judge, another client
	Ran     bool // it ran, whatever came out
	Status  string
	Output  string
	Seq     int // of its end; -1 while it has none
}
