package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"acp-conform/internal/strictjson"
)

// DecodeInput reads an input.json. The file is only a name for errors, each of which is a *strictjson.Error: it names the
// line, and of a step or an answer its place in the list; of a step also the operation.
func DecodeInput(file string, data []byte) (*Input, error) {
	var in Input
	steps := elements(data, "steps")
	if err := strictjson.Decode(file, data, &in); err != nil {
		return nil, ofStep(file, steps, err)
	}
	if in.Steps == nil {
		return nil, &strictjson.Error{File: file, Line: 1, Problem: `the member "steps" is missing`}
	}
	for i, s := range in.Steps {
		if err := checkOperation(file, steps, i); err != nil {
			return nil, err
		}
		if err := s.check(); err != nil {
			return nil, &strictjson.Error{File: file, Line: steps[i].line, At: stepPlace(i, s.Op), Problem: err.Error()}
		}
	}
	if err := checkAnswers(file, data, "permissionAnswers", in.PermissionAnswers); err != nil {
		return nil, err
	}
	if err := checkAnswers(file, data, "formAnswers", in.FormAnswers); err != nil {
		return nil, err
	}
	return &in, nil
}

func checkAnswers[A interface{ check() error }](file string, data []byte, list string, answers []A) error {
	for i, a := range answers {
		if err := a.check(); err != nil {
			return &strictjson.Error{File: file, Line: elements(data, list)[i].line, At: fmt.Sprintf("%s[%d]", list, i), Problem: err.Error()}
		}
	}
	return nil
}

// stepPlace names a step in errors, with its operation where it has one.
func stepPlace(i int, op string) string {
	if op == "" {
		return fmt.Sprintf("steps[%d]", i)
	}
	return fmt.Sprintf("steps[%d] (%q)", i, op)
}

// ofStep says about an error inside a step which operation it is. What is wrong with the operation itself goes first, here
// and in the steps before: members that nobody knows are those of an operation that nobody knows.
func ofStep(file string, steps []element, err error) error {
	var wrong *strictjson.Error
	var n int
	if !errors.As(err, &wrong) {
		return err
	}
	if _, scanned := fmt.Sscanf(wrong.At, "steps[%d]", &n); scanned != nil || n >= len(steps) {
		return err
	}
	for i := range n + 1 {
		if err := checkOperation(file, steps, i); err != nil {
			return err
		}
	}
	op, _ := steps[n].op()
	at := stepPlace(n, op)
	if inside := strings.TrimPrefix(strings.TrimPrefix(wrong.At, fmt.Sprintf("steps[%d]", n)), "."); inside != "" {
		at += ": " + inside
	}
	return &strictjson.Error{File: wrong.File, Line: wrong.Line, At: at, Problem: wrong.Problem}
}

// checkOperation looks at what a step wants to be, whatever else stands in it. A step that is no object, or whose
// operation is no text, is left to the strict decoder.
func checkOperation(file string, steps []element, i int) error {
	op, err := steps[i].op()
	if err == nil {
		err = known(op, steps[i].members())
	}
	if err == nil || errors.Is(err, errNoStep) {
		return nil
	}
	return &strictjson.Error{File: file, Line: steps[i].line, At: fmt.Sprintf("steps[%d]", i), Problem: err.Error()}
}

// element is one element of a list at the top of the file.
type element struct {
	raw  json.RawMessage
	line int
}

func (e element) members() map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(e.raw, &members) != nil {
		return nil
	}
	return members
}

// errNoStep says that an element of "steps" does not have the form of a step.
var errNoStep = errors.New("this is no step")

// op gives the name of a step's operation.
func (e element) op() (string, error) {
	members := e.members()
	if members == nil {
		return "", errNoStep
	}
	var op *string
	raw, there := members["op"]
	if !there {
		return "", errors.New(`the member "op" is missing`)
	}
	if json.Unmarshal(raw, &op) != nil || op == nil {
		return "", errNoStep
	}
	return *op, nil
}

// elements lists what stands in the first list of this name at the top of a file, as far as it can be read.
func elements(data []byte, name string) (list []element) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil
		}
		if key == name {
			return split(data, int(dec.InputOffset())-len(value), value)
		}
	}
	return nil
}

// split lists the elements of a list that begins at an offset of the file.
func split(data []byte, at int, value json.RawMessage) (list []element) {
	dec := json.NewDecoder(bytes.NewReader(value))
	if token, err := dec.Token(); err != nil || token != json.Delim('[') {
		return nil
	}
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return list
		}
		begin := at + int(dec.InputOffset()) - len(raw)
		list = append(list, element{raw, 1 + bytes.Count(data[:begin], []byte("\n"))})
	}
	return list
}
