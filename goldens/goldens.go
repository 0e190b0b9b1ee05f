// Package goldens holds the accepted transcripts of the reference adapter.
//
// The golden of the scenario "folder/row" is the file folder/row.golden, in the format of wire.Transcript.Print. Where
// a transcript begins with a common opening, that part stands once in opening/<name>.golden and the golden's first
// line is "= opening/<name>".
package goldens

import "embed"

// FS holds the embedded goldens.
//
//go:embed *.golden */*.golden
var FS embed.FS
