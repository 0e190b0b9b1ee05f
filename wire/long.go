package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxLongText is the most bytes that LongText makes: 16 MiB, a quarter of what a LineReader takes of one line.
const MaxLongText = 16 << 20

// LongText makes a text of exactly so many bytes, which is the same every time: the pattern again and again, in it the
// number of the repetition, counted from 1, in place of each "#". So no two places of the text look alike. Where the
// next character would be cut in two, full stops fill what is left.
func LongText(pattern string, size int) (string, error) {
	switch {
	case pattern == "" || !utf8.ValidString(pattern):
		return "", fmt.Errorf("the pattern of a long text is %q; it must be a text that is not empty", pattern)
	case size < 1 || size > MaxLongText:
		return "", fmt.Errorf("a long text has 1 to %d bytes, not %d", MaxLongText, size)
	}
	var b strings.Builder
	b.Grow(size + len(pattern))
	for n := 1; b.Len() < size; n++ {
		b.WriteString(strings.ReplaceAll(pattern, "#", strconv.Itoa(n)))
	}
	text := b.String()
	end := size
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + strings.Repeat(".", size-end), nil
}

// ShortString is the most bytes that a JSON string may have between its quotes to be printed as it is in a golden.
const ShortString = 4096

// looksLikeStandIn finds what Shorten writes, and what it has escaped.
var looksLikeStandIn = regexp.MustCompile(`\{\{*string:[0-9]+:[0-9a-f]{64}\}`)

// Shorten puts a stand-in in place of every JSON string of more than ShortString bytes, names of members included, so
// that a golden stays readable and still pins every byte:
//
//   - The stand-in is the string {string:LENGTH:SHA256}: the number of bytes between the quotes, as they crossed the wire
//     with their escapes, and the SHA-256 of them in hexadecimal. Texts that differ in one byte, or are escaped
//     otherwise, have different stand-ins; equal texts have the same one.
//   - It is taken of a transcript whose aliases were put in, so that it is the same in every run.
//   - Text that looks like a stand-in already is escaped by a second brace: {{string:….
//   - Frames that are not JSON stay as they are.
//
// What is printed then can be parsed to the shortened transcript, not to the long one.
func Shorten(t Transcript) Transcript {
	out := slices.Clone(t)
	for i, row := range out {
		if !row.Gap {
			out[i].Data = shorten(row.Data)
		}
	}
	return out
}

func shorten(data []byte) []byte {
	if bytes.Contains(data, []byte(`{string:`)) {
		data = looksLikeStandIn.ReplaceAll(data, []byte("{$0"))
	}
	if len(data) <= ShortString || !json.Valid(data) {
		return data
	}
	var out []byte
	last := 0
	for i := 0; i < len(data); i++ {
		if data[i] != '"' {
			continue
		}
		begin := i + 1
		for i = begin; data[i] != '"'; i++ {
			if data[i] == '\\' {
				i++
			}
		}
		if i-begin > ShortString {
			out = append(append(out, data[last:begin]...), standIn(data[begin:i])...)
			last = i
		}
	}
	if out == nil {
		return data
	}
	return append(out, data[last:]...)
}

func standIn(text []byte) string {
	return fmt.Sprintf("{string:%d:%x}", len(text), sha256.Sum256(text))
}

// Brief is a text as a message can show it: one of more than ShortString bytes by its length, its hash and its ends.
func Brief(text string) string {
	const shown = 40
	if len(text) <= ShortString {
		return text
	}
	head, tail := shown, len(text)-shown
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s…%s (%d bytes, SHA-256 %x)", text[:head], text[tail:], len(text), sha256.Sum256([]byte(text)))
}
