package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// PointerAt gives the JSON pointer (RFC 6901) of the smallest value of a JSON text that holds the byte at offset; ""
// when the text is no JSON up to there. A byte between values belongs to the value around them, and a byte of a
// member's name to the member.
func PointerAt(text []byte, offset int) string {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	type level struct {
		object bool
		name   string
		isName bool // the next token is a member's name
		index  int
	}
	var stack []level
	pointer := func() string {
		var b strings.Builder
		for _, l := range stack {
			step := strconv.Itoa(l.index)
			if l.object {
				step = l.name
			}
			b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
		}
		return b.String()
	}
	here := ""
	for {
		token, err := dec.Token()
		if err != nil {
			return here
		}
		end := int(dec.InputOffset())
		top := len(stack) - 1
		if d, is := token.(json.Delim); is && (d == '}' || d == ']') {
			stack = stack[:top]
			top--
			if end > offset {
				return pointer()
			}
			advance := top >= 0
			if advance {
				if stack[top].object {
					stack[top].isName = true
				} else {
					stack[top].index++
				}
			}
			continue
		}
		if top >= 0 && stack[top].object && stack[top].isName {
			stack[top].name, stack[top].isName = token.(string), false
			if here = pointer(); end > offset {
				return here
			}
			continue
		}
		here = pointer()
		if d, is := token.(json.Delim); is {
			stack = append(stack, level{object: d == '{', isName: d == '{'})
			if end > offset {
				return here
			}
			continue
		}
		if end > offset {
			return here
		}
		if top >= 0 {
			if stack[top].object {
				stack[top].isName = true
			} else {
				stack[top].index++
			}
		}
	}
}
