// Package audit keeps the log of one session: what was asked and decided, between the turns and tool calls around it.
//
//   - One JSON object per line: type, seq, time, data (approval-seam.md §5). seq is the line's place, from 0; time is
//     UTC. The data holds no text of the user's.
//   - The file is append-only. It is made at the first event, with its folder; only its owner can read it.
//   - One log at a time: while it is open it holds an exclusive advisory lock on its file, where the system has one
//     (see lock). A second log of the same file is refused, in this process and in others.
//   - Events of the approval seam are on disk (fsync of the file, and of the folders that are new) when Append returns,
//     so that no decision is acted on that a crash could erase. The others are written at once but not forced, and
//     become durable with the next event of the seam.
//   - A crash tears the last line, and no other: a last line without its LF, or that is no JSON, is dropped when the
//     log is opened again, under the lock. Everything else that is no event at its place is an error (BadLineError), and
//     nothing is dropped or written: a log with a hole could have lost the switch to never, and would let through what
//     it forbade.
//   - A write that failed, or that could not be forced to the disk, is the last: the log takes nothing more until it is
//     opened again. The line is taken back, so that no decision stands in the log that was not acted on; where that
//     fails too, it is the torn end of the file.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"acp-conform/reference/approval"
)

// ErrBusy says that somebody else has the log open.
var ErrBusy = errors.New("it is open already")

// Config is how a log is kept. Its zero value is right.
type Config struct {
	Now  func() time.Time    // the time of new events; nil means the clock
	Wrap func(*os.File) File // stands between the log and its file, to watch it or to fail; nil for nothing
}

// File is what a log writes to.
type File interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// Log is the log of one session. Its methods may be called from any goroutine. It is the log half of an
// approval.Agent.
type Log struct {
	path string
	c    Config

	mu     sync.Mutex
	locked *os.File // the file that is open; nil until the first append to a new log
	file   File     // the same, or what stands in front of it
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

// Open reads the log at path and drops a torn end; a file that does not exist is an empty log. A line that is no event
// is a BadLineError, a log that is open already an ErrBusy; the file is then as it was.
func Open(path string, c Config) (*Log, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Wrap == nil {
		c.Wrap = func(f *os.File) File { return f }
	}
	l := &Log{path: path, c: c}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l, nil
	case err != nil:
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	if err := l.read(file); err != nil {
		return nil, errors.Join(err, release(file))
	}
	return l, nil
}

// read takes the file over with what it holds.
func (l *Log) read(file *os.File) error {
	if err := lock(file); err != nil {
		return fmt.Errorf("lock the audit log %s: %w", l.path, err)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return fmt.Errorf("read the audit log: %w", err)
	}
	events, size, err := Parse(data)
	if bad := (*BadLineError)(nil); errors.As(err, &bad) {
		bad.Path = l.path
	}
	if err != nil {
		return err
	}
	l.use(file)
	if size < int64(len(data)) {
		if err := l.file.Truncate(size); err != nil {
			return fmt.Errorf("drop the torn end of the audit log: %w", err)
		}
	}
	l.events, l.size = events, size
	return nil
}

func (l *Log) use(file *os.File) { l.locked, l.file = file, l.c.Wrap(file) }

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
		Type: eventType, Seq: len(l.events), Time: l.c.Now().UTC().Format(time.RFC3339Nano), Data: raw,
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
	_, err := l.file.Write(text)
	if err == nil && durable {
		err = l.file.Sync()
	}
	if err != nil {
		l.broken = errors.Join(err, l.file.Truncate(l.size)) // of the file only what was written just now
		return err
	}
	l.size += int64(len(text))
	return nil
}

// open makes the file, or opens it again after a Close. What it holds must be what the log knows.
func (l *Log) open() error {
	flags := os.O_RDWR | os.O_APPEND
	var folders []string
	if l.size == 0 {
		flags |= os.O_CREATE
		folders = namedIn(filepath.Dir(l.path))
		if err := os.MkdirAll(folders[0], 0o700); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(l.path, flags, 0o600)
	if err != nil {
		return err
	}
	if err := l.unchanged(file); err != nil {
		return errors.Join(err, release(file))
	}
	syncFolders(folders)
	l.use(file)
	return nil
}

func (l *Log) unchanged(file *os.File) error {
	if err := lock(file); err != nil {
		return fmt.Errorf("lock %s: %w", l.path, err)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != l.size {
		return fmt.Errorf("%s has %d bytes where %d were expected: somebody else wrote to it", l.path, info.Size(), l.size)
	}
	return nil
}

// Close closes the file and gives it free. Later appends open it again.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	unlock(l.locked)
	err := l.file.Close()
	l.locked, l.file = nil, nil
	return err
}

// release closes a file that was not taken over.
func release(file *os.File) error {
	unlock(file)
	return file.Close()
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
