package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"acp-conform/wire"
)

// sequenceColumn is the distance between two participants of a sequence diagram, in characters: wide enough for most
// method names with a short text.
const sequenceColumn = 56

// Sequence writes a transcript as a sequence diagram in text: the editor on the left, the adapter in the middle, the
// hosts on the right, time from top to bottom.
func Sequence(w io.Writer, t wire.Transcript) error {
	hosts := 0
	for _, row := range t {
		if !row.Gap && row.Lane != wire.Client {
			hosts = max(hosts, row.Lane.N)
		}
	}
	d := diagram{names: []string{"editor", "adapter"}, asked: map[string]string{}}
	for n := range hosts {
		d.names = append(d.names, hostName(t, n+1))
	}
	d.header()
	for _, row := range t {
		d.row(row)
	}
	d.line(nil)
	if _, err := w.Write(d.out.Bytes()); err != nil {
		return fmt.Errorf("writing the diagram: %w", err)
	}
	return nil
}

func hostName(t wire.Transcript, n int) string {
	for _, row := range t {
		if !row.Gap && row.Lane.N == n {
			return row.Lane.String()
		}
	}
	return strconv.Itoa(n)
}

// diagram builds the text line by line.
type diagram struct {
	out   bytes.Buffer
	names []string
	asked map[string]string // lane, direction and id of a request -> its method
}

// at is the column of a participant.
func (d *diagram) at(i int) int { return 4 + i*sequenceColumn }

func (d *diagram) header() {
	line := []rune(strings.Repeat(" ", d.at(len(d.names)-1)+12))
	for i, name := range d.names {
		start := max(d.at(i)-len(name)/2, 0)
		copy(line[start:], []rune(name))
	}
	d.put(line)
	d.line(nil)
}

// line writes one row of life lines, with what draw puts over them.
func (d *diagram) line(draw func([]rune)) {
	line := []rune(strings.Repeat(" ", d.at(len(d.names)-1)+sequenceColumn))
	for i := range d.names {
		line[d.at(i)] = '│'
	}
	if draw != nil {
		draw(line)
	}
	d.put(line)
}

func (d *diagram) put(line []rune) {
	d.out.WriteString(strings.TrimRight(string(line), " "))
	d.out.WriteByte('\n')
}

func (d *diagram) row(row wire.Row) {
	if row.Gap {
		d.line(func(line []rune) { copy(line[1:], []rune("···")) })
		return
	}
	lane := 0
	if row.Lane != wire.Client {
		lane = row.Lane.N + 1
	}
	switch row.Dir {
	case wire.Start:
		d.note(lane, "started: "+plain(string(row.Data)))
	case wire.Exit:
		d.note(lane, "ended: "+plain(string(row.Data)))
	default:
		from, to := lane, 1
		if row.Dir == wire.FromAdapter {
			from, to = 1, lane
		}
		d.arrow(from, to, d.label(row))
	}
}

func (d *diagram) note(i int, text string) {
	d.line(func(line []rune) { copy(line[d.at(i)+2:], []rune("["+text+"]")) })
}

// arrow draws from one participant to another, with the label on its shaft.
func (d *diagram) arrow(from, to int, label string) {
	left, right := d.at(min(from, to)), d.at(max(from, to))
	room := right - left - 5
	text := []rune(label)
	if len(text) > room {
		text = append(text[:room-1], '…')
	}
	d.line(func(line []rune) {
		for x := left + 1; x < right; x++ {
			line[x] = '─'
		}
		copy(line[left+3:], text)
		if from < to {
			line[right-1] = '>'
		} else {
			line[left+1] = '<'
		}
	})
}

// label names a frame: its method, or that of the request that it answers, and the texts that tell most.
func (d *diagram) label(row wire.Row) string {
	f := wire.ParseFrame(row.Data)
	key := row.Lane.String() + " " + row.Dir.Mark() + " " + string(f.ID)
	switch f.Kind {
	case wire.Request:
		d.asked[key] = f.Method
		return f.Method + digest(f.Params)
	case wire.Notification:
		return f.Method + digest(f.Params)
	case wire.Response:
		other := wire.ToAdapter
		if row.Dir == wire.ToAdapter {
			other = wire.FromAdapter
		}
		method := d.asked[row.Lane.String()+" "+other.Mark()+" "+string(f.ID)]
		if f.Error != nil {
			return "error to " + method + digest(f.Error)
		}
		return "answer to " + method + digest(f.Result)
	}
	return plain(string(row.Data))
}

// telling are the members whose values tell a reader most, in the order in which they are shown.
var telling = []string{"sessionUpdate", "outcome", "optionId", "choiceId", "stopReason", "terminal", "code", "message", "kind", "status", "title", "delta", "text",
	"feedback", "toolName", "command", "decision", "mode", "disposition"}

// digestLimit is the most values of one frame that are shown.
const digestLimit = 4

// digest picks the telling values of a frame.
func digest(object json.RawMessage) string {
	found := map[string]string{}
	collect(object, 0, found)
	var words []string
	for _, name := range telling {
		if v, ok := found[name]; ok && len(words) < digestLimit && !slices.Contains(words, v) {
			words = append(words, v)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return ": " + plain(strings.Join(words, ", "))
}

// collectDepth is how deep telling values lie at most: the text of a content block inside an update inside params.
const collectDepth = 4

func collect(value json.RawMessage, depth int, found map[string]string) {
	if depth > collectDepth {
		return
	}
	if members, err := wire.Members(value); err == nil {
		for _, m := range members {
			var s string
			if _, known := found[m.Name]; !known && json.Unmarshal(m.Value, &s) == nil && s != "" {
				found[m.Name] = s
			} else if n := string(m.Value); !known && strings.Trim(n, "-0123456789") == "" {
				found[m.Name] = n
			}
		}
		for _, m := range members {
			if m.Name != "options" && m.Name != "availableChoices" && m.Name != "subject" && m.Name != "sourceRange" {
				collect(m.Value, depth+1, found)
			}
		}
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil && len(list) > 0 {
		collect(list[0], depth+1, found)
	}
}

// plain makes text fit for one line of a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
