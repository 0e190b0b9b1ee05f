package fakemuse

import (
	"os"
	"path/filepath"
)

// logRecord is one line of a session's log, as far as adapters look into it: whose it is and what it holds.
type logRecord struct {
	Stream      streamRef  `json:"stream"`
	ID          string     `json:"id"`
	Sequence    int        `json:"sequence"`
	RecordedAt  string     `json:"recorded_at"`
	PayloadType string     `json:"payload_type"`
	Payload     logPayload `json:"payload"`
}

type logPayload struct {
	Record any `json:"record"`
}

// writeLog begins the session's log where adapters look for it (muse-adapter.md §2.5): its first line names the
// workspace. It is written with the first turn; a session without one leaves nothing on disk. A home that a script only
// names is not written to.
func (s *session) writeLog() {
	if s.logged || s.home == "" || s.server.options.Script.Host.Home != "" || s.server.options.Root == "" || s.host != nil && s.host.flags.Ephemeral {
		return
	}
	s.logged = true
	who := ""
	if s.host != nil {
		who = s.host.who()
	}
	file := filepath.FromSlash(s.path())
	if !s.server.insideSoon(file) {
		s.server.problem(ProblemOutside, who, "a session log would be written to %s, outside the scenario's folder", file)
		return
	}
	first := recordAt(1)
	line := encode(logRecord{
		Stream: streamRef{Kind: "session", ID: s.id}, ID: first.ID, Sequence: first.Sequence, RecordedAt: stamp(s.created),
		PayloadType: "runtime.session.metadata",
		Payload: logPayload{Record: struct {
			Workspace string `json:"workspace_root"`
			Provider  string `json:"provider_id"`
			Model     string `json:"model_id"`
		}{s.workspace, s.provider, s.model}},
	})
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = os.WriteFile(file, append(line, '\n'), 0o600)
	}
	if err != nil {
		s.server.problem(ProblemInternal, who, "the session log cannot be written: %v", err)
	}
}

// insideSoon is inside for a file whose folders are yet to be made: the nearest one that exists decides.
func (s *Server) insideSoon(file string) bool {
	if !filepath.IsAbs(file) || filepath.Clean(file) != file {
		return false
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil {
			return s.inside(dir)
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
