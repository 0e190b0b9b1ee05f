package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"acp-conform/scenarios"
)

// ProbeName is the name under which the conversation is reported that Probe has with an adapter without a host.
const ProbeName = "probe"

// ProbeRequirements are what a probe decides beside the oracles.
func ProbeRequirements() []string { return []string{"ACP-PR-01", "ACP-PR-10", "ACP-CAN-07"} }

// Probed is what a probe found.
type Probed struct {
	// Evidence is that the adapter drives no host of this kind: it answered its turns and never started one. It is empty
	// for an adapter that started a host, or tried to with arguments that the host refuses, and for one that did not
	// answer: that one is judged.
	Evidence string
	// Result judges the conversation of an adapter without a host by all that holds whatever a scenario says; nil for
	// any other, which has conversations enough.
	Result *ScenarioResult
}

// Probe has a simple conversation with the adapter. A host of the adapter's plays the scenario that the names name. The
// error is a LoginError where the adapter wants a login before it makes a session, or before it takes a prompt.
func (e *Engine) Probe(ctx context.Context, names Names) (Probed, error) {
	s, err := e.Begin(ctx, names)
	if err != nil {
		return Probed{}, fmt.Errorf("probing the adapter: %w", err)
	}
	defer s.discard()
	s.script.strict = false // whoever asks without a host may do so; the answer is to dismiss it
	for _, step := range []scenarios.Step{{Op: "initialize"}, {Op: "newSession"}, {Op: "prompt", Text: "hello"}} {
		if err := s.Perform(step); err != nil {
			return Probed{}, fmt.Errorf("probing the adapter: %w", err)
		}
	}
	var login *LoginError
	if errors.As(s.broken, &login) {
		return Probed{}, s.withStderr(login)
	}
	how := s.hostless()
	if how == "" {
		return Probed{}, nil
	}
	if s.Outcomes(0)[0].Code == AuthRequired {
		return Probed{}, s.withStderr(&LoginError{Text: fmt.Sprintf("a probe turn was answered with %s, and no %s was started", how, s.host.Kind())})
	}
	if s.Outcomes(0)[0].StopReason != "" {
		// Needs no host either: a turn that has ended is stopped, and the session takes another prompt.
		for _, step := range []scenarios.Step{{Op: "cancel"}, {Op: "prompt", Text: "hello again"}} {
			if err := s.carryOut(step); err != nil {
				return Probed{}, fmt.Errorf("probing the adapter: %w", err)
			}
		}
		if s.started() {
			return Probed{}, nil
		}
	}
	s.Names = Names{Name: ProbeName, Title: "Two turns of an adapter without a host, and a cancel in between", Feature: ProbeName,
		Requirements: ProbeRequirements()}
	result := s.endProbe(how)
	result.ReplayAs = names.Name
	return Probed{Evidence: fmt.Sprintf("never started a host: a probe turn was answered with %s, and no %s was started", how, s.host.Kind()), Result: &result}, nil
}

// withStderr ends the adapter, and adds what it wrote to its stderr.
func (s *Scenario) withStderr(login *LoginError) error {
	s.discard()
	login.Stderr = s.process.StderrTail()
	return login
}

// started reports whether the adapter started a host, or tried to.
func (s *Scenario) started() bool {
	return len(s.HostStarts()) > 0 || slices.ContainsFunc(s.host.Calls(), func(c HostCall) bool { return c.Refused != "" })
}

// hostless says how the first turn was answered without a host; empty when there was one, or no answer.
func (s *Scenario) hostless() string {
	outcomes := s.Outcomes(0)
	switch {
	case s.started() || len(outcomes) == 0 || !outcomes[0].Answered:
		return ""
	case outcomes[0].StopReason == "" && outcomes[0].Code == 0:
		return "no stop reason"
	case outcomes[0].StopReason == "":
		return fmt.Sprintf("the error %d (%s)", outcomes[0].Code, short([]byte(outcomes[0].Message)))
	}
	return outcomes[0].StopReason
}

// endProbe ends the conversation and judges it. A turn that was answered with an error proves nothing good: whoever
// cannot have a turn could not be judged.
func (s *Scenario) endProbe(how string) ScenarioResult {
	turns := s.Outcomes(0)
	s.log.BeginRound()
	ending := s.stopKeepingFiles()
	records := s.log.Records()
	s.brokenCheck()
	if len(turns) > 1 || turns[0].StopReason != "" {
		s.record(Check{Name: "the prompt is answered with a stop reason", IDs: []string{"ACP-PR-01"}, OK: true})
	}
	if len(turns) > 1 && s.broken == nil {
		next := turns[1]
		s.record(Check{Name: "after a turn, and a cancel that came too late for it, the session takes another prompt", IDs: []string{"ACP-PR-10", "ACP-CAN-07"},
			OK: next.StopReason != "", Message: "the second prompt was answered without a stop reason", Place: s.place(next.Seq, "", "a stop reason", next.Message)})
	}
	s.runOracles(&evidence{s: s, records: records, facts: s.host.Facts(records), ending: ending})
	s.schemaChecks(records)
	s.hostChecks()
	s.writeTranscript(records)
	result := s.result()
	if result.Verdict == Pass && len(turns) == 1 {
		result.Verdict, result.Reason = CouldNotRun, fmt.Sprintf("the adapter started no %s, and its turn was answered with %s, so no turn could be judged", s.host.Kind(), how)
	}
	return result
}

// NotApplicableResult is the result of a scenario that was not played because of this evidence.
func NotApplicableResult(n Names, evidence string) ScenarioResult {
	return ScenarioResult{Name: n.Name, Title: n.Title, Feature: n.Feature, Tags: n.Tags, Requirements: n.Requirements, Verdict: NotApplicable, Reason: evidence}
}
