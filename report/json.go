package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
)

// renderJSON writes the model as it is, indented, with a line end behind it.
func renderJSON(m Model) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return nil, err
	}
	return escapeUnprintable(b.Bytes()), nil
}

// escapeUnprintable writes all characters of a JSON text that a terminal might obey as \uNNNN. The encoder does that
// for the control characters below 0x20 only; 0x9b, for one, begins an escape sequence too. Outside of strings the
// encoder writes nothing unprintable but line ends.
func escapeUnprintable(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r == '\n' || strconv.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.Bytes()
}
