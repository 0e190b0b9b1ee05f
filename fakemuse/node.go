package fakemuse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"acp-conform/internal/strictjson"
	"acp-conform/wire"
)

// ScriptError says what is wrong with a script, and where.
type ScriptError struct {
	File    string
	Line    int
	Problem string
}

func (e *ScriptError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// node is one value of a script, with its place.
type node struct {
	file string
	data []byte // the whole file
	at   int    // where the value begins in it
	raw  json.RawMessage
	name string // what it is, for messages: "turns[0].steps[1].tool"
}

func (n node) line() int { return 1 + bytes.Count(n.data[:n.at], []byte("\n")) }

func (n node) errorf(format string, args ...any) error {
	return &ScriptError{File: n.file, Line: n.line(), Problem: fmt.Sprintf(format, args...)}
}

// root reads a file as one JSON object.
func root(file string, data []byte) (node, error) {
	if !utf8.Valid(data) {
		return node{}, &ScriptError{File: file, Line: 1, Problem: "the script is not UTF-8"}
	}
	var value json.RawMessage
	if err := json.Unmarshal(data, &value); err != nil {
		line := 1
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line += bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		}
		return node{}, &ScriptError{File: file, Line: line, Problem: "the script is not JSON: " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	at := bytes.IndexFunc(data, func(r rune) bool { return !strings.ContainsRune(" \t\r\n", r) })
	return node{file: file, data: data, at: at, raw: value, name: "the script"}, nil
}

// kind is what a JSON value is, for messages.
func (n node) kind() string {
	switch n.raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func (n node) want(what string) error {
	return n.errorf("%s must be %s, not %s", n.name, what, n.kind())
}

// members reads an object whose members are among known. Twins and unknown names are errors.
func (n node) members(known ...string) (map[string]node, error) {
	if n.raw[0] != '{' {
		return nil, n.want("an object")
	}
	list, err := wire.Members(n.raw)
	if err != nil {
		return nil, n.errorf("%s cannot be read: %v", n.name, err)
	}
	members := map[string]node{}
	for _, m := range list {
		value := node{file: n.file, data: n.data, at: n.at + m.Start, raw: m.Value, name: n.name + "." + m.Name}
		if n.name == "the script" {
			value.name = m.Name
		}
		if _, twice := members[m.Name]; twice {
			return nil, value.errorf("%s is there twice", value.name)
		}
		if !slices.Contains(known, m.Name) {
			return nil, value.errorf("%s has no member %q%s", n.name, m.Name, didYouMean(m.Name, known))
		}
		members[m.Name] = value
	}
	return members, nil
}

// elements reads an array.
func (n node) elements() ([]node, error) {
	if n.raw[0] != '[' {
		return nil, n.want("an array")
	}
	d := json.NewDecoder(bytes.NewReader(n.raw))
	if _, err := d.Token(); err != nil {
		return nil, n.errorf("%s cannot be read: %v", n.name, err)
	}
	var elements []node
	for d.More() {
		var value json.RawMessage
		if err := d.Decode(&value); err != nil && !errors.Is(err, io.EOF) {
			return nil, n.errorf("%s cannot be read: %v", n.name, err)
		}
		at := n.at + int(d.InputOffset()) - len(value)
		elements = append(elements, node{
			file: n.file, data: n.data, at: at, raw: value, name: fmt.Sprintf("%s[%d]", n.name, len(elements)),
		})
	}
	return elements, nil
}

// text reads a string that is not empty.
func (n node) text() (string, error) {
	s, err := n.anyText()
	if err == nil && s == "" {
		return "", n.errorf("%s must not be empty", n.name)
	}
	return s, err
}

func (n node) anyText() (string, error) {
	var s string
	if n.raw[0] != '"' || json.Unmarshal(n.raw, &s) != nil {
		return "", n.want("a string")
	}
	return s, nil
}

// texts reads a list of strings, or one string as a list of one.
func (n node) texts() ([]string, error) {
	if n.raw[0] == '"' {
		s, err := n.text()
		return []string{s}, err
	}
	elements, err := n.elements()
	if err != nil {
		return nil, n.want("a string or an array of strings")
	}
	var list []string
	for _, e := range elements {
		s, err := e.text()
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, n.errorf("%s must not be empty", n.name)
	}
	return list, nil
}

func (n node) flag() (bool, error) {
	var b bool
	if json.Unmarshal(n.raw, &b) != nil || n.raw[0] == 'n' {
		return false, n.want("true or false")
	}
	return b, nil
}

// whole reads an integer between two bounds.
func (n node) whole(least, most int) (int, error) {
	var i int
	if json.Unmarshal(n.raw, &i) != nil || n.raw[0] == 'n' {
		return 0, n.want("a whole number")
	}
	if i < least || i > most {
		return 0, n.errorf("%s must be between %d and %d, not %d", n.name, least, most, i)
	}
	return i, nil
}

// open reads a word of an open list: any word will do, but one that nearly is a known one is taken for a slip.
func (n node) open(known []string) (string, error) {
	word, err := n.text()
	if err != nil || slices.Contains(known, word) {
		return word, err
	}
	if near := strictjson.Nearest(word, known); near != "" {
		return "", n.errorf("%s is %q; did you mean %q?", n.name, word, near)
	}
	return word, nil
}

// closed reads a word of a closed list.
func (n node) closed(known []string) (string, error) {
	word, err := n.text()
	if err == nil && !slices.Contains(known, word) {
		return "", n.errorf("%s is %q%s", n.name, word, didYouMean(word, known))
	}
	return word, err
}
