package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Row is one line of a printed transcript: an entry, or a separator between rounds.
type Row struct {
	Entry
	// Gap marks a separator; the entry is then empty.
	Gap bool
}

// Transcript is what a golden holds, in printed order.
type Transcript []Row

// gapText is the line that separates rounds.
const gapText = "~"

// laneWidth is the column at which the data of a row begins; longer lane names push it to the right.
const laneWidth = 12

// Print writes the transcript as text, one line a row.
//
//   - "<lane> <mark>  <data>": the data of a frame is its bytes as they came.
//   - Bytes that a line of text cannot hold safely (controls, a byte order mark, what is not UTF-8) and a missing LF
//     are printed as \xNN and \- behind the mark with an exclamation sign ("<-!"); in such a row \\ is a backslash.
//   - The argv of a host start is printed as words where that is unmistakable, else as a JSON array.
//
// ParseTranscript is the inverse: parse(print(t)) == t for every transcript.
func (t Transcript) Print() []byte {
	var b bytes.Buffer
	for _, row := range t {
		if row.Gap {
			b.WriteString(gapText + "\n")
			continue
		}
		b.Write(row.text())
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func (row Row) text() []byte {
	data, mark := row.Data, row.Dir.Mark()
	if row.Dir == Start {
		data = printArgv(data)
	}
	if row.Partial || needsEscape(data) {
		mark += "!"
		data = escape(data, row.Partial)
	}
	head := row.Lane.String() + " " + mark
	pad := max(laneWidth-len(head), 1)
	return append(append([]byte(head), strings.Repeat(" ", pad)...), data...)
}

func needsEscape(data []byte) bool {
	if bytes.HasPrefix(data, byteOrderMark) || bytes.HasPrefix(data, []byte(" ")) || !utf8.Valid(data) {
		return true
	}
	return bytes.ContainsFunc(data, func(r rune) bool { return r < 0x20 || r == 0x7f })
}

func escape(data []byte, partial bool) []byte {
	var b bytes.Buffer
	bom := bytes.HasPrefix(data, byteOrderMark)
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case r == utf8.RuneError && n == 1, r < 0x20, r == 0x7f, i == 0 && r == ' ', bom && i == 0:
			for _, c := range data[i : i+n] {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		default:
			b.Write(data[i : i+n])
		}
		i += n
	}
	if partial {
		b.WriteString(`\-`)
	}
	return b.Bytes()
}

// Unescape reads the escapes of an escaped row: \xNN is a byte, \\ a backslash.
func Unescape(text []byte) ([]byte, error) {
	data, partial, err := unescape(text)
	if err == nil && partial {
		err = errors.New(`\- stands only for a missing LF in a transcript`)
	}
	return data, err
}

func unescape(text []byte) (data []byte, partial bool, err error) {
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			data = append(data, text[i])
			i++
			continue
		}
		switch {
		case bytes.HasPrefix(text[i:], []byte(`\\`)):
			data = append(data, '\\')
			i += 2
		case bytes.Equal(text[i:], []byte(`\-`)):
			partial = true
			i += 2
		case bytes.HasPrefix(text[i:], []byte(`\x`)) && len(text) >= i+4:
			v, err := strconv.ParseUint(string(text[i+2:i+4]), 16, 8)
			if err != nil {
				return nil, false, fmt.Errorf("column %d: %q is no byte", i+1, text[i:i+4])
			}
			data = append(data, byte(v))
			i += 4
		default:
			return nil, false, fmt.Errorf("column %d: a backslash that begins nothing known", i+1)
		}
	}
	return data, partial, nil
}

// plainWord holds the bytes that an argv word may have to be printed as it is.
const plainWord = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=@%+,-{}"

func printArgv(data []byte) []byte {
	var argv []string
	if json.Unmarshal(data, &argv) != nil || len(argv) == 0 {
		return data
	}
	for _, word := range argv {
		if word == "" || strings.Trim(word, plainWord) != "" {
			return data
		}
	}
	words := []byte(strings.Join(argv, " "))
	if !bytes.Equal(parseArgv(words), data) {
		return data
	}
	return words
}

func parseArgv(text []byte) []byte {
	if len(text) == 0 || text[0] == '[' {
		return text
	}
	argv, err := json.Marshal(strings.Split(string(text), " "))
	if err != nil {
		return text
	}
	return argv
}

// ParseTranscript reads what Print wrote. An error names the line, counted from 1.
func ParseTranscript(text []byte) (Transcript, error) {
	var t Transcript
	for n, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		if len(text) == 0 {
			break
		}
		if string(line) == gapText {
			t = append(t, Row{Gap: true})
			continue
		}
		row, err := parseRow(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		t = append(t, row)
	}
	return t, nil
}

func parseRow(line []byte) (Row, error) {
	lane, rest, err := parseLane(line)
	if err != nil {
		return Row{}, err
	}
	mark, data, found := bytes.Cut(rest, []byte(" "))
	if !found {
		return Row{}, fmt.Errorf("no data behind %q", mark)
	}
	row := Row{Entry: Entry{Lane: lane}}
	escaped := bytes.HasSuffix(mark, []byte("!"))
	switch string(bytes.TrimSuffix(mark, []byte("!"))) {
	case "->":
		row.Dir = ToAdapter
	case "<-":
		row.Dir = FromAdapter
	case "+":
		row.Dir = Start
	case "-":
		row.Dir = Exit
	default:
		return Row{}, fmt.Errorf("%q is none of the marks ->, <-, + and -", mark)
	}
	row.Data = bytes.TrimLeft(data, " ")
	if escaped {
		if row.Data, row.Partial, err = unescape(row.Data); err != nil {
			return Row{}, err
		}
	}
	if row.Dir == Start {
		row.Data = parseArgv(row.Data)
	}
	return row, nil
}

// parseLane reads "client " or "muse 2 " at the front of a line.
func parseLane(line []byte) (Lane, []byte, error) {
	name, rest, found := bytes.Cut(line, []byte(" "))
	if !found || len(name) == 0 || strings.Trim(string(name), "abcdefghijklmnopqrstuvwxyz") != "" {
		return Lane{}, nil, fmt.Errorf("%q does not begin with the name of a lane", Clip(line))
	}
	lane := Lane{Name: string(name)}
	if digits, after, found := bytes.Cut(rest, []byte(" ")); found && len(digits) > 0 && digits[0] >= '1' && digits[0] <= '9' {
		n, err := strconv.Atoi(string(digits))
		if err != nil {
			return Lane{}, nil, fmt.Errorf("%q is no number of a lane", digits)
		}
		lane.N, rest = n, after
	}
	return lane, rest, nil
}

// Rows turns arranged records into a transcript, with separators between rounds and behind the opening. Host lanes are
// numbered anew in the printed order, so that the number does not depend on which host was faster. The second value
// is the number of leading rows that belong to the opening.
func Rows(arranged []Arranged) (Transcript, int) {
	var t Transcript
	opening, leading := 0, true
	numbers, counts := map[Lane]int{}, map[string]int{}
	for i, a := range arranged {
		if i > 0 && (a.Round != arranged[i-1].Round || arranged[i-1].Opening && !a.Opening) {
			t = append(t, Row{Gap: true})
		}
		e := a.Entry
		if e.Lane.N > 0 {
			if numbers[e.Lane] == 0 {
				counts[e.Lane.Name]++
				numbers[e.Lane] = counts[e.Lane.Name]
			}
			e.Lane.N = numbers[e.Lane]
		}
		t = append(t, Row{Entry: e})
		if leading = leading && a.Opening; leading {
			opening = len(t)
		}
	}
	return t, opening
}
