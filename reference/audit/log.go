// Package audit keeps the log of one session: what was asked and decided, between the turns and tool calls around it.
//
//   - One JSON object per line: type, seq, time, data (approval-seam.md §5). seq is the line's place, from 0; time is
//     UTC. The data holds no text of the user's.
//   - The file is append-only. It is made at the first event, with its folder; only its owner can read it.
//   - Events of the approval seam are on disk (fsync of the file, and of the folder when the file is new) when Append
//     returns, so that no decision is acted on that a crash could erase. The others are written at once but not
//     forced, and become durable with the next event of the seam.
//   - A line that was torn by a crash is dropped when the log is opened again, and so is whatever stands behind it: an
//     event counts when its whole line is there.
//   - After a write that failed the file is cut back to its last whole line; if that fails too, the log takes nothing
//     more.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"acp-conform/reference/approval"
)

// Log is the log of one session. Its methods may be called from any goroutine. It is the log half of an
// approval.Agent.
type Log struct {
	path string
	now  func() time.Time

	mu     sync.Mutex
	file   *os.File // nil until the first append
	size   int64    // bytes of whole lines
	events []approval.Event
	broken error
}

type line struct {
	Type string          `json:"type"`
	Seq  int             `json:"seq"`
	Time string          `json:"time"`
	Data json.RawMessage `json:"data"`
}

// Open reads the log at path; a file that does not exist is an empty log. now gives the time of new events; nil means
// the clock.
func Open(path string, now func() time.Time) (*Log, error) {
	if now == nil {
		now = time.Now
	}
	l := &Log{path: path, now: now}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l, nil
	case err != nil:
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	l.events, l.size = Parse(data)
	return l, nil
}

// Parse reads the whole lines at the beginning of a log. It stops at the first that is torn or is no event, and says
// how many bytes the good ones have.
func Parse(data []byte) (events []approval.Event, size int64) {
	for {
		end := bytes.IndexByte(data[size:], '\n')
		if end < 0 {
			return events, size
		}
		var l line
		if json.Unmarshal(data[size:size+int64(end)], &l) != nil || l.Type == "" || l.Seq != len(events) {
			return events, size
		}
		events = append(events, approval.Event{Type: l.Type, Data: l.Data})
		size += int64(end) + 1
	}
}

// Events are the events so far, oldest first.
func (l *Log) Events() []approval.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clip(l.events)
}

// Append adds one event. See the package for when it is on disk.
func (l *Log) Append(eventType string, data any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return fmt.Errorf("the audit log failed earlier: %w", l.broken)
	}
	raw, err := encode(data)
	if err != nil {
		return fmt.Errorf("encode %s: %w", eventType, err)
	}
	text, err := encode(line{
		Type: eventType, Seq: len(l.events), Time: l.now().UTC().Format(time.RFC3339Nano), Data: raw,
	})
	if err != nil {
		return fmt.Errorf("encode %s: %w", eventType, err)
	}
	if err := l.write(append(text, '\n'), approval.Durable(eventType)); err != nil {
		return fmt.Errorf("write %s to the audit log: %w", eventType, err)
	}
	l.events = append(l.events, approval.Event{Type: eventType, Data: raw})
	return nil
}

func (l *Log) write(text []byte, durable bool) error {
	if l.file == nil {
		if err := l.open(); err != nil {
			return err
		}
	}
	_, err := l.file.WriteAt(text, l.size)
	if err == nil && durable {
		err = l.file.Sync()
	}
	if err != nil {
		if cut := l.file.Truncate(l.size); cut != nil {
			l.broken = cut
		}
		return err
	}
	l.size += int64(len(text))
	return nil
}

// open makes the file, or opens it and drops a torn end.
func (l *Log) open() error {
	folder := filepath.Dir(l.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := file.Truncate(l.size); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := syncFolder(folder); err != nil {
		return errors.Join(err, file.Close())
	}
	l.file = file
	return nil
}

// syncFolder makes a new name in a folder durable. Where folders cannot be synced, the file system does it by itself.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = folder.Sync()
	return folder.Close()
}

// Close closes the file. Later appends open it again.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// encode is JSON without the escapes that are for HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
