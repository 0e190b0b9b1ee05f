package reference

import (
	"io"
	"time"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/uuid"

	"acp-conform/reference/environ"
	"acp-conform/reference/muse"
)

// approvalMode is the host's own policy while the adapter drives it: it asks for what it does not settle itself.
const approvalMode = "onRequest"

// newCommandID mints the id of a command.
func newCommandID() string { return uuid.Must(uuid.NewV7()).String() }

// The params of the calls before a turn, in the order of their members (muse-adapter.md §0.2).
type (
	clientInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	initializeParams struct {
		ClientInfo clientInfo `json:"clientInfo"`
	}
	resumeParams struct {
		CommandID    string        `json:"commandId"`
		SessionID    acp.SessionId `json:"sessionId"`
		ExcludeItems bool          `json:"excludeItems"`
	}
	startParams struct {
		CommandID     string        `json:"commandId"`
		SessionID     acp.SessionId `json:"sessionId"`
		WorkspaceRoot string        `json:"workspaceRoot"`
		ModelID       string        `json:"modelId"`
		ProviderID    string        `json:"providerId"`
		ApprovalMode  string        `json:"approvalMode"`
	}
	modeParams struct {
		CommandID string        `json:"commandId"`
		SessionID acp.SessionId `json:"sessionId"`
		Mode      string        `json:"mode"`
	}
	modelParams struct {
		CommandID string        `json:"commandId"`
		SessionID acp.SessionId `json:"sessionId"`
		Model     modelChoice   `json:"model"`
	}
	modelChoice struct {
		ModelID    string `json:"modelId"`
		ProviderID string `json:"providerId"`
	}
	checkParams struct {
		SessionID    acp.SessionId `json:"sessionId"`
		IncludeTurns bool          `json:"includeTurns"`
	}
	readParams struct {
		SessionID    acp.SessionId `json:"sessionId"`
		ExcludeItems bool          `json:"excludeItems"`
	}
)

// prepare brings a host to where a turn can be sent: a new one through the whole sequence of muse-adapter.md §0.2,
// one that was kept only through session/setApprovalMode.
func (s *session) prepare(t *turn) error {
	fresh := s.host == nil
	if fresh {
		if err := s.startHost(t); err != nil {
			return err
		}
	}
	t.phase = preparing
	deadline := time.Now().Add(s.a.o.Deadlines.Start)
	if fresh {
		if err := s.bind(deadline); err != nil {
			return err
		}
	}
	if fresh && s.a.fault(ModelBeforeMode) {
		fresh = false
		if err := s.chooseModel(deadline); err != nil {
			return err
		}
	}
	id := newCommandID()
	if err := s.command("session/setApprovalMode", id, modeParams{id, s.id, approvalMode}, "the approval mode", deadline); err != nil {
		return err
	}
	if fresh {
		return s.chooseModel(deadline)
	}
	return nil
}

// startHost starts `muse serve` in the session's directory and shakes hands.
func (s *session) startHost(t *turn) error {
	t.phase = initializing
	path, err := environ.LookPath(s.a.o.Env, s.a.o.Dir, s.a.o.MusePath)
	if err != nil {
		return localFailure("environmentError", "Muse was not found: "+err.Error())
	}
	_, limit := s.a.lineLimits()
	s.host, err = muse.Start(muse.Spec{
		Path: path, Args: s.a.serve(), Env: s.a.o.Env, Dir: s.cwd,
		Drain: s.a.o.Deadlines.Drain, Immortal: s.a.fault(KeepsHost),
		Fragile: s.a.fault(TripsOverNoise), Limit: limit, Pace: s.a.o.HostPace,
		Spoil: func(w io.Writer) io.Writer { return spoil(w, s.a.o.Fault, toHost()) },
	}, func(e muse.Event) { s.inbox.post(e) })
	if err != nil {
		return localFailure("environmentError", "Muse could not be started")
	}
	if t.session == nil { // for the fault starts-host-at-session-new
		return nil
	}
	deadline := time.Now().Add(s.a.o.Deadlines.Start)
	r, err := s.call("initialize", initializeParams{clientInfo{clientName, s.a.o.Version}}, deadline)
	if err != nil {
		return err
	}
	if r.Err != nil {
		return s.refused(r.Err, "the handshake")
	}
	if s.host.Notify("initialized") != nil || s.host.Request("model/list", nil, nil) != nil {
		return localFailure("encode", "a message to Muse cannot be written")
	}
	return nil
}

// bind opens the session at the host: it resumes what the host has stored, or starts it under the same id.
func (s *session) bind(deadline time.Time) error {
	id := newCommandID()
	r, err := s.call("session/resume", resumeParams{id, s.id, true}, deadline)
	if err != nil {
		return err
	}
	r = s.beginsAnew(r)
	if code(r.Err) == muse.CodeSessionNotFound {
		id = newCommandID()
		params := startParams{id, s.id, s.cwd, s.a.o.Model, s.a.o.Provider, approvalMode}
		return s.command("session/start", id, params, "the session", deadline)
	}
	if code(r.Err) == muse.CodeSessionInUse {
		return remoteFailure("sessionInUse", "the session is in use by another Muse")
	}
	if _, err := r.Acked(id); err != nil {
		return s.refused(err, "the session")
	}
	var stored muse.SessionResult
	if err := r.Decode(&stored); err != nil {
		return s.refused(err, "the session")
	}
	switch info := stored.Session; {
	case info == nil:
		return s.refused(&muse.ProtocolError{What: "a session without its facts"}, "the session")
	case info.ActiveTurnID != nil || len(stored.PendingRequests) > 0:
		return remoteFailure("sessionBusy", "the saved Muse session has an unfinished turn or pending input")
	case info.WorkspaceRoot != nil && *info.WorkspaceRoot != s.cwd:
		return remoteFailure("workspaceMismatch", "the saved Muse session belongs to a different workspace")
	}
	return nil
}

// chooseModel sets the model, always, and reads it back: a turn with another model than the one asked for is not
// started.
func (s *session) chooseModel(deadline time.Time) error {
	id := newCommandID()
	want := modelChoice{s.a.o.Model, s.a.o.Provider}
	if err := s.command("session/setModel", id, modelParams{id, s.id, want}, "the requested model or provider", deadline); err != nil {
		return err
	}
	r, err := s.call("session/read", checkParams{s.id, false}, deadline)
	if err != nil {
		return err
	}
	var got muse.SessionResult
	if err := r.Decode(&got); err != nil {
		return s.refused(err, "the reading of the session")
	}
	is := func(p *string, want string) bool { return p != nil && *p == want }
	if got.Session == nil || !is(got.Session.ModelID, want.ModelID) || !is(got.Session.ProviderID, want.ProviderID) {
		return remoteFailure("modelNotConfirmed", "Muse did not confirm the requested model and provider; no turn was started")
	}
	return nil
}

// read reads the session after a good turn. It is not worth waiting for: the host is given up instead.
func (s *session) read() error {
	r, err := s.call("session/read", readParams{s.id, true}, time.Now().Add(s.a.o.Deadlines.Read))
	if err != nil {
		return err
	}
	return r.Err
}

// call sends a request and handles events until its answer is there, the turn is interrupted, or the deadline
// passes.
func (s *session) call(method string, params any, deadline time.Time) (muse.Reply, error) {
	var answer *muse.Reply
	if err := s.host.Request(method, params, func(r muse.Reply) { answer = &r }); err != nil {
		return muse.Reply{}, localFailure("encode", "a message to Muse cannot be written")
	}
	for answer == nil {
		if err := s.interrupted(); err != nil {
			return muse.Reply{}, err
		}
		if !s.step(deadline) {
			s.fail(late("Muse did not answer " + method + " in time"))
		}
	}
	return *answer, nil
}

// command is a call whose answer acknowledges a command.
func (s *session) command(method, id string, params any, what string, deadline time.Time) error {
	r, err := s.call(method, params, deadline)
	if err != nil {
		return err
	}
	if _, err := r.Acked(id); err != nil {
		return s.refused(err, what)
	}
	return nil
}

// refused makes an error of the host's the failure of the turn.
func (s *session) refused(err error, what string) error {
	f := hostFailure(err, what)
	f.phase = s.turn.phase
	return f
}
