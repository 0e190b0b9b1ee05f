package reference

import (
	"encoding/json"
	"os"
	"slices"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/rpc"
)

// The modes of a session (muse-adapter.md §2.2). In the automatic ones the adapter answers for the user.
const (
	modeDefault = "default"
	modeBypass  = "bypassApprovals"
	modeReject  = "rejectApprovals"
)

// modeOption is the config option that mirrors the modes.
const modeOption = "mode"

type (
	modeInfo struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	modeState struct {
		Current   string     `json:"currentModeId"`
		Available []modeInfo `json:"availableModes"`
	}
	modeUpdate struct {
		SessionUpdate string `json:"sessionUpdate"`
		Current       string `json:"currentModeId"`
	}
	configUpdate struct {
		SessionUpdate string         `json:"sessionUpdate"`
		ConfigOptions []configOption `json:"configOptions"`
	}
)

// modes are the modes that work here, in the order in which they are advertised; what is advertised and what can be
// selected is this one list. The automatic ones answer for the seam, so without it there are none; and what runs as a
// privileged user must not also approve by itself.
func (a *adapter) modes() []modeInfo {
	list := []modeInfo{{modeDefault, "On request", "You are asked about what Muse does not settle by itself."}}
	if a.service() == nil {
		return list
	}
	if !a.o.privileged() || a.fault(ShowsBypass) {
		list = append(list, modeInfo{modeBypass, "Auto-approve", "Whatever Muse asks about is approved once, without asking you."})
	}
	return append(list, modeInfo{modeReject, "Reject prompts", "Whatever Muse asks about is rejected once, without asking you."})
}

// privileged reports whether to behave as for a privileged user.
func (o Options) privileged() bool {
	return o.Privileged == "yes" || o.Privileged == "auto" && os.Geteuid() == 0
}

func (s *session) modeState() modeState { return modeState{s.currentMode(), s.a.modes()} }

func (s *session) currentMode() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mode
}

// modeConfig is the config option that mirrors the modes.
func (s *session) modeConfig() configOption {
	o := configOption{ID: modeOption, Name: "Mode", Category: "mode", Type: "select", CurrentValue: s.currentMode()}
	for _, m := range s.a.modes() {
		o.Options = append(o.Options, configValue{Value: m.ID, Name: m.Name, Description: m.Description})
	}
	return o
}

// setMode is session/set_mode.
func (a *adapter) setMode(raw json.RawMessage) (any, *rpc.Error) {
	params, ok := object(raw)
	if !ok {
		return nil, invalid("session/set_mode needs an object")
	}
	s, bad := a.session(params["sessionId"])
	if bad != nil {
		return nil, bad
	}
	mode, ok := text(params["modeId"])
	if !ok {
		return nil, invalid("modeId must be a string")
	}
	if bad := a.oddMode(s, mode); bad != nil {
		return nil, bad
	}
	if bad := s.changeMode(mode, nil); bad != nil {
		return nil, bad
	}
	return struct{}{}, nil
}

// changeMode is the one way to another mode; both methods take it (§2.3). The new mode counts from the next question
// on; while one is open the mode stays, so that a change of mode never answers it. What is there already changes
// nothing and tells nobody. busy is the data of the refusal.
func (s *session) changeMode(mode string, busy any) *rpc.Error {
	if !slices.ContainsFunc(s.a.modes(), func(m modeInfo) bool { return m.ID == mode }) {
		if s.a.fault(UnknownModeOK) {
			return nil
		}
		return s.unknownMode(mode)
	}
	switch {
	case mode == s.currentMode() && !s.a.fault(AnnouncesSameMode):
		return nil
	case s.a.calls.asking(s) && !s.a.answersOpen() && !s.a.fault(ChangesWhileAsking):
		e := rpc.Errorf(rpc.InvalidRequest, "Invalid request: answer the open question before changing the mode of the session")
		e.Data = busy
		return e
	}
	for _, one := range s.a.modeOwners(s) {
		one.mu.Lock()
		one.mode = mode
		one.mu.Unlock()
	}
	s.modeChanged(mode)
	return nil
}

func (s *session) unknownMode(mode string) *rpc.Error {
	e := invalid("unknown session mode %q; choose an advertised mode", cut(mode, longestTitle))
	e.Data = map[string]string{"availability": "unknown"}
	if mode == modeBypass && s.a.service() != nil {
		e = invalid("mode %s is not available to a privileged user; choose an advertised mode", mode)
		e.Data = map[string]string{"availability": "guard"}
	}
	return e
}

// modeChanged tells the client, on both surfaces, before the request is answered.
func (s *session) modeChanged(mode string) {
	if !s.a.fault(NoModeUpdate) {
		s.notify(modeUpdate{"current_mode_update", mode})
	}
	if !s.a.fault(NoModeMirror) {
		s.notify(configUpdate{"config_option_update", s.toldOptions()})
	}
}

// notify sends an update that is of no turn, from the goroutine that reads the client.
func (s *session) notify(update any) {
	line, err := rpc.EncodeRequest(nil, acp.ClientMethodSessionUpdate, notificationParams{s.id, update})
	if err != nil {
		s.a.logf("an update was dropped: %v", err)
		return
	}
	s.a.out.Send(line)
}
