package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A JSON string may hold one half of a surrogate pair, and the next one the other. UTF-8 cannot hold a half, so these
// functions keep it as the three bytes that it would have (known as WTF-8), until its other half comes.

// UnquoteText reads a JSON string, quotes included. Halves that are not followed by their other half are kept.
func UnquoteText(quoted []byte) (string, error) {
	var plain string
	if err := json.Unmarshal(quoted, &plain); err != nil {
		return "", err
	}
	if !bytes.Contains(quoted, []byte(`\u`)) {
		return plain, nil
	}
	var out []byte
	rest := quoted[1 : len(quoted)-1]
	for len(rest) > 0 {
		i := 0
		for i < len(rest) && !isHalfEscape(rest[i:]) {
			if rest[i] == '\\' {
				i++ // with the backslash goes what it stands in front of
			}
			i++
		}
		var text string
		if err := json.Unmarshal([]byte(`"`+string(rest[:i])+`"`), &text); err != nil {
			return "", err
		}
		out, rest = append(out, text...), rest[i:]
		if len(rest) > 0 {
			out, rest = appendHalf(out, halfOf(rest)), rest[len(`\ud800`):]
		}
	}
	return JoinHalves(string(out)), nil
}

// isHalfEscape reports whether a text begins with the escape of a half.
func isHalfEscape(b []byte) bool { return halfOf(b) != 0 }

// halfOf gives the half whose escape stands at the front of a text, or 0.
func halfOf(b []byte) rune {
	if len(b) < len(`\ud800`) || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil || !utf16.IsSurrogate(rune(n)) {
		return 0
	}
	return rune(n)
}

func appendHalf(out []byte, half rune) []byte {
	return append(out, 0xE0|byte(half>>12), 0x80|byte(half>>6)&0x3F|0x80, 0x80|byte(half)&0x3F)
}

// halfAt gives the half whose three bytes stand at the front of a text, or 0.
func halfAt(s string) rune {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0
	}
	return rune(0xD000) | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F)
}

// JoinHalves makes one character of every first half that is followed by a second one.
func JoinHalves(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var out []byte
	for len(s) > 0 {
		if half := halfAt(s); half != 0 {
			if r := utf16.DecodeRune(half, halfAt(s[3:])); r != utf8.RuneError {
				out, s = utf8.AppendRune(out, r), s[6:]
				continue
			}
			out, s = append(out, s[:3]...), s[3:]
			continue
		}
		_, n := utf8.DecodeRuneInString(s)
		out, s = append(out, s[:n]...), s[n:]
	}
	return string(out)
}

// QuoteText writes a text as a JSON string, without escapes that are meant for HTML; halves become escapes again.
func QuoteText(s string) []byte {
	var out bytes.Buffer
	out.WriteByte('"')
	for len(s) > 0 {
		i := 0
		for i < len(s) && halfAt(s[i:]) == 0 {
			i++
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(s[:i]) == nil { // a string always can be written
			out.Write(b.Bytes()[1 : b.Len()-2])
		}
		if s = s[i:]; s != "" {
			out.WriteString(`\u` + strconv.FormatInt(int64(halfAt(s)), 16))
			s = s[3:]
		}
	}
	out.WriteByte('"')
	return out.Bytes()
}
