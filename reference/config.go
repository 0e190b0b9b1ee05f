package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/approval"
	"acp-conform/reference/rpc"
)

// The config options of a session (approval-seam.md §4.2), beside the one that mirrors the modes.
const (
	sandboxOption  = "sandbox-mode"
	approvalOption = "approval-policy"
)

// eventSandbox is the audit log's event for a switch of the sandbox mode. It is no type of approval-seam.md §5; see the
// package for why it is there.
const eventSandbox = "sandbox/mode"

type sandboxData struct {
	Mode string `json:"mode"`
}

// knobs are switches that came while no turn was open: they wait for the next one (REQ-POL-07). The lock is held over
// the look at the log and what follows from it, so that no switch falls between the two.
type knobs struct {
	mu      sync.Mutex
	waiting map[string]string // by option
}

// The config options as they are sent, in the order of their members.
type (
	configOption struct {
		ID           string        `json:"id"`
		Name         string        `json:"name"`
		Category     string        `json:"category,omitempty"`
		Description  string        `json:"description,omitempty"`
		Type         string        `json:"type"`
		CurrentValue string        `json:"currentValue"`
		Options      []configValue `json:"options"`
	}
	configValue struct {
		Value       string `json:"value"`
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
	}
	configResult struct {
		ConfigOptions []configOption `json:"configOptions"`
	}
	newSessionResult struct {
		SessionID     acp.SessionId  `json:"sessionId"`
		Modes         modeState      `json:"modes"`
		ConfigOptions []configOption `json:"configOptions"`
	}
)

// configOptions are all options of a session with their values, switches that wait included (REQ-POL-04, REQ-POL-05).
func (s *session) configOptions() []configOption {
	s.knobs.mu.Lock()
	defer s.knobs.mu.Unlock()
	options := []configOption{s.modeConfig()}
	add := func(id, name, description string) {
		o := configOption{ID: id, Name: name, Description: description, Type: "select", CurrentValue: s.shown(id)}
		for _, v := range s.values(id) {
			o.Options = append(o.Options, configValue{Value: v, Name: v})
		}
		if len(o.Options) > 0 {
			options = append(options, o)
		} else if s.misoffers(id) {
			o.CurrentValue, o.Options = "ask", []configValue{{Value: "ask", Name: "ask"}}
			options = append(options, o)
		}
	}
	add(sandboxOption, "Sandbox", "The file sandbox mode bash commands in this session run under.")
	add(approvalOption, "Approvals", "ask: permission prompts reach you; never: they are rejected automatically.")
	return s.misorder(options)
}

// values are the values of an option; none when it is not advertised.
func (s *session) values(option string) []string {
	switch {
	case option == sandboxOption && s.a.o.SandboxMode != "":
		return sandboxModes()
	case option == approvalOption && s.a.service() != nil:
		var policies []string
		for _, p := range approval.Policies() {
			policies = append(policies, string(p))
		}
		return policies
	default:
		return nil
	}
}

// inForce is an option's value by the log, which counts for what the session does (REQ-POL-01).
func (s *session) inForce(option string) string {
	if option == approvalOption {
		return string(s.a.service().Policy(s.agent))
	}
	return sandboxMode(s.agent.Events(), s.a.o.SandboxMode)
}

// shown is an option's value as the client sees it: one that waits stands above the log's.
func (s *session) shown(option string) string {
	switch waiting := s.knobs.waiting[option]; {
	case len(s.values(option)) == 0:
		return ""
	case waiting != "":
		return waiting
	default:
		return s.inForce(option)
	}
}

// sandboxMode is the last mode that the events set, else the configured one. Where nothing confines there is none.
func sandboxMode(events []approval.Event, configured string) string {
	for i := len(events) - 1; i >= 0 && configured != ""; i-- {
		if events[i].Type == eventSandbox {
			if d := decode[sandboxData](events[i].Data); slices.Contains(sandboxModes(), d.Mode) {
				return d.Mode
			}
			return sandboxModes()[len(sandboxModes())-1] // unreadable: then nothing is wider, and nothing is asked for
		}
	}
	return configured
}

// setConfigOption sets one option and answers with all of them. Errors: REQ-POL-06. What is set by the client is not
// announced to it once more.
func (a *adapter) setConfigOption(raw json.RawMessage) (any, *rpc.Error) {
	params, ok := object(raw)
	if !ok {
		return nil, invalid("session/set_config_option needs an object")
	}
	s, bad := a.session(params["sessionId"])
	if bad != nil {
		return nil, bad
	}
	option, ok := text(params["configId"])
	if !ok {
		return nil, invalid("configId must be a string")
	}
	if option != modeOption && option != sandboxOption && option != approvalOption {
		return nil, invalid("unknown config option %q", option)
	}
	value, ok := text(params["value"])
	switch kind := string(params["value"]); {
	case kind == "true", kind == "false":
		return nil, invalid("config option %s is a select; boolean values are not accepted", option)
	case !ok:
		return nil, invalid("config option %s is a select; its value must be a string", option)
	}
	if option == modeOption {
		if bad := s.changeMode(value, map[string]string{"availability": "busy"}); bad != nil {
			return nil, bad
		}
		return configResult{s.configOptions()}, nil
	}
	if !slices.Contains(s.values(option), value) {
		if a.fault(AcceptsUnknownValue) {
			return configResult{s.configOptions()}, nil
		}
		return nil, invalid("unknown %s value %q", option, value)
	}
	if err := s.turnKnob(option, value); err != nil {
		a.logf("%v", err)
		return nil, rpc.Errorf(rpc.InternalError, "Internal error: the audit log of the session cannot be written")
	}
	a.switchSettles(option, value)
	return a.configAnswer(s, option, value), nil
}

// turnKnob sets an option: in an open turn at once, else with the next one. What is there already is not recorded,
// and neither is what was turned back before it counted (REQ-POL-07, REQ-POL-08).
func (s *session) turnKnob(option, value string) error {
	if s.a.fault(EchoesConfig) {
		return nil
	}
	s.knobs.mu.Lock()
	defer s.knobs.mu.Unlock()
	switch {
	case value == s.shown(option) && !s.a.fault(RecordsNoChange):
		return nil
	case approval.OpenTurn(s.agent.Events()) && !s.a.fault(SwitchWaits) || s.a.fault(SwitchesAtOnce):
		delete(s.knobs.waiting, option) // the turn began just now; what still waits for it is older
		if value == s.inForce(option) && !s.a.fault(RecordsNoChange) {
			return nil
		}
		return s.record(option, value)
	case value == s.inForce(option) && !s.a.fault(RecordsNoChange):
		delete(s.knobs.waiting, option)
	default:
		s.knobs.waiting[option] = value
	}
	return nil
}

// anchorKnobs records the switches that waited for a turn, as the first events of it, in the order in which the
// options are advertised.
func (s *session) anchorKnobs() error {
	s.knobs.mu.Lock()
	defer s.knobs.mu.Unlock()
	for _, option := range []string{sandboxOption, approvalOption} {
		value, ok := s.knobs.waiting[option]
		switch {
		case !ok:
			continue
		case len(s.values(option)) == 0: // the seam has gone away meanwhile, and its switch with it
			delete(s.knobs.waiting, option)
			continue
		}
		if err := s.record(option, value); err != nil {
			return err
		}
		delete(s.knobs.waiting, option)
	}
	return nil
}

func (s *session) record(option, value string) error {
	if option == sandboxOption {
		return s.agent.Append(eventSandbox, sandboxData{value})
	}
	for _, g := range s.a.policyLogs(s) {
		if err := s.a.service().SetPolicy(g, approval.Policy(value)); err != nil {
			return fmt.Errorf("switch the approval policy: %w", err)
		}
	}
	return nil
}
