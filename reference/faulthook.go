package reference

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"acp-conform/reference/hook"
)

// The faults of hooks and escalations.
const (
	HookExit2Passes      Fault = "hook-exit-2-passes"
	HookExit1Denies      Fault = "hook-exit-1-denies"
	HookLateDenies       Fault = "hook-timeout-denies"
	HookBadJSONDenies    Fault = "hook-bad-json-denies"
	HookWrongEvent       Fault = "hook-wrong-event-counts"
	HookLegacyAsk        Fault = "hook-legacy-ask"
	HookMergeWeakest     Fault = "hook-merge-weakest"
	HookMergeFirst       Fault = "hook-merge-first"
	HookDropsReasons     Fault = "hook-drops-reasons"
	HookEachStage        Fault = "hook-each-stage"
	HookOwnChoices       Fault = "hook-offers-own-choices"
	EscalationOwnChoices Fault = "escalation-offers-own-choices"
	EscalationEachStage  Fault = "escalation-each-stage"
	EscalationUnpaired   Fault = "escalation-without-justification"
	EscalationIgnored    Fault = "ignores-escalation"
	EscalationEqual      Fault = "escalation-to-equal-mode"
	EscalationOldMode    Fault = "escalation-by-configured-mode"
	NarrowRecorded       Fault = "narrow-escalation-recorded"
	HookUnendedCounts    Fault = "hook-without-end-counts"
	HookExit2ByOutput    Fault = "hook-exit-2-by-output"
	HookForSubagents     Fault = "hooks-ask-for-subagents"
	ModeForSubagents     Fault = "mode-approves-subagents"
	ModeWithoutCall      Fault = "mode-approves-without-call"
	HookAllowEnds        Fault = "hook-allow-hides-escalation"
	EscalationBeforeHook Fault = "escalation-before-hook"
)

func hookFaults() []FaultInfo {
	return []FaultInfo{
		{HookExit2Passes, "A hook that exits with 2 decides nothing."},
		{HookExit1Denies, "A hook that exits with another code than 0 and 2 denies."},
		{HookLateDenies, "A hook that is out of time denies."},
		{HookBadJSONDenies, "A hook whose output is no JSON denies."},
		{HookWrongEvent, "A hook's decision counts whatever event it names."},
		{HookLegacyAsk, "The older form of a hook's decision may ask."},
		{HookMergeWeakest, "Of several hooks the least strict decides."},
		{HookMergeFirst, "Of several hooks the first that decides anything decides."},
		{HookDropsReasons, "Of the reasons of several hooks only the first is kept."},
		{HookEachStage, "Hooks and escalations are looked at for every stage."},
		{HookOwnChoices, "A hook's question offers Muse's own choices."},
		{EscalationOwnChoices, "The question about an escalation offers Muse's own choices."},
		{EscalationEachStage, "An escalation is asked about for every stage."},
		{EscalationUnpaired, "An escalation without its justification is put to the client."},
		{EscalationIgnored, "An escalation is asked about as any other approval."},
		{EscalationEqual, "An escalation to the mode that is in force is put to the client."},
		{EscalationOldMode, "Whether an escalation is wider is told by the configured mode, not by the session's."},
		{NarrowRecorded, "An escalation that is denied without a question leaves a pair in the audit log."},
		{HookUnendedCounts, "A hook that is out of time, or killed, counts by what it has written until then."},
		{HookExit2ByOutput, "A hook that exits with 2 counts by its output, where that decides anything."},
		{HookForSubagents, "Where there are hooks, an approval of a subagent is put to them, and then to the client."},
		{ModeForSubagents, "The mode that approves for the user approves for subagents too."},
		{ModeWithoutCall, "The mode that approves for the user approves what names no tool call."},
		{HookAllowEnds, "An escalation that a hook allows is asked about as any other approval."},
		{EscalationBeforeHook, "An escalation is asked about as one, whatever a hook asks."},
	}
}

// mishear changes what a hook said.
func (a *adapter) mishear(said hook.Said) hook.Result {
	r := said.Result()
	failed := hook.Result{Decision: hook.Deny, Reason: "the hook failed"}
	switch {
	case a.fault(HookExit2Passes) && said.Code == 2:
		return hook.Result{}
	case a.fault(HookExit1Denies) && said.Code > 0 && said.Code != 2,
		a.fault(HookLateDenies) && said.Code == hook.Late,
		a.fault(HookBadJSONDenies) && said.Code == 0 && len(said.Stdout) > 0 && !json.Valid(said.Stdout):
		return failed
	case a.fault(HookUnendedCounts) && said.Code < 0,
		a.fault(HookExit2ByOutput) && said.Code == 2 && hook.Decode(said.Stdout).Decision != hook.None:
		return hook.Decode(said.Stdout)
	case a.fault(HookWrongEvent) && r.Decision == hook.None && said.Code == 0:
		return hook.Decode(anyEvent(said.Stdout))
	case a.fault(HookLegacyAsk) && r.Decision == hook.None && bytes.Contains(said.Stdout, []byte(`"decision":"ask"`)):
		return hook.Result{Decision: hook.Ask}
	}
	return r
}

// anyEvent makes the output of a hook name the event that counts.
func anyEvent(stdout []byte) []byte {
	members, _ := object(bytes.TrimSpace(stdout))
	block, _ := object(members["hookSpecificOutput"])
	decision, reason := string(block["permissionDecision"]), string(block["permissionDecisionReason"])
	if decision == "" {
		return nil
	}
	if reason == "" {
		reason = `""`
	}
	return []byte(`{"hookSpecificOutput":{"hookEventName":"` + hook.Event + `","permissionDecision":` + decision + `,"permissionDecisionReason":` + reason + `}}`)
}

// mismerge joins the results of several hooks.
func (a *adapter) mismerge(results []hook.Result) hook.Result {
	merged := hook.Merge(results)
	for _, r := range results {
		switch {
		case r.Decision == hook.None:
		case a.fault(HookMergeFirst):
			return r
		case a.fault(HookDropsReasons) && r.Decision == merged.Decision:
			return r
		case a.fault(HookMergeWeakest) && r.Decision < merged.Decision:
			merged = r
		}
	}
	return merged
}

// askShown is how a hook's question or an escalation is shown.
func (s *session) askShown(k *ask, own Fault) {
	k.params, k.oneShot = s.oneShot(k.p), true
	if s.a.fault(own) {
		k.params, k.choices, k.oneShot = s.ownChoices(k.p), k.p.v.Choices, false
	}
}

// looksAgain reports whether hooks or escalations are looked at for a later stage too.
func (s *session) looksAgain(p *pending) bool {
	_, _, found := escalationOf(p.v.RawArgs, s.inForce(sandboxOption))
	return s.a.fault(HookEachStage) || s.a.fault(EscalationEachStage) && found
}

// misescalate reads an escalation, with the faults that read it otherwise.
func (s *session) misescalate(p *pending) (esc escalation, wrong string, found bool) {
	esc, wrong, found = escalationOf(p.v.RawArgs, s.inForce(sandboxOption))
	switch {
	case !found:
	case s.a.fault(EscalationIgnored):
		found = false
	case s.a.fault(EscalationUnpaired) && strings.Contains(wrong, "requires a justification"),
		s.a.fault(EscalationEqual) && esc.mode == s.inForce(sandboxOption):
		wrong = ""
	case s.a.fault(EscalationOldMode):
		return escalationOf(p.v.RawArgs, s.a.o.SandboxMode)
	}
	return esc, wrong, found
}

// adopts reports whether a fault takes a subagent's approval for one of the session's own.
func (s *session) adopts() bool {
	return s.a.fault(AsksForSubagents) || s.a.fault(HookForSubagents) && len(s.a.o.Hooks) > 0 ||
		s.a.fault(ModeForSubagents) && s.currentMode() == modeBypass
}

// recordNarrow is for the fault narrow-escalation-recorded.
func (s *session) recordNarrow(p *pending) {
	if !s.a.fault(NarrowRecorded) {
		return
	}
	if k := s.newAsk(p, matter{tool: p.v.ToolName}); k != nil {
		k.req.Agent = &stranger{s.agent.Log}
		if _, err := k.seam.Request(context.Background(), k.req); err != nil {
			s.a.logf("%v", err)
		}
	}
}
