package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	acp "github.com/coder/acp-go-sdk"
	"github.com/google/uuid"

	"acp-conform/reference/audit"
	"acp-conform/reference/rpc"
)

// agentName is the adapter's name in agentInfo; clientName is the one that it has for hosts.
const (
	agentName  = "acp-conform-reference"
	clientName = "acp_conform_reference"
)

// initialize answers with version 1, whatever the client speaks, and with what works (ACP-INIT-01 to ACP-INIT-05).
// Client capabilities that are absent, null or malformed count as not there (ACP-INIT-06).
func (a *adapter) initialize(raw json.RawMessage) (any, *rpc.Error) {
	params, ok := object(raw)
	if !ok {
		return nil, invalid("initialize needs an object")
	}
	version, ok := integer(params["protocolVersion"])
	if !ok {
		return nil, invalid("protocolVersion must be an integer")
	}
	a.initialized = true
	a.forms.Store(showsForms(params["clientCapabilities"]))
	result := acp.InitializeResponse{
		ProtocolVersion: acp.ProtocolVersionNumber,
		AgentCapabilities: acp.AgentCapabilities{
			PromptCapabilities:  acp.PromptCapabilities{Image: true, EmbeddedContext: true},
			SessionCapabilities: acp.SessionCapabilities{Close: &acp.SessionCloseCapabilities{}, Resume: &acp.SessionResumeCapabilities{}},
		},
		AuthMethods: []acp.AuthMethod{},
		AgentInfo:   &acp.Implementation{Name: agentName, Version: a.o.Version},
	}
	if a.fault(EchoesVersion) && version.IsInt64() {
		result.ProtocolVersion = acp.ProtocolVersion(version.Int64())
	}
	observes := a.optedIn(params["clientCapabilities"], approvalKey)
	a.observes.Store(observes)
	if observes || a.fault(UnaskedMeta) {
		result.Meta = map[string]any{approvalKey: map[string]int{"version": 1}}
	}
	return result, nil
}

// showsForms reports whether the client advertised elicitation in forms (ACP-ELIC-01).
func showsForms(capabilities json.RawMessage) bool {
	members, _ := object(capabilities)
	elicitation, _ := object(members["elicitation"])
	_, ok := object(elicitation["form"])
	return ok
}

// integer reads a whole number, however it is written: 1, 1.0, 1e0.
func integer(raw json.RawMessage) (*big.Int, bool) {
	const longest = 32 // characters; enough for every number that means something here
	if len(raw) == 0 || len(raw) > longest || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return nil, false
	}
	if i := strings.IndexAny(string(raw), "eE"); i >= 0 && len(raw)-i > 4 {
		return nil, false // an exponent of three digits and more
	}
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok || !r.IsInt() {
		return nil, false
	}
	return r.Num(), true
}

// newSession makes a session after the checks of muse-adapter.md §2.1, in their order. It starts no host.
func (a *adapter) newSession(raw json.RawMessage) (any, *rpc.Error) {
	params, ok := object(raw)
	if !ok {
		return nil, invalid("session/new needs an object")
	}
	if result, odd := a.oddSession(params); odd {
		return result, nil
	}
	cwd, e := a.place(params)
	if e != nil {
		a.hostForNothing()
		return nil, e
	}
	if a.fault(RepeatsSessionID) && len(a.order) > 0 {
		return newSessionResult{a.order[0].id, a.order[0].modeState(), a.order[0].configOptions()}, nil
	}
	s, e := a.addSession(cwd)
	if e != nil {
		return nil, e
	}
	return newSessionResult{s.id, s.modeState(), s.configOptions()}, nil
}

// place reads where a session is to be, the same way for a new one and for one that is resumed: in one directory,
// without further ones and without MCP servers.
func (a *adapter) place(params map[string]json.RawMessage) (string, *rpc.Error) {
	more, ok := list(params["additionalDirectories"])
	if !ok {
		return "", invalid("additionalDirectories must be an array")
	}
	if len(more) > 0 {
		e := invalid("a session has one workspace root; no additional directory was allowed")
		e.Data = map[string]string{"availability": "unsupported"}
		return "", e
	}
	servers, ok := list(params["mcpServers"])
	if !ok {
		return "", invalid("mcpServers must be an array")
	}
	if len(servers) > 0 {
		return "", invalid("MCP servers are not supported")
	}
	return a.workspace(params["cwd"])
}

// workspace checks a working directory and resolves its links.
func (a *adapter) workspace(raw json.RawMessage) (string, *rpc.Error) {
	cwd, ok := text(raw)
	if !ok {
		return "", invalid("cwd must be a string")
	}
	if !filepath.IsAbs(cwd) {
		if !a.fault(RelativeCwd) {
			return "", invalid("cwd must be an absolute path, got %q", cwd)
		}
		cwd = a.o.Dir
	}
	if a.fault(StartedFolder) {
		cwd = a.o.Dir
	}
	real, err := filepath.EvalSymlinks(cwd)
	if err == nil {
		var info os.FileInfo
		if info, err = os.Stat(real); err == nil && !info.IsDir() {
			err = fmt.Errorf("not a directory")
		}
	}
	if err != nil && a.fault(MissingFolder) {
		return cwd, nil
	}
	if err != nil {
		a.halted = a.halted || a.fault(StopsAtFolder)
		return "", invalid("the workspace directory does not exist or is not available: %s", cwd)
	}
	return real, nil
}

// addSession registers a session, with an id that grows with time and is the same for the host.
func (a *adapter) addSession(cwd string) (*session, *rpc.Error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, rpc.Errorf(rpc.InternalError, "Internal error: no session id could be made")
	}
	log, err := audit.Open(a.auditFile(acp.SessionId(id.String())), a.logs)
	if err != nil {
		return nil, a.noLog(err)
	}
	s := newSession(a, acp.SessionId(id.String()), cwd, log)
	return s, a.register(s)
}

// noLog refuses a session whose audit log cannot be used. A log that is damaged is named, with the line: nothing else
// can be done with the session until somebody has looked at it.
func (a *adapter) noLog(err error) *rpc.Error {
	a.logf("%v", err)
	why := ""
	if bad := (*audit.BadLineError)(nil); errors.As(err, &bad) {
		why = ": " + bad.Error()
	}
	return rpc.Errorf(rpc.InternalError, "Internal error: the audit log of the session cannot be opened%s", why)
}

// register puts a session into the table and starts it.
func (a *adapter) register(s *session) *rpc.Error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return rpc.Errorf(rpc.InvalidRequest, "Invalid request: the agent is shutting down")
	}
	a.sessions[s.id] = s
	a.order = append(a.order, s)
	a.running.Go(s.run)
	return nil
}

// session finds an open session.
func (a *adapter) session(raw json.RawMessage) (*session, *rpc.Error) {
	id, ok := text(raw)
	if !ok {
		return nil, invalid("sessionId must be a string")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.sessions[acp.SessionId(id)]
	if s == nil {
		return nil, invalid("unknown session: %s", id)
	}
	return s, nil
}
