package reference

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// The faults of what the protocol itself says of prompts, cancels, sessions, modes and options.
const (
	StartedFolder      Fault = "works-where-it-was-started"
	LinksUnaddressed   Fault = "links-without-address"
	BlocksReversed     Fault = "blocks-in-reverse-order"
	NullsRefused       Fault = "refuses-null-members"
	UnknownBlocksGone  Fault = "passes-over-unknown-blocks"
	EmbeddedUntold     Fault = "embedded-text-is-dropped"
	CancelStaysHere    Fault = "cancel-never-reaches-host"
	AsksAfterCancel    Fault = "asks-after-cancel"
	CancelStopsAll     Fault = "cancel-stops-all-sessions"
	TellsOtherSessions Fault = "tells-what-another-session-heard"
	NewStopsTurns      Fault = "new-session-stops-turns"
	DeathBlocksOthers  Fault = "death-of-host-blocks-others"
	SessionWithoutID   Fault = "session-without-id"
	RefusalStartsHost  Fault = "refused-session-starts-host"
	CloseOfNothingNull Fault = "close-of-nothing-answers-null"
	ModeRefused        Fault = "refuses-offered-modes"
	SameModeRefused    Fault = "refuses-same-mode"
	PartialUpdate      Fault = "option-update-shows-changed-only"
	OptionEndsTurn     Fault = "option-ends-turn"
	LastPieceOnly      Fault = "output-shows-last-piece-only"
)

func conversationFaults() []FaultInfo {
	return []FaultInfo{
		{StartedFolder, "A session works where the adapter was started, whatever folder it was given."},
		{LinksUnaddressed, "Of a link the model is told that there is one, and nothing more."},
		{BlocksReversed, "The blocks of a prompt reach the model in reverse order."},
		{NullsRefused, "A prompt in which a member is null is refused."},
		{UnknownBlocksGone, "Blocks that the adapter does not take are left out of a prompt without a word."},
		{EmbeddedUntold, "Of a text that a prompt embeds the model is told that there is one, and nothing more."},
		{CancelStaysHere, "A cancel ends the turn for the client only, and its host works on."},
		{AsksAfterCancel, "A file is asked for when the turn was cancelled."},
		{CancelStopsAll, "A cancel stops the turns of all sessions."},
		{TellsOtherSessions, "What the last prompt but one said stands in front of a prompt, of whatever session that was."},
		{NewStopsTurns, "When a session is made, the turns of the others are stopped as soon as the client answers something."},
		{DeathBlocksOthers, "When a host dies no other session takes a prompt."},
		{SessionWithoutID, "A request for a session that does not list MCP servers is answered with an empty id."},
		{RefusalStartsHost, "For a session that is refused for its folder a host is started, which stays until the adapter ends."},
		{CloseOfNothingNull, "A close of a session that is not there is answered with null."},
		{ModeRefused, "The method that sets a mode refuses all of them."},
		{SameModeRefused, "A mode that a session is in already is refused."},
		{PartialUpdate, "An update of the options shows that for the modes only."},
		{OptionEndsTurn, "To set an option while a turn runs ends the turn, and is answered when that has ended."},
		{LastPieceOnly, "The last update of a tool holds only the second half of what it wrote."},
	}
}

// protocolState is what these faults remember.
type protocolState struct {
	heard     [2][]muse.InputPart // the last two prompts, for the fault tells-what-another-session-heard
	disturbed bool                // for the fault new-session-stops-turns
}

// misheard is the input of a turn as these faults make it. Called for every prompt, in their order.
func (a *adapter) misheard(input []muse.InputPart) []muse.InputPart {
	told := func(f Fault, begins, instead string) {
		for i := range input {
			if a.fault(f) && strings.HasPrefix(input[i].Text, begins) {
				input[i].Text = instead
			}
		}
	}
	told(LinksUnaddressed, "Resource link: ", "A link.")
	told(EmbeddedUntold, "Embedded text resource: ", "A text.")
	if a.fault(BlocksReversed) {
		slices.Reverse(input)
	}
	earlier := a.odd.heard[0]
	a.odd.heard = [2][]muse.InputPart{a.odd.heard[1], slices.Clone(input)}
	if a.fault(TellsOtherSessions) {
		return append(slices.Clone(earlier), input...)
	}
	return input
}

// takesBlocks reports what is wrong with the blocks of a prompt for these faults, and which of them are left.
func (a *adapter) takesBlocks(blocks []json.RawMessage) ([]json.RawMessage, *rpc.Error) {
	if a.fault(NullsRefused) && slices.ContainsFunc(blocks, func(b json.RawMessage) bool { return strings.Contains(string(b), ":null") }) {
		return nil, invalid("a member is null")
	}
	if a.fault(UnknownBlocksGone) {
		blocks = slices.DeleteFunc(blocks, func(b json.RawMessage) bool {
			members, _ := object(b)
			kind, _ := text(members["type"])
			return kind == "video" || kind == "audio"
		})
	}
	return blocks, nil
}

// otherTurns stops what runs in other sessions than one.
func (a *adapter) otherTurns(than *session) {
	a.mu.Lock()
	others := slices.Clone(a.order)
	a.mu.Unlock()
	for _, o := range others {
		if t := o.running(); o != than && t != nil && t.started {
			o.inbox.post(cancelTurn{t})
		}
	}
}

// disturb is for the fault new-session-stops-turns. It begins with an answer of the client, so that it does not matter how
// soon that comes.
func (a *adapter) disturb() bool {
	if !a.odd.disturbed {
		return false
	}
	a.odd.disturbed = false
	a.otherTurns(nil)
	return true
}

// oddSession is for the faults of session/new. It reports whether the request has its answer.
func (a *adapter) oddSession(params map[string]json.RawMessage) (any, bool) {
	a.odd.disturbed = a.fault(NewStopsTurns) && len(a.order) > 1
	if a.fault(SessionWithoutID) && (params["mcpServers"] == nil || string(params["mcpServers"]) == "null") {
		return struct {
			SessionID string `json:"sessionId"`
		}{}, true
	}
	return nil, false
}

// hostForNothing is for the fault refused-session-starts-host. It waits until the host has answered.
func (a *adapter) hostForNothing() {
	if !a.fault(RefusalStartsHost) {
		return
	}
	s := newSession(a, "", a.o.Dir, nil)
	s.turn = newTurn(s, nil, nil)
	if err := s.startHost(s.turn); err != nil {
		a.logf("%v", err)
	}
	s.forget()
}

// forget leaves the host of a session at work; it is ended with the adapter.
func (s *session) forget() {
	if s.host == nil {
		return
	}
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	s.a.abandoned = append(s.a.abandoned, s.host)
	s.host = nil
}

// oddCancel is for the faults of what follows from a cancel. It reports whether the host is not told.
func (s *session) oddCancel() bool {
	if s.a.fault(AsksAfterCancel) && !s.closing {
		s.a.readOutside(s.id, "cancelled")
	}
	if !s.a.fault(CancelStaysHere) || s.closing {
		return false
	}
	s.forget()
	return true
}

// mourn is for the fault death-of-host-blocks-others.
func (s *session) mourn(err error) {
	var f *failure
	if !s.a.fault(DeathBlocksOthers) || !errors.As(err, &f) || f.source != "transport" {
		return
	}
	s.a.mu.Lock()
	defer s.a.mu.Unlock()
	for _, o := range s.a.order {
		if o != s && !o.busy() {
			o.begin(newTurn(o, nil, nil))
		}
	}
}

// oddMode refuses what can be set, for the faults of session/set_mode.
func (a *adapter) oddMode(s *session, mode string) *rpc.Error {
	if a.fault(ModeRefused) || a.fault(SameModeRefused) && mode == s.currentMode() {
		return invalid("the mode %q cannot be set", mode)
	}
	return nil
}

// toldOptions are the options that an update shows.
func (s *session) toldOptions() []configOption {
	options := s.configOptions()
	if s.a.fault(PartialUpdate) {
		options = slices.DeleteFunc(options, func(o configOption) bool { return o.ID != modeOption })
	}
	return options
}

// endsTurn is for the fault option-ends-turn. It reports whether the request is answered behind the prompt.
func (a *adapter) endsTurn(m rpc.Message, result any) bool {
	set, ok := result.(configResult)
	if !ok || !a.fault(OptionEndsTurn) || m.Method != acp.AgentMethodSessionSetConfigOption {
		return false
	}
	params, _ := object(m.Params)
	s, bad := a.session(params["sessionId"])
	if bad != nil || s.running() == nil {
		return false
	}
	s.mu.Lock()
	s.behindTurn = func() { a.respond(m.ID, set) }
	s.mu.Unlock()
	s.inbox.post(cancelTurn{s.running()})
	return true
}

// pieces shows the first half of what a tool wrote, and leaves the second for its last update.
func (s *session) pieces(c *card) {
	if !s.a.fault(LastPieceOnly) || len(c.content) != 1 || len(c.content[0].Content.Text) < 1024 {
		return
	}
	whole := c.content[0].Content.Text
	half := upTo(whole, len(whole)/2)
	done := c.status
	c.content, c.status = []cardContent{textContent(half)}, acp.ToolCallStatusInProgress
	s.show(c)
	c.content, c.status = []cardContent{textContent(whole[len(half):])}, done
}
