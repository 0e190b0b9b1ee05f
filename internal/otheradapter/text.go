package otheradapter

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// longestWord is how many characters are sent in one update at the most.
const longestWord = 10_000

// flow is a text that Muse tells in pieces, as a whole, or in any mix of both. It gives each character once.
type flow struct {
	known []uint16
	given int // units of known that were given away
}

// add takes a piece: it continues what is known.
func (f *flow) add(piece []uint16) { f.known = append(f.known, piece...) }

// replace takes the whole as it stands now. A whole that does not begin with what was given away is passed over.
func (f *flow) replace(whole []uint16) {
	if len(whole) >= f.given && slices.Equal(whole[:f.given], f.known[:f.given]) {
		f.known = slices.Clone(whole)
	}
}

// fresh gives what was not given away yet, word by word. The first half of a character waits for the second one,
// unless nothing more can come.
func (f *flow) fresh(last bool) []string {
	end := len(f.known)
	if end > f.given && !last && utf16.IsSurrogate(rune(f.known[end-1])) && f.known[end-1] < 0xdc00 {
		end--
	}
	text := string(utf16.Decode(f.known[f.given:end]))
	f.given = end
	if text == "" {
		return nil
	}
	var words []string
	for word := range strings.SplitAfterSeq(text, " ") {
		for runes := range slices.Chunk([]rune(word), longestWord) {
			words = append(words, string(runes))
		}
	}
	return words
}

// whole is everything that is known.
func (f *flow) whole() string { return string(utf16.Decode(f.known)) }
