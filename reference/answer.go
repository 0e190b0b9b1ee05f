package reference

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"acp-conform/reference/approval"
	"acp-conform/reference/rpc"
)

// reply is what came of a question to the client: a result or an error, as bytes, or the end of the connection.
type reply struct {
	result json.RawMessage
	err    json.RawMessage
	broken bool // both, or not JSON-RPC 2.0
	closed bool
}

// trouble is why a reply is no ordinary answer.
type trouble int

const (
	noTrouble   trouble = iota
	notOffered          // an option that was not offered in this request, or none
	rpcError            // an error in place of a result
	unreadable          // no outcome that is known
	clientEnded         // the connection ended first
	noChoice            // an automatic mode that has no choice to make
)

// answer is a reply as it counts (approval-seam.md §2.2, muse-adapter.md §6.3).
type answer struct {
	outcome approval.Outcome
	option  string // the offered option that was selected
	trouble trouble
	given   string           // the option that was not offered
	err     *clientError     // for rpcError
	wanted  approval.Outcome // for noChoice
}

// readAnswer decodes a permission answer from its bytes. It grants only where the outcome is "selected", letter for
// letter, and the option one that allows and was offered in this very request (REQ-ACP-08 to REQ-ACP-12).
func readAnswer(r reply, offered []option) answer { return readAnswerBy(single, r, offered) }

// single reads an object that has no member twice: which of two equal ones was meant is not known (MUSE-PERM-32).
func single(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	if rpc.Twins(raw) {
		return nil, false
	}
	return object(raw)
}

func readAnswerBy(object func(json.RawMessage) (map[string]json.RawMessage, bool), r reply, offered []option) answer {
	switch {
	case r.closed:
		return answer{outcome: approval.Unavailable, trouble: clientEnded}
	case r.broken:
		return answer{outcome: approval.Unavailable, trouble: unreadable}
	case r.err != nil:
		return answer{outcome: approval.Unavailable, trouble: rpcError, err: readClientError(r.err)}
	}
	result, _ := object(r.result)
	outcome, ok := object(result["outcome"])
	if !ok {
		return answer{outcome: approval.Unavailable, trouble: unreadable}
	}
	kind, ok := text(outcome["outcome"])
	switch {
	case ok && kind == "cancelled":
		return answer{outcome: approval.Cancelled}
	case !ok || kind != "selected":
		return answer{outcome: approval.Unavailable, trouble: unreadable}
	}
	id, _ := text(outcome["optionId"])
	i := slices.IndexFunc(offered, func(o option) bool { return o.ID == id })
	switch {
	case i < 0 || len(outcome["optionId"]) == 0:
		return answer{outcome: approval.Rejected, trouble: notOffered, given: id}
	case offered[i].grants():
		return answer{outcome: approval.AllowedOnce, option: id}
	default:
		return answer{outcome: approval.Rejected, option: id}
	}
}

// readClientError reads an error object. One that has no usable code counts as internal.
func readClientError(raw json.RawMessage) *clientError {
	const internal = -32603
	e := &clientError{Code: internal, Message: "the client could not answer"}
	members, _ := object(raw)
	if n, ok := integer(members["code"]); ok && n.IsInt64() && int64(int(n.Int64())) == n.Int64() {
		e.Code = int(n.Int64())
	}
	if s, ok := text(members["message"]); ok {
		e.Message = s
	}
	if data := members["data"]; data != nil {
		e.Data = data
	}
	return e
}

// faulty is readAnswer with the faults that grant what was not allowed, or the reverse.
func (a *adapter) faulty(r reply, offered []option) answer {
	got := readAnswer(r, offered)
	if len(offered) == 0 {
		return got
	}
	first := answer{outcome: approval.AllowedOnce, option: offered[0].ID}
	if i := slices.IndexFunc(offered, option.grants); i >= 0 && !a.fault(GrantOnDismissal) {
		first.option = offered[i].ID
	}
	if id, grants := a.misgrants(r, got, offered); grants {
		return answer{outcome: approval.AllowedOnce, option: id}
	}
	raw := bytes.ToLower(r.result)
	if i := slices.IndexFunc(offered, func(o option) bool { return !o.grants() }); i >= 0 && a.fault(DeniesAllowed) && got.outcome == approval.AllowedOnce {
		return answer{outcome: approval.Rejected, option: offered[i].ID}
	}
	switch {
	case a.fault(GrantOnUnknownOption) && got.trouble == notOffered,
		a.fault(GrantOnDismissal) && got.outcome == approval.Cancelled,
		a.metaSettles(r, got),
		a.fault(GrantOnRPCError) && got.trouble == rpcError,
		a.fault(GrantOnNoOutcome) && got.trouble == unreadable && bytes.Contains(raw, []byte(`"allow`)),
		a.fault(GrantOnPrefix) && got.trouble == notOffered && strings.HasPrefix(got.given, "allow"):
		return first
	}
	return got
}

// quote writes a string as JSON, without the escapes that are for HTML.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
