// Package strictjson decodes JSON files that people write by hand.
//
//   - An unknown member, also one that differs only in the case of a letter, a second member of the same name, a value
//     of the wrong type and text behind the value are errors. Structs must not be embedded in each other.
//   - An error names the file and the line, and what was probably meant.
//   - Enumerations are checked by their own UnmarshalJSON methods, whose errors get the same treatment.
package strictjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Error says what is wrong with a file.
type Error struct {
	File    string
	Line    int // from 1
	Problem string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// Decode reads data into v, which is a pointer. The file is only a name for errors.
func Decode(file string, data []byte, v any) error {
	if line, problem := misnamed(data, reflect.TypeOf(v)); problem != "" {
		return &Error{file, line, problem}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return explain(file, data, dec, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return &Error{file, lineAt(data, int(dec.InputOffset())), "there is more text behind the value"}
	}
	return nil
}

func explain(file string, data []byte, dec *json.Decoder, err error) error {
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &Error{file, lineAt(data, int(syntax.Offset)), "this is not JSON: " + syntax.Error()}
	case errors.As(err, &typed):
		return &Error{file, lineAt(data, int(typed.Offset)), fmt.Sprintf("%s holds a %s where a %s is expected", place(typed.Field), typed.Value, typed.Type)}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{file, lineAt(data, len(data)), "the file ends too early"}
	}
	return &Error{file, lineOf(data, quoted(err), int(dec.InputOffset())), err.Error()}
}

func place(field string) string {
	if field == "" {
		return "the file"
	}
	return fmt.Sprintf("%q", field)
}

// quoted gives the first quoted word of an error, to find its line.
func quoted(err error) string {
	return regexp.MustCompile(`"[^"]*"`).FindString(err.Error())
}

func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}

// lineOf gives the line of a word, or of the offset when the word is not there.
func lineOf(data []byte, word string, offset int) int {
	if word != "" {
		if i := bytes.Index(data, []byte(word)); i >= 0 {
			return lineAt(data, i)
		}
	}
	return lineAt(data, offset)
}

// misnamed finds the first member that has a twin in its object, or that the object's type does not have under exactly
// this name: the decoder below takes names in any case.
func misnamed(data []byte, t reflect.Type) (line int, problem string) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	type level struct {
		names map[string]bool         // seen so far; nil for an array
		known map[string]reflect.Type // nil where any name goes
		value bool                    // the next token is a value
		inner reflect.Type            // of the next value
	}
	stack := []level{{value: true, inner: t}} // the file itself, as if it were an element
	for {
		token, err := dec.Token()
		if err != nil {
			return 0, ""
		}
		top := &stack[len(stack)-1]
		if d, is := token.(json.Delim); is && (d == '}' || d == ']') {
			stack = stack[:len(stack)-1]
			continue
		}
		if top.names != nil && !top.value {
			key := token.(string)
			inner, there := top.known[key]
			switch at := lineAt(data, int(dec.InputOffset())); {
			case top.names[key]:
				return at, fmt.Sprintf("the member %q is there twice", key)
			case top.known != nil && !there:
				return at, unknownMember(key, top.known, t)
			}
			top.names[key], top.value = true, true
			if top.known != nil {
				top.inner = inner
			}
			continue
		}
		top.value = top.names == nil
		switch token {
		case json.Delim('{'):
			known, inner := membersOf(top.inner)
			stack = append(stack, level{names: map[string]bool{}, known: known, inner: inner})
		case json.Delim('['):
			_, inner := membersOf(top.inner)
			stack = append(stack, level{inner: inner})
		}
	}
}

// unknownMember says so, and which member of the object, or else of another part of the file, was probably meant.
func unknownMember(name string, known map[string]reflect.Type, t reflect.Type) string {
	meant := Nearest(name, slices.Sorted(maps.Keys(known)))
	if meant == "" {
		meant = Nearest(name, slices.DeleteFunc(memberNames(t), func(n string) bool { return n == name }))
	}
	problem := fmt.Sprintf("unknown member %q", name)
	if meant != "" {
		problem += fmt.Sprintf("; did you mean %q?", meant)
	}
	return problem
}

// membersOf gives the types of a struct's members by their JSON names, or the one type of what a list or a map holds.
// Both are nil for a type that decodes itself, and for one that takes anything.
func membersOf(t reflect.Type) (map[string]reflect.Type, reflect.Type) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil, nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return nil, t.Elem()
	case reflect.Struct:
		members := map[string]reflect.Type{}
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				members[cmp.Or(name, f.Name)] = f.Type
			}
		}
		return members, nil
	}
	return nil, nil
}

// memberNames collects the JSON names of a type and of all types inside it.
func memberNames(t reflect.Type) []string {
	var names []string
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Array {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && name != "-" {
				names = append(names, name)
			}
			walk(f.Type)
		}
	}
	if t != nil {
		walk(t)
	}
	return names
}

// Nearest gives the candidate that is most like the word, or "" when none is near enough to be meant.
func Nearest(word string, candidates []string) string {
	best, least := "", 1+len(word)/3
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d <= least && (best == "" || d < least) {
			best, least = c, d
		}
	}
	return best
}

// distance is the number of single-byte edits between two words, a swap of neighbours counting as one.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
