package conform

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"

	"acp-conform/scenarios"
	"acp-conform/wire"
	"acp-conform/wire/schema"
)

// Engine holds what all scenarios of a run share. It has no state of its own: scenarios may run at the same time.
type Engine struct {
	Adapter   Adapter
	Hosts     HostFactory
	Deadlines Deadlines
	// Env are further variables of the adapter's environment, "K=V"; {{muse}} is replaced by the host's path.
	Env []string
	// Scenarios holds the folders of scripted conversations.
	Scenarios fs.FS
	// Temp is the folder in which private folders are made; empty means the system's folder for temporary files.
	Temp string
	// Watch is told of the process group of every adapter as it starts, and released when the group has ended; nil
	// means that nobody watches. It must be safe for concurrent use.
	Watch func(group int) (release func())
	// Goldens judges transcripts; nil compares nothing.
	Goldens GoldenStore
	// Free are scenarios that are held to no golden.
	Free []string
	// Record receives the input.json of a scenario that has none, made from its sentences; nil makes that an error.
	Record func(scenario string, input []byte) error
	// Transcript receives the log of every scenario as text, in the order of arrival; nil writes none.
	Transcript func(scenario string, text []byte) error
	// Schemas check every frame.
	Schemas *schema.Schemas
	// LineLimit bounds a line of the adapter in bytes; 0 means wire.DefaultLineLimit.
	LineLimit int
	// Limits bound what one scenario keeps.
	Limits wire.Limits
	// AuditLog is where the adapter keeps the audit log of a session: a pattern of file names relative to its
	// XDG_DATA_HOME, in which {session} stands for the session's id. Empty means that no log is looked at.
	AuditLog string
	// FormsOptional: the adapter need not show forms, as ACP has it; the reference adapter must.
	FormsOptional bool
	// Outside lists requirements that are not judged: those that bind the reference adapter only, when another one
	// runs. A check that could decide only such requirements is left out.
	Outside map[string]bool
}

// GoldenStore compares a transcript with the accepted one.
type GoldenStore interface {
	// Compare gives nil when the transcript is the accepted one. The opening is the number of leading rows that
	// belong to the common opening.
	Compare(scenario string, t wire.Transcript, opening int) *Mismatch
}

// Mismatch says how a transcript differs from its golden.
type Mismatch struct {
	Row     int  // index of the first row that differs; -1 when there is none
	Missing bool // there is no golden
	Message string
	Place   *Place
}

// Names of a scenario as the feature file gives them.
type Names struct {
	Name    string // folder, or folder/row
	Title   string
	Feature string
	Tags    []string // with the leading @
	// Requirements are the ids among the tags.
	Requirements []string
}

// Handshake starts the adapter once, sends initialize, asks for a session and ends it. The error says in one sentence why
// there was no successful answer to initialize, or, as a LoginError, that there is no session without a login.
func (e *Engine) Handshake(ctx context.Context) (AdapterInfo, error) {
	info := AdapterInfo{Argv: e.Adapter.Argv()}
	s, err := e.Begin(ctx, Names{Name: "handshake", Title: "Handshake"})
	if err != nil {
		return info, err
	}
	defer s.discard()
	if err := s.start(); err != nil {
		return info, err
	}
	if err := s.initialize(scenarios.Step{}); err != nil {
		s.discard()
		info.Stderr = s.process.StderrTail()
		s.noteRefusals()
		info.Refusals = s.notes
		return info, err
	}
	info.Name = wire.LookupString(s.initialized, "agentInfo", "name")
	info.Version = wire.LookupString(s.initialized, "agentInfo", "version")
	if err := s.tryLogin(); err != nil {
		s.discard()
		info.Stderr = s.process.StderrTail()
		return info, err
	}
	return info, nil
}

// errEcho says that the adapter sent back what it was sent.
var errEcho = errors.New("the program echoes what it reads: it sent back a line equal to one that we sent")

// echoes reports whether the newest line of the adapter is equal to a message that we sent. Requests of the client
// never look like requests of an adapter, so an equal line is an echo.
func echoes(records []wire.Record) bool {
	// An echo shows at once; a flood must not make every look at the log longer than the one before.
	for i := min(len(records), 1000) - 1; i >= 0; i-- {
		r := records[i]
		if r.Lane != wire.Client || r.Dir != wire.FromAdapter {
			continue
		}
		return r.Frame.Kind == wire.Request && slices.ContainsFunc(records[:i], func(o wire.Record) bool {
			return o.Lane == wire.Client && o.Dir == wire.ToAdapter && o.Frame.Kind == wire.Request && bytes.Equal(o.Data, r.Data)
		})
	}
	return false
}
