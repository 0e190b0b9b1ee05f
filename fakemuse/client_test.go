package fakemuse

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"acp-conform/wire"
)

// client drives one stand-in as an adapter does.
type client struct {
	t      *testing.T
	scene  *scene
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	frames chan wire.Frame
	seen   []wire.Frame // everything that came so far
	nextID int
	serial int
	shown  int // approvals that asked gave
	exited chan error
	stderr strings.Builder
}

// serve starts `muse serve` with flags.
func (s *scene) serve(flags ...string) *client {
	s.t.Helper()
	c := &client{t: s.t, scene: s, frames: make(chan wire.Frame, 1000), exited: make(chan error, 1)}
	c.cmd = s.command(append([]string{"serve"}, flags...)...)
	c.cmd.Stderr = &c.stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	c.stdin = stdin
	read, write, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	c.cmd.Stdout = write
	if err := c.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	write.Close()
	go func() {
		lines := bufio.NewReader(read)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				c.frames <- wire.ParseFrame([]byte(strings.TrimSuffix(string(line), "\n")))
			}
			if err != nil {
				break
			}
		}
		close(c.frames)
		read.Close()
		c.exited <- c.cmd.Wait()
	}()
	s.t.Cleanup(func() {
		stdin.Close()
		if c.exited != nil {
			c.end()
		}
	})
	return c
}

// command prepares an invocation of the stand-in with the scene's folders.
func (s *scene) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(patient(s.t), s.Path(), args...)
	cmd.Dir = s.workspace
	cmd.Env = []string{"HOME=" + filepath.Join(s.root, "home"), "PATH=" + s.Dir() + ":/usr/bin:/bin", "SECRET_TOKEN=x"}
	return cmd
}

// open starts a host and shakes hands.
func (s *scene) open(flags ...string) *client {
	s.t.Helper()
	c := s.serve(flags...)
	c.handshake()
	return c
}

func (c *client) handshake() {
	c.t.Helper()
	c.ok("initialize", `{"clientInfo":{"name":"test","version":"1"}}`)
	c.write(`{"jsonrpc":"2.0","method":"initialized"}`)
}

func (c *client) write(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.stdin, line+"\n"); err != nil {
		c.t.Fatalf("writing to the host: %v", err)
	}
}

// next gives the next frame of the host.
func (c *client) next() wire.Frame {
	c.t.Helper()
	select {
	case f, more := <-c.frames:
		if !more {
			c.t.Fatalf("the host's output ended\n%s%s", c.scene.dump(), c.stderr.String())
		}
		c.seen = append(c.seen, f)
		return f
	case <-patient(c.t).Done():
		c.t.Fatalf("the host says nothing\n%s", c.scene.dump())
	}
	return wire.Frame{}
}

// until reads up to a notification or request of a method and gives it.
func (c *client) until(method string) wire.Frame {
	c.t.Helper()
	for {
		if f := c.next(); f.Method == method {
			return f
		}
	}
}

// send writes a request and gives its id.
func (c *client) send(method, params string) string {
	c.t.Helper()
	c.nextID++
	id := fmt.Sprint(c.nextID)
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return id
}

// answer reads up to the answer to a request.
func (c *client) answer(id string) wire.Frame {
	c.t.Helper()
	for {
		if f := c.next(); f.Kind == wire.Response && string(f.ID) == id {
			return f
		}
	}
}

// ok makes a request that must succeed.
func (c *client) ok(method, params string) json.RawMessage {
	c.t.Helper()
	f := c.answer(c.send(method, params))
	if f.Error != nil {
		c.t.Fatalf("%s failed: %s", method, f.Error)
	}
	return f.Result
}

// bad makes a request that must fail, and checks code and kind.
func (c *client) bad(method, params string, code int, kind string) json.RawMessage {
	c.t.Helper()
	f := c.answer(c.send(method, params))
	var got struct {
		Code int
		Data struct{ Kind string }
	}
	if f.Error != nil {
		json.Unmarshal(f.Error, &got)
	}
	if got.Code != code || got.Data.Kind != kind {
		c.t.Fatalf("%s %s: got %s, want error %d %s", method, params, f.Raw, code, kind)
	}
	return f.Error
}

// command mints a command id.
func (c *client) command() string {
	c.serial++
	return fmt.Sprintf("01990000-0000-7000-8000-0000000%d%04d", c.scene.hostCount(), c.serial)
}

func (s *scene) hostCount() int { return len(s.Starts()) }

const sessionOne = "01990000-0000-7000-8000-0000000000aa"

// session starts the usual session.
func (c *client) session() string {
	c.t.Helper()
	c.ok("session/start", fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"workspaceRoot":%q}`, c.command(), sessionOne, c.scene.workspace))
	return sessionOne
}

// prompt begins a turn and gives its id.
func (c *client) prompt(text string) string {
	c.t.Helper()
	id := c.command()
	c.ok("turn/start", fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"input":[{"type":"text","text":%q}]}`, id, sessionOne, text))
	return id
}

// decide answers an approval.
func decide(command, approval string, stage int, choice, more string) string {
	return fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"approvalId":%q,"requirementId":{"approvalId":%q,"sourceIndex":%d},"choiceId":%q%s}`,
		command, sessionOne, approval, approval, stage, choice, more)
}

// terminal reads up to the end of the turn and gives it.
func (c *client) terminal() string {
	c.t.Helper()
	return wire.LookupString(c.until("turn/completed").Params, "terminal")
}

// methods lists the notifications and requests that came, and "=" for answers.
func (c *client) methods() []string {
	var list []string
	for _, f := range c.seen {
		name := f.Method
		if f.Kind == wire.Response {
			name = "="
		} else if f.Kind == wire.Request {
			name = "?" + name
		}
		list = append(list, name)
	}
	return list
}

// tail is methods from the last answer-or-event called from on.
func tail(list []string, from string) []string {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == from {
			return list[i:]
		}
	}
	return list
}

// end closes the host's input and gives how it exited.
func (c *client) end() error {
	c.t.Helper()
	c.stdin.Close()
	return c.gone()
}

// gone waits for the host to exit, and takes what it still says.
func (c *client) gone() error {
	c.t.Helper()
	late := patient(c.t).Done()
	for {
		select {
		case f, more := <-c.frames:
			if more {
				c.seen = append(c.seen, f)
				continue
			}
			err := <-c.exited
			c.exited = nil
			return err
		case <-late:
			c.t.Fatal("the host does not exit")
		}
	}
}

// exitCode is the exit code in what Wait gave.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if e, ok := err.(*exec.ExitError); ok {
		return e.ExitCode()
	}
	return -2
}
