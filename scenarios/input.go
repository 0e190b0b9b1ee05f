package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"

	"acp-conform/internal/strictjson"
)

// Input is a decoded input.json.
type Input struct {
	Steps []Step `json:"steps"`
	// PermissionAnswers are consumed first in, first out, over the whole run.
	PermissionAnswers []Answer `json:"permissionAnswers,omitempty"`
	// Strict is true when absent: an unscripted question is answered "cancelled" and fails the run, and so do
	// answers that are left over. False is the leniency of the original format.
	Strict *bool `json:"strict,omitempty"`
}

// IsStrict reports whether the run fails on unscripted questions and unused answers.
func (in *Input) IsStrict() bool { return in.Strict == nil || *in.Strict }

// Step is one operation of the client. Which members an operation takes is listed in Operations.
type Step struct {
	Op string `json:"op"`
	// Session counts the sessions of the connection from 1; absent means the newest one.
	Session int `json:"session,omitempty"`
	// Text is the text of a prompt.
	Text string `json:"text,omitempty"`
	// Until says what a prompt waits for: "response" (when absent), "asked" (a question that is left open), "said" or
	// "thought" (the text in Said has been shown to the user, as a message or as a thought), or "called" (the adapter
	// has called Method of its host).
	Until string `json:"until,omitempty"`
	Said  string `json:"said,omitempty"`
	// Times repeats promptAndCancelInOneWrite, or is how many cancels are sent in one write; absent means once.
	Times int `json:"times,omitempty"`
	// Prompts are sent in one write.
	Prompts []Prompt `json:"prompts,omitempty"`
	// Answer settles a question that was left open.
	Answer *Answer `json:"answer,omitempty"`
	// Line is sent as it is, with a LF behind it. \xNN stands for a byte, \\ for a backslash, {{session}} for the id of
	// the newest session.
	Line *string `json:"line,omitempty"`
	// Method is what a prompt waits for, see Until, or that of a request. Params are those of a request, as they stand;
	// they may be left out. In their texts {{workspace}}
	// stands for the working directory and {{session}} for the id of the newest session.
	Method *string         `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	// Terminal says in initialize whether the client shows terminal output.
	Terminal bool `json:"terminalOutput,omitempty"`
	// Directories are further folders of a session.
	Directories []string `json:"additionalDirectories,omitempty"`
	// ConfigID and Value are what set_config_option sets.
	ConfigID string `json:"configId,omitempty"`
	Value    string `json:"value,omitempty"`
	// Event is what happens at the host, which its script waits for.
	Event string `json:"event,omitempty"`
}

// Prompt is one prompt of a "prompts" step.
type Prompt struct {
	Session int    `json:"session,omitempty"`
	Text    string `json:"text"`
}

// Answer is what the client answers to one session/request_permission. Exactly one member is set.
type Answer struct {
	// Kind picks the first offered option of this kind: allow_once, allow_always, reject_once or reject_always.
	Kind string `json:"kind,omitempty"`
	// Name picks the offered option with this name.
	Name string `json:"name,omitempty"`
	// OptionID is answered as it stands, offered or not.
	OptionID string `json:"optionId,omitempty"`
	// Cancelled dismisses the question.
	Cancelled bool `json:"cancelled,omitempty"`
	// Withhold leaves the question open until an "answer" step, or for ever.
	Withhold bool `json:"withhold,omitempty"`
	// Result and Error are answered as they stand, whatever they are.
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// optionKinds are the kinds of permission options in ACP v1.
var optionKinds = []string{"allow_once", "allow_always", "reject_once", "reject_always"}

// Operation says which members a step of this name takes.
type Operation struct {
	Name     string
	Required []string
	Optional []string
}

// Operations lists all operations.
//
//   - initialize, newSession, newSessionExpectError, prompt, promptExpectError, promptAndCancel, cancel, setConfigOption
//     and setConfigOptionExpectError are those of the format's origin, state E (approval-seam.md §6.2). Its cancel and
//     its promptAndCancel wait for the response; the latter cancels after the first text that is shown.
//   - prompts sends several prompts in one write and waits as prompt does, for all of them.
//   - promptAndCancelInOneWrite sends a prompt and its cancel in one write and waits for the response, again and again.
//   - answer settles the oldest question of a session that was left open.
//   - release lets an event happen that the host's script waits for, and waits for the end of the turn.
//   - line sends raw bytes and waits for one answer that has no other request, if an answer is due.
//   - request sends a request of any method with any params and waits for its answer, whatever that is.
func Operations() []Operation {
	return []Operation{
		{Name: "initialize", Optional: []string{"terminalOutput"}},
		{Name: "newSession"},
		{Name: "newSessionExpectError", Optional: []string{"additionalDirectories"}},
		{Name: "promptExpectError", Required: []string{"text"}},
		{Name: "promptAndCancel", Required: []string{"text"}},
		{Name: "setConfigOption", Required: []string{"configId", "value"}, Optional: []string{"session"}},
		{Name: "setConfigOptionExpectError", Required: []string{"configId", "value"}},
		{Name: "prompt", Required: []string{"text"}, Optional: []string{"session", "until", "said", "method"}},
		{Name: "prompts", Required: []string{"prompts"}, Optional: []string{"until"}},
		{Name: "promptAndCancelInOneWrite", Required: []string{"text"}, Optional: []string{"session", "times"}},
		{Name: "cancel", Optional: []string{"session", "times"}},
		{Name: "answer", Required: []string{"answer"}, Optional: []string{"session"}},
		{Name: "release", Required: []string{"event"}, Optional: []string{"session"}},
		{Name: "line", Required: []string{"line"}},
		{Name: "request", Required: []string{"method"}, Optional: []string{"params"}},
	}
}

// laterOperations are those of the origin's later state (H), which wait for things that this client cannot see.
var laterOperations = []string{"promptContent", "promptAndWaitForAgentMessage", "waitForFile", "waitForTurnStart", "waitForTurnEnd",
	"waitForSubagentTurnEnd", "waitForGoalPhase", "waitForInboxMessage", "waitForTitleAfterTurnEnd", "waitForEventAfterTurnEnd"}

// DecodeInput reads an input.json. The file is only a name for errors.
func DecodeInput(file string, data []byte) (*Input, error) {
	var in Input
	if err := strictjson.Decode(file, data, &in); err != nil {
		return nil, err
	}
	if in.Steps == nil {
		return nil, &strictjson.Error{File: file, Line: 1, Problem: `the member "steps" is missing`}
	}
	for i, s := range in.Steps {
		if err := s.check(); err != nil {
			return nil, &strictjson.Error{File: file, Line: lineOfElement(data, "steps", i), Problem: fmt.Sprintf("steps[%d]: %v", i, err)}
		}
	}
	for i, a := range in.PermissionAnswers {
		if err := a.check(); err != nil {
			return nil, &strictjson.Error{File: file, Line: lineOfElement(data, "permissionAnswers", i), Problem: fmt.Sprintf("permissionAnswers[%d]: %v", i, err)}
		}
	}
	return &in, nil
}

func (s Step) check() error {
	var names []string
	for _, op := range Operations() {
		names = append(names, op.Name)
		if op.Name == s.Op {
			return s.checkMembers(op)
		}
	}
	if slices.Contains(laterOperations, s.Op) {
		return fmt.Errorf("the operation %q belongs to a later state of the format (H), which is not played; what is played: %s", s.Op, strings.Join(names, ", "))
	}
	err := fmt.Sprintf("unknown operation %q", s.Op)
	if meant := strictjson.Nearest(s.Op, names); meant != "" {
		err += fmt.Sprintf("; did you mean %q?", meant)
	}
	return errors.New(err)
}

func (s Step) checkMembers(op Operation) error {
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		set := !v.Field(i).IsZero()
		switch {
		case name == "op":
		case slices.Contains(op.Required, name) && !set:
			return fmt.Errorf("the operation %q needs %q", op.Name, name)
		case set && !slices.Contains(op.Required, name) && !slices.Contains(op.Optional, name):
			return fmt.Errorf("the operation %q takes no %q", op.Name, name)
		}
	}
	switch {
	case s.Session < 0 || s.Times < 0 || slices.ContainsFunc(s.Prompts, func(p Prompt) bool { return p.Session < 0 }):
		return errors.New("a count is negative")
	case s.Prompts != nil && len(s.Prompts) == 0, slices.ContainsFunc(s.Prompts, func(p Prompt) bool { return p.Text == "" }):
		return errors.New(`"prompts" holds at least one prompt, and each has a "text"`)
	case !slices.Contains([]string{"", "response", "asked", "said", "thought", "called"}, s.Until):
		return fmt.Errorf(`"until" is %q; it can be "response", "asked", "said", "thought" or "called"`, s.Until)
	case s.Op == "prompt" && (s.Until == "called") != (s.Method != nil):
		return errors.New(`"method" goes with "until": "called"`)
	case (s.Until == "said" || s.Until == "thought") != (s.Said != ""):
		return errors.New(`"said" goes with "until": "said" or "thought"`)
	case s.Answer != nil:
		if err := s.Answer.check(); err != nil {
			return err
		}
		if s.Answer.Withhold {
			return errors.New(`an "answer" step cannot withhold`)
		}
	}
	return nil
}

func (a Answer) check() error {
	set := 0
	v := reflect.ValueOf(a)
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			set++
		}
	}
	if set != 1 {
		return errors.New("an answer has exactly one of kind, name, optionId, cancelled, withhold, result and error")
	}
	if a.Kind != "" && !slices.Contains(optionKinds, a.Kind) {
		err := fmt.Sprintf("unknown kind %q", a.Kind)
		if meant := strictjson.Nearest(a.Kind, optionKinds); meant != "" {
			err += fmt.Sprintf("; did you mean %q?", meant)
		}
		return errors.New(err)
	}
	return nil
}

// lineOfElement finds the line on which element i of the top-level array called name begins.
func lineOfElement(data []byte, name string, i int) int {
	dec := json.NewDecoder(bytes.NewReader(data))
	depth, element, inside := 0, -1, false
	for {
		token, err := dec.Token()
		if err != nil {
			return 1
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			if inside && depth == 2 {
				if element++; element == i {
					return 1 + bytes.Count(data[:dec.InputOffset()], []byte("\n"))
				}
			}
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
			if inside && depth == 1 {
				inside = false
			}
		case name:
			inside = inside || depth == 1
		default:
			if inside && depth == 2 {
				if element++; element == i {
					return 1 + bytes.Count(data[:dec.InputOffset()], []byte("\n"))
				}
			}
		}
	}
}

// Encode writes the input as text, one step a line.
func (in *Input) Encode() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{\n  \"steps\": [")
	if err := encodeList(&b, in.Steps); err != nil {
		return nil, fmt.Errorf("encoding steps: %w", err)
	}
	b.WriteString("]")
	if len(in.PermissionAnswers) > 0 {
		b.WriteString(",\n  \"permissionAnswers\": [")
		if err := encodeList(&b, in.PermissionAnswers); err != nil {
			return nil, fmt.Errorf("encoding permissionAnswers: %w", err)
		}
		b.WriteString("]")
	}
	if in.Strict != nil {
		fmt.Fprintf(&b, ",\n  \"strict\": %t", *in.Strict)
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

func encodeList[T any](b *bytes.Buffer, list []T) error {
	for i, e := range list {
		if i > 0 {
			b.WriteString(",")
		}
		var one bytes.Buffer
		enc := json.NewEncoder(&one)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e); err != nil {
			return err
		}
		b.WriteString("\n    ")
		b.Write(bytes.TrimSuffix(one.Bytes(), []byte("\n")))
	}
	if len(list) > 0 {
		b.WriteString("\n  ")
	}
	return nil
}

// Find gives the path and the bytes of a scenario's file: for the scenario "folder/row" the file of the row, else the
// one that all rows share. It returns fs.ErrNotExist, wrapped, when there is neither.
func Find(fsys fs.FS, scenario, file string) (string, []byte, error) {
	folder, row, isRow := strings.Cut(scenario, "/")
	var paths []string
	if isRow {
		base, ext, _ := strings.Cut(file, ".")
		paths = append(paths, path.Join(folder, base+"."+row+"."+ext))
	}
	paths = append(paths, path.Join(folder, file))
	for _, p := range paths {
		data, err := fs.ReadFile(fsys, p)
		if err == nil {
			return p, data, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return p, nil, fmt.Errorf("reading %s: %w", p, err)
		}
	}
	return paths[0], nil, fmt.Errorf("reading %s: %w", paths[0], fs.ErrNotExist)
}
