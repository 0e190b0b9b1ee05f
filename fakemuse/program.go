package fakemuse

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Program is our own executable, placed where temporary files are made, so that the stand-in of every scenario is one
// more hard link to it. Where the executable lies on another file system it is copied: once for a run instead of once
// for every scenario. Close removes it.
type Program struct {
	dir, path string
}

// NewProgram places an executable; empty means our own. Parent is where its private folder is made; empty means the
// system's folder for temporary files. It belongs before the first process of a run: see copyProgram.
func NewProgram(parent, executable string) (*Program, error) {
	executable, err := orOwn(executable)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(parent, "fake-muse-program-")
	if err != nil {
		return nil, fmt.Errorf("making a private folder: %w", err)
	}
	p := &Program{dir: dir, path: filepath.Join(dir, "program")}
	if err := linkOrCopy(executable, p.path); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Path is the placed executable, for Options.Executable.
func (p *Program) Path() string { return p.path }

// Close removes the program. Stand-ins that are links to it stay as they are.
func (p *Program) Close() error {
	if err := os.RemoveAll(p.dir); err != nil {
		return fmt.Errorf("removing the fake muse's program: %w", err)
	}
	return nil
}

// orOwn gives the executable, or our own where none is named.
func orOwn(executable string) (string, error) {
	if executable != "" {
		return executable, nil
	}
	own, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding our own executable: %w", err)
	}
	return own, nil
}

func linkOrCopy(executable, program string) error {
	// A hard link to a link's target, not to the link: the program must be the executable under its new name.
	target, err := filepath.EvalSymlinks(executable)
	if err != nil {
		return fmt.Errorf("finding our own executable: %w", err)
	}
	linked := os.Link(target, program)
	if linked == nil {
		return nil
	}
	if err := copyProgram(target, program); err != nil {
		return fmt.Errorf("placing the fake muse: no link (%w), and no copy: %w", linked, err)
	}
	return nil
}

// copyProgram copies an executable. While the copy is open for writing no process may be forked, or the fork holds it
// open and starting the copy fails with "text file busy"; syscall.ForkLock is the lock of os/exec for just that.
func copyProgram(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
