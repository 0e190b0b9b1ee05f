package conform

import (
	"encoding/json"
	"fmt"
	"reflect"

	"acp-conform/scenarios"
)

// script is a scenario's input.json while its sentences are told. Every step that a sentence performs is checked
// against the next step of the file; where there is no file, the steps are collected to make one.
type script struct {
	file    string
	in      *scenarios.Input // nil while the file does not exist
	told    scenarios.Input
	strict  bool // false once a sentence told so
	answers int  // how many of told.PermissionAnswers were used
	forms   int  // how many of told.FormAnswers
}

func script0(file string, in *scenarios.Input) script {
	return script{file: file, in: in, strict: true}
}

// tellLenient takes the script as one whose questions need no scripted answer.
func (sc *script) tellLenient() error {
	sc.strict = false
	lenient := false
	sc.told.Strict = &lenient
	if sc.in != nil && sc.in.IsStrict() {
		return fmt.Errorf("%s is strict, but a sentence tells of an editor that dismisses what nobody told it about; it needs \"strict\": false", sc.file)
	}
	return nil
}

// tell checks one step.
func (sc *script) tell(step scenarios.Step) error {
	n := len(sc.told.Steps)
	sc.told.Steps = append(sc.told.Steps, step)
	if sc.in == nil {
		return nil
	}
	if n >= len(sc.in.Steps) {
		return fmt.Errorf("%s has only %d steps, but a sentence performs %s", sc.file, len(sc.in.Steps), compact(step))
	}
	if !reflect.DeepEqual(sc.in.Steps[n], step) {
		return fmt.Errorf("%s: steps[%d] is %s, but the sentence performs %s", sc.file, n, compact(sc.in.Steps[n]), compact(step))
	}
	return nil
}

// tellAnswer checks one scripted answer to a request for permission.
func (sc *script) tellAnswer(a scenarios.Answer) error {
	sc.told.PermissionAnswers = append(sc.told.PermissionAnswers, a)
	if sc.in == nil {
		return nil
	}
	return toldAnswer(sc.file, permissionAnswers, sc.in.PermissionAnswers, sc.told.PermissionAnswers)
}

// tellFormAnswer checks one scripted answer to a form.
func (sc *script) tellFormAnswer(a scenarios.FormAnswer) error {
	sc.told.FormAnswers = append(sc.told.FormAnswers, a)
	if sc.in == nil {
		return nil
	}
	return toldAnswer(sc.file, formAnswers, sc.in.FormAnswers, sc.told.FormAnswers)
}

// The lists of answers, as input.json calls them.
const (
	permissionAnswers = "permissionAnswers"
	formAnswers       = "formAnswers"
)

// toldAnswer holds the last answer that was told against the one of the file.
func toldAnswer[T any](file, list string, in, told []T) error {
	n := len(told) - 1
	if n >= len(in) {
		return fmt.Errorf("%s has only %d %s, but a sentence tells %s", file, len(in), list, compact(told[n]))
	}
	if !reflect.DeepEqual(in[n], told[n]) {
		return fmt.Errorf("%s: %s[%d] is %s, but the sentence tells %s", file, list, n, compact(in[n]), compact(told[n]))
	}
	return nil
}

// untold says what the file holds and no sentence told; empty when all was told.
func (sc *script) untold() string {
	switch {
	case sc.in == nil:
		return ""
	case sc.strict && !sc.in.IsStrict():
		return fmt.Sprintf("%s: \"strict\": false is told by no sentence", sc.file)
	case len(sc.told.Steps) < len(sc.in.Steps):
		return fmt.Sprintf("%s: steps[%d] is told by no sentence", sc.file, len(sc.told.Steps))
	case len(sc.told.PermissionAnswers) < len(sc.in.PermissionAnswers):
		return fmt.Sprintf("%s: permissionAnswers[%d] is told by no sentence", sc.file, len(sc.told.PermissionAnswers))
	case len(sc.told.FormAnswers) < len(sc.in.FormAnswers):
		return fmt.Sprintf("%s: formAnswers[%d] is told by no sentence", sc.file, len(sc.told.FormAnswers))
	}
	return ""
}

// nextAnswer takes the next scripted answer to a form or to a request for permission.
func (sc *script) nextAnswer(form bool) (*answer, bool) {
	switch {
	case form && sc.forms < len(sc.told.FormAnswers):
		sc.forms++
		a := &sc.told.FormAnswers[sc.forms-1]
		return &answer{name: sc.nameOf(formAnswers, sc.forms-1), text: compact(a), form: a}, true
	case !form && sc.answers < len(sc.told.PermissionAnswers):
		sc.answers++
		a := &sc.told.PermissionAnswers[sc.answers-1]
		return &answer{name: sc.nameOf(permissionAnswers, sc.answers-1), text: compact(a), permission: a}, true
	}
	return nil, false
}

func (sc *script) nameOf(list string, i int) string {
	return fmt.Sprintf("%s[%d] of %s", list, i, sc.file)
}

// leftOver names the answers that were never used.
func (sc *script) leftOver() []string {
	var list []string
	for i := sc.answers; i < len(sc.told.PermissionAnswers); i++ {
		list = append(list, sc.nameOf(permissionAnswers, i)+" was never used: "+compact(sc.told.PermissionAnswers[i]))
	}
	for i := sc.forms; i < len(sc.told.FormAnswers); i++ {
		list = append(list, sc.nameOf(formAnswers, i)+" was never used: "+compact(sc.told.FormAnswers[i]))
	}
	return list
}

func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
