package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// valid replaces every byte that is no UTF-8 by \xNN.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// visible shows a text on one line of a terminal: whatever cannot be printed (control bytes, escape sequences, marks
// that turn the direction of writing, bytes that are no UTF-8) becomes an escape. Backslashes stay as they are,
// because JSON is full of them.
func Visible(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		s = s[n:]
	}
	return b.String()
}

// shorten cuts two texts that should be equal to about width bytes around the first difference, at the same place in
// both, and says how much it left out. Texts that are short enough stay whole; equal ones keep their beginning.
func shorten(a, b string, width int) (string, string) {
	if len(a) <= width && len(b) <= width {
		return a, b
	}
	from := firstDifference(a, b)
	if a == b {
		from = 0
	}
	// A third of the window shows what is still equal, so that the reader finds the place.
	from = max(0, from-width/3)
	return window(a, from, width), window(b, from, width)
}

// window is the part of s from a byte on, with marks for what is missing. It never cuts a character.
func window(s string, from, width int) string {
	from = runeStart(s, min(from, len(s)))
	to := len(s)
	if len(s)-from > width {
		to = max(runeStart(s, from+width), from)
	}
	var before, after string
	if from > 0 {
		before = fmt.Sprintf("…(%d bytes before) ", from)
	}
	if to < len(s) {
		after = fmt.Sprintf(" …(%d bytes more)", len(s)-to)
	}
	return before + s[from:to] + after
}

// runeStart moves at back to where a character begins. Bytes that belong to no character are left as they are.
func runeStart(s string, at int) int {
	for back := 0; back < utf8.UTFMax && at-back > 0 && at < len(s); back++ {
		if utf8.RuneStart(s[at-back]) {
			return at - back
		}
	}
	return at
}

// firstDifference is the number of bytes that are equal at the beginning.
func firstDifference(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// lastBytes keeps the end of a text.
func lastBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return window(s, len(s)-most, most)
}

// shellJoin writes arguments as one command for a shell.
func shellJoin(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellQuote(w)
	}
	return strings.Join(quoted, " ")
}

// shellQuote writes one argument so that a shell gives it back unchanged and a terminal can print it. Arguments with
// unprintable bytes need the $'…' of bash, zsh and ksh.
func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-") == "" {
		return s
	}
	if utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + s[:n])
		case strconv.IsPrint(r) && (r != utf8.RuneError || n > 1):
			b.WriteString(s[:n])
		default:
			for i := range n {
				fmt.Fprintf(&b, `\x%02x`, s[i])
			}
		}
		s = s[n:]
	}
	return b.String() + "'"
}
