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
	strict  bool
	answers int // how many of told.PermissionAnswers were used
}

func script0(file string, in *scenarios.Input) script {
	s := script{file: file, in: in, strict: true}
	if in != nil {
		s.strict = in.IsStrict()
	}
	return s
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

// tellAnswer checks one scripted answer.
func (sc *script) tellAnswer(a scenarios.Answer) error {
	n := len(sc.told.PermissionAnswers)
	sc.told.PermissionAnswers = append(sc.told.PermissionAnswers, a)
	if sc.in == nil {
		return nil
	}
	if n >= len(sc.in.PermissionAnswers) {
		return fmt.Errorf("%s has only %d permissionAnswers, but a sentence tells %s", sc.file, len(sc.in.PermissionAnswers), compact(a))
	}
	if !reflect.DeepEqual(sc.in.PermissionAnswers[n], a) {
		return fmt.Errorf("%s: permissionAnswers[%d] is %s, but the sentence tells %s", sc.file, n, compact(sc.in.PermissionAnswers[n]), compact(a))
	}
	return nil
}

// untold says what the file holds and no sentence told; empty when all was told.
func (sc *script) untold() string {
	switch {
	case sc.in == nil:
		return ""
	case len(sc.told.Steps) < len(sc.in.Steps):
		return fmt.Sprintf("%s: steps[%d] is told by no sentence", sc.file, len(sc.told.Steps))
	case len(sc.told.PermissionAnswers) < len(sc.in.PermissionAnswers):
		return fmt.Sprintf("%s: permissionAnswers[%d] is told by no sentence", sc.file, len(sc.told.PermissionAnswers))
	}
	return ""
}

// nextAnswer takes the next scripted answer.
func (sc *script) nextAnswer() (scenarios.Answer, int, bool) {
	if sc.answers >= len(sc.told.PermissionAnswers) {
		return scenarios.Answer{}, sc.answers, false
	}
	sc.answers++
	return sc.told.PermissionAnswers[sc.answers-1], sc.answers - 1, true
}

func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
