package conform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// Scenario is one run of the adapter through one scripted conversation. It is driven by one goroutine.
type Scenario struct {
	Names
	engine *Engine
	ctx    context.Context
	cancel context.CancelFunc
	begun  time.Time

	world *world
	log   *wire.Log
	host  Host

	script script

	process     Process
	unwatch     func() // nil where nobody watches the adapter's process group
	client      *client
	initialized json.RawMessage // the result of initialize
	sessions    []string        // ids, in the order of creation
	nextID      int
	turns       []*turn
	questions   []*question
	replies     []reply      // answers that wait to be sent together
	hungUp      bool         // the editor has gone away
	told        bool         // the adapter was told to end
	listened    bool         // it was told to end, and did
	endsInTurns bool         // the end comes in the middle of turns, as a sentence says
	unopened    bool         // the sentences open the connection themselves
	ending      Ending       // good once the scenario has ended
	recorded    bool         // the conversation came from elsewhere, and is played as it stands
	leftAt      int          // how long the log was when the adapter's stdin was closed, or it was told to end; -1 before
	asked       map[int]bool // Seq of requests of the adapter that were looked at
	asScripted  map[int]bool // Seq of frames whose bytes the script gives, right or wrong

	approved []string // commands that the user has approved in advance

	checks  []Check
	notes   []string
	broken  error // why the scenario cannot be driven any further
	harness error // what is wrong with us or the script
	// inapplicable is the evidence that the scenario does not apply to the adapter; empty when it does.
	inapplicable string
	// needs are the capabilities that the adapter must offer.
	needs []string
	// missed is the first step that found no form to answer, where forms are optional; the end judges it.
	missed error
	// excuses look, at the end, for a reason why the scenario does not apply.
	excuses []func() string
	// switches are further flags of the adapter.
	switches []string
	// hello is how the sentences want the connection to be opened; its Op is empty while none said so.
	hello scenarios.Step
	ended bool

	final         map[string]bool     // what the workspace held at the end
	audits        map[string]AuditLog // by session, read at the end
	finally       []func()            // checks that wait for the end
	facts         Facts
	beforeRemoval func()
}

// turn is one session/prompt.
type turn struct {
	session string
	text    string
	seq     int // of the request
	round   int
}

// Begin makes the private world of a scenario and its host. End must follow.
func (e *Engine) Begin(ctx context.Context, names Names) (*Scenario, error) {
	s := &Scenario{Names: names, engine: e, log: wire.NewLog(e.Limits), begun: time.Now(), asked: map[int]bool{}, asScripted: map[int]bool{}, leftAt: -1}
	s.ctx, s.cancel = context.WithTimeoutCause(ctx, e.Deadlines.Scenario, fmt.Errorf("the scenario took longer than %s (--scenario-timeout)", e.Deadlines.Scenario))
	var err error
	if s.world, err = newWorld(e.Temp); err != nil {
		s.cancel()
		return nil, err
	}
	if err := s.prepare(); err != nil {
		s.cancel()
		s.world.remove()
		return nil, err
	}
	return s, nil
}

func (s *Scenario) prepare() error {
	e := s.engine
	file, script, err := scenarios.Find(e.Scenarios, s.Name, e.Hosts.ScriptFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.host, err = e.Hosts.New(s.log, Places{Root: s.world.root, Workspace: s.world.workspace, Data: s.world.xdg("data"), Temp: e.Temp}, file, script); err != nil {
		return err
	}
	folder, _, _ := strings.Cut(s.Name, "/")
	if err := s.world.fill(e.Scenarios, path.Join(folder, "workspace")); err != nil {
		s.host.Stop()
		return err
	}
	file, data, err := scenarios.Find(e.Scenarios, s.Name, "input.json")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.script = script0(file, nil)
		return nil
	case err != nil:
		s.host.Stop()
		return err
	}
	in, err := scenarios.DecodeInput(file, data)
	if err != nil {
		s.host.Stop()
		return err
	}
	s.script = script0(file, in)
	return nil
}

// start begins the adapter's process.
func (s *Scenario) start() error {
	if s.process != nil {
		return nil
	}
	adapter, err := s.adapter()
	if err != nil {
		return err
	}
	process, err := adapter.Start(Surroundings{
		Dir:  s.world.run,
		Env:  s.world.environment(s.host.Dir(), s.host.Path(), s.engine.Env),
		Host: s.host.Path(),
	})
	if err != nil {
		return err
	}
	s.process = process
	if p, ok := process.(interface{ group() int }); ok && s.engine.Watch != nil {
		s.unwatch = s.engine.Watch(p.group())
	}
	s.client = newClient(s.log, process, s.engine.LineLimit)
	return nil
}

// Harness reports that the script or the harness is wrong; the scenario then could not run, whatever the adapter did.
func (s *Scenario) Harness(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if s.harness == nil {
		s.harness = err
	}
	return err
}

// Workspace is the path of the scenario's working directory.
func (s *Scenario) Workspace() string { return s.world.workspace }

// Host is the host of the scenario.
func (s *Scenario) Host() Host { return s.host }

// Log is the log of the scenario.
func (s *Scenario) Log() *wire.Log { return s.log }

// discard ends a scenario without judging it.
func (s *Scenario) discard() {
	s.stop()
	s.cancel()
}

// stop ends the adapter and the host, and removes the private folder.
func (s *Scenario) stop() Ending {
	if s.ended {
		return Ending{}
	}
	s.ended = true
	var ending Ending
	if s.process != nil {
		d := s.engine.Deadlines
		s.leave()
		s.client.close()
		ending = s.process.Stop(d.StopEOF, d.StopTerm, d.StopKill)
		<-s.client.read
		<-s.client.wrote
		if s.unwatch != nil {
			s.unwatch()
		}
		if left := endStrays(s.world.home, d.StopEOF); left != "" && ending.Left == "" {
			ending.Left = left
		}
	}
	if err := s.host.Stop(); err != nil {
		s.Harness("ending the host: %v", err)
	}
	if s.beforeRemoval != nil {
		s.beforeRemoval()
	}
	if err := s.world.remove(); err != nil {
		s.Harness("%v", err)
	}
	return ending
}
