package runner

import (
	"context"
	"errors"
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
	// Cause is CauseAdapter, CauseConfiguration or "the harness"; empty when nothing is wrong.
	Cause  string
	Advice string
	Stderr string // tail of the adapter's stderr
	// Mute is true when it never answered initialize: it may not even have found its own files.
	Mute bool
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
	seen := conversation{broken: sc.Broken(), starts: sc.HostStarts(), outcomes: sc.Outcomes(0)}
	_, seen.hello = sc.Initialized()
	result := sc.End(nil)
	// All calls of the host have come to their end now, and what the adapter says at its own end has been read.
	seen.records, seen.calls = sc.Records(), sc.Host().Calls()
	d.Stderr = result.Stderr
	d.look(engine.Adapter, seen)
	d.noise(seen.records)
	d.end(result, seen)
	return d, nil
}

// conversation is what the doctor saw.
type conversation struct {
	broken   error // why it could not be had to its end
	records  []wire.Record
	hello    []byte // the result of initialize; nil when there was none
	starts   [][]string
	calls    []conform.HostCall
	outcomes []conform.Outcome
}

func (d *Diagnosis) add(name string, ok bool, cause, advice, format string, args ...any) {
	d.Findings = append(d.Findings, Finding{name, ok, fmt.Sprintf(format, args...)})
	if !ok && d.Cause == "" {
		d.Cause, d.Advice = cause, advice
	}
}

// The causes that a diagnosis can name, beside the harness itself.
const (
	CauseAdapter       = "the adapter"
	CauseConfiguration = "the configuration"
)

func (d *Diagnosis) look(adapter conform.Adapter, c conversation) {
	if len(c.records) == 0 {
		d.add("it starts", false, CauseConfiguration, "check the command behind --", "%v", c.broken)
		return
	}
	d.add("it starts", true, "", "", "%s", strings.Join(adapter.Argv(), " "))
	if c.hello == nil {
		d.refused(c)
		d.Mute = !slices.ContainsFunc(c.records, func(r wire.Record) bool { return r.Dir == wire.FromAdapter && r.Answers >= 0 })
		cause, advice := unanswered(c.broken, d.Stderr, nil)
		d.add("it answers initialize", false, cause, advice, "%v", c.broken)
		return
	}
	d.add("it answers initialize", true, "", "", "%sprotocol version %s", calls(c.hello), wire.Lookup(c.hello, "protocolVersion"))
	d.add("its capabilities", true, "", "", "%s", wire.Lookup(c.hello, "agentCapabilities"))
	if len(c.outcomes) == 0 {
		d.refused(c)
		cause, advice := CauseAdapter, "session/new with a folder and no MCP servers must work"
		if wantsLogin(c.broken) {
			cause, advice = CauseConfiguration, loginAdvice
		}
		d.add("it makes a session", false, cause, advice, "%v", c.broken)
		return
	}
	d.add("it makes a session", true, "", "", "yes")
	o := c.outcomes[len(c.outcomes)-1]
	d.host(c, o)
	switch {
	case !o.Answered:
		d.add("it answers a prompt", false, CauseAdapter, "the prompt must be answered when the turn ends", "%v", c.broken)
	case o.Code != 0:
		d.add("it answers a prompt", false, CauseAdapter, "see the error; "+readStderr(d.Stderr, ""), "error %d: %s", o.Code, o.Message)
	case !slices.Contains(stopReasons, o.StopReason):
		d.add("it answers a prompt", false, CauseAdapter, "the stop reason must be one of "+strings.Join(stopReasons, ", "), "stop reason %q", o.StopReason)
	default:
		d.add("it answers a prompt", true, "", "", "stop reason %s", o.StopReason)
	}
}

// readStderr is the advice to read the adapter's stderr, where there is any to read.
func readStderr(stderr, why string) string {
	if strings.TrimSpace(stderr) == "" {
		return "it wrote nothing to its stderr that says why"
	}
	return "read its stderr below" + why
}

// loginAdvice is for an adapter that answers with the error of ACP v1 that asks for a login.
const loginAdvice = "it wants a login; give it what it needs with --env"

// wantsLogin reports whether a conversation broke off because the adapter wants a login first.
func wantsLogin(broken error) bool {
	var login *conform.LoginError
	return errors.As(broken, &login)
}

// unanswered says who is to blame when initialize was not answered well, or nothing without a login, and what to do.
func unanswered(problem error, stderr string, refusals []string) (cause, advice string) {
	switch {
	case len(refusals) > 0:
		return CauseAdapter, strings.Join(refusals, "; ") + "; " + refusedAdvice
	case wantsLogin(problem):
		return CauseConfiguration, loginAdvice
	}
	return CauseAdapter, readStderr(stderr, "; a program that needs a login or a setting says so there")
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

// endRequirement is that the end of its stdin ends the adapter.
const endRequirement = "ACP-TRN-11"

// end says whether the adapter ended when its stdin was closed. That it did is told only of a conversation that was had
// to its end: an adapter that ended before did not end for that reason.
func (d *Diagnosis) end(result conform.ScenarioResult, c conversation) {
	const name = "it ends when its stdin is closed"
	for _, check := range result.Checks {
		switch {
		case !slices.Contains(check.IDs, endRequirement):
		case !check.OK:
			d.add(name, false, CauseAdapter, "it must end when its stdin is closed, and end first what it has started", "%s", check.Message)
			return
		case c.broken == nil:
			d.add(name, true, "", "", "yes")
		}
	}
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
	d.add("its stdout carries protocol only", false, CauseAdapter, "logs belong on stderr", "%s", text)
}
