package hook

import (
	"bytes"
	"encoding/json"
)

// Decode reads what a hook wrote to stdout when it exited with 0.
func Decode(stdout []byte) Result {
	out, ok := members(stdout)
	if !ok {
		return Result{}
	}
	var block map[string]json.RawMessage
	if raw := bytes.TrimSpace(out["hookSpecificOutput"]); len(raw) > 0 && raw[0] == '{' {
		if block, ok = members(raw); !ok {
			return Result{}
		}
	}
	var results []Result
	switch text(out["decision"]) {
	case "approve":
		results = append(results, Result{Decision: Allow})
	case "block":
		results = append(results, Result{Deny, text(out["reason"])})
	}
	if text(block["hookEventName"]) == Event {
		reason := text(block["permissionDecisionReason"])
		switch text(block["permissionDecision"]) {
		case "allow":
			results = append(results, Result{Decision: Allow})
		case "ask":
			results = append(results, Result{Ask, reason})
		case "deny":
			results = append(results, Result{Deny, reason})
		}
	}
	return Merge(results)
}

// members are those of a JSON object, by their exact names. It reports false for anything else, and for an object that
// names one twice: encoding/json would take the last, and names in any case.
func members(raw []byte) (map[string]json.RawMessage, bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	out := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		key, _ := name.(string)
		var value json.RawMessage
		if _, twice := out[key]; twice || d.Decode(&value) != nil {
			return nil, false
		}
		out[key] = value
	}
	return out, true
}

// text is a member's value; empty when it is absent or no string.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
