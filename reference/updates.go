package reference

import (
	"encoding/json"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/rpc"
)

// The messages to the client are written from types of our own, which keep the order of their members and the bytes
// of tool arguments: the SDK's unions decode and encode them on the way, which changes both. Names and values are the
// SDK's.

type notificationParams struct {
	SessionID acp.SessionId `json:"sessionId"`
	Update    any           `json:"update"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type chunkUpdate struct {
	SessionUpdate string    `json:"sessionUpdate"`
	Content       textBlock `json:"content"`
}

type cardUpdate struct {
	SessionUpdate string             `json:"sessionUpdate"`
	ToolCallID    acp.ToolCallId     `json:"toolCallId"`
	Title         string             `json:"title"`
	Kind          acp.ToolKind       `json:"kind"`
	Status        acp.ToolCallStatus `json:"status"`
	RawInput      json.RawMessage    `json:"rawInput,omitempty"`
	Locations     []location         `json:"locations,omitempty"`
	Content       []cardContent      `json:"content,omitempty"`
	RawOutput     json.RawMessage    `json:"rawOutput,omitempty"`
}

type location struct {
	Path string `json:"path"`
}

type cardContent struct {
	Type    string    `json:"type"`
	Content textBlock `json:"content"`
}

func textContent(text string) cardContent { return cardContent{"content", textBlock{"text", text}} }

// update sends one session/update.
func (s *session) update(update any) {
	id := s.id
	if s.a.fault(WrongSessionUpdate) {
		s.a.mu.Lock()
		id = s.a.order[0].id
		s.a.mu.Unlock()
	}
	line, err := rpc.EncodeRequest(nil, acp.ClientMethodSessionUpdate, notificationParams{id, update})
	if err != nil {
		s.a.logf("an update was dropped: %v", err)
		return
	}
	if s.a.fault(UpdateAfterResponse) {
		line, s.held = s.held, line
		if line == nil {
			return
		}
	}
	s.a.out.Send(line)
}

// releaseHeld sends what the faults drop-updates-after-response and update-behind-response send after a response.
func (s *session) releaseHeld() {
	s.publishLate()
	s.behind()
	if s.a.fault(LateUpdate) {
		s.update(chunkUpdate{"agent_message_chunk", textBlock{"text", ""}})
	}
	if s.held != nil {
		s.a.out.Send(s.held)
		s.held = nil
	}
}

func (s *session) say(text string) {
	s.chunk("agent_message_chunk", text)
}

func (s *session) think(text string) {
	s.chunk("agent_thought_chunk", text)
}

func (s *session) chunk(kind, text string) {
	if text = s.shownText(text); text != "" {
		s.update(chunkUpdate{kind, textBlock{"text", text}})
	}
}
