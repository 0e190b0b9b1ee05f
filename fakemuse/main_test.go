package fakemuse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"acp-conform/wire"
	"acp-conform/wire/schema"
)

func TestMain(m *testing.M) {
	Main()
	if len(os.Args) > 1 && os.Args[1] == doomedHarness {
		runDoomedHarness()
	}
	goleak.VerifyTestMain(m)
}

// patience bounds every wait of the tests. It is far beyond what a busy machine needs; only a fault uses it up.
const patience = 30 * time.Second

func patient(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// scene is a server with its log and folders.
type scene struct {
	*Server
	t         *testing.T
	log       *wire.Log
	root      string
	workspace string
	wrong     func(wire.Record) bool // frames that are wrong on purpose
}

// newScene starts a server with a script and checks, at the end, that it found nothing wrong and that every frame of
// the host is valid.
func newScene(t *testing.T, script string, change ...func(*Options)) *scene {
	t.Helper()
	root := t.TempDir()
	s := &scene{t: t, log: wire.NewLog(wire.Limits{}), root: root, workspace: filepath.Join(root, "work")}
	for _, dir := range []string{s.workspace, filepath.Join(root, "home")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	options := Options{Log: s.log, Root: root}
	if script != "" {
		decoded, err := DecodeScript("muse.json", []byte(script))
		if err != nil {
			t.Fatal(err)
		}
		options.Script = decoded
	}
	for _, c := range change {
		c(&options)
	}
	server, err := Start(options)
	if err != nil {
		t.Fatal(err)
	}
	s.Server = server
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("closing the server: %v", err)
		}
		if _, err := os.Stat(server.Dir()); !os.IsNotExist(err) {
			t.Errorf("the folder %s is left: %v", server.Dir(), err)
		}
		s.checkFrames()
	})
	return s
}

var schemas = sync.OnceValues(schema.Load)

// checkFrames holds every frame of the host against the schema.
func (s *scene) checkFrames() {
	s.t.Helper()
	loaded, err := schemas()
	if err != nil {
		s.t.Fatal(err)
	}
	wrong := s.wrong
	if wrong == nil {
		wrong = func(wire.Record) bool { return false }
	}
	checker := loaded.NewChecker(schema.Deliberately(wrong), schema.Tolerate(s.Variants()...))
	for _, r := range s.log.Records() {
		for _, p := range checker.Check(r) {
			if p.Blame == schema.Harness {
				s.t.Errorf("the host sent an invalid frame: %v\n%s", p, r.Data)
			}
		}
	}
}

func (s *scene) noProblems() {
	s.t.Helper()
	for _, p := range s.Problems() {
		s.t.Errorf("unexpected problem: %v", p)
	}
}

// await waits until nobody works and cond holds for the log.
func (s *scene) await(what string, cond func(wire.View) bool) {
	s.t.Helper()
	if err := s.log.Wait(patient(s.t), cond); err != nil {
		s.t.Fatalf("waiting until %s: %v\n%s", what, err, s.dump())
	}
}

// quiet waits until the host is parked.
func (s *scene) quiet() {
	s.t.Helper()
	s.await("the host is parked", wire.View.Idle)
}

func (s *scene) dump() string {
	var b strings.Builder
	for _, r := range s.log.Records() {
		fmt.Fprintf(&b, "%s %s %s\n", r.Lane, r.Dir.Mark(), r.Data)
	}
	return b.String()
}

// exits lists the Exit entries of the log.
func (s *scene) exits() []string {
	var list []string
	for _, r := range s.log.Records() {
		if r.Dir == wire.Exit {
			list = append(list, r.Lane.String()+" "+string(r.Data))
		}
	}
	return list
}

func (s *scene) exists(name string) bool {
	_, err := os.Stat(filepath.Join(s.workspace, name))
	return err == nil
}

func (s *scene) awaitExit(text string) {
	s.t.Helper()
	s.await("the log says "+text, func(v wire.View) bool {
		return slices.ContainsFunc(v.Records(), func(r wire.Record) bool { return r.Dir == wire.Exit && string(r.Data) == text })
	})
}
