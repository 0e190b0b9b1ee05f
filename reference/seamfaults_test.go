//go:build unix

package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"acp-conform/reference"
)

// chooses answers every permission request with the option, and every form with the answer.
func chooses(option, form string) func(id, line string) string {
	return func(id, line string) string {
		if strings.Contains(line, "elicitation/create") {
			return `{"jsonrpc":"2.0","id":` + id + `,"result":` + form + `}`
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":%q}}}`, id, option)
	}
}

// oneTurn is a turn in which every question gets the same answer.
func oneTurn(option, form string) func(*world) []string {
	return func(w *world) []string {
		w.ready(1).send(w.prompt(2, 0))
		return append(w.answering(`"id":2`, chooses(option, form)), w.close()...)
	}
}

// turns are some turns, with a policy that is set before each; the empty one sets nothing.
func turns(policies ...string) func(*world) []string {
	return func(w *world) (lines []string) {
		w.ready(1)
		for _, p := range policies {
			if p != "" {
				w.send(w.set(5, 0, "approval-policy", `"`+p+`"`))
				lines = append(lines, w.until(`"id":5`)...)
			}
			w.send(w.prompt(2, 0))
			lines = append(lines, w.answering(`"id":2`, chooses("abort", ""))...)
		}
		return append(lines, w.close()...)
	}
}

// hooked runs turns with a hook that does what the shell line says.
func hooked(line, option string) func(*world) []string {
	return func(w *world) []string {
		path := filepath.Join(w.dir, "hook.sh")
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			w.t.Fatal(err)
		}
		w.options.Hooks = []string{"/bin/sh " + path}
		return oneTurn(option, "")(w)
	}
}

func says(text string) func(*world, []string) bool {
	return func(_ *world, lines []string) bool { return contains(lines, text) }
}

func logs(text string) func(*world, []string) bool {
	return func(w *world, _ []string) bool { return contains(w.log(0), text) }
}

func told(texts ...string) func(*world, []string) bool {
	want := strings.Join(texts, ",")
	return func(w *world, _ []string) bool {
		return !strings.HasPrefix(strings.Join(w.turnInputs(), ";"), want)
	}
}

func sends(text string) func(*world, []string) bool {
	return func(w *world, _ []string) bool { return contains(w.inputs(), text) }
}

func runs(call string) func(*world, []string) bool {
	return func(w *world, _ []string) bool { return w.marker(call) }
}

func never(o *reference.Options) { o.ApprovalPolicy = "never" }

// seamStories are the stories of the approval seam, of the policy and of forms.
func seamStories() []story {
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	const deny = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}'`
	const allow = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`
	asking := func(then func(*world) []string) func(*world) []string {
		return func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			return append(w.until("request_permission"), then(w)...)
		}
	}
	form := func(answers ...string) func(*world) []string {
		return func(w *world) []string {
			w.hello = withForms
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("elicitation/create")
			w.send(answers...)
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}
	}
	return []story{
		{"approve", one(reference.GrantOnDeadClient), nil, asking(func(w *world) []string { return w.close() }), runs("call1")},
		{"escalate-then-approve", one(reference.GrantOnEarlier), sandboxed, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("request_permission")
			w.send(selected(0, "reject-once"))
			lines = append(lines, w.until("request_permission")...)
			w.send(selected(1, "allow-once"))
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}, runs("call2")},
		{"approve", one(reference.FrontBypass), never, oneTurn("abort", ""), runs("call1")},
		{"approve", one(reference.PairsElsewhere), nil, func(w *world) []string {
			w.ready(2).send(w.prompt(2, 1))
			return append(w.answering(`"id":2`, chooses("abort", "")), w.close()...)
		}, logs("approval/decided")},
		{"approve", one(reference.LogsUnknownOutcome), nil, oneTurn("abort", ""), logs("approval/decided denied")},
		{"approve-twice", one(reference.SharesPairID), nil, oneTurn("abort", ""), func(w *world, _ []string) bool {
			data, _ := os.ReadFile(filepath.Join(w.dir, "home/.local/share/acp-conform-reference/audit", w.sessions[0]+".jsonl"))
			return strings.Count(string(data), `"question"`) == 4
		}},
		{"stale", one(reference.StaleFails), nil, oneTurn("allow_once", ""), says("-32603")},
		{"refuse:-32001:overloaded", one(reference.RetriesDecide), nil, oneTurn("allow_once", ""), func(w *world, _ []string) bool { return len(w.decisions()) > 1 }},
		{"refuse:-32603:internal", one(reference.IgnoresRefusal), nil, oneTurn("allow_once", ""), says("end_turn")},
		{"approve", one(reference.HookAllowGrants), nil, hooked(allow, "abort"), runs("call1")},
		{"approve", one(reference.IgnoresHookDenial), nil, hooked(deny, "abort"), says("request_permission")},
		{"approve", one(reference.FailedHookDenies), nil, hooked("exit 1", "allow_once"), func(w *world, _ []string) bool { return !w.marker("call1") }},
		{"escalate-wrongly", one(reference.AsksNarrow), sandboxed, oneTurn("reject-once", ""), says("request_permission")},
		{"escalate-twice", one(reference.EscalationStays), sandboxed, oneTurn("allow-once", ""), func(w *world, _ []string) bool { return !w.marker("call2") }},
		{"subagent", one(reference.AsksForSubagents), nil, oneTurn("abort", ""), says("request_permission")},
		{"text", one(reference.OmitsNever), never, turns(""), told(sayNever)},
		{"text", one(reference.AlwaysNever), nil, turns(""), told(sayHello)},
		{"text", one(reference.OmitsNotice), never, turns(""), told(sayNever, notice("ask", "never", "the operator/config"))},
		{"text", one(reference.RepeatsNotice), never, turns("", ""), func(w *world, _ []string) bool {
			return strings.Contains(w.turnInputs()[1], "changed from")
		}},
		{"text", one(reference.BlamesOperator), nil, turns("never"), told(sayNever, notice("ask", "never", "the user"))},
		{"text", one(reference.RecordsNoChange), nil, turns("ask"), logs("approval/policy")},
		{"text", one(reference.SwitchesAtOnce), nil, turns("never"), func(w *world, _ []string) bool { return w.log(0)[0] != "turn/start" }},
		{"text", one(reference.EchoesConfig), nil, turns("never"), told(sayNever)},
		{"text", one(reference.LeaksPolicy), nil, func(w *world) []string {
			w.ready(2).send(w.set(5, 1, "approval-policy", `"never"`))
			w.until(`"id":5`)
			w.send(w.prompt(2, 1))
			w.until(`"id":2`)
			return w.close()
		}, logs("approval/policy")},
		{"text", one(reference.AcceptsUnknownValue), nil, func(w *world) []string {
			w.ready(1).send(w.set(5, 0, "approval-policy", `"sometimes"`))
			return append(w.until(`"id":5`), w.close()...)
		}, says(`"result"`)},
		{"text", one(reference.PartialConfig), sandboxed, turns("never"), func(_ *world, lines []string) bool { return !contains(lines, "sandbox-mode") }},
		{"input:1", one(reference.FormUnasked), nil, oneTurn("", `{"action":"decline"}`), says("elicitation/create")},
		{"input:1", one(reference.FormDismissed), nil, form(`{"jsonrpc":"2.0","id":0,"result":{"action":"decline"}}`), sends("userInput/answer")},
		{"input:1", one(reference.FormUnchecked), nil, form(accept(0, `{"q1":"green"}`)), sends("userInput/answer")},
		{"input:1", one(reference.FormTwice), nil, func(w *world) []string {
			w.hello = withForms
			w.ready(1).send(w.prompt(2, 0))
			return append(w.answering(`"id":2`, chooses("", `{"action":"decline"}`)), w.close()...)
		}, func(_ *world, lines []string) bool {
			return strings.Count(strings.Join(lines, "\n"), "elicitation/create") > 1
		}},
		{"input:1", one(reference.DeclineEndsTurn), nil, form(`{"jsonrpc":"2.0","id":0,"result":{"action":"decline"}}`), says("-32603")},
		{"input:1", one(reference.LateFormAnswer), nil, func(w *world) []string {
			w.hello = withForms
			w.ready(1).send(w.prompt(2, 0))
			w.until("elicitation/create")
			w.send(w.cancel(0))
			w.until(`"id":2`)
			w.send(w.prompt(3, 0))
			w.until("elicitation/create")
			w.send(accept(0, `{"q1":"red"}`), `{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
			return append(w.until(`"id":3`), w.close()...)
		}, sends(`"red"`)},
		{"gap:behind", one(reference.IgnoresGap), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			lines := w.until("one ")
			if w.options.Fault == "" {
				lines = append(lines, w.until("request_permission")...)
			}
			w.send(w.cancel(0))
			return append(append(lines, w.until(`"id":2`)...), w.close()...)
		}, func(w *world, _ []string) bool { return w.count("view/page") == 0 }},
	}
}

// otherStories are those of faults of sessions and turns.
func otherStories() []story {
	one := func(f reference.Fault) []reference.Fault { return []reference.Fault{f} }
	early := func(w *world) []string { // a cancelled prompt, and another one
		w.ready(1).send(w.prompt(2, 0), w.cancel(0))
		w.until(`"id":2`)
		w.send(w.prompt(3, 0))
		return append(w.until(`"id":3`), w.close()...)
	}
	return []story{
		{"approve", one(reference.DeniesAllowed), nil, oneTurn("allow_once", ""), func(w *world, _ []string) bool { return !w.marker("call1") }},
		{"text", one(reference.RepeatsSessionID), nil, func(w *world) []string { w.ready(2); return w.close() }, func(w *world, _ []string) bool { return w.sessions[0] == w.sessions[1] }},
		{"text", one(reference.LastLineCut), nil, turns(""), says("_reference/end")},
		{"text", one(reference.BusyAfterCancel), nil, early, says("-32600")},
		{"waits", one(reference.ReusesHost), nil, func(w *world) []string {
			w.ready(1)
			for id := 2; id < 4; id++ {
				w.send(w.prompt(id, 0))
				w.until("tool_call")
				w.send(w.cancel(0))
				w.until(fmt.Sprintf(`"id":%d,`, id))
			}
			return w.close()
		}, func(w *world, _ []string) bool {
			return strings.Count(strings.Join(w.hostFrames(), "\n"), "+ serve") == 1
		}},
		{"text", one(reference.AcceptsSecond), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0), w.prompt(3, 0))
			return append(w.until(`"id":2`), w.close()...)
		}, func(_ *world, lines []string) bool { return !contains(lines, "-32600") }},
		{"text", one(reference.ModelBeforeMode), nil, turns(""), func(w *world, _ []string) bool {
			all := strings.Join(w.methods(), " ")
			return strings.Index(all, "setModel") < strings.Index(all, "setApprovalMode")
		}},
		{"cancel", one(reference.DecidesOnCancel), nil, func(w *world) []string {
			w.ready(1).send(w.prompt(2, 0))
			w.until("request_permission")
			w.send(w.cancel(0))
			return append(w.until(`"id":2`), w.close()...)
		}, func(w *world, _ []string) bool { return len(w.decisions()) > 0 }},
		{"escalate", one(reference.EscalatesUnasked), sandboxed, oneTurn("reject-once", ""), runs("call1")},
		{"text", one(reference.LateUpdate), nil, turns(""), func(_ *world, lines []string) bool { return !strings.Contains(lines[len(lines)-1], `"id":2`) }},
		{"text", one(reference.ServesWithArgument), nil, turns(""), func(w *world, _ []string) bool { return contains(w.hostFrames(), "--trust-workspace") }},
	}
}
