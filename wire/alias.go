package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// Aliases replaces the values of a transcript that must differ from run to run, and keeps their identity.
//
//   - A value is learned where the protocol mints it (LearnFrames), or told (Know).
//   - It is then replaced everywhere, earlier occurrences included: as it is, in its JSON-escaped form ({cwd|json})
//     and percent-encoded ({cwd|url}).
//   - Only values of eight bytes or more are replaced in text, the longest first, and only at token boundaries.
//   - The ids of JSON-RPC are replaced at id positions only, each lane and direction apart: a plain number by its place
//     in the printed order, a string by "{id:n}".
//   - Numbers are given in the printed order.
//   - Text that looks like an alias already is escaped by a second brace: {{session:1}.
type Aliases struct {
	kinds  map[string]string // value -> kind
	fixed  map[string]string // value -> alias without number
	counts map[string]int
	names  map[string]string // value -> alias, once numbered
	ids    map[idKey]int
	idN    map[idSpace]int
}

type idSpace struct {
	lane Lane
	dir  Dir // direction of the request
}

type idKey struct {
	space idSpace
	text  string
}

// minAlias is the shortest value that is replaced in text: shorter ones appear by chance.
const minAlias = 8

// NewAliases makes an empty set.
func NewAliases() *Aliases {
	return &Aliases{kinds: map[string]string{}, fixed: map[string]string{}, counts: map[string]int{}, names: map[string]string{},
		ids: map[idKey]int{}, idN: map[idSpace]int{}}
}

// Know tells a value that the harness itself made, such as the working directory; its alias has no number: {cwd}.
func (a *Aliases) Know(name, value string) {
	if len(value) >= minAlias {
		a.fixed[value] = name
	}
}

// Learn tells a value that the protocol minted, with its kind: {session:1}.
func (a *Aliases) Learn(kind, value string) {
	if _, known := a.kinds[value]; known || len(value) < minAlias {
		return
	}
	if _, known := a.fixed[value]; !known {
		a.kinds[value] = kind
	}
}

// minted lists where values are minted: the members with these names, wherever they stand in a frame of the given
// direction, on a host lane or on the client's.
var minted = []struct {
	member string
	kind   string
}{
	{"sessionId", "session"}, {"commandId", "command"}, {"turnId", "turn"}, {"itemId", "item"}, {"approvalId", "approval"},
	{"taskId", "task"}, {"userInputId", "input"}, {"reviewId", "review"}, {"messageId", "message"}, {"terminalId", "terminal"},
}

// LearnFrames learns from every message of the transcript. A tool call id is learned only when no host names it: one
// that the host's script gave is the same in every run.
func (a *Aliases) LearnFrames(t Transcript) {
	scripted := map[string]bool{}
	for _, row := range t {
		if row.Lane != Client && row.Dir == ToAdapter {
			eachString(row.Data, func(name, value string) {
				if name == "callId" || name == "toolCallId" {
					scripted[value] = true
				}
			})
		}
	}
	for _, row := range t {
		// What the client sends mints nothing: an id that the harness made up stays readable.
		if row.Dir != FromAdapter && (row.Dir != ToAdapter || row.Lane == Client) {
			continue
		}
		eachString(row.Data, func(name, value string) {
			if name == "toolCallId" && row.Lane == Client && !scripted[value] {
				a.Learn("call", value)
				return
			}
			if i := slices.IndexFunc(minted, func(m struct{ member, kind string }) bool { return m.member == name }); i >= 0 {
				a.Learn(minted[i].kind, value)
			}
		})
	}
}

// eachString calls f for every string member of a JSON text, at any depth, in the order of the text.
func eachString(text []byte, f func(name, value string)) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	type level struct {
		object bool
		name   string
		key    bool // the next string is a name
	}
	var stack []level
	for {
		token, err := dec.Token()
		if err != nil {
			return
		}
		top := len(stack) - 1
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{':
				stack = append(stack, level{object: true, key: true})
				continue
			case '[':
				stack = append(stack, level{})
				continue
			}
			stack = stack[:top]
			top--
		case string:
			if top >= 0 && stack[top].object && stack[top].key {
				stack[top].name, stack[top].key = v, false
				continue
			}
			if top >= 0 && stack[top].object {
				f(stack[top].name, v)
			}
		}
		if top >= 0 {
			stack[top].key = stack[top].object
		}
	}
}

var looksLikeAlias = regexp.MustCompile(`\{\{*(?:[a-z]+:[0-9]+|[a-z]+)(?:\|json|\|url)?\}`)

// Apply replaces the values in a copy of the transcript.
func (a *Aliases) Apply(t Transcript) Transcript {
	forms := a.forms()
	out := make(Transcript, len(t))
	for i, row := range t {
		if row.Gap {
			out[i] = row
			continue
		}
		row.Data = a.ownID(row)
		row.Data = forms.replace(row.Data)
		out[i] = row
	}
	return out
}

// ownID replaces the JSON-RPC id of a frame. Placeholders keep the text pass from touching it.
func (a *Aliases) ownID(row Row) []byte {
	if row.Dir != ToAdapter && row.Dir != FromAdapter {
		return row.Data
	}
	frame := ParseFrame(row.Data)
	// A result and an error at once are no answer, but they stand where one was expected, under the id of its request.
	both := frame.Kind == Invalid && frame.Method == "" && frame.Result != nil && frame.Error != nil
	if !frame.IsMessage() && !both || frame.ID == nil || string(frame.ID) == "null" {
		return escapeLookalikes(row.Data)
	}
	dir := row.Dir
	if frame.Kind == Response || both {
		dir = opposite(dir)
	}
	members, err := Members(bytes.TrimRight(row.Data, " \t\r"))
	if err != nil {
		return escapeLookalikes(row.Data)
	}
	for _, m := range members {
		if m.Name != "id" {
			continue
		}
		plain := strings.Trim(string(m.Value), "0123456789") == ""
		if !plain && m.Value[0] != '"' {
			break
		}
		key := idKey{idSpace{row.Lane, dir}, string(frame.ID)}
		if a.ids[key] == 0 && both {
			break
		}
		if a.ids[key] == 0 {
			a.idN[key.space]++
			a.ids[key] = a.idN[key.space]
		}
		alias := fmt.Sprint(a.ids[key])
		if !plain {
			alias = `"` + fmt.Sprintf("{id:%d}", a.ids[key]) + `"`
		}
		return slices.Concat(escapeLookalikes(row.Data[:m.Start]), []byte(alias), escapeLookalikes(row.Data[m.End:]))
	}
	return escapeLookalikes(row.Data)
}

func escapeLookalikes(data []byte) []byte {
	if !bytes.ContainsRune(data, '{') {
		return data
	}
	return looksLikeAlias.ReplaceAll(data, []byte("{$0"))
}

// form is one spelling of a value.
type form struct {
	text  string
	value string
	tail  string // "", "|json" or "|url"
}

type formSet struct {
	aliases *Aliases
	byHead  map[string][]form // first minAlias bytes -> spellings, longest first
}

func (a *Aliases) forms() formSet {
	set := formSet{aliases: a, byHead: map[string][]form{}}
	add := func(f form) {
		if len(f.text) >= minAlias {
			head := f.text[:minAlias]
			set.byHead[head] = append(set.byHead[head], f)
		}
	}
	values := make([]string, 0, len(a.kinds)+len(a.fixed))
	for v := range a.kinds {
		values = append(values, v)
	}
	for v := range a.fixed {
		values = append(values, v)
	}
	for _, v := range values {
		add(form{text: v, value: v})
		if j := jsonText(v); j != v {
			add(form{text: j, value: v, tail: "|json"})
		}
		if u := url.PathEscape(v); u != v {
			add(form{text: u, value: v, tail: "|url"})
		}
		if u := (&url.URL{Path: v}).EscapedPath(); u != v && u != url.PathEscape(v) {
			add(form{text: u, value: v, tail: "|url"})
		}
	}
	for _, list := range set.byHead {
		sort.Slice(list, func(i, j int) bool { return len(list[i].text) > len(list[j].text) })
	}
	return set
}

func jsonText(v string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil || b.Len() < 3 {
		return v
	}
	return b.String()[1 : b.Len()-2]
}

func (s formSet) replace(data []byte) []byte {
	var out []byte
	last := 0
	for i := 0; i+minAlias <= len(data); {
		n, alias := s.at(data, i)
		if n == 0 {
			i++
			continue
		}
		out = append(append(out, data[last:i]...), alias...)
		i += n
		last = i
	}
	if out == nil {
		return data
	}
	return append(out, data[last:]...)
}

// at gives the length and the alias of the value that stands at data[i:], or 0.
func (s formSet) at(data []byte, i int) (int, string) {
	for _, f := range s.byHead[string(data[i:i+minAlias])] {
		end := i + len(f.text)
		if end > len(data) || string(data[i:end]) != f.text || !boundary(data, i, end, f.text) {
			continue
		}
		return len(f.text), s.aliases.name(f)
	}
	return 0, ""
}

// boundary keeps a value from being found inside a longer word; a path also ends before a letter, a digit, a hyphen
// and a dot that goes on, so that a sibling folder keeps its name.
func boundary(data []byte, i, end int, text string) bool {
	word := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_'
	}
	if i > 0 && word(data[i-1]) && word(text[0]) && !escaped(data, i) {
		return false
	}
	if end == len(data) || !word(text[len(text)-1]) {
		return true
	}
	next := data[end]
	if word(next) {
		return false
	}
	if strings.HasPrefix(text, "/") && (next == '-' || next == '.' && end+1 < len(data) && word(data[end+1])) {
		return false
	}
	return true
}

// escaped reports whether the letter before data[i] belongs to a JSON escape such as \n.
func escaped(data []byte, i int) bool {
	if i < 2 || data[i-2] != '\\' {
		return false
	}
	slashes := 0
	for j := i - 2; j >= 0 && data[j] == '\\'; j-- {
		slashes++
	}
	return slashes%2 == 1 && strings.IndexByte("bfnrt", data[i-1]) >= 0
}

func (a *Aliases) name(f form) string {
	if name, known := a.fixed[f.value]; known {
		return "{" + name + f.tail + "}"
	}
	if a.names[f.value] == "" {
		kind := a.kinds[f.value]
		a.counts[kind]++
		a.names[f.value] = fmt.Sprintf("%s:%d", kind, a.counts[kind])
	}
	return "{" + a.names[f.value] + f.tail + "}"
}
