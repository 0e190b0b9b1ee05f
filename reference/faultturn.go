package reference

import (
	"encoding/json"
	"errors"
	"fmt"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// The faults of requests that must be refused, and of what comes after a turn.
const (
	RestartsHost      Fault = "restarts-host"
	ReusesFailedHost  Fault = "reuses-failed-host"
	BusyAfterTurn     Fault = "busy-after-turn"
	KeepsLateCancel   Fault = "keeps-late-cancel"
	SecondCancelStays Fault = "second-cancel-stays"
	ShowsStrangers    Fault = "shows-other-sessions"
	TripsOverNoise    Fault = "trips-over-noise"
	SendsUnsentLater  Fault = "sends-unsent-later"
	AsksUnasked       Fault = "asks-about-unasked"
	StopsAfterRefusal Fault = "stops-after-refusal"
	StopsAtFolder     Fault = "stops-at-missing-folder"
	EndsWithTurn      Fault = "ends-when-turn-fails"
	AnyoneMayPrompt   Fault = "answers-unknown-session"
	EmptyPrompt       Fault = "answers-missing-prompt"
	MissingFolder     Fault = "accepts-missing-folder"
)

func turnFaults() []FaultInfo {
	return []FaultInfo{
		{RestartsHost, "The host is ended after every turn."},
		{ReusesFailedHost, "After a turn that the host reported as failed its host is used for the next one."},
		{BusyAfterTurn, "After a turn that was not cancelled its session takes no further prompt."},
		{KeepsLateCancel, "A cancel that comes while no turn runs cancels the next one."},
		{SecondCancelStays, "The second of two cancels cancels the next turn."},
		{ShowsStrangers, "Pieces of text of another session of the host are shown."},
		{TripsOverNoise, "A line of the host that is no message counts as its end."},
		{SendsUnsentLater, "A prompt that could not be sent to the host goes in front of the next one."},
		{AsksUnasked, "The client is also asked about a tool that the host did not ask about."},
		{StopsAfterRefusal, "After a request that was refused every other one is refused too."},
		{StopsAtFolder, "After a session was asked for in a folder that is not there every other request is refused."},
		{EndsWithTurn, "The adapter ends when a turn fails, and its prompt is not answered."},
		{AnyoneMayPrompt, "A prompt for a session that does not exist is answered with end_turn."},
		{EmptyPrompt, "A prompt without its blocks is answered with end_turn."},
		{MissingFolder, "A session is made in a folder that is not there."},
	}
}

// keeps reports whether a fault keeps the host of a turn that did not end well.
func (s *session) keeps(err error) bool {
	var f *failure
	return errors.As(err, &f) && s.a.fault(ReusesFailedHost) && f.source != "transport" && f.source != "adapter"
}

// cancelNext is for the faults that let a cancel count for the next turn. Called for every cancel.
func (s *session) cancelNext(running bool) {
	s.cancels++
	if s.a.fault(KeepsLateCancel) && !running || s.a.fault(SecondCancelStays) && s.cancels > 1 {
		s.spoilt = true
	}
}

// takeCancel reports whether a turn begins cancelled.
func (s *session) takeCancel() bool {
	was := s.spoilt
	s.cancels, s.spoilt = 0, false
	return was
}

// unsentInput is what stands in front of a turn's input.
func (s *session) unsentInput() []muse.InputPart {
	was := s.unsent
	s.unsent = nil
	return was
}

// keepUnsent is for the fault sends-unsent-later.
func (s *session) keepUnsent(t *turn) {
	if s.a.fault(SendsUnsentLater) && t.commandID == "" {
		s.unsent = t.input
	}
}

// askUnasked is for the fault asks-about-unasked; the answer is not waited for.
func (s *session) askUnasked(c *card) {
	if !s.a.fault(AsksUnasked) || !c.announced || c.ended() {
		return
	}
	for _, p := range s.turn.pendings {
		if p.callID() == c.id {
			return
		}
	}
	params := permissionParams{SessionID: s.id, ToolCall: permissionCall{ToolCallID: acp.ToolCallId(c.id)},
		Options: []option{{ID: "allow-once", Name: "Allow once", Kind: acp.PermissionOptionKindAllowOnce}}}
	if line, err := rpc.EncodeRequest(json.RawMessage(`"unasked"`), acp.ClientMethodSessionRequestPermission, params); err == nil {
		s.a.out.Send(line)
	}
}

var errTurnFailed = errors.New("a turn failed")

// crash is for the fault ends-when-turn-fails. It reports whether the adapter ends.
func (a *adapter) crash() bool {
	if !a.fault(EndsWithTurn) {
		return false
	}
	select {
	case a.crashed <- fmt.Errorf("the adapter ends: %w", errTurnFailed):
	default:
	}
	return true
}
