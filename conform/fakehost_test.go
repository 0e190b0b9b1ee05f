package conform

import (
	"errors"
	"fmt"

	"acp-conform/wire"
)

// fakeHost is a host of which each test says how it behaves; by default it does nothing.
type fakeHost struct {
	log      *wire.Log
	script   []byte
	dir      string
	expect   func(ScriptStep) error
	untold   []string
	unused   []string
	problems []HostProblem
	calls    []HostCall
	facts    func([]wire.Record) Facts
	stop     error
	verbatim map[string]bool // frames that the script gives as they are
	stopped  bool
}

func (h *fakeHost) Dir() string                { return h.dir }
func (h *fakeHost) Path() string               { return h.dir + "/muse" }
func (h *fakeHost) Kind() string               { return "muse" }
func (h *fakeHost) Variants() []string         { return nil }
func (h *fakeHost) Schema() string             { return "MUSE-SESS-07" }
func (h *fakeHost) Release(event string) error { return fmt.Errorf("nobody waits for %q", event) }
func (h *fakeHost) Verbatim(frame []byte) bool { return h.verbatim[string(frame)] }
func (h *fakeHost) TellAll()                   { h.untold = nil }
func (h *fakeHost) Untold() []string           { return h.untold }
func (h *fakeHost) Unused() []string           { return h.unused }
func (h *fakeHost) Problems() []HostProblem    { return h.problems }
func (h *fakeHost) Calls() []HostCall          { return h.calls }
func (h *fakeHost) Order() wire.OrderOptions   { return wire.OrderOptions{OpeningEnd: "turn/start"} }

func (h *fakeHost) Expect(told ScriptStep) error {
	if h.expect == nil {
		return errors.New("nothing is scripted")
	}
	return h.expect(told)
}

func (h *fakeHost) Facts(records []wire.Record) Facts {
	if h.facts == nil {
		return Facts{}
	}
	return h.facts(records)
}

func (h *fakeHost) Stop() error {
	h.stopped = true
	return h.stop
}

// hostLane is the lane of the only host.
var hostLane = wire.Lane{Name: "muse", N: 1}

// send and get record frames on the host's lane: what the host says, and what the adapter says to it.
func (h *fakeHost) send(frame string) {
	h.log.Append(wire.Entry{Lane: hostLane, Dir: wire.ToAdapter, Data: []byte(frame)})
}

func (h *fakeHost) get(frame string) {
	h.log.Append(wire.Entry{Lane: hostLane, Dir: wire.FromAdapter, Data: []byte(frame)})
}

// fakeHosts makes one host, once.
type fakeHosts struct {
	host *fakeHost
	err  error
}

func (f fakeHosts) ScriptFile() string { return "muse.json" }

func (f fakeHosts) New(log *wire.Log, places Places, file string, script []byte) (Host, error) {
	if f.err != nil {
		return nil, f.err
	}
	f.host.log, f.host.script, f.host.dir = log, script, places.Root+"/bin"
	return f.host, nil
}
