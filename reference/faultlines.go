package reference

import (
	"bytes"
	"io"
	"regexp"
)

// lineFault is a fault that changes single lines as they pass, and nothing else of the adapter.
type lineFault struct {
	FaultInfo
	in       string // only lines that hold this text; empty for all
	old, new string // a regular expression, and what stands in its place; a line of which nothing is left is dropped
}

// ahead is put in front of the answer to a prompt.
const ahead = `^(.*\n)$`

// toClient are the faults of single lines that the client gets.
func toClient() []lineFault {
	return append(emittedFaults(), []lineFault{
		{FaultInfo{"hides-capabilities", "The answer to initialize names no capabilities."},
			`"agentCapabilities"`, `"agentCapabilities":\{.*\},"agentInfo"`, `"agentInfo"`},
		{FaultInfo{"no-agent-info", "The answer to initialize does not say who the adapter is."},
			`"agentCapabilities"`, `,"agentInfo":\{[^{}]*\}`, ``},
		{FaultInfo{"empty-success", "A response that has neither a result nor an error is sent in front of the answer to a prompt."},
			`"stopReason"`, ahead, `{"jsonrpc":"2.0","id":"note"}` + "\n$1"},
		{FaultInfo{"unknown-session-as-method", "A session that is not there is answered as a method that does not exist."},
			`"message":"Invalid params: unknown session`, `"code":-32602`, `"code":-32601`},
		{FaultInfo{"reserved-code", "What comes before initialize is refused with a code that JSON-RPC keeps for itself."},
			`came before initialize`, `"code":-32600`, `"code":-32500`},
		{FaultInfo{"observation-not-agreed", "The answer to initialize does not say that approvals can be observed."},
			`"agentCapabilities"`, `"_meta":\{"muse/approval":\{"version":1\}\},`, ``},
		{FaultInfo{"answers-another-version", "Version 2 of the protocol is answered to a client that asked for 1."},
			`"agentCapabilities"`, `"protocolVersion":1\b`, `"protocolVersion":2`},
		{FaultInfo{"version-as-text", "The protocol version is answered as a string."},
			`"agentCapabilities"`, `"protocolVersion":1\b`, `"protocolVersion":"1"`},
		{FaultInfo{"announces-twice", "Every tool call is announced twice."},
			`"sessionUpdate":"tool_call",`, `(?s)^.*$`, `$0$0`},
		{FaultInfo{"unknown-tool-kind", "Tools that run commands are shown with a kind that is not in the schema."},
			`"method":"session/update"`, `"kind":"execute"`, `"kind":"shell"`},
		{FaultInfo{"unknown-tool-status", "A tool that runs is shown with a status that is not in the schema."},
			`"method":"session/update"`, `"status":"in_progress"`, `"status":"running"`},
		{FaultInfo{"never-in-progress", "A tool is never shown in progress."},
			`"method":"session/update"`, `(?s)^.*"status":"in_progress".*$`, ``},
		{FaultInfo{"tool-never-closed", "The end of a tool is not shown."},
			`"sessionUpdate":"tool_call_update"`, `(?s)^.*"status":"(completed|failed)".*$`, ``},
		{FaultInfo{"bare-tool-content", "The text of a tool is sent as a bare text block."},
			`"sessionUpdate":"tool_call`, `\{"type":"content","content":(\{[^}]*\})\}`, `$1`},
		{FaultInfo{"asks-under-other-call-id", "The question about a tool call has another call id than its announcement."},
			`"method":"session/request_permission"`, `"toolCall":\{"toolCallId":"`, `${0}other-`},
		{FaultInfo{"asks-about-completed-call", "The question about a tool call says that it is completed."},
			`"method":"session/request_permission"`, `"status":"pending"`, `"status":"completed"`},
		{FaultInfo{"option-without-name", "The option that allows always has no name."},
			`"method":"session/request_permission"`, `"name":"[^"]*",("kind":"allow_always")`, `$1`},
		{FaultInfo{"unknown-option-kind", "The option that allows always has a kind that is not in the schema."},
			`"method":"session/request_permission"`, `"kind":"allow_always"`, `"kind":"allow_session"`},
		{FaultInfo{"same-option-id", "The option that allows always has the id of the one in front of it."},
			`"method":"session/request_permission"`, `("optionId":"([^"]*)".*?"optionId":")[^"]*(","name":"[^"]*","kind":"allow_always")`, `${1}${2}${3}`},
		{FaultInfo{"fractional-request-id", "The ids of the adapter's own requests are fractions."},
			`"method":"session/request_permission"`, `"id":([0-9]+)`, `"id":$1.5`},
		{FaultInfo{"form-without-mode", "A form is asked for without its mode."},
			`"method":"elicitation/create"`, `"mode":"form",`, ``},
		{FaultInfo{"nested-form", "The first field of a form is an object."},
			`"method":"elicitation/create"`, `("properties":\{"[^"]*":\{"type":)"[a-z]*"`, `$1"object"`},
		{FaultInfo{"form-choices-reversed", "The first choices of a form are shown in another order."},
			`"method":"elicitation/create"`, `"enum":\[("[^"]*"),("[^"]*")`, `"enum":[$2,$1`},
		{FaultInfo{"optional-fields", "The fields of a form need not be filled in."},
			`"method":"elicitation/create"`, `"required":\[[^\]]*\]`, `"required":[]`},
		{FaultInfo{"byte-order-mark", "A message in front of the answer to a prompt begins with a byte-order mark."},
			`"stopReason"`, ahead, "\ufeff" + `{"jsonrpc":"2.0","method":"_reference/note"}` + "\n$1"},
		{FaultInfo{"blank-line", "A blank line is sent in front of the answer to a prompt."},
			`"stopReason"`, ahead, "\n$1"},
		{FaultInfo{"message-without-version", "A message in front of the answer to a prompt has no member jsonrpc."},
			`"stopReason"`, ahead, `{"method":"_reference/note"}` + "\n$1"},
		{FaultInfo{"result-and-error", "A response with both a result and an error is sent in front of the answer to a prompt."},
			`"stopReason"`, ahead, `{"jsonrpc":"2.0","id":"note","result":{},"error":{"code":1,"message":"note"}}` + "\n$1"},
		{FaultInfo{"method-of-its-own", "A notification in front of the answer to a prompt has a method of the adapter's own, without an underscore."},
			`"stopReason"`, ahead, `{"jsonrpc":"2.0","method":"reference/note"}` + "\n$1"},
		{FaultInfo{"custom-member", "The answer to a prompt has a member that the protocol does not know."},
			`"stopReason"`, `"stopReason":"[a-z_]*"`, `$0,"turn":1`},
		{FaultInfo{"no-stop-reason", "The answer to a prompt has no stop reason."},
			`"stopReason"`, `"stopReason":"[a-z_]*"`, ``},
		{FaultInfo{"unknown-stop-reason", "A turn that ended well is answered with a stop reason that is not in the schema."},
			`"stopReason"`, `"end_turn"`, `"done"`},
		{FaultInfo{"other-stop-reason", "A turn that ended well is answered with max_tokens."},
			`"stopReason"`, `"end_turn"`, `"max_tokens"`},
		{FaultInfo{"unknown-update-kind", "Thoughts are sent as updates of a kind that is not in the schema."},
			`"method":"session/update"`, `"agent_thought_chunk"`, `"agent_thought"`},
		{FaultInfo{"error-without-message", "An error has no message."},
			`"error":{`, `"message":"(?:[^"\\]|\\.)*"`, `"message":null`},
		{FaultInfo{"error-id-as-text", "The error about an unknown method has the number of its request as a string."},
			`"message":"Method not found`, `^(\{"jsonrpc":"2.0","id":)(-?[0-9]+)`, `$1"$2"`},
		{FaultInfo{"bad-request-as-internal", "A request that is refused as invalid gets the code of an internal error."},
			`"error":{`, `"code":-32600`, `"code":-32603`},
		{FaultInfo{"drops-line-separators", "Line separators other than LF are taken out of what the client gets."},
			`"method":"session/update"`, `[\x{2028}\x{2029}\x{85}]|\\u(2028|2029|0085|000b|000c)`, ` `},
		{FaultInfo{"failed-tool-as-completed", "A tool that failed is reported as completed."},
			`"sessionUpdate":"tool_call`, `"status":"failed"`, `"status":"completed"`},
		{FaultInfo{"bad-parameters-as-internal", "A request with wrong parameters gets the code of an internal error."},
			`"error":{`, `"code":-32602`, `"code":-32603`},
		{FaultInfo{"missing-login-as-internal", "A missing login gets the code of an internal error."},
			`"error":{`, `"code":-32000`, `"code":-32603`},
		{FaultInfo{"failure-with-own-code", "A failed turn gets a code of the adapter's own."},
			`"failure":{`, `"code":-32603`, `"code":-32099`},
		{FaultInfo{"failure-without-kind", "The error of a failed turn does not say what kind of failure it was."},
			`"failure":{`, `"kind":"[^"]*",`, ``},
		{FaultInfo{"says-possibly-submitted", "Every failed turn is said to have perhaps been carried out."},
			`"failure":{`, `"execution":"notSubmitted"`, `"execution":"possiblySubmitted"`},
		{FaultInfo{"says-a-member-twice", "The answer to a turn has a stop reason twice."},
			`"stopReason"`, `"stopReason":`, `"stopReason":"refusal","stopReason":`},
		{FaultInfo{"hides-option-scope", "The options do not say the decision and the scope that Muse gives them."},
			`"method":"session/request_permission"`, `,"_meta":\{"museDecision":"[^"]*","museScope":"[^"]*"\}`, ``},
		{FaultInfo{"hides-requirement", "The question does not say which requirement it is about."},
			`"method":"session/request_permission"`, `"museRequirementId":\{[^}]*\},`, ``},
		{FaultInfo{"refusal-without-code", "The error of a refused decision does not name the host's code."},
			`"failure":{`, ` \(MSP -[0-9]+\)`, ``},
		{FaultInfo{"step-limit-as-tokens", "A turn that took too many steps is answered with max_tokens."},
			`"stopReason"`, `"max_turn_requests"`, `"max_tokens"`},
		{FaultInfo{"lasting-options-as-once", "Options that last are shown as options for once."},
			`"method":"session/request_permission"`, `"kind":"(allow|reject)_always"`, `"kind":"${1}_once"`},
		{FaultInfo{"title-without-stage", "The question about one stage of an approval does not say which it is."},
			`"method":"session/request_permission"`, `"title":"Stage [0-9]+ of [0-9]+: `, `"title":"`},
		{FaultInfo{"denial-told-twice", "What the user is told about a denied tool stands there twice."},
			`"status":"failed"`, `\{"type":"content","content":\{"type":"text","text":"Error: (?:[^"\\]|\\.)*"\}\}`, `$0,$0`},
	}...)
}

// fromClient are the faults of single lines as they are read from the client. They have no LF.
func fromClient() []lineFault {
	return []lineFault{
		{FaultInfo{"trips-over-cr", "A line that ends with CR and LF cannot be read."}, "\r", `^.*\r$`, `{`},
		{FaultInfo{"answers-blank-line", "A blank line is answered as one that is not JSON."}, "", `^[ \t]*$`, `{`},
		{FaultInfo{"batch-is-no-json", "A batch is answered as a line that is not JSON."}, "[", `^\[.*$`, `{`},
		{FaultInfo{"null-id-is-none", "A request whose id is null gets no answer."}, `"id":null`, `"id":null,`, ``},
		{FaultInfo{"fractional-request-id", ""}, "", `"id":([0-9]+)\.5`, `"id":$1`},
	}
}

// toHost are the faults of single lines that a host gets.
func toHost() []lineFault {
	return append(deniedTexts(), []lineFault{
		{FaultInfo{"receipt-says-more", "The receipt for an approval is not an empty object."},
			`"result":{}`, `"result":\{\}`, `"result":{"ok":true}`},
		{FaultInfo{"malformed-host-call", "A call of Muse has a member of the wrong type."},
			`"method":"session/read"`, `"excludeItems":true`, `"excludeItems":"yes"`},
		{FaultInfo{"adds-to-prompt", "Words of the adapter's own stand in front of what the user wrote."},
			`"method":"turn/start"`, `"input":\[\{"type":"text","text":"`, `${0}User: `},
		{FaultInfo{"keeps-denial-reason", "The model is not told why a tool was denied."},
			`"method":"approval/decide"`, `,"feedback":"(?:[^"\\]|\\.)*"`, ``},
	}...)
}

// change gives what a fault makes of a line; nil when it changes none of these.
func change(f Fault, faults []lineFault) func(line []byte) []byte {
	for _, lf := range faults {
		if lf.Name == f {
			in, old, replacement := []byte(lf.in), regexp.MustCompile(lf.old), []byte(lf.new)
			return func(line []byte) []byte {
				if !bytes.Contains(line, in) {
					return line
				}
				return old.ReplaceAll(line, replacement)
			}
		}
	}
	return nil
}

// lineFaults lists all faults of single lines, once each.
func lineFaults() (infos []FaultInfo) {
	for _, list := range [][]lineFault{toClient(), fromClient(), toHost()} {
		for _, lf := range list {
			if lf.Sentence != "" {
				infos = append(infos, lf.FaultInfo)
			}
		}
	}
	return infos
}

// spoiled passes whole lines on, each as the fault makes it.
type spoiled struct {
	io.Writer
	change func([]byte) []byte
}

// spoil wraps a writer that gets one whole line a call. Without a fault of these lines it is the writer itself.
func spoil(w io.Writer, f Fault, faults []lineFault) io.Writer {
	if c := change(f, faults); c != nil {
		return spoiled{w, c}
	}
	return w
}

func (s spoiled) Write(lines []byte) (int, error) {
	var changed []byte
	for line := range bytes.Lines(lines) {
		changed = append(changed, s.change(line)...)
	}
	if len(changed) > 0 {
		if _, err := s.Writer.Write(changed); err != nil {
			return 0, err
		}
	}
	return len(lines), nil
}
