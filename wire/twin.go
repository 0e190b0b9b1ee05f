package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Twin looks in a JSON text for an object that has a member twice, and gives a JSON pointer to that member; empty where
// there is none. Readers differ in which of the two they take. What stands in members of the names in apart is not looked at.
func Twin(text []byte, apart ...string) string {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var stack []*level
	for {
		if top := last(stack); top != nil && top.named && slices.Contains(apart, top.name) && dec.More() {
			var skipped json.RawMessage
			if dec.Decode(&skipped) != nil {
				return ""
			}
			top.named = false
			continue
		}
		token, err := dec.Token()
		if err != nil {
			return "" // the end, or no JSON
		}
		top := last(stack)
		if name, isText := token.(string); isText && top != nil && top.seen != nil && !top.named {
			top.name, top.named = name, true
			if top.seen[name] {
				return pointerOf(stack)
			}
			top.seen[name] = true
			continue
		}
		switch token {
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
			continue
		}
		if top != nil {
			top.next() // a value of top begins, and is all there is of it, or a level of its own
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, &level{seen: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, &level{at: -1})
		}
	}
}

// level is one object or array that is open.
type level struct {
	seen  map[string]bool // names of an object; nil for an array
	name  string          // of the newest member
	named bool            // its value is still to come
	at    int             // index of the newest element of an array
}

func (l *level) next() {
	l.named = false
	if l.seen == nil {
		l.at++
	}
}

func last(stack []*level) *level {
	if len(stack) == 0 {
		return nil
	}
	return stack[len(stack)-1]
}

func pointerOf(stack []*level) string {
	var b strings.Builder
	for _, l := range stack {
		if l.seen == nil {
			fmt.Fprintf(&b, "/%d", l.at)
			continue
		}
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(l.name))
	}
	return b.String()
}
