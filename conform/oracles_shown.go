package conform

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"acp-conform/wire"
)

// shownAsItIs looks at what the client is shown of the tool calls that it is asked about, in the announcement, in the
// question and in the updates: it is what the host told of the call. A client that is shown another command than the one
// that runs allows what it has never seen, and whoever shows the truth in one place and not in the other lies in one.
func shownAsItIs(e *evidence) []finding {
	const id = "ACP-PERM-17"
	hostCall := matchCalls(e.records, e.facts.Tools)
	about := map[string]*HostTool{} // by session and call of the client
	for _, q := range e.s.questions {
		call := wire.LookupString(q.frame.Params, "toolCall", "toolCallId")
		own := hostCall(q.session, call)
		if i := slices.IndexFunc(e.facts.Tools, func(t HostTool) bool { return t.Call == own && t.Input != nil }); i >= 0 && !q.form {
			about[q.session+"\x00"+call] = &e.facts.Tools[i]
		}
	}
	var bad []finding
	looked := false
	input := map[string]bool{} // the calls whose input the client has
	for _, r := range e.fromAdapter() {
		at, u := "/params/update", toolUpdateOf(r)
		if r.Frame.Method == methodPermission && r.Frame.Kind == wire.Request {
			at, u = "/params/toolCall", &toolUpdate{}
			if json.Unmarshal(wire.Lookup(r.Frame.Params, "toolCall"), u) != nil {
				continue
			}
		}
		if u == nil {
			continue
		}
		key := r.Session + "\x00" + u.ID
		t := about[key]
		if t == nil {
			continue
		}
		looked = true
		if says(u.RawInput) {
			input[key] = true
			if wrong := t.unlike(u.RawInput); wrong != "" {
				bad = append(bad, e.bad(r.Seq, at+"/rawInput", "what the host told of the call: "+short(t.Input), short(u.RawInput), id,
					"what the client is shown of the tool call %q, which it is asked about, %s", u.ID, wrong))
			}
			continue
		}
		if more := t.addedTo(u.Title); more != "" && !input[key] {
			bad = append(bad, e.bad(r.Seq, at+"/title", "the command as it is", u.Title, id,
				"the client is shown nothing but a title of the tool call %q, which it is asked about, and that adds %q to the command", u.ID, more))
		}
	}
	if !looked {
		return nil
	}
	return verdicts([]string{id}, bad)
}

// says reports whether an input says anything: a call may be announced before its arguments are known.
func says(input json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", "{}", `""`}, string(input))
}

// commands are the members that a command is found in.
func commands() []string { return []string{"command", "cmd"} }

// unlike says in what a shown input is none of those that the host told; empty when it is one.
func (t *HostTool) unlike(shown json.RawMessage) string {
	first := ""
	for _, told := range append([]json.RawMessage{t.Input}, t.Earlier...) {
		wrong := unlike(told, shown)
		if wrong == "" {
			return ""
		}
		if first == "" {
			first = wrong
		}
	}
	return first
}

// unlike says in what an input is not the one that the host told. An adapter may wrap it, rename its members and add some
// of its own, so it is looked for as a text that stands somewhere: the command, or where there is none each argument that
// is a text. No member that has the same name, or one of a command, may say otherwise.
func unlike(told, shown json.RawMessage) string {
	if sameJSON(told, shown) {
		return ""
	}
	host, _ := valueOf(told)
	arguments, _ := host.(map[string]any)
	want := map[string]string{}
	for name, v := range arguments {
		if text, ok := v.(string); ok {
			want[name] = text
		}
	}
	names := slices.Sorted(maps.Keys(want))
	if command, ok := want["command"]; ok {
		names, want = []string{"command"}, map[string]string{"command": command}
	}
	mine, theirs := textsIn(host), textsOf(shown)
	for _, name := range names {
		same := func(s member) bool { return s.text == want[name] }
		if !slices.ContainsFunc(theirs, same) {
			return fmt.Sprintf("does not hold the %s that the host told", name)
		}
	}
	for _, s := range theirs {
		_, claims := want[s.name]
		if !claims && !(slices.Contains(commands(), s.name) && want["command"] != "") {
			continue
		}
		expected := []string{want[s.name], want["command"]}
		if !slices.Contains(expected, s.text) && !slices.Contains(mine, s) {
			return fmt.Sprintf("holds another %s than the host told: %q", s.name, s.text)
		}
	}
	return ""
}

// member is a text in a value, with the name of the member that it is in.
type member struct{ name, text string }

func textsOf(raw json.RawMessage) []member {
	v, _ := valueOf(raw)
	return textsIn(v)
}

// textsIn gives all texts in a value. A command may also be a list of words: the shell that runs it with the command
// behind, or the words of the command itself.
func textsIn(v any) []member {
	var list []member
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case string:
			list = append(list, member{name, v})
			if inner, ok := valueOf(json.RawMessage(v)); ok && strings.HasPrefix(strings.TrimSpace(v), "{") {
				walk("", inner) // arguments as the text that the model wrote
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(key, v[key])
			}
		case []any:
			if words := wordsOf(v); slices.Contains(commands(), name) && len(words) > 0 {
				list = append(list, member{name, commandOf(words)})
				return
			}
			for _, element := range v {
				walk("", element)
			}
		}
	}
	walk("", v)
	return list
}

func wordsOf(list []any) []string {
	var words []string
	for _, v := range list {
		word, ok := v.(string)
		if !ok {
			return nil
		}
		words = append(words, word)
	}
	return words
}

// commandOf is the command in a list of words.
func commandOf(words []string) string {
	if len(words) == 3 && regexp.MustCompile(`^-\w*c$`).MatchString(words[1]) {
		return words[2]
	}
	return strings.Join(words, " ")
}

// addedTo gives what stands beside the command on its line of a title; nothing where the title is no command but a
// description, or the command alone. The stage that is asked about, and what the tool is called, may stand in front.
func (t *HostTool) addedTo(title string) string {
	var texts []string
	command := ""
	for _, told := range append([]json.RawMessage{t.Input}, t.Earlier...) {
		v, _ := valueOf(told)
		for _, s := range textsIn(v) {
			texts = append(texts, s.text)
			if s.name == "command" && strings.Contains(title, s.text) {
				command = s.text
			}
		}
	}
	if command == "" || slices.Contains(texts, title) {
		return ""
	}
	before, after, _ := strings.Cut(title, command)
	before = before[strings.LastIndex(before, "\n")+1:]
	after, _, _ = strings.Cut(after, "\n")
	before = regexp.MustCompile(`^(?i:stage \d+ of \d+|bash|shell|command|run|execute|terminal)(: ?| )`).ReplaceAllString(before, "")
	const quotes = "`'\" "
	return strings.TrimSpace(strings.Trim(before, quotes) + " " + strings.Trim(after, quotes))
}
