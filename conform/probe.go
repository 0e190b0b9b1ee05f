package conform

import (
	"context"
	"fmt"
	"slices"

	"acp-conform/scenarios"
)

// Probe has one simple turn with the adapter and gives the evidence that it drives no host of this kind: it answered
// the turn well and never started one. The evidence is empty for an adapter that started a host, or tried to with
// arguments that the host refuses, and for one whose
// turn failed or was not answered: that one is judged.
func (e *Engine) Probe(ctx context.Context, names Names) (evidence string, err error) {
	s, err := e.Begin(ctx, names)
	if err != nil {
		return "", fmt.Errorf("probing the adapter: %w", err)
	}
	defer s.discard()
	for _, step := range []scenarios.Step{{Op: "initialize"}, {Op: "newSession"}, {Op: "prompt", Text: "hello"}} {
		if err := s.Perform(step); err != nil {
			return "", fmt.Errorf("probing the adapter: %w", err)
		}
	}
	refused := slices.ContainsFunc(s.host.Calls(), func(c HostCall) bool { return c.Refused != "" })
	if refused || len(s.HostStarts()) > 0 {
		return "", nil
	}
	for _, o := range s.Outcomes(0) {
		if o.StopReason == "end_turn" {
			return fmt.Sprintf("never started a host: a probe turn was answered with %s, and no %s was started", o.StopReason, s.host.Kind()), nil
		}
	}
	return "", nil
}

// NotApplicableResult is the result of a scenario that was not played because of this evidence.
func NotApplicableResult(n Names, evidence string) ScenarioResult {
	return ScenarioResult{Name: n.Name, Title: n.Title, Feature: n.Feature, Tags: n.Tags, Requirements: n.Requirements, Verdict: NotApplicable, Reason: evidence}
}
