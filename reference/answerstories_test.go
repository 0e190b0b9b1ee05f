//go:build unix

package reference_test

import (
	"fmt"
	"strings"

	"acp-conform/reference"
)

// answers gives an answer to every question, with the id of the question in it.
func answers(result string) func(*world) []string {
	return func(w *world) []string {
		w.ready(1).send(w.prompt(2, 0))
		return append(w.answering(`"id":2`, func(id, _ string) string {
			return `{"jsonrpc":"2.0","id":` + id + `,` + result + `}`
		}), w.close()...)
	}
}

func picks(option string) string {
	return `"result":{"outcome":{"outcome":"selected","optionId":"` + option + `"}}`
}

func decides(text string) func(*world, []string) bool {
	return func(w *world, _ []string) bool { return contains(w.decisions(), text) }
}

// answerStories are the stories of the faults of answers, and of what is decided by them.
func answerStories() []story {
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	// late answers when the turn has gone on to that text.
	late := func(text, option string) func(*world) []string {
		return func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := append(w.until("request_permission"), w.until(text)...)
			w.send(selected(0, option))
			return append(append(lines, w.answering(`"id":2`, chooses("abort", ""))...), w.close()...)
		}
	}
	return []story{
		{"approve", one(reference.GrantsRejection), nil, answers(picks("abort")), runs("call1")},
		{"approve", one(reference.GrantOnCancelled), nil, answers(`"result":{"outcome":{"outcome":"cancelled","optionId":"allow_once"}}`), runs("call1")},
		{"approve", one(reference.GrantOnEmpty), nil, answers(`"result":{}`), runs("call1")},
		{"approve", one(reference.GrantOnBroken), nil, answers(picks("allow_once") + `,"error":{"code":1,"message":"x"}`), runs("call1")},
		{"approve", one(reference.GrantOnNoOption), nil, answers(`"result":{"outcome":{"outcome":"selected"}}`), runs("call1")},
		{"approve", one(reference.GrantOnName), nil, answers(picks("Allow once")), runs("call1")},
		{"approve", one(reference.GrantOnSpaces), nil, answers(picks(" allow_once ")), runs("call1")},
		{"approve", one(reference.GrantOnCase), nil, answers(picks("Allow_Once")), runs("call1")},
		{"approve", one(reference.GrantOnOddOption), nil, answers(`"result":{"outcome":{"outcome":"selected","optionId":[]}}`), runs("call1")},
		{"wide-each", one(reference.GrantOnKind), nil, answers(picks("allow_always")), decides("allow_session")},
		{"approve", one(reference.GrantOnMention), nil, answers(`"result":{"outcome":{"outcome":"selected","optionId":"abort"},"optionId":"allow_once"}`), runs("call1")},
		{"approve", one(reference.GrantOnErrorData), nil, answers(`"error":{"code":-32603,"message":"x","data":0}`), runs("call1")},
		{"approve", one(reference.GrantOnOtherError), nil, answers(`"error":{"code":1,"message":"x"}`), runs("call1")},
		{"approve", one(reference.GrantOnTwins), nil, answers(`"result":{"outcome":{"outcome":"cancelled","outcome":"selected","optionId":"allow_once"}}`), runs("call1")},
		{"approve", one(reference.GrantOnTwins), nil, answers(`"result":{"outcome":{"outcome":"cancelled"}},` + picks("allow_once")), runs("call1")},
		{"approve", one(reference.RequestAnswers), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(`{"jsonrpc":"2.0","id":0,"method":"nope","params":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}`, selected(0, "abort"))
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}, runs("call1")},
		{"approve", one(reference.MatchesOtherType), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(`{"jsonrpc":"2.0","id":"0",`+picks("allow_once")+`}`, selected(0, "abort"))
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}, runs("call1")},
		{"approve-twice", one(reference.DismissalRepeats), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(selected(0, "allow_once"))
			lines = append(lines, w.until("request_permission")...)
			w.send(`{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}`)
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}, runs("call2")},
		{"approve", one(reference.GrantsOnCancel), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(w.cancel(0))
			return append(w.until(`"id":2`), w.close()...)
		}, decides("allow_once")},
		{"moves-on", one(reference.DecidesMovedStage), nil, late("moved", "allow_once"), decides("allow_once")},
		{"other-choices", one(reference.SendsOutdated), nil, late("moved", "allow_once"), decides("allow_once")},
		{"resolved-then-waits", one(reference.DecidesResolved), nil, late("resolved", "allow_once"), decides("allow_once")},
		{"resolved-then-waits", one(reference.KeepsResolved), nil, late("resolved", "allow_once"), func(w *world, _ []string) bool {
			return contains(w.log(0), "decided allowed-once")
		}},
		{"stages", one(reference.GrantsLaterStages), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(selected(0, "allow_once"))
			lines := w.answering(`"id":2`, chooses("abort", ""))
			return append(lines, w.close()...)
		}, func(w *world, lines []string) bool { return !contains(lines, "request_permission") }},
		{"stale", one(reference.StaleCarriesOver), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(selected(0, "allow_once"))
			return append(w.answering(`"id":2`, chooses("abort", "")), w.close()...)
		}, runs("call1")},
		{"refuse:-32051:approvalAlreadyResolved", one(reference.ResolvedFails), nil, answers(picks("allow_once")), says("-32603")},
		{"strange-choice", one(reference.ShowsUnknownAsReject), nil, answers(picks("abort")), says(`"optionId":"new","name":"New","kind":"reject_once"`)},
		{"strange-choice", one(reference.PicksUnknown), nil, answers(`"result":{"outcome":{"outcome":"cancelled"}}`), decides(`"new"`)},
		{"approve", one(reference.BadAnswerDenies), nil, answers(`"result":{}`), says("end_turn")},
		{"approve", one(reference.ClientCodeLost), nil, answers(`"error":{"code":-7,"message":"x"}`), func(_ *world, lines []string) bool {
			return !contains(lines, `"code":-7`)
		}},
		{"escalate-lasting:both", one(reference.OneShotLasts), sandboxed, answers(picks("allow-once")), decides(`"always"`)},
		{"escalate-lasting:lasting", one(reference.OneShotWithoutOnce), sandboxed, answers(picks("allow-once")), decides(`"always"`)},
		{"escalate", one(reference.DenialShowsReason), sandboxed, answers(picks("reject-once")), decides("escalate sandbox to")},
		{"approve", one(reference.OneDenialText), nil, answers(picks("abort")), decides("no approval channel")},
		{"foreign", one(reference.AsksForStrangers), nil, answers(picks("abort")), says("request_permission")},
		{"no-call", one(reference.AsksWithoutCall), nil, answers(picks("abort")), says("request_permission")},
	}
}

// auditStories are the stories of the faults of the audit log.
func auditStories() []story {
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	order := func(first, second string) func(*world, []string) bool {
		return func(w *world, _ []string) bool {
			all := strings.Join(w.log(0), ";")
			a, b := strings.Index(all, first), strings.Index(all, second)
			return a >= 0 && b >= 0 && a < b
		}
	}
	times := func(text string, n int) func(*world, []string) bool {
		return func(w *world, _ []string) bool { return strings.Count(strings.Join(w.log(0), ";"), text) == n }
	}
	raw := func(text string) func(*world, []string) bool {
		return func(w *world, _ []string) bool { return contains(w.logLines(0), text) }
	}
	switching := func(w *world) []string {
		w.ready(1).send(w.prompt(2, 0))
		w.until("request_permission")
		w.send(w.set(5, 0, "approval-policy", `"never"`))
		lines := w.until(`"id":5`)
		w.send(selected(0, "allow_once"))
		return append(append(lines, w.until(`"id":2`)...), w.close()...)
	}
	reject := answers(picks("abort"))
	return []story{
		{"approve", one(reference.DropsAsked), nil, reject, times("approval/asked", 0)},
		{"approve", one(reference.DecidedFirst), nil, reject, order("approval/decided", "approval/asked")},
		{"approve", one(reference.DecidedTwice), nil, reject, times("approval/decided", 2)},
		{"approve", one(reference.DecidedLate), nil, reject, order("tool/result", "approval/decided")},
		{"approve", one(reference.DecidedAfterTurn), nil, reject, order("turn/end", "approval/decided")},
		{"approve", one(reference.OtherOutcome), nil, answers(picks("allow_once")), raw(`"outcome":"allowed"`)},
		{"approve", one(reference.EmptyOptionals), nil, reject, raw(`"reason":""`)},
		{"approve", one(reference.NeverUnrecorded), never, reject, times("approval/", 0)},
		{"approve", one(reference.NeverAsCancelled), never, reject, raw(`"outcome":"cancelled"`)},
		{"text", one(reference.LogsUserText), nil, turns(""), raw("hello")},
		{"cancel", one(reference.CancelAsCompleted), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(w.cancel(0))
			return append(w.until(`"id":2`), w.close()...)
		}, raw(`"kind":"completed"`)},
		{"approve", one(reference.HooksUnlogged), nil, hooked("exit 1", "abort"), times("hook/", 0)},
		{"escalate", one(reference.ReasonUnlogged), sandboxed, answers(picks("reject-once")), func(w *world, _ []string) bool {
			return !contains(w.logLines(0), `"reason":"escalate`)
		}},
		{"approve", one(reference.SwitchWaits), nil, switching, func(w *world, _ []string) bool { return !contains(w.log(0), "approval/policy") }},
		{"approve", one(reference.SwitchSettles), nil, switching, func(w *world, _ []string) bool { return !w.marker("call1") }},
	}
}

// hookStories are the stories of the faults of hooks and escalations.
func hookStories() []story {
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	says1 := func(event, decision, reason string) string {
		return fmt.Sprintf(`echo '{"hookSpecificOutput":{"hookEventName":%q,"permissionDecision":%q,"permissionDecisionReason":%q}}'`, event, decision, reason)
	}
	ask, deny, allow := says1("PreToolUse", "ask", "first"), says1("PreToolUse", "deny", "no"), says1("PreToolUse", "allow", "")
	hooks := func(option string, lines ...string) func(*world) []string {
		return func(w *world) []string {
			for _, l := range lines {
				w.hook(l)
			}
			return answers(picks(option))(w)
		}
	}
	logged := func(text string) func(*world, []string) bool {
		return func(w *world, _ []string) bool { return contains(w.logLines(0), text) }
	}
	passes := says("request_permission")
	unasked := func(_ *world, lines []string) bool { return !contains(lines, "request_permission") }
	late := func(o *reference.Options) { o.Deadlines.Hook = 1 }
	return []story{
		{"approve", one(reference.HookExit2Passes), nil, hooks("abort", "exit 2"), passes},
		{"approve", one(reference.HookExit1Denies), nil, hooks("abort", "exit 1"), unasked},
		{"approve", one(reference.HookLateDenies), late, hooks("abort", "exec sleep 1000"), unasked},
		{"approve", one(reference.HookBadJSONDenies), nil, hooks("abort", "echo '{'"), unasked},
		{"approve", one(reference.HookWrongEvent), nil, hooks("abort", says1("PostToolUse", "deny", "no")), unasked},
		{"approve", one(reference.HookLegacyAsk), nil, hooks("abort", `echo '{"decision":"ask"}'`), says("allow-once")},
		{"approve", one(reference.HookMergeWeakest), nil, hooks("reject-once", ask, deny), passes},
		{"approve", one(reference.HookMergeFirst), nil, hooks("abort", allow, deny), passes},
		{"approve", one(reference.HookDropsReasons), nil, hooks("reject-once", ask, says1("PreToolUse", "ask", "second")), func(w *world, _ []string) bool {
			return !contains(w.logLines(0), `first\n\nsecond`)
		}},
		{"stages-of:all", one(reference.HookEachStage), nil, func(w *world) []string {
			w.hook("exit 1")
			return answers(picks("allow_once"))(w)
		}, func(w *world, _ []string) bool {
			return strings.Count(strings.Join(w.log(0), ";"), "hook/invoked") == 2
		}},
		{"approve", one(reference.HookOwnChoices), nil, hooks("abort", ask), says(`"optionId":"abort"`)},
		{"escalate", one(reference.EscalationOwnChoices), sandboxed, answers(picks("abort")), says(`"optionId":"abort"`)},
		{"escalate-stages", one(reference.EscalationEachStage), sandboxed, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(selected(0, "allow-once"))
			lines = append(lines, w.answering(`"id":2`, chooses("allow_once", ""))...)
			return append(lines, w.close()...)
		}, func(_ *world, lines []string) bool {
			return strings.Count(strings.Join(lines, "\n"), `"optionId":"reject-once"`) == 2
		}},
		{"escalate-as:unjustified", one(reference.EscalationUnpaired), sandboxed, answers(picks("reject-once")), passes},
		{"escalate", one(reference.EscalationIgnored), sandboxed, answers(picks("abort")), says("museApprovalId")},
		{"escalate", one(reference.EscalationEqual), func(o *reference.Options) { o.SandboxMode = "workspace-write" }, answers(picks("reject-once")), passes},
		{"escalate", one(reference.EscalationOldMode), sandboxed, func(w *world) []string {
			w.ready(1).send(w.set(5, 0, "sandbox-mode", `"workspace-write"`), w.prompt(2, 0))
			return append(w.answering(`"id":2`, chooses("reject-once", "")), w.close()...)
		}, passes},
		{"escalate-wrongly", one(reference.NarrowRecorded), sandboxed, answers(picks("reject-once")), logged("approval/asked")},
	}
}

// absentStories are the stories of the faults of an adapter without the seam, and of what the seam must not do.
func absentStories() []story {
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	hooked := func(line string) func(*world) []string {
		return func(w *world) []string {
			w.hook(line)
			return answers(picks("abort"))(w)
		}
	}
	const ask = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"be careful"}}'`
	opening := func(w *world) []string {
		w.start().send(hello, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, w.cwd))
		w.next()
		line := w.next()
		w.sessions = []string{sessionOf(line)}
		return append(w.close(), line)
	}
	return []story{
		{"text", one(reference.OptionWithoutSeam), absent, opening, says(`"approval-policy"`)},
		{"text", one(reference.OptionUnknownMode), nil, opening, says(`"sandbox-mode"`)},
		{"text", one(reference.ModeOptionLast), sandboxed, opening, says(`"configOptions":[{"id":"sandbox-mode"`)},
		{"approve", one(reference.ReasonNotTold), absent, hooked(ask), decides("not yet supported")},
		{"approve", one(reference.LogsWithoutSeam), absent, answers(picks("abort")), func(w *world, _ []string) bool { return contains(w.log(0), "approval/") }},
		{"approve", one(reference.GrantsWithoutSeam), absent, answers(picks("abort")), runs("call1")},
		{"approve", one(reference.NeverByDefault), nil, answers(picks("abort")), func(_ *world, lines []string) bool { return !contains(lines, "request_permission") }},
		{"approve", one(reference.ShowsPair), nil, answers(picks("abort")), says("approval/decided")},
		{"approve", one(reference.LogsArguments), nil, answers(picks("abort")), func(w *world, _ []string) bool { return contains(w.logLines(0), "touch marker") }},
		{"approve", one(reference.OneShotForAll), nil, answers(picks("reject-once")), says(`"optionId":"reject-once"`)},
		{"approve", one(reference.IgnoresHookAsk), nil, hooked(ask), says("museApprovalId")},
		{"subagent", one(reference.GrantsOnAutoReject), nil, answers(picks("abort")), runs("call1")},
	}
}

// textStories are the stories of the faults of the texts for the model.
func textStories() []story {
	text := func(fault reference.Fault, script string, with func(*reference.Options), result, words string) story {
		return story{script, []reference.Fault{fault}, with, answers(result), func(w *world, _ []string) bool {
			return !contains(append(w.decisions(), w.turnInputs()...), words)
		}}
	}
	unsealed := func(o *reference.Options) { o.NoApprovals, o.SandboxMode = true, "read-only" }
	const dismissed = `"result":{"outcome":{"outcome":"cancelled"}}`
	return []story{
		text("says-rejected-otherwise", "approve", nil, picks("abort"), `the user rejected tool`),
		text("says-cancelled-otherwise", "approve", nil, dismissed, `was cancelled`),
		text("says-unavailable-otherwise", "subagent", nil, "", `no approval channel is available`),
		text("says-rejected-escalation-otherwise", "escalate", sandboxed, picks("reject-once"), "the user rejected escalating this command to"),
		text("says-cancelled-escalation-otherwise", "escalate", sandboxed, dismissed, "was cancelled"),
		text("says-unavailable-escalation-otherwise", "escalate", sandboxed, `"result":{}`, "no approval channel is available"),
		text("says-narrow-escalation-otherwise", "escalate", func(o *reference.Options) { o.SandboxMode = "danger-full-access" }, "", "is not strictly wider than"),
		text("says-unjustified-escalation-otherwise", "escalate-as:unjustified", sandboxed, "", "requires a justification"),
		text("says-lone-justification-otherwise", "escalate-as:lone", sandboxed, "", "only valid together with"),
		text("says-empty-justification-otherwise", "escalate-as:empty", sandboxed, "", "expected a non-empty sentence"),
		text("says-no-service-otherwise", "escalate", unsealed, "", "no approval service is composed"),
		text("says-unsupported-otherwise", "approve", unsealed, "", "(not yet supported)"),
		text("says-no-agent-otherwise", "foreign", nil, "", "no agent to route it through"),
		text("says-unconfined-otherwise", "escalate", nil, "", "is not available in this composition"),
		text("says-never-otherwise", "text", never, "", "Approval prompts are disabled in this session: "),
		text("says-switch-otherwise", "text", never, "", "The approval policy changed from"),
	}
}
