package muse

import "encoding/json"

// SessionInfo is the part of a session that the adapter checks.
type SessionInfo struct {
	SessionID     string  `json:"sessionId"`
	WorkspaceRoot *string `json:"workspaceRoot"`
	ProviderID    *string `json:"providerId"`
	ModelID       *string `json:"modelId"`
	ActiveTurnID  *string `json:"activeTurnId"`
}

// SessionResult is what session/start, session/resume and session/read answer.
type SessionResult struct {
	Session         *SessionInfo      `json:"session"`
	PendingRequests []json.RawMessage `json:"pendingRequests"`
}

// Item is one entry of a turn's transcript, at one revision.
type Item struct {
	ItemID        string   `json:"itemId"`
	Kind          string   `json:"kind"`
	TurnID        *string  `json:"turnId"`
	Revision      int      `json:"revision"`
	Status        string   `json:"status"`
	Text          string   `json:"text"`
	Summary       []string `json:"summary"`
	Tool          string   `json:"tool"`
	CallID        string   `json:"callId"`
	Args          string   `json:"args"`
	CommandText   string   `json:"commandText"`
	VisibleOutput string   `json:"visibleOutput"`
	FailureReason string   `json:"failureReason"`
	FallbackText  string   `json:"fallbackText"`
	Event         string   `json:"event"`
	Label         string   `json:"label"`
	Truncated     bool     `json:"truncated"`
}

// Kinds and statuses of items that the adapter tells apart.
const (
	KindUserMessage  = "userMessage"
	KindAgentMessage = "agentMessage"
	KindReasoning    = "reasoning"
	KindToolCall     = "toolCall"
	KindHookRun      = "hookRun"

	StatusInProgress = "inProgress"
	StatusCompleted  = "completed"
)

// ItemParams are the params of item/started, item/updated and item/completed.
type ItemParams struct {
	SessionID string `json:"sessionId"`
	Item      Item   `json:"item"`
}

// DeltaParams are the params of item/delta. An absent field means text.
type DeltaParams struct {
	SessionID string `json:"sessionId"`
	ItemID    string `json:"itemId"`
	Field     string `json:"field"`
	Delta     Piece  `json:"delta"`
}

// TurnStarted are the params of turn/started.
type TurnStarted struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId"`
	CommandID string `json:"commandId"`
}

// TurnCompleted are the params of turn/completed.
type TurnCompleted struct {
	SessionID string     `json:"sessionId"`
	TurnID    string     `json:"turnId"`
	Terminal  string     `json:"terminal"`
	Reason    string     `json:"reason"`
	Error     *TurnError `json:"error"`
}

// TurnError says why a turn failed.
type TurnError struct {
	Kind      string `json:"kind"`
	Message   string `json:"message"`
	Retryable *bool  `json:"retryable"`
}

// UserInput are the params of userInput/requested and userInput/request.
type UserInput struct {
	SessionID   string     `json:"sessionId"`
	UserInputID string     `json:"userInputId"`
	TurnID      string     `json:"turnId"`
	ToolCallID  string     `json:"toolCallId"`
	ToolName    string     `json:"toolName"`
	Questions   []Question `json:"questions"`
}

// Question is one question to the user. Without options the answer is free text.
type Question struct {
	ID        string        `json:"id"`
	Header    string        `json:"header"`
	Question  string        `json:"question"`
	Selection Selection     `json:"selection"`
	Options   []InputOption `json:"options"`
}

// Selection says how many options make an answer.
type Selection struct {
	Mode string `json:"mode"`
	Min  *int   `json:"minSelections"`
	Max  *int   `json:"maxSelections"`
}

// Multiple is the mode of a question that takes several options.
const Multiple = "multiple"

// InputOption is one option of a question.
type InputOption struct {
	Label string `json:"label"`
}

// InputAnswer is the answer to one question: exactly one of the last three.
type InputAnswer struct {
	QuestionID     string   `json:"questionId"`
	SelectedLabel  *string  `json:"selectedLabel,omitempty"`
	SelectedLabels []string `json:"selectedLabels,omitzero"`
	FreeText       *string  `json:"freeText,omitempty"`
}

// Settled are the params of userInput/settled.
type Settled struct {
	SessionID   string `json:"sessionId"`
	UserInputID string `json:"userInputId"`
}

// Gap are the params of view/gap: what was strictly between the two cursors was not delivered.
type Gap struct {
	SessionID string `json:"sessionId"`
	After     string `json:"after"`
	Next      string `json:"next"`
}

// Page is what view/page answers.
type Page struct {
	Events []struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	} `json:"events"`
	NextCursor *string `json:"nextCursor"`
}

// Ack is the common part of the answers to commands.
type Ack struct {
	CommandID *string `json:"commandId"`
	TurnID    string  `json:"turnId"`
	Terminal  *bool   `json:"terminal"`
}

// InputPart is one part of a turn's input.
type InputPart struct {
	Type       string `json:"type"`
	Text       string `json:"text,omitempty"`
	MediaType  string `json:"mediaType,omitempty"`
	Base64Data string `json:"base64Data,omitempty"`
}

// TextPart makes a part of text.
func TextPart(text string) InputPart { return InputPart{Type: "text", Text: text} }
