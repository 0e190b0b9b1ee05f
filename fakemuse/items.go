package fakemuse

// item is one entry of a conversation at one revision, members in the order in which a real host writes them.
type item struct {
	ItemID        string       `json:"itemId"`
	Kind          string       `json:"kind"`
	TurnID        *string      `json:"turnId"`
	Revision      int          `json:"revision"`
	Status        string       `json:"status"`
	RecordedAt    string       `json:"recordedAt,omitempty"`
	Tool          string       `json:"tool,omitempty"`
	CallID        string       `json:"callId,omitempty"`
	Args          *string      `json:"args,omitempty"`
	FailureReason string       `json:"failureReason,omitempty"`
	VisibleOutput *string      `json:"visibleOutput,omitempty"`
	Text          *string      `json:"text,omitempty"`
	Summary       []string     `json:"summary,omitempty"`
	CommandID     string       `json:"commandId,omitempty"`
	DisplayText   string       `json:"displayText,omitempty"`
	Attachments   []attachment `json:"attachments,omitempty"`
	Truncated     bool         `json:"truncated,omitempty"`
}

// attachment is what the view shows of an image: never its bytes.
type attachment struct {
	AttachmentID string `json:"attachmentId"`
	Type         string `json:"type"`
	MediaType    string `json:"mediaType"`
}

// The params of the events that a turn makes.
type (
	itemParams struct {
		view
		Item item `json:"item"`
	}
	deltaParams struct {
		view
		ItemID string `json:"itemId"`
		Field  string `json:"field"`
		Delta  string `json:"delta"`
	}
	turnStartedParams struct {
		view
		TurnID    string `json:"turnId"`
		CommandID string `json:"commandId"`
	}
	turnCompletedParams struct {
		view
		TurnID             string     `json:"turnId"`
		Terminal           string     `json:"terminal"`
		Reason             string     `json:"reason,omitempty"`
		Error              *turnError `json:"error,omitempty"`
		DurationMs         int64      `json:"durationMs"`
		TimeToFirstTokenMs *int64     `json:"timeToFirstTokenMs,omitempty"`
	}
	tokenUsageParams struct {
		view
		TurnID       string          `json:"turnId"`
		ModelID      string          `json:"modelId,omitempty"`
		Usage        tokenUsage      `json:"usage"`
		PromptTokens int             `json:"promptTokens"`
		TotalTokens  int             `json:"totalTokens"`
		FinishReason string          `json:"finishReason,omitempty"`
		DurationMs   int64           `json:"durationMs"`
		Cumulative   cumulativeUsage `json:"cumulative"`
	}
	contextUsageParams struct {
		view
		WindowTokens int    `json:"windowTokens"`
		UsedTokens   int    `json:"usedTokens"`
		Pressure     string `json:"pressure"`
	}
)

// turnError says why a turn failed.
type turnError struct {
	Kind      string `json:"kind"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// tokenUsage are the raw counters of one model call.
type tokenUsage struct {
	InputTokens      int `json:"inputTokens"`
	OutputTokens     int `json:"outputTokens"`
	CachedTokens     int `json:"cachedTokens"`
	CacheWriteTokens int `json:"cacheWriteTokens"`
	CacheReadTokens  int `json:"cacheReadTokens"`
	ReasoningTokens  int `json:"reasoningTokens"`
}

// cumulativeUsage are the running totals of a session.
type cumulativeUsage struct {
	PromptTokens int `json:"promptTokens"`
	OutputTokens int `json:"outputTokens"`
	TotalTokens  int `json:"totalTokens"`
}

// lastTurn restates the last turn that ended.
type lastTurn struct {
	TurnID   string     `json:"turnId"`
	Terminal string     `json:"terminal"`
	Reason   string     `json:"reason,omitempty"`
	Error    *turnError `json:"error,omitempty"`
}
