package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Member is one member of a JSON object, in the order of the text. Start and End are the byte range of the value in
// the object's text.
type Member struct {
	Name       string
	Value      json.RawMessage
	Start, End int
}

// Members lists the members of a JSON object in the order of its text, twins included. The values are slices of
// the object's text.
func Members(object []byte) ([]Member, error) {
	if json.Valid(object) {
		if members, isObject := scanMembers(object); isObject {
			return members, nil
		}
	}
	return decodeMembers(object)
}

// decodeMembers is Members for any text; it says what is wrong with one that is no object.
func decodeMembers(object []byte) ([]Member, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	open, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("reading a JSON object: %w", err)
	}
	if open != json.Delim('{') {
		return nil, errors.New("reading a JSON object: the text is no object")
	}
	var members []Member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("reading a member's name: %w", err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("reading the member %q: %w", name, err)
		}
		end := int(dec.InputOffset())
		start := end - len(value)
		members = append(members, Member{Name: name.(string), Value: object[start:end:end], Start: start, End: end})
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("reading the end of a JSON object: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more text behind the JSON object")
	}
	return members, nil
}

// Lookup walks a path of member names through nested objects and gives the value there, or nil.
func Lookup(object json.RawMessage, path ...string) json.RawMessage {
	if len(path) > 0 && !json.Valid(object) {
		return nil
	}
	for _, name := range path {
		members, _ := scanMembers(object)
		object = nil
		for _, m := range members { // the last of twins counts, as for the decoder
			if m.Name == name {
				object = m.Value
			}
		}
		if object == nil {
			return nil
		}
	}
	return object
}

// LookupString is Lookup for a string value; "" where there is none.
func LookupString(object json.RawMessage, path ...string) string {
	var s string
	if v := Lookup(object, path...); v == nil || json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}
