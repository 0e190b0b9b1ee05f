// Package strictjson decodes JSON files that people write by hand.
//
//   - An unknown member, also one that differs only in the case of a letter, a second member of the same name, a value
//     of the wrong type and text behind the value are errors. A null stands for what is absent where a pointer, a slice
//     or a map takes it, and is of the wrong type elsewhere. Structs must not be embedded in each other.
//   - An error names the file, the line and the place in it, such as answers[1].expect, and what was probably meant. It
//     speaks of JSON, never of Go's types.
//   - Enumerations are checked by their own UnmarshalJSON methods, whose errors get the line, but no place.
package strictjson

import (
	"bytes"
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
	Line    int    // from 1
	At      string // the value that the problem is about, as in answers[1].expect; empty for the file itself
	Problem string
}

func (e *Error) Error() string {
	if e.At == "" {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, e.At, e.Problem)
}

// Decode reads data into v, which is a pointer. The file is only a name for errors. Every error is an *Error.
func Decode(file string, data []byte, v any) error {
	if wrong := misfit(data, reflect.TypeOf(v)); wrong != nil {
		wrong.File = file
		return wrong
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return explain(file, data, dec, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return &Error{File: file, Line: lineAt(data, int(dec.InputOffset())), Problem: "there is more text behind the value"}
	}
	return nil
}

// explain puts into words what the decoder found: text that is no JSON, or a value that its own type refuses. Values of
// another type were found before.
func explain(file string, data []byte, dec *json.Decoder, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return &Error{File: file, Line: lineAt(data, int(syntax.Offset)), Problem: "this is not JSON: " + syntax.Error()}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{File: file, Line: lineAt(data, len(data)), Problem: "the file ends too early"}
	}
	return &Error{File: file, Line: lineOf(data, quoted(err), int(dec.InputOffset())), Problem: err.Error()}
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

// unknownMember says so, and which member of the object was probably meant, or which it has where they are few.
func unknownMember(name string, known map[string]reflect.Type) string {
	names := slices.Sorted(maps.Keys(known))
	problem := fmt.Sprintf("unknown member %q", name)
	switch meant := Nearest(name, names); {
	case meant != "":
		problem += fmt.Sprintf("; did you mean %q?", meant)
	case len(names) > 1 && len(names) <= 10:
		problem += fmt.Sprintf("; here can be %s and %s", strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
	}
	return problem
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
