package fakemuse

import (
	"encoding/json"
	"slices"

	"acp-conform/wire"
)

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
	Truncated     *bool        `json:"truncated,omitempty"`

	ApprovalID   string          `json:"approvalId,omitempty"`
	CommandText  string          `json:"commandText,omitempty"`
	DurationMs   *int64          `json:"durationMs,omitempty"`
	Steered      bool            `json:"steered,omitempty"`
	Retracted    bool            `json:"retracted,omitempty"`
	Trigger      string          `json:"trigger,omitempty"`
	Outcome      string          `json:"outcome,omitempty"`
	Through      string          `json:"summarizedThrough,omitempty"`
	OutputRef    *outputRef      `json:"outputRef,omitempty"`
	PatchRef     *outputRef      `json:"patchRef,omitempty"`
	PatchSummary *patchSummary   `json:"patchSummary,omitempty"`
	whole        json.RawMessage // the item as a script gave it
}

// MarshalJSON writes an item; one that a script gave stays as it is, but for what the host adds.
func (i item) MarshalJSON() ([]byte, error) {
	if i.whole == nil {
		type plain item
		return encode(plain(i)), nil
	}
	return i.whole, nil
}

// UnmarshalJSON reads an item and keeps the text, so that kinds nobody knows stay whole.
func (i *item) UnmarshalJSON(text []byte) error {
	type plain item
	if err := json.Unmarshal(text, (*plain)(i)); err != nil {
		return err
	}
	i.whole = slices.Clone(text)
	return nil
}

// outputRef names an output that is kept, for item/readOutput.
type outputRef struct {
	ID           string `json:"id"`
	Kind         string `json:"kind"`
	URI          string `json:"uri"`
	ByteLen      int    `json:"byteLen"`
	MediaType    string `json:"mediaType,omitempty"`
	Availability string `json:"availability"`
}

type patchSummary struct {
	Files   int `json:"files"`
	Added   int `json:"added"`
	Removed int `json:"removed"`
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
		Delta  piece  `json:"delta"`
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
		DurationMs         *int64     `json:"durationMs,omitempty"`
		Usage              *Usage     `json:"usage,omitempty"`
		TimeToFirstTokenMs *int64     `json:"timeToFirstTokenMs,omitempty"`
	}
	tokenUsageParams struct {
		view
		TurnID       string          `json:"turnId"`
		ModelID      string          `json:"modelId,omitempty"`
		Usage        Usage           `json:"usage"`
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

// piece is a part of a text, which may begin or end in the middle of a character (wire.UnquoteText).
type piece string

// MarshalJSON writes a piece with its halves as they are.
func (p piece) MarshalJSON() ([]byte, error) { return wire.QuoteText(string(p)), nil }

// turnError says why a turn failed.
type turnError struct {
	Kind      string `json:"kind"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
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
