package schema

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"acp-conform/wire"
)

// PointerOffset gives the byte offset at which the value of an RFC 6901 pointer begins in a JSON text, or -1 where
// the text has no such value. Of two members with the same name the last one counts, as for the decoder.
func PointerOffset(raw []byte, pointer string) int {
	start, _ := pointerSpan(raw, pointer)
	return start
}

// pointerSpan is PointerOffset with the end of the value.
func pointerSpan(raw []byte, pointer string) (start, end int) {
	start, end = trimmedSpan(raw)
	if pointer == "" {
		if start == end || !json.Valid(raw[start:end]) {
			return -1, -1
		}
		return start, end
	}
	if pointer[0] != '/' {
		return -1, -1
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		if start == end {
			return -1, -1
		}
		var from, to int
		switch raw[start] {
		case '{':
			from, to = memberSpan(raw[start:end], unescapeToken(token))
		case '[':
			from, to = elementSpan(raw[start:end], token)
		default:
			return -1, -1
		}
		if from < 0 {
			return -1, -1
		}
		start, end = start+from, start+to
	}
	return start, end
}

func trimmedSpan(raw []byte) (start, end int) {
	const space = " \t\r\n"
	left := bytes.TrimLeft(raw, space)
	start = len(raw) - len(left)
	return start, start + len(bytes.TrimRight(left, space))
}

func memberSpan(object []byte, name string) (start, end int) {
	members, err := wire.Members(object)
	if err != nil {
		return -1, -1
	}
	start, end = -1, -1
	for _, m := range members {
		if m.Name == name {
			start, end = m.Start, m.End
		}
	}
	return start, end
}

func elementSpan(array []byte, token string) (start, end int) {
	want, err := strconv.Atoi(token)
	if err != nil || want < 0 || strconv.Itoa(want) != token {
		return -1, -1
	}
	dec := json.NewDecoder(bytes.NewReader(array))
	if _, err := dec.Token(); err != nil {
		return -1, -1
	}
	for i := 0; dec.More(); i++ {
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return -1, -1
		}
		if i == want {
			end = int(dec.InputOffset())
			return end - len(value), end
		}
	}
	return -1, -1
}

// escapeToken writes a member's name as a token of a pointer.
func escapeToken(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

func unescapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

func pointerOf(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		b.WriteString(escapeToken(name))
	}
	return b.String()
}

// parentPointer is the pointer of the value that holds the value at p.
func parentPointer(p string) string {
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return ""
	}
	return p[:i]
}
