package reference

import (
	"encoding/json"
	"fmt"
	"strconv"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/rpc"
)

// line admits one line of the client: what it asks for is answered, or registered, before the next is looked at.
func (a *adapter) line(l rpc.Line) {
	if l.TooLong {
		if a.overlong = a.fault(DiesOfLine); a.overlong {
			return
		}
		a.refuse(rpc.Null(), rpc.Errorf(rpc.ParseError, "Parse error: a line is longer than %d bytes", rpc.MaxLine))
		return
	}
	if a.misread != nil {
		l.Data = a.misread(l.Data)
	}
	m, bad := rpc.Parse(l.Data)
	switch m.Kind {
	case rpc.Blank:
	case rpc.Invalid:
		if !(a.fault(IgnoresBadJSON) && bad.Code == rpc.ParseError) {
			a.refuse(m.ID, bad)
		}
	case rpc.Response:
		a.response(m)
	case rpc.Notification:
		a.notification(m)
	case rpc.Request:
		if a.fault(SecondOvertakes) && m.Method == acp.AgentMethodSessionPrompt {
			a.aside = append(a.aside, m)
			return
		}
		a.request(m)
	}
}

// admitAside is for the faults second-request-overtakes, where prompts come after everything else, and last-answer-counts.
func (a *adapter) admitAside() {
	aside := a.aside
	a.aside = nil
	for _, m := range aside {
		a.request(m)
	}
	a.hearAside()
}

func (a *adapter) request(m rpc.Message) {
	a.promptSettles(m)
	a.answeredBy(m)
	if a.halted {
		a.refuse(m.ID, rpc.Errorf(rpc.InternalError, "Internal error: nothing more is done"))
		return
	}
	if bad := a.untaken(m.Method, m.Params); bad != nil {
		a.refuse(m.ID, bad)
		return
	}
	if a.unanswered(m.Method) {
		return
	}
	var result any
	var bad *rpc.Error
	switch m.Method {
	case acp.AgentMethodInitialize:
		a.again()
		result, bad = a.initialize(m.Params)
	case acp.AgentMethodSessionNew, acp.AgentMethodSessionPrompt, acp.AgentMethodSessionCancel,
		acp.AgentMethodSessionSetConfigOption, acp.AgentMethodSessionSetMode, acp.AgentMethodSessionClose, acp.AgentMethodSessionResume:
		switch {
		case !a.initialized, a.forgets:
			bad = rpc.Errorf(rpc.InvalidRequest, "Invalid request: %s came before initialize", m.Method)
		case m.Method == acp.AgentMethodSessionNew:
			result, bad = a.newSession(m.Params)
		case m.Method == acp.AgentMethodSessionSetConfigOption:
			result, bad = a.setConfigOption(m.Params)
		case m.Method == acp.AgentMethodSessionSetMode:
			result, bad = a.setMode(m.Params)
		case m.Method == acp.AgentMethodSessionResume:
			result, bad = a.resumeSession(m.Params)
		case m.Method == acp.AgentMethodSessionClose:
			if bad = a.closeSession(m.ID, m.Params); bad == nil {
				return // answered when the session has ended
			}
		case m.Method == acp.AgentMethodSessionCancel:
			a.cancel(m.Params)
			result = struct{}{}
		default:
			if bad = a.prompt(m.ID, m.Params); bad == nil {
				return // answered when the turn ends
			}
		}
	default:
		if a.fault(UnknownMethodOK) {
			result = struct{}{}
			break
		}
		bad = rpc.Errorf(rpc.MethodNotFound, "Method not found: %q", m.Method)
	}
	if bad != nil {
		a.halted = a.halted || a.fault(StopsAfterRefusal)
		a.refuse(m.ID, bad)
		return
	}
	a.tellEarly(m.Method)
	a.greet(m.Method, result)
	if !a.endsTurn(m, result) {
		a.respond(m.ID, result)
	}
}

// notification applies what needs no answer. Unknown ones, and requests that were sent as notifications, do nothing
// (ACP-RPC-06, ACP-RPC-20).
func (a *adapter) notification(m rpc.Message) {
	if m.Method == acp.AgentMethodSessionCancel && a.initialized {
		a.cancel(m.Params)
	}
	if a.fault(AnswersNotification) {
		a.respond(rpc.Null(), struct{}{})
	}
}

// response hands an answer of the client to the session that asked. Answers to nothing are ignored (ACP-RPC-16).
func (a *adapter) response(m rpc.Message) {
	if !a.disturb() && !a.setAside(m) {
		a.hear(m)
	}
}

func (a *adapter) hear(m rpc.Message) {
	if a.stays(m) {
		return
	}
	k := a.calls.take(m.ID, a.fault(SwapsAnswers))
	if k == nil {
		k = a.otherTyped(m.ID)
	}
	r := a.inPlace(k == nil, reply{result: m.Result, err: m.Error, broken: m.Broken})
	if k == nil {
		a.logf("an answer to nothing was ignored")
		return
	}
	k.heard(r)
}

func (a *adapter) respond(id json.RawMessage, result any) {
	line, err := rpc.EncodeResult(a.idOf(id), result)
	if err != nil {
		a.refuse(id, rpc.Errorf(rpc.InternalError, "Internal error: the result cannot be written"))
		return
	}
	a.out.Send(line)
}

func (a *adapter) refuse(id json.RawMessage, e *rpc.Error) {
	line, err := rpc.EncodeError(a.idOf(id), e)
	if err != nil { // data that cannot be written; the code can
		line, _ = rpc.EncodeError(a.idOf(id), rpc.Errorf(e.Code, "%s", e.Message))
	}
	a.out.Send(line)
}

// idOf is the id itself, but for the fault id-type-changed.
func (a *adapter) idOf(id json.RawMessage) json.RawMessage {
	if a.fault(IDTypeChanged) && id[0] != '"' && id[0] != 'n' {
		return json.RawMessage(strconv.Quote(string(id)))
	}
	return id
}

// object reads params, or a part of them, whose members are matched letter for letter.
func object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	if len(raw) == 0 || raw[0] != '{' {
		return nil, false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, false
	}
	return members, true
}

// text reads a string.
func text(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	return s, json.Unmarshal(raw, &s) == nil
}

// list reads an array. Absent and null are an empty one.
func list(raw json.RawMessage) ([]json.RawMessage, bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, true
	}
	var items []json.RawMessage
	return items, json.Unmarshal(raw, &items) == nil
}

// invalid is an error about params.
func invalid(format string, args ...any) *rpc.Error {
	return rpc.Errorf(rpc.InvalidParams, "Invalid params: %s", fmt.Sprintf(format, args...))
}
