// Package report turns the result of a run into something to read, for people and for programs.
//
// # Model and renderers
//
// New makes the one Model of a conform.RunResult. Every format is a rendering of that model and of nothing else, so
// no two formats can disagree:
//
//   - pretty: text for a terminal or a log. A table by area, one sentence, then every failure with the first
//     difference and the command that replays just that scenario. Where a check fails in several scenarios with the
//     same message, the first of them tells it, with the names of the others; a scenario that would add nothing is only
//     named.
//   - json: the model itself. Its members, their names and their order only change together with Schema.
//   - junit: JUnit XML for programs that show the results of tests: a suite for each feature file and one for the
//     requirements. What was expected to fail is skipped there.
//   - known: what failed and was not expected to, as a file of known failures whose reasons are still to be written.
//
// ProgressWriter writes one line per finished scenario while a run goes on.
//
// # Text that the adapter made
//
// What an adapter sends ends up in reports: its name, its stderr, the values that were not expected. None of it is
// trusted:
//
//   - Bytes that are no UTF-8 appear as \xNN, in every format.
//   - In pretty, every character that cannot be printed is shown as an escape (\n, \x1b, \u202e), so that no escape
//     sequence reaches the terminal and nothing can pass for a line of the report.
//   - In json, the same characters are written as \uNNNN, so that the file is safe to print and decodes to the
//     original text.
//   - Long values are shortened around the first difference: in the model to 64 KiB, in pretty to a few lines.
//
// The output has no colours and does not depend on the terminal.
package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"acp-conform/conform"
)

// Options is what a report needs to know beside the result.
type Options struct {
	// Program is how the user calls this program, for the command that replays a scenario; "acp-conform" when empty.
	Program string
	// Flags are the flags of this run that a replay must repeat, such as "--env", "KEY=value".
	Flags []string
	// BuiltIn says that the reference adapter was judged, which needs no command: the replay names none.
	BuiltIn bool
}

// format is one way to show a model.
type format struct {
	name    string
	machine bool // for programs: progress must not be mixed into it
	render  func(Model) ([]byte, error)
}

func formats() []format {
	return []format{
		{name: "pretty", render: renderPretty},
		{name: "json", machine: true, render: renderJSON},
		{name: "junit", machine: true, render: renderJUnit},
		{name: "known", machine: true, render: renderKnown},
	}
}

// Formats lists the names of the formats, the default first.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Machine reports whether a format is for programs, so that progress and other words must go elsewhere.
func Machine(name string) bool {
	f, err := find(name)
	return err == nil && f.machine
}

// CheckFormat gives the error that Write would give for the name of a format, so that it can be told before a run.
func CheckFormat(name string) error {
	_, err := find(name)
	return err
}

// UnknownFormatError says that there is no format of that name.
type UnknownFormatError struct {
	Name string
	Near string // the one that was probably meant; may be empty
}

func (e *UnknownFormatError) Error() string {
	text := fmt.Sprintf("there is no report format %q; there are %s", e.Name, strings.Join(Formats(), ", "))
	if e.Near != "" {
		text += "; did you mean " + e.Near + "?"
	}
	return text
}

func find(name string) (format, error) {
	var near string
	most := 0
	for _, f := range formats() {
		if f.name == name {
			return f, nil
		}
		// The formats differ in their first two letters, so a common beginning is enough to guess by.
		if n := firstDifference(strings.ToLower(strings.TrimSpace(name)), f.name); n > most {
			near, most = f.name, n
		}
	}
	return format{}, &UnknownFormatError{Name: name, Near: near}
}

// WriteProblem tells why nothing could be run, as pretty does, and nothing else.
func WriteProblem(w io.Writer, r conform.RunResult) error {
	m, err := New(r, Options{})
	if err != nil {
		return err
	}
	p := &printer{}
	p.problem(m)
	if _, err := w.Write(bytes.TrimLeft(p.Bytes(), "\n")); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// Write renders a result. It writes all or nothing, in one piece, and fails with an *UnknownFormatError, with the
// error of New, or with that of w.
func Write(w io.Writer, name string, r conform.RunResult, o Options) error {
	f, err := find(name)
	if err != nil {
		return err
	}
	m, err := New(r, o)
	if err != nil {
		return err
	}
	text, err := f.render(m)
	if err != nil {
		return fmt.Errorf("rendering the report as %s: %w", name, err)
	}
	if _, err := io.Copy(w, bytes.NewReader(text)); err != nil {
		return fmt.Errorf("writing the report as %s: %w", name, err)
	}
	return nil
}
