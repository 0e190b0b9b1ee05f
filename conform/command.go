package conform

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Command is an adapter that is a program: argv without a shell, in a process group of its own.
type Command struct {
	argv []string
}

// NewCommand makes an adapter of a program and its arguments. A relative program with a slash is taken from the
// current folder; one without a slash is looked up on the PATH of the caller. It fails when there is no such program.
func NewCommand(argv []string) (*Command, error) {
	if len(argv) == 0 {
		return nil, errors.New("no command was given")
	}
	program, err := exec.LookPath(argv[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return nil, fmt.Errorf("finding the adapter %q: %w", argv[0], err)
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, fmt.Errorf("finding the adapter %q: %w", argv[0], err)
	}
	return &Command{argv: append([]string{program}, argv[1:]...)}, nil
}

// Argv implements Adapter.
func (c *Command) Argv() []string { return c.argv }

// Start implements Adapter.
func (c *Command) Start(s Surroundings) (Process, error) {
	args := make([]string, len(c.argv)-1)
	for i, a := range c.argv[1:] {
		args[i] = strings.ReplaceAll(a, "{{muse}}", s.Host)
	}
	cmd := exec.Command(c.argv[0], args...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	ownGroup(cmd)

	// Pipes of our own, not those of exec.Cmd: its Wait would close our ends before they are read to the end.
	stdin, err := newPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := newPipe()
	if err != nil {
		stdin.close()
		return nil, err
	}
	stderr, err := newPipe()
	if err != nil {
		stdin.close()
		stdout.close()
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin.r, stdout.w, stderr.w
	err = cmd.Start()
	stdin.r.Close()
	stdout.w.Close()
	stderr.w.Close()
	if err != nil {
		stdin.w.Close()
		stdout.r.Close()
		stderr.r.Close()
		return nil, fmt.Errorf("starting the adapter %s: %w", c.argv[0], err)
	}
	p := &commandProcess{cmd: cmd, stdin: stdin.w, stdout: newEndReader(stdout.r), stderrPipe: stderr.r, done: make(chan struct{}), stderrDone: make(chan struct{})}
	go func() {
		defer close(p.stderrDone)
		io.Copy(&p.stderr, stderr.r)
	}()
	go func() {
		p.ending = describe(cmd.Wait())
		close(p.done)
	}()
	return p, nil
}

type pipe struct{ r, w *os.File }

func newPipe() (pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return pipe{}, fmt.Errorf("making a pipe: %w", err)
	}
	return pipe{r, w}, nil
}

func (p pipe) close() {
	p.r.Close()
	p.w.Close()
}

func describe(err error) Ending {
	if err == nil {
		return Ending{Text: "exit status 0", Clean: true}
	}
	return Ending{Text: err.Error()}
}

// endReader tells when a stream was read to its end.
type endReader struct {
	file *os.File
	once sync.Once
	end  chan struct{}
}

func newEndReader(f *os.File) *endReader { return &endReader{file: f, end: make(chan struct{})} }

func (r *endReader) Read(p []byte) (int, error) {
	n, err := r.file.Read(p)
	if err != nil {
		r.once.Do(func() { close(r.end) })
	}
	return n, err
}

// Close ends the reading from our side.
func (r *endReader) Close() error { return r.file.Close() }

type commandProcess struct {
	cmd        *exec.Cmd
	stdin      *os.File
	stdout     *endReader
	stderr     tail
	stderrPipe *os.File
	stderrDone chan struct{}
	done       chan struct{}
	ending     Ending
}

// group is the process group of the adapter: its own.
func (p *commandProcess) group() int            { return p.cmd.Process.Pid }
func (p *commandProcess) Stdin() io.WriteCloser { return p.stdin }
func (p *commandProcess) Stdout() io.Reader     { return p.stdout }
func (p *commandProcess) Done() <-chan struct{} { return p.done }
func (p *commandProcess) Ending() Ending        { return p.ending }
func (p *commandProcess) StderrTail() string    { return p.stderr.String() }

// Terminate implements Process. A process that has ended already cannot be told any more, which is no error.
func (p *commandProcess) Terminate() { terminate(p.cmd) }

// Stop implements Process. The reader of stdout must be running meanwhile.
func (p *commandProcess) Stop(eof, term, kill time.Duration) Ending {
	began := time.Now()
	forced := ""
	if !p.ended(eof) {
		forced = "SIGTERM"
		terminateGroup(p.cmd)
		if !p.ended(term) {
			forced = "SIGKILL"
		}
	}
	left := false
	if forced == "" {
		// Children of a process that has just ended may take a moment to notice.
		left = !groupEmpties(p.cmd, max(eof-time.Since(began), 0))
	}
	killGroup(p.cmd)
	if forced == "SIGKILL" {
		p.cmd.Process.Kill() // it may have left its group
	}
	p.ended(kill)
	// Whoever left the group may still hold our pipes; closing our ends lets the readers and the writer go.
	p.stdin.Close()
	p.stdout.file.Close()
	p.drainStderr(kill)
	p.stderrPipe.Close()
	<-p.stderrDone
	<-p.done
	ending := p.ending
	ending.Forced = forced
	if left {
		ending.Left = "a process of the adapter's group was still running"
	}
	return ending
}

// drainStderr waits until the last words on stderr are read, unless somebody else holds the pipe open.
func (p *commandProcess) drainStderr(grace time.Duration) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.stderrDone:
	case <-timer.C:
	}
}

// ended waits for the end of the process and of its stdout.
func (p *commandProcess) ended(grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for _, c := range []<-chan struct{}{p.done, p.stdout.end} {
		select {
		case <-c:
		case <-timer.C:
			return false
		}
	}
	return true
}
