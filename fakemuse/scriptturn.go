package fakemuse

import "encoding/json"

// Usage are the raw counters of one model call, or of a turn.
type Usage struct {
	InputTokens      int  `json:"inputTokens"`
	OutputTokens     int  `json:"outputTokens"`
	CachedTokens     int  `json:"cachedTokens"`
	CacheWriteTokens *int `json:"cacheWriteTokens,omitempty"`
	CacheReadTokens  *int `json:"cacheReadTokens,omitempty"`
	ReasoningTokens  int  `json:"reasoningTokens"`
}

// Timings says which durations a host tells at the end of a turn. In a script: "timings": ["duration", "firstToken"].
type Timings struct {
	Duration   bool
	FirstToken bool
}

// Retry is one attempt at a model call that failed and will be made again.
type Retry struct {
	Attempt      int    `json:"attempt"`
	MaxAttempts  int    `json:"maxAttempts"`
	RetryDelayMs int    `json:"retryDelayMs"`
	Reason       string `json:"reason"`
}

// Event is a notification that the host sends of its own accord: one that MSP does not know, or one about things
// outside of the conversation. The host adds session, cursor and source, unless it is Bare.
type Event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
	// Bare events have no place in the view: no cursor, no source. The session is named only if Params do.
	Bare bool `json:"bare,omitempty"`
}

// Todo is one entry of the todo list.
type Todo struct {
	Text       string `json:"text"`
	Status     string `json:"status"`
	ActiveForm string `json:"activeForm,omitempty"`
}

// Ask is a question to the user, asked by a tool call (msp.md §6.7).
type Ask struct {
	Questions []Question
	Name      string  // "name": of the tool; request_user_input by default
	Args      string  // "args" or "rawArgs": of the tool call; by default its questions
	CallID    string  // "callId"
	Output    *string // what the tool shows once the question is settled; by default what a real host shows
	// Stuck ("stuck") takes an answer, and nothing follows from it.
	Stuck bool
	// AutoResolutionMs tells the client after what time the host settles the question itself. The fake has no such
	// clock: the time is up when the event Expires happens.
	AutoResolutionMs int
	Expires          string
}

// Question is one question of an Ask.
type Question struct {
	ID        string    `json:"id"`
	Header    string    `json:"header"`
	Question  string    `json:"question"`
	Selection Selection `json:"selection"`
	Options   []Option  `json:"options"`
}

// Selection says how many options may be chosen: Mode is single or multiple.
type Selection struct {
	Mode          string `json:"mode"`
	MinSelections *int   `json:"minSelections,omitempty"`
	MaxSelections *int   `json:"maxSelections,omitempty"`
}

// Option is one possible answer.
type Option struct {
	Label       string         `json:"label"`
	Description string         `json:"description,omitempty"`
	Preview     *OptionPreview `json:"preview,omitempty"`
}

// OptionPreview shows what an option stands for.
type OptionPreview struct {
	Format  string `json:"format"`
	Content string `json:"content"`
}
