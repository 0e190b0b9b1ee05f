package muse

import (
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Piece is a part of a text as a delta brings it, in UTF-16: it may end with the first half of a character whose
// second half comes with the next one.
type Piece []uint16

// UnmarshalJSON reads a JSON string.
func (p *Piece) UnmarshalJSON(raw []byte) error {
	var whole string
	if err := json.Unmarshal(raw, &whole); err != nil {
		return err
	}
	*p = nil
	if len(raw) < 2 || raw[0] != '"' {
		return nil // null
	}
	for s := raw[1 : len(raw)-1]; len(s) > 0; {
		if s[0] != '\\' {
			r, n := utf8.DecodeRune(s)
			*p, s = utf16.AppendRune(*p, r), s[n:]
			continue
		}
		if s[1] != 'u' {
			var one string
			if err := json.Unmarshal([]byte(`"`+string(s[:2])+`"`), &one); err != nil {
				return err
			}
			*p, s = append(*p, uint16(one[0])), s[2:]
			continue
		}
		unit, err := strconv.ParseUint(string(s[2:6]), 16, 16)
		if err != nil {
			return err
		}
		*p, s = append(*p, uint16(unit)), s[6:]
	}
	return nil
}

// Text is the whole piece; a half without its other half is U+FFFD.
func (p Piece) Text() string { return string(utf16.Decode(p)) }

// Cut gives the whole characters of a piece behind what an earlier one left, and the first half that it leaves itself.
func (p Piece) Cut(left Piece) (text string, half Piece) {
	all := append(append(Piece{}, left...), p...)
	if n := len(all) - 1; n >= 0 && all[n] >= 0xd800 && all[n] < 0xdc00 {
		all, half = all[:n], all[n:]
	}
	return all.Text(), half
}
