package conform

import (
	"bytes"
	"encoding/json"
	"reflect"

	"acp-conform/wire"
)

// matchCalls joins the tool calls that the client saw with those of the host. An adapter may use the host's ids or ids
// of its own: a call whose id the host does not know is the host's first one with the same input that no other call
// of the client stands for. The function gives the host's id; a call that nothing fits keeps the id that it has.
func matchCalls(records []wire.Record, tools []HostTool) func(session, call string) string {
	known := map[string]bool{}
	for _, t := range tools {
		known[t.Call] = true
	}
	matched, taken := map[string]string{}, map[string]bool{}
	for _, r := range records {
		u := toolUpdateOf(r)
		if u == nil || u.RawInput == nil || known[u.ID] {
			continue
		}
		key := r.Session + "\x00" + u.ID
		if _, done := matched[key]; done {
			continue
		}
		for _, t := range tools {
			if !taken[t.Call] && sameJSON(t.Input, u.RawInput) {
				matched[key], taken[t.Call] = t.Call, true
				break
			}
		}
	}
	return func(session, call string) string {
		if own, ok := matched[session+"\x00"+call]; ok {
			return own
		}
		return call
	}
}

// sameJSON reports whether two texts are the same JSON value, numbers by their digits.
func sameJSON(a, b json.RawMessage) bool {
	x, ok := valueOf(a)
	y, fine := valueOf(b)
	return ok && fine && reflect.DeepEqual(x, y)
}

func valueOf(raw json.RawMessage) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return v, d.Decode(&v) == nil
}
