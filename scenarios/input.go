package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Input is a decoded input.json.
type Input struct {
	Steps []Step `json:"steps"`
	// PermissionAnswers are consumed first in, first out, over the whole run.
	PermissionAnswers []Answer `json:"permissionAnswers,omitempty"`
	// FormAnswers are those to forms, consumed in the same way.
	FormAnswers []FormAnswer `json:"formAnswers,omitempty"`
	// Strict is true when absent: an unscripted question is answered "cancelled" and fails the run, and so do
	// answers that are left over. False is the leniency of the original format: both are all right then. An answer that picks
	// what was not offered fails the run in any case.
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
	// Long is how the text of promptLong is made.
	Long *Long `json:"long,omitempty"`
	// Until says what a prompt waits for: "response" (when absent), "asked" (a question that is left open), "said" or
	// "thought" (the text in Said has been shown to the user, as a message or as a thought), or "called" (the adapter
	// has called Method of its host). The host's script should hold the turn there: a question right behind what is waited
	// for may be a part of this step or not.
	Until string `json:"until,omitempty"`
	Said  string `json:"said,omitempty"`
	// Times repeats promptAndCancelInOneWrite, or is how many cancels are sent in one write; absent means once.
	Times int `json:"times,omitempty"`
	// Prompts are sent in one write. Unread says that nothing is read then until the host has said all that it has to say.
	Prompts []Prompt `json:"prompts,omitempty"`
	Unread  bool     `json:"unread,omitempty"`
	// Answer settles a question that was left open, FormAnswer a form: the oldest one of the session, or the oldest about
	// About, which is the id of its tool call or a part of its input; for a form a part of its message.
	Answer     *Answer     `json:"answer,omitempty"`
	FormAnswer *FormAnswer `json:"formAnswer,omitempty"`
	About      string      `json:"about,omitempty"`
	// Line is sent as it is, with a LF behind it. \xNN stands for a byte, \\ for a backslash, {{session}} for the id of
	// the newest session, {{question}} for the id under which its oldest open question was asked. In pieces, "|" is where
	// one piece ends, and \x0a where a line does.
	Line *string `json:"line,omitempty"`
	// Method is what a prompt waits for, see Until, or that of a request. Params are those of a request, as they stand;
	// they may be left out. In their texts {{workspace}}
	// stands for the working directory and {{session}} for the id of the newest session.
	Method *string         `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	// Terminal says in initialize whether the client shows terminal output, Forms whether it shows forms. Meta are members
	// of the capabilities' _meta, as they stand. Capabilities are all capabilities, as they stand.
	Terminal     bool            `json:"terminalOutput,omitempty"`
	Forms        bool            `json:"forms,omitempty"`
	Meta         json.RawMessage `json:"meta,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	// Directories are further folders of a session.
	Directories []string `json:"additionalDirectories,omitempty"`
	// ConfigID and Value are what set_config_option sets.
	ConfigID string `json:"configId,omitempty"`
	Value    string `json:"value,omitempty"`
	// Event is what happens at the host, which its script waits for.
	Event string `json:"event,omitempty"`
	// Seconds is for how long the user thinks.
	Seconds int `json:"seconds,omitempty"`
}

// Prompt is one prompt of a "prompts" step.
type Prompt struct {
	Session int    `json:"session,omitempty"`
	Text    string `json:"text"`
}

// Long says how a long text is made: so many bytes of a pattern, again and again, in which "#" stands for the number of
// the repetition. In the file: {"repeat": "#·é", "bytes": 65537}.
type Long struct {
	Repeat string `json:"repeat"`
	Bytes  int    `json:"bytes"`
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
	if len(in.FormAnswers) > 0 {
		b.WriteString(",\n  \"formAnswers\": [")
		if err := encodeList(&b, in.FormAnswers); err != nil {
			return nil, fmt.Errorf("encoding formAnswers: %w", err)
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
