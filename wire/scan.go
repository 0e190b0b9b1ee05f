package wire

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// scanMembers lists the members of a JSON object in the order of its text. The text must be valid JSON: then finding
// where a value ends takes no more than counting brackets outside strings, which is many times faster than a decoder.
// Frames are looked into again and again, so that matters. It gives false when the text is no object.
func scanMembers(text []byte) (members []Member, isObject bool) {
	i := skipSpace(text, 0)
	if i == len(text) || text[i] != '{' {
		return nil, false
	}
	for i = skipSpace(text, i+1); text[i] != '}'; {
		nameEnd := valueEnd(text, i)
		start := skipSpace(text, skipSpace(text, nameEnd)+1) // behind the colon
		end := valueEnd(text, start)
		members = append(members, Member{Name: stringValue(text[i:nameEnd]), Value: text[start:end:end], Start: start, End: end})
		if i = skipSpace(text, end); text[i] == ',' {
			i = skipSpace(text, i+1)
		}
	}
	return members, true
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// valueEnd gives where the value ends that begins at i, in valid JSON.
func valueEnd(text []byte, i int) int {
	switch text[i] {
	case '"':
		for i++; text[i] != '"'; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		return i + 1
	case '{', '[':
		for depth := 0; ; {
			switch text[i] {
			case '"':
				i = valueEnd(text, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(text) && bytes.IndexByte([]byte(" \t\r\n,]}"), text[i]) < 0 {
		i++
	}
	return i
}

// stringValue decodes a valid JSON string.
func stringValue(quoted []byte) string {
	if plain := quoted[1 : len(quoted)-1]; bytes.IndexByte(plain, '\\') < 0 && utf8.Valid(plain) {
		return string(plain)
	}
	var s string
	json.Unmarshal(quoted, &s) // never fails: it is valid
	return s
}
