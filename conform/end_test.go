package conform

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"acp-conform/wire"
)

// How an adapter in this process is ended: each step of the ladder, and what is said about it.
func TestEndOfAnAdapterInThisProcess(t *testing.T) {
	t.Parallel()
	hold := func(until <-chan struct{}) Program {
		return func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, _ Surroundings) error {
			in := wire.NewLineReader(stdin, 0)
			handlers{}.serve(&peer{in: in, out: stdout})
			io.WriteString(stderr, "still here")
			select {
			case <-ctx.Done():
			case <-until:
			}
			<-until
			return nil
		}
	}
	tests := []struct {
		name    string
		program func(release chan struct{}) Program
		failure string
	}{
		{"it waits to be asked", func(release chan struct{}) Program {
			return func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, s Surroundings) error {
				context.AfterFunc(ctx, func() { close(release) })
				return hold(release)(ctx, stdin, stdout, stderr, s)
			}
		}, "the adapter did not end when its stdin was closed; it needed SIGTERM"},
		{"it does not end at all", func(release chan struct{}) Program { return hold(release) },
			"the adapter did not end when its stdin was closed; it needed SIGKILL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				g := &game{engine: func(e *Engine) { e.Adapter = NewInProcess("fake", tt.program(release)) }}
				s := begin(t, g)
				perform(t, prompt("hello"))(s)
				r := s.End(nil)
				wantVerdict(t, r, Fail, "the end of stdin ends the adapter: "+tt.failure)
				if r.Stderr != "still here" {
					t.Errorf("stderr: %q", r.Stderr)
				}
				select {
				case <-release:
				default:
					close(release)
				}
			})
		})
	}
}

// An adapter that neither reads nor ends does not hold the harness up.
func TestAnAdapterThatNeverReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		g := &game{engine: func(e *Engine) {
			e.Adapter = NewInProcess("fake", func(context.Context, io.Reader, io.Writer, io.Writer, Surroundings) error {
				<-release
				return nil
			})
		}}
		s := begin(t, g)
		perform(t, prompt("hello"))(s)
		r := s.End(nil)
		wantVerdict(t, r, CouldNotRun, "there was no answer to initialize within 20s (--start-timeout)")
		close(release)
	})
}

// The private folder is there for the adapter, and gone afterwards; what it held at the very end is remembered.
func TestThePrivateFolder(t *testing.T) {
	t.Parallel()
	var surroundings Surroundings
	files := input(`{"steps":[{"op":"initialize"},{"op":"newSession"},{"op":"prompt","text":"hello"}]}`)
	files["workspace/sub/there.txt"] = files["input.json"]
	g := &game{files: files, engine: func(e *Engine) {
		e.Env = []string{"MUSE_CLI={{muse}}", "X=1"}
		e.Adapter = NewInProcess("fake", func(_ context.Context, stdin io.Reader, stdout, _ io.Writer, s Surroundings) error {
			surroundings = s
			handlers{}.serve(&peer{in: wire.NewLineReader(stdin, 0), out: stdout})
			return os.WriteFile(strings.TrimSuffix(s.Dir, "run")+"workspace/late", nil, 0o600)
		})
	}}
	var s *Scenario
	g.do = func(sc *Scenario) {
		s = sc
		perform(t, prompt("hello"))(s)
		if !s.Exists("sub/there.txt") || s.File("sub/there.txt") == "" || s.Exists("late") || s.File("none") != "" {
			t.Error("the workspace does not hold what it should")
		}
		os.MkdirAll(s.Workspace()+"/closed/inner", 0o700)
		os.Chmod(s.Workspace()+"/closed", 0o500) // what cannot be written to is removed all the same
	}
	r, _ := play(t, g)
	wantVerdict(t, r, Pass, "")
	if !s.Exists("late") {
		t.Error("what the adapter did last was not seen")
	}
	if _, err := os.Stat(surroundings.Dir); !os.IsNotExist(err) {
		t.Errorf("the private folder is still there: %v", err)
	}
	env := map[string]string{}
	for _, kv := range surroundings.Env {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	root := strings.TrimSuffix(surroundings.Dir, "/run")
	for name, want := range map[string]string{"HOME": root + "/home", "TMPDIR": root + "/tmp", "XDG_DATA_HOME": root + "/xdg-data", "MUSE_CLI": root + "/bin/muse", "X": "1", "LANG": "C.UTF-8"} {
		if env[name] != want {
			t.Errorf("%s is %q, want %q", name, env[name], want)
		}
	}
	if !strings.HasPrefix(env["PATH"], root+"/bin"+string(os.PathListSeparator)) {
		t.Errorf("the host is not first on the PATH: %q", env["PATH"])
	}
	if _, there := env["GOFLAGS"]; there || env["USER"] != "" {
		t.Errorf("the environment holds more than it may: %q", surroundings.Env)
	}
}
