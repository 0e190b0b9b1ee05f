package rpc

import (
	"bytes"
	"encoding/json"
)

// Twins reports whether an object has a member twice, whatever escapes its name is written with. Which of the two counts
// differs from reader to reader (RFC 8259 §4), so that its writer may have meant the other one.
func Twins(object []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	seen := map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		key, ok := name.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return false
		}
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}
