package runner

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"acp-conform/conform"
	"acp-conform/fakemuse"
	"acp-conform/wire"
)

// MuseHosts makes fake Muses: the first kind of host.
type MuseHosts struct {
	// Variants are played where a script does not fix them; empty means the defaults.
	Variants []string
	// program is what the stand-ins are linked to; empty means our own executable where it lies.
	program string
}

// Prepare implements conform.Preparer: a run places our executable once where its scenarios can link to it.
func (m MuseHosts) Prepare(temp string) (conform.HostFactory, func() error, error) {
	program, err := fakemuse.NewProgram(temp, "")
	if err != nil {
		return nil, nil, err
	}
	m.program = program.Path()
	return m, program.Close, nil
}

// ScriptFile implements conform.HostFactory.
func (MuseHosts) ScriptFile() string { return "muse.json" }

// New implements conform.HostFactory.
func (m MuseHosts) New(log *wire.Log, places conform.Places, file string, data []byte) (conform.Host, error) {
	script := &fakemuse.Script{}
	if data != nil {
		var err error
		if script, err = fakemuse.DecodeScript(file, data); err != nil {
			return nil, err
		}
	}
	server, err := fakemuse.Start(fakemuse.Options{Log: log, Script: script, TempDir: places.Temp, Root: places.Root, Workspace: places.Workspace, MuseHome: filepath.Join(places.Data, "muse"), Variants: m.Variants, Executable: m.program})
	if err != nil {
		return nil, fmt.Errorf("starting the fake Muse: %w", err)
	}
	h := &museHost{server: server, script: script, file: file, log: log}
	for _, t := range script.On {
		h.steps = append(h.steps, scriptStep{line: t.Line, step: triggerInWords(t)})
	}
	for _, session := range script.Sessions {
		h.steps = append(h.steps, foreignInWords(session)...)
	}
	for i, turn := range script.Turns {
		if turn.Prompt != "" {
			h.steps = append(h.steps, scriptStep{line: turn.Line, step: conform.ScriptStep{Kind: "hears", Text: turn.Prompt}})
		}
		for _, step := range turn.Steps {
			for _, words := range inWords(turn, step) {
				h.steps = append(h.steps, scriptStep{turn: i, line: step.Line, step: words})
			}
		}
	}
	return h, nil
}

type museHost struct {
	server *fakemuse.Server
	log    *wire.Log
	script *fakemuse.Script
	file   string
	steps  []scriptStep
	told   int
}

type scriptStep struct {
	turn, line int
	step       conform.ScriptStep
}

func (h *museHost) Kind() string { return "muse" }

func (h *museHost) Variants() []string { return h.server.Variants() }

// MuseSchema is the requirement that what the adapter sends to Muse fits the schema of MSP.
const MuseSchema = "MUSE-SESS-07"

func (h *museHost) Schema() string { return MuseSchema }

func (h *museHost) Dir() string  { return h.server.Dir() }
func (h *museHost) Path() string { return h.server.Path() }
func (h *museHost) Stop() error  { return h.server.Close() }

func (h *museHost) Release(event string) error {
	if !slices.Contains(h.server.Waiting(), event) {
		return fmt.Errorf("no turn of Muse waits for %q", event)
	}
	h.server.Release(event)
	return nil
}

func (h *museHost) Order() wire.OrderOptions {
	return wire.OrderOptions{Unawaited: []string{"model/list"}, OpeningEnd: "turn/start"}
}

// triggerInWords says what happens when a method is called for the first time.
func triggerInWords(t fakemuse.Trigger) conform.ScriptStep {
	switch {
	case t.Call != 1:
	case t.Exit != nil:
		return conform.ScriptStep{Kind: "exits", Text: strconv.Itoa(*t.Exit), Call: t.Method}
	case t.Wait != "":
		return conform.ScriptStep{Kind: "waits", Call: t.Method}
	case t.Silence:
		return conform.ScriptStep{Kind: "falls silent", Call: t.Method}
	case t.Fails != nil:
		return conform.ScriptStep{Kind: "refuses", Text: strconv.Itoa(t.Fails.Code), Call: t.Method}
	}
	return conform.ScriptStep{Kind: "something that no sentence tells", Call: t.Method}
}

// Verbatim implements conform.Host. An approval that a script takes its tool call from is what the script wants too.
func (h *museHost) Verbatim(frame []byte) bool {
	if f := wire.ParseFrame(frame); h.leavesOutCalls() && strings.HasPrefix(f.Method, "approval/request") && wire.Lookup(f.Params, "toolCallId") == nil {
		return true
	}
	for _, turn := range h.script.Turns {
		for _, step := range turn.Steps {
			if step.Raw != nil && bytes.Equal(step.Raw.Bytes, frame) {
				return true
			}
		}
	}
	return false
}

// leavesOutCalls reports whether the script has an approval that does not say for which tool call.
func (h *museHost) leavesOutCalls() bool {
	return slices.ContainsFunc(h.script.Turns, func(t fakemuse.Turn) bool {
		return slices.ContainsFunc(t.Steps, func(s fakemuse.Step) bool {
			return s.Tool != nil && s.Tool.Approval != nil && s.Tool.Approval.NoCall
		})
	})
}

// Expect implements conform.Host.
func (h *museHost) Expect(told conform.ScriptStep) error {
	if h.told >= len(h.steps) {
		return fmt.Errorf("%s has no further step, but a sentence tells that Muse %s", h.file, sentence(told))
	}
	next := h.steps[h.told]
	h.told++
	want := next.step
	if told.Choices == nil {
		want.Choices = nil
	}
	if a, b := sentence(told), sentence(want); a != b {
		return fmt.Errorf("%s:%d: Muse %s, but the sentence tells that Muse %s", h.file, next.line, b, a)
	}
	return nil
}

// TellAll implements conform.Host.
func (h *museHost) TellAll() { h.told = len(h.steps) }

func (h *museHost) Untold() []string {
	if h.told >= len(h.steps) {
		return nil
	}
	next := h.steps[h.told]
	return []string{fmt.Sprintf("%s:%d: no sentence tells that Muse %s", h.file, next.line, sentence(next.step))}
}

func (h *museHost) Unused() []string {
	var left []string
	for _, l := range h.server.Unused() {
		if !l.Interrupted {
			left = append(left, fmt.Sprintf("%s: %s", h.file, l))
		}
	}
	return left
}

// Calls implements conform.Host.
func (h *museHost) Calls() []conform.HostCall {
	var list []conform.HostCall
	for _, c := range h.server.Calls() {
		list = append(list, conform.HostCall{Argv: c.Argv, Refused: c.Refused})
	}
	return list
}

func (h *museHost) Problems() []conform.HostProblem {
	var list []conform.HostProblem
	for _, p := range h.server.Problems() {
		// A stranger on the loopback port is nobody's fault; it was refused, and that is all.
		if p.Class != fakemuse.ProblemPeer {
			list = append(list, conform.HostProblem{Adapter: p.Class != fakemuse.ProblemInternal, Text: p.String()})
		}
	}
	for _, c := range h.Calls() {
		if works(c) {
			list = append(list, conform.HostProblem{Adapter: true, Text: fmt.Sprintf("the adapter started `%s`, which works behind the user's back", strings.Join(append([]string{h.Kind()}, c.Argv...), " "))})
		}
	}
	for _, r := range h.log.Records() {
		if flags := unguarded(r); len(flags) > 0 {
			list = append(list, conform.HostProblem{Adapter: true, Text: fmt.Sprintf("%s: the adapter started Muse with %s (frame %d), and nobody had chosen that", r.Lane, strings.Join(flags, " "), r.Seq+1)})
		}
		if r.Dir == wire.FromAdapter && r.Lane != wire.Client && unasked(r.Frame) {
			list = append(list, conform.HostProblem{Adapter: true, Text: fmt.Sprintf("%s: the adapter told Muse to ask about nothing any more (%s, frame %d), and nobody had chosen that", r.Lane, r.Frame.Method, r.Seq+1)})
		}
	}
	return list
}

// unasked reports whether a request of the adapter takes all questions away: with that approval mode Muse allows
// everything by itself, so that nobody is asked and nothing shows that nobody was.
func unasked(f wire.Frame) bool {
	const everything = "allowAll"
	return f.Kind == wire.Request && (wire.LookupString(f.Params, "mode") == everything || wire.LookupString(f.Params, "approvalMode") == everything)
}
