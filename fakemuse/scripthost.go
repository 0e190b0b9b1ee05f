package fakemuse

import (
	"encoding/json"
	"time"
)

// HostFacts is who the host says it is, where that differs from the usual.
type HostFacts struct {
	Name          string    `json:"name,omitempty"`
	UserAgent     string    `json:"userAgent,omitempty"`
	Fingerprint   string    `json:"fingerprint,omitempty"` // of the schema that it follows
	Home          string    `json:"home,omitempty"`        // its data folder. It is only named: nothing is written there
	Family        string    `json:"platformFamily,omitempty"`
	OS            string    `json:"platformOs,omitempty"`
	Grants        *[]string `json:"grants,omitempty"` // the capabilities that it may grant
	Provider      *string   `json:"providerId,omitempty"`
	Model         *string   `json:"modelId,omitempty"` // for sessions that name none; "" means no model
	ContextWindow int       `json:"contextWindow,omitempty"`
}

// Catalogue is what model/list says. The default model is the row that says so.
type Catalogue struct {
	ProviderID string     `json:"providerId"`
	ProfileID  *string    `json:"profileId"`
	Source     string     `json:"source"`
	Models     []ModelRow `json:"models"`
}

// ModelRow is one model of a catalogue. Whether it is active, the host knows.
type ModelRow struct {
	ModelID      string          `json:"modelId"`
	DisplayLabel string          `json:"displayLabel"`
	ProviderID   string          `json:"providerId"`
	ProfileID    *string         `json:"profileId"`
	ReleaseDate  *string         `json:"releaseDate"`
	Description  *string         `json:"description"`
	ContextLimit *int            `json:"contextLimit"`
	OutputLimit  *int            `json:"outputLimit"`
	Cost         json.RawMessage `json:"cost"`
	IsActive     bool            `json:"isActive"`
	IsDefault    bool            `json:"isDefault"`
	Variants     json.RawMessage `json:"variants,omitempty"`
	Effort       string          `json:"defaultReasoningEffort,omitempty"`
}

// Branch is what version control says about a workspace. It is told before a turn begins and after it has ended.
type Branch struct {
	Branch string `json:"branch,omitempty"`
	VCS    string `json:"vcs,omitempty"`
}

// Skill is one skill of the catalogue.
type Skill struct {
	Selector     string `json:"selector"`
	DisplayName  string `json:"displayName"`
	Description  string `json:"description"`
	Source       string `json:"source"`
	ArgumentHint string `json:"argumentHint,omitempty"`
	PluginID     string `json:"pluginId,omitempty"`
}

// Hook is one hook of the catalogue.
type Hook struct {
	Key         string `json:"key"`
	Event       string `json:"event"`
	HandlerKind string `json:"handlerKind"`
	Enabled     bool   `json:"enabled"`
}

// Plugin is one plugin of the catalogue.
type Plugin struct {
	ID      string `json:"id"`
	Source  string `json:"source"`
	Version string `json:"version"`
	Enabled bool   `json:"enabled"`
}

// Quota is what is used of a subscription.
type Quota struct {
	ObservedAtMs int64       `json:"observedAtMs"`
	Tier         string      `json:"tier"`
	Weekly       QuotaWeekly `json:"weekly"`
	Window       QuotaWindow `json:"window"`
}

// QuotaWeekly is the part of a Quota that is counted by the week.
type QuotaWeekly struct {
	ResetsAtMs  int64 `json:"resetsAtMs"`
	UsedPercent int   `json:"usedPercent"`
}

// QuotaWindow is the part of a Quota that is counted in a shorter time.
type QuotaWindow struct {
	ResetsAtMs         int64 `json:"resetsAtMs"`
	UsedPercent        int   `json:"usedPercent"`
	WindowDurationMins int   `json:"windowDurationMins"`
}

// Shell is how one shell line goes that the user runs in the session (session/userShell): a Tool that is asked for and
// done like one of the model. A line that no Shell is for is a problem of the adapter, and does not run.
type Shell struct {
	Line    int
	Command string // "command": it is for lines that contain this
	Tool    Tool   // its members "approval", "output", "fails", "ends", "deltas", "stored" and "hang"
}

// Trigger is what happens when a method is called, in place of what usually does. In a script: "on": [{"method":
// "session/resume", "exit": 1}]. The method "serve" is the start of a host. Exactly one of Exit, Silence, Fails, Wait
// and Event is set.
type Trigger struct {
	Line    int
	Method  string
	Call    int            // "call": the how manieth call of it, from 1; 0: every one
	Exit    *int           // the host exits with this code
	Silence bool           // the host says nothing any more
	Fails   *AnswerFailure // "fails": the answer is this error, and nothing happens
	Wait    string         // the request is looked at when this event happens
	Event   *Event         // "event": comes behind the answer and all that follows from it
}

// Stored is a session that exists already.
type Stored struct {
	Line      int
	SessionID string
	// Workspace is its folder ("workspaceRoot"): absolute, or a path below Options.Workspace, which it is by default.
	// Null in the script means none.
	Workspace *string
	Provider  *string // "providerId"
	Model     *string // "modelId"
	Mode      string  // "approvalMode"
	Name      string
	Effort    string // "reasoningEffort"
	TurnCount int
	CreatedAt time.Time
	UpdatedAt time.Time
	Cursor    int               // of its last event; 0: that of the last one in Events
	Earliest  int               // of the first event that is still kept; asking for earlier ones is an error
	Head      int               // what view/subscribe gives as the head, where the store is ahead of the stream
	Loaded    bool              // the first host has it loaded from its start
	Items     []json.RawMessage // the items as they stand; nil: those of Events
	Events    []StoredEvent
	Total     cumulativeUsage // "tokenUsage"
	Goal      *Goal
	Todos     []Todo
	LastTurn  json.RawMessage
	Forked    json.RawMessage // "forkedFrom"
	More      json.RawMessage // "more": further members of the session, shown as they are: title, firstUserPrompt, …
	Turn      *StoredTurn
}

// StoredEvent is an event of the view as it is kept: without session, cursor and source, which the host adds.
type StoredEvent struct {
	Cursor  int             `json:"cursor"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Dropped bool            `json:"dropped,omitempty"` // it gets lost on its way to a subscriber, who is told of a gap
}

// StoredTurn is a turn that is under way in a stored session. It goes on when the session is loaded. Its first step may
// be under way itself; Open says how it stands. An orphan was left behind by a lost host: loading the session ends it.
type StoredTurn struct {
	Orphan    bool
	TurnID    string
	CommandID string
	Text      string // of its input
	Open      *StoredOpen
	Plan      Turn // its members "steps", "totals", "timings" and "cancelReason"
}

// StoredOpen is the item on which a stored turn works: a tool call that is asked for, a question, or a text.
type StoredOpen struct {
	ItemID      string `json:"itemId"`
	ApprovalID  string `json:"approvalId,omitempty"`
	TaskID      string `json:"taskId,omitempty"`
	UserInputID string `json:"userInputId,omitempty"`
	Cursor      int    `json:"cursor,omitempty"` // of the request
	Text        string `json:"text,omitempty"`   // what was said so far
}

// Goal is the goal of a session.
type Goal struct {
	Objective       string `json:"objective"`
	Status          string `json:"status"`
	PercentComplete int    `json:"percentComplete"`
	CurrentWork     string `json:"currentWork,omitempty"`
	NextWork        string `json:"nextWork,omitempty"`
}
