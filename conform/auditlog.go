package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// AuditEntry is one line of a session's audit log (approval-seam.md §5).
type AuditEntry struct {
	Line int // counted from 1
	Type string
	Data json.RawMessage
}

// AuditLog is what a session's audit log held when the adapter had ended.
type AuditLog struct {
	File    string // below the adapter's data folder
	Entries []AuditEntry
	Problem string // why it cannot be read, or where it stops being a log; empty when all is well
}

// The events of an audit log that are judged.
const (
	auditTurnStart  = "turn/start"
	auditTurnEnd    = "turn/end"
	auditToolCall   = "tool/call"
	auditToolResult = "tool/result"
	auditAsked      = "approval/asked"
	auditDecided    = "approval/decided"
)

// auditSession is what stands for a session's id in a pattern.
const auditSession = "{session}"

// longestAudit bounds what is read of one log, in bytes: a log holds no text of the user's, and lines are short.
const longestAudit = 16 << 20

// CheckAuditPattern says what is wrong with the pattern of an adapter's audit logs.
func CheckAuditPattern(pattern string) error {
	_, bad := filepath.Match(pattern, "")
	switch {
	case !strings.Contains(pattern, auditSession):
		return fmt.Errorf("the pattern %q does not hold %s, which stands for the id of the session", pattern, auditSession)
	case bad != nil:
		return fmt.Errorf("the pattern %q is malformed", pattern)
	case !filepath.IsLocal(pattern):
		return fmt.Errorf("the pattern %q leaves the adapter's data folder, which it is relative to", pattern)
	}
	return nil
}

// Finally has a check run once the adapter has ended and its files were read.
func (s *Scenario) Finally(check func()) { s.finally = append(s.finally, check) }

// AuditLog gives the audit log of session n, counted from 1 (0: the newest), and false where none can be read because
// nobody said where it is. It is there for checks that run Finally.
func (s *Scenario) AuditLog(n int) (AuditLog, bool) {
	if s.engine.AuditLog == "" {
		return AuditLog{}, false
	}
	session, err := s.sessionOf(n)
	if err != nil || session == "" {
		return AuditLog{Problem: fmt.Sprintf("there is no session %d", n)}, true
	}
	return s.audits[session], true
}

// readAuditLogs reads the logs of all sessions, before the private folder goes.
func (s *Scenario) readAuditLogs() {
	if s.engine.AuditLog == "" {
		return
	}
	s.audits = map[string]AuditLog{}
	for _, id := range s.sessions {
		s.audits[id] = readAudit(s.world.xdg("data"), s.engine.AuditLog, id)
	}
}

// readAudit finds and reads one log. The session's id comes from the adapter, and so do the files: nothing outside the
// folder is opened, and nothing that is no plain file.
func readAudit(folder, pattern, session string) AuditLog {
	if strings.ContainsAny(session, `/\`) || session == "." || session == ".." {
		return AuditLog{Problem: fmt.Sprintf("the session's id %q cannot be in the name of a file", session)}
	}
	matches, err := filepath.Glob(filepath.Join(literal(folder), strings.ReplaceAll(pattern, auditSession, literal(session))))
	if err != nil {
		return AuditLog{Problem: fmt.Sprintf("the pattern %q is malformed for the session %q", pattern, session)}
	}
	switch len(matches) {
	case 0:
		return AuditLog{Problem: fmt.Sprintf("no file is at %s", strings.ReplaceAll(pattern, auditSession, session))}
	case 1:
	default:
		return AuditLog{Problem: fmt.Sprintf("%d files are at %s", len(matches), strings.ReplaceAll(pattern, auditSession, session))}
	}
	name, err := filepath.Rel(folder, matches[0])
	if err != nil {
		name = matches[0]
	}
	log := AuditLog{File: filepath.ToSlash(name)}
	data, err := readPlain(folder, name)
	if err != nil {
		log.Problem = err.Error()
		return log
	}
	log.Entries, log.Problem = parseAudit(data)
	return log
}

// literal escapes what means something in a pattern.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// readPlain reads a plain file that stands inside a folder.
func readPlain(folder, name string) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, errors.New("the data folder cannot be opened")
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no plain file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened", name)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, longestAudit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read", name)
	case len(data) > longestAudit:
		return nil, fmt.Errorf("%s has more than %d bytes", name, longestAudit)
	}
	return data, nil
}

// parseAudit reads the lines of a log. A last line without its LF was torn by the end and does not count.
func parseAudit(data []byte) (entries []AuditEntry, problem string) {
	for n := 1; ; n++ {
		text, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return entries, ""
		}
		data = rest
		var line struct {
			Type string          `json:"type"`
			Seq  *int            `json:"seq"`
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(text, &line); err != nil || line.Type == "" {
			return entries, fmt.Sprintf("line %d is no event with a type: %s", n, short(text))
		}
		if want := len(entries); line.Seq != nil && *line.Seq != want {
			return entries, fmt.Sprintf("line %d has the seq %d and should have %d", n, *line.Seq, want)
		}
		entries = append(entries, AuditEntry{Line: n, Type: line.Type, Data: line.Data})
	}
}
