package reference

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"acp-conform/reference/muse"
	"acp-conform/reference/rpc"
)

// phase is how far a turn had come when it failed.
type phase string

const (
	initializing phase = "initializing"
	preparing    phase = "preparing"
	submitting   phase = "submitting"
	running      phase = "running"
)

// failure is why a prompt fails (muse-adapter.md §9).
type failure struct {
	code      int
	text      string // one sentence, without its full stop
	source    string // adapter, transport, host or provider
	kind      string
	outcome   string // failed, or unknown when the host may have gone on
	retryable *bool
	phase     phase
	stop      acp.StopReason // the prompt is answered with it instead of an error
	cancels   bool           // the turn, which the host has not ended, is cancelled there

	client *clientError // an error that the client answered, which becomes the prompt's
}

type clientError struct {
	Code    int
	Message string
	Data    json.RawMessage
}

func (f *failure) Error() string { return f.text }

// localFailure has its cause in the adapter, or in what the client answered.
func localFailure(kind, text string) *failure {
	return &failure{code: rpc.InternalError, text: text, source: "adapter", kind: kind, outcome: "unknown"}
}

// remoteFailure is one that the host reported.
func remoteFailure(kind, text string) *failure {
	return &failure{code: rpc.InternalError, text: text, source: "host", kind: kind, outcome: "failed"}
}

// lost is the loss of the host, or of a part of what it said.
func lost(text string) *failure {
	return &failure{code: rpc.InternalError, text: text, source: "transport", kind: "transportError", outcome: "unknown"}
}

// late is a deadline that passed.
func late(text string) *failure { return localFailure("deadlineExceeded", text) }

// hostFailure is an error that the host answered. Its text is not shown, its code is.
func hostFailure(err error, what string) *failure {
	var e *muse.Error
	if !errors.As(err, &e) {
		return lost(err.Error())
	}
	f := remoteFailure(e.Kind, fmt.Sprintf("Muse rejected %s (MSP %d)", what, e.Code))
	f.retryable = e.Retryable
	if e.Kind == "authRequired" {
		f.code, f.source = authRequired, "provider"
	}
	return f
}

// authRequired is the code for a missing login (ACP-ERR-02).
const authRequired = -32000

// terminalFailure reads a turn that failed (muse-adapter.md §7.5).
func terminalFailure(t *muse.TurnCompleted) *failure {
	e := t.Error
	if e == nil {
		return remoteFailure("unknown", "the turn failed")
	}
	f := remoteFailure(e.Kind, e.Message)
	f.retryable = e.Retryable
	if f.text == "" {
		f.text = "the turn failed"
	}
	switch e.Kind {
	case "stepLimit":
		f.stop = acp.StopReasonMaxTurnRequests
	case "authRequired":
		f.code, f.source = authRequired, "provider"
	case "modelError":
		f.source = "provider"
	case "":
		f.kind = "unknown"
	}
	return f
}

// code is the MSP code of an error, 0 when it has none.
func code(err error) int {
	var e *muse.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// failureData is data.failure, in the order of its members.
type failureData struct {
	Source    string `json:"source"`
	Kind      string `json:"kind"`
	Retryable *bool  `json:"retryable,omitempty"`
	Recovery  string `json:"recovery"`
	Outcome   string `json:"outcome"`
	Phase     phase  `json:"phase"`
	Execution string `json:"execution"`
}

// The advice that goes with a failure.
const (
	adviceNotSubmitted = "No model turn was submitted by this operation. Check that Muse can be started, then try again."
	adviceUnknown      = "Reload and inspect the session before deciding whether to submit again; execution may have occurred."
	adviceFailed       = "Send the prompt again when the cause is removed."
	adviceClient       = "Check the answer to the request."
)

// longest is the most characters of a failure's text.
const longest = 4096

// rpc makes the error that the client gets.
func (f *failure) rpc(secrets []string) *rpc.Error {
	d := failureData{
		Source: f.source, Kind: f.kind, Retryable: f.retryable, Outcome: f.outcome, Phase: f.phase,
		Execution: "possiblySubmitted",
	}
	switch {
	case f.phase != submitting && f.phase != running:
		d.Execution, d.Outcome, d.Recovery = "notSubmitted", "failed", adviceNotSubmitted
	case f.client != nil:
		d.Recovery = adviceClient
	case f.outcome == "unknown":
		d.Recovery = adviceUnknown
	default:
		d.Recovery = adviceFailed
	}
	sentence := cut(redact(strings.TrimRight(f.text, ". \n"), secrets), longest)
	message := fmt.Sprintf("Muse turn failed: %s. %s", sentence, d.Recovery)
	switch {
	case f.client != nil:
		return &rpc.Error{Code: f.client.Code, Message: f.client.Message, Data: merge(f.client.Data, d)}
	case d.Execution == "notSubmitted":
		message = fmt.Sprintf("%s. %s", sentence, d.Recovery)
	}
	switch {
	case f.code == authRequired:
		message = "Authentication required: " + message
	case d.Execution != "notSubmitted":
		message = "Internal error: " + message
	}
	return &rpc.Error{Code: f.code, Message: message, Data: map[string]any{"failure": d}}
}

// merge puts the failure into the client's own data, when that is an object.
func merge(data json.RawMessage, d failureData) map[string]any {
	merged := map[string]any{}
	if members, ok := object(data); ok {
		for name, value := range members {
			merged[name] = value
		}
	}
	merged["failure"] = d
	return merged
}

func cut(s string, characters int) string {
	n := 0
	for i := range s {
		if n == characters {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// redact takes secrets out of a text: values of the environment, bearer tokens, and what stands before the @ of an
// address.
func redact(s string, secrets []string) string {
	const mask = "[redacted]"
	for _, secret := range secrets {
		s = strings.ReplaceAll(s, secret, mask)
	}
	s = regexp.MustCompile(`(?i)\b(bearer\s+)[\w.~+/=-]+`).ReplaceAllString(s, "${1}"+mask)
	return regexp.MustCompile(`(\w+://)[^/\s@]+@`).ReplaceAllString(s, "${1}"+mask+"@")
}
