package otheradapter

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// object is a JSON object. Names are compared exactly, which encoding/json does not do for structs.
type object map[string]json.RawMessage

// asObject reads an object; it gives nil for everything else.
func asObject(raw json.RawMessage) object {
	var o object
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

// text gives a member that is a string, and "" for everything else.
func (o object) text(name string) string {
	s, _ := o.textOr(name)
	return s
}

func (o object) textOr(name string) (string, bool) {
	var s *string
	if json.Unmarshal(o[name], &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

func (o object) object(name string) object { return asObject(o[name]) }

func (o object) list(name string) []json.RawMessage {
	var l []json.RawMessage
	if json.Unmarshal(o[name], &l) != nil {
		return nil
	}
	return l
}

func (o object) integer(name string) (int, bool) {
	n, err := strconv.Atoi(string(o[name]))
	return n, err == nil
}

func (o object) truth(name string) bool { return string(o[name]) == "true" }

// encoded writes a value as JSON in ASCII.
func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("null") // only what came in as JSON, and types of this package, are ever encoded
	}
	return ascii(b)
}

// ascii escapes every character outside ASCII. In JSON such characters stand in strings only.
func ascii(b []byte) []byte {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r < utf8.RuneSelf {
			out = append(out, b[0])
		} else {
			for _, u := range utf16.AppendRune(nil, r) {
				out = append(out, '\\', 'u', digits[u>>12], digits[u>>8&15], digits[u>>4&15], digits[u&15])
			}
		}
		b = b[n:]
	}
	return out
}

// units reads a JSON string as UTF-16, so that the halves of a character can be joined when they come apart.
func units(raw json.RawMessage) []uint16 {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	plain := map[byte]uint16{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
	var out []uint16
	for s := raw[1 : len(raw)-1]; len(s) > 0; {
		switch {
		case s[0] == '\\' && len(s) > 1 && s[1] == 'u':
			n, err := strconv.ParseUint(string(s[2:min(6, len(s))]), 16, 16)
			if err != nil || len(s) < 6 {
				return out
			}
			out, s = append(out, uint16(n)), s[6:]
		case s[0] == '\\' && len(s) > 1:
			u, special := plain[s[1]]
			if !special {
				u = uint16(s[1])
			}
			out, s = append(out, u), s[2:]
		default:
			r, n := utf8.DecodeRune(s)
			out, s = utf16.AppendRune(out, r), s[n:]
		}
	}
	return out
}

// randomHex is n random bytes as text.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// commandID makes a UUID of version 7, which Muse wants for every command.
func commandID() string {
	var b [16]byte
	rand.Read(b[:])
	for i, ms := 5, time.Now().UnixMilli(); i >= 0; i, ms = i-1, ms>>8 {
		b[i] = byte(ms)
	}
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	t := hex.EncodeToString(b[:])
	return t[:8] + "-" + t[8:12] + "-" + t[12:16] + "-" + t[16:20] + "-" + t[20:]
}
