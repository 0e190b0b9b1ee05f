package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/scenarios"
	"acp-conform/wire"
)

// Finding is one thing that the doctor looked at.
type Finding struct {
	Name string
	OK   bool
	Text string
}

// Diagnosis is what the doctor found.
type Diagnosis struct {
	Findings []Finding
	// Cause is "the adapter", "the configuration" or "the harness"; empty when nothing is wrong.
	Cause  string
	Advice string
	Stderr string // tail of the adapter's stderr
}

// doctorScenario is the conversation that the doctor has: the simplest one with a turn.
const doctorScenario = "text-turn"

// Doctor has one simple conversation with an adapter and says what works. First it has the same one with the healthy
// adapter: if that fails, nothing can be said about the other.
func (s *Suite) Doctor(ctx context.Context, adapter, healthy conform.Adapter, set func(*conform.Engine)) (Diagnosis, error) {
	var d Diagnosis
	reference := s.Engine(healthy, true)
	set(reference)
	reference.Env = nil
	self, err := s.consult(ctx, reference)
	if err != nil {
		return d, err
	}
	if self.Cause != "" {
		return Diagnosis{Findings: self.Findings, Cause: "the harness", Advice: "the reference adapter does not pass here either: " + self.Advice, Stderr: self.Stderr}, nil
	}
	engine := s.Engine(adapter, false)
	set(engine)
	return s.consult(ctx, engine)
}

func (s *Suite) consult(ctx context.Context, engine *conform.Engine) (Diagnosis, error) {
	var d Diagnosis
	sc, err := engine.Begin(ctx, conform.Names{Name: doctorScenario, Title: "doctor"})
	if err != nil {
		return d, err
	}
	for _, step := range []scenarios.Step{{Op: "initialize"}, {Op: "newSession"}, {Op: "prompt", Text: "hello"}} {
		if err := sc.Perform(step); err != nil {
			break
		}
	}
	broken := sc.Broken()
	records, starts := sc.Records(), sc.HostStarts()
	_, hello := sc.Initialized()
	outcomes := sc.Outcomes(0)
	result := sc.End(nil)
	d.Stderr = result.Stderr
	d.look(engine.Adapter, broken, records, hello, starts, outcomes)
	d.noise(records)
	return d, nil
}

func (d *Diagnosis) add(name string, ok bool, cause, advice, format string, args ...any) {
	d.Findings = append(d.Findings, Finding{name, ok, fmt.Sprintf(format, args...)})
	if !ok && d.Cause == "" {
		d.Cause, d.Advice = cause, advice
	}
}

const (
	causeAdapter       = "the adapter"
	causeConfiguration = "the configuration"
)

func (d *Diagnosis) look(adapter conform.Adapter, broken error, records []wire.Record, hello []byte, starts [][]string, outcomes []conform.Outcome) {
	if len(records) == 0 {
		d.add("it starts", false, causeConfiguration, "check the command behind --", "%v", broken)
		return
	}
	d.add("it starts", true, "", "", "%s", strings.Join(adapter.Argv(), " "))
	if hello == nil {
		cause, advice := causeAdapter, "read its stderr below; a program that needs a login or a setting says so there"
		if broken != nil && strings.Contains(broken.Error(), "-32000") {
			cause, advice = causeConfiguration, "it wants a login; give it what it needs with --env"
		}
		d.add("it answers initialize", false, cause, advice, "%v", broken)
		return
	}
	d.add("it answers initialize", true, "", "", "%sprotocol version %s", calls(hello), wire.Lookup(hello, "protocolVersion"))
	d.add("its capabilities", true, "", "", "%s", wire.Lookup(hello, "agentCapabilities"))
	if len(outcomes) == 0 {
		d.add("it makes a session", false, causeAdapter, "session/new with a folder and no MCP servers must work", "%v", broken)
		return
	}
	d.add("it makes a session", true, "", "", "yes")
	o := outcomes[len(outcomes)-1]
	d.host(starts, o)
	switch {
	case !o.Answered:
		d.add("it answers a prompt", false, causeAdapter, "the prompt must be answered when the turn ends", "%v", broken)
	case o.Code != 0:
		d.add("it answers a prompt", false, causeAdapter, "see the error, and its stderr below", "error %d: %s", o.Code, o.Message)
	case !slices.Contains(stopReasons, o.StopReason):
		d.add("it answers a prompt", false, causeAdapter, "the stop reason must be one of "+strings.Join(stopReasons, ", "), "stop reason %q", o.StopReason)
	default:
		d.add("it answers a prompt", true, "", "", "stop reason %s", o.StopReason)
	}
}

// calls is what the adapter calls itself, with a comma behind it.
func calls(hello []byte) string {
	who := strings.TrimSpace(wire.LookupString(hello, "agentInfo", "name") + " " + wire.LookupString(hello, "agentInfo", "version"))
	if who == "" {
		return ""
	}
	return who + ", "
}

// stopReasons are those of ACP v1.
var stopReasons = []string{"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"}

func (d *Diagnosis) host(starts [][]string, o conform.Outcome) {
	if len(starts) == 0 && o.StopReason != "" {
		d.add("it starts the fake Muse", true, "", "", "no, and it answered all the same: what needs a host will be not applicable. "+
			"If it should start one, give it {{muse}}, as in --env MUSE_CLI={{muse}}")
		return
	}
	if len(starts) == 0 {
		d.add("it starts the fake Muse", false, causeConfiguration,
			"it found another program, or none; if it reads a path from a variable or a flag, give it {{muse}}, as in --env MUSE_CLI={{muse}}", "no")
		return
	}
	var words []string
	for _, argv := range starts {
		words = append(words, "muse "+strings.Join(argv, " "))
	}
	d.add("it starts the fake Muse", true, "", "", "%s", strings.Join(words, "; "))
}

// noise shows what came out of stdout and is no protocol.
func (d *Diagnosis) noise(records []wire.Record) {
	var lines []string
	for _, r := range records {
		if r.Lane == wire.Client && r.Dir == wire.FromAdapter && !r.Frame.IsMessage() {
			lines = append(lines, fmt.Sprintf("%.120q", r.Data))
		}
	}
	if len(lines) == 0 {
		d.add("its stdout carries protocol only", true, "", "", "yes")
		return
	}
	const most = 3
	text := strings.Join(lines[:min(most, len(lines))], " ")
	if len(lines) > most {
		text += fmt.Sprintf(" and %d more", len(lines)-most)
	}
	d.add("its stdout carries protocol only", false, causeAdapter, "logs belong on stderr", "%s", text)
}
