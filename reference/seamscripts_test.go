//go:build unix

package reference_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// stage is one stage of a subject, or of the evidence for a decision.
func stage(call string, index, position, total int, kind, more string) string {
	return fmt.Sprintf(`{"requirementId":{"approvalId":"a-%s","sourceIndex":%d},"position":%d,"totalStages":%d,"argv":["echo","%d"],"resolution":{"kind":%q}%s}`,
		call, index, position, total, index, kind, more)
}

func subject(kind string, stages ...string) string {
	return fmt.Sprintf(`{"kind":%q,"command":"echo 0","stages":[%s]}`, kind, strings.Join(stages, ","))
}

// facts are the params of an approval with other facts about it.
func (p *peer) facts(call, choices string, stage int, facts string) string {
	plain := p.approvalParams(call, touch, choices, stage)
	return strings.Replace(plain, `"subject":{"kind":"shell"},"protectedWrite":false,"judgeEscalated":false`, facts, 1)
}

func (p *peer) resolved(call, decision, by, evidence string) {
	p.event("approval/resolved", fmt.Sprintf(`"approvalId":"a-%s","itemId":"i-%s","turnId":%q,"decision":%q,"policyResult":"x","resolvedBy":%q%s`,
		call, call, p.turn, decision, by, evidence))
}

// seamScripts are what hosts can do around approvals, beside the other scripts.
func seamScripts() map[string]func(*peer) {
	return map[string]func(*peer){
		// observed asks about two stages of three, each time with the stages as they are, and says how it ended.
		"observed": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			known := stage("call1", 1, 2, 3, "known_safe", "")
			first := subject("shellCommand", stage("call1", 0, 1, 3, "unresolved", ""), known, stage("call1", 2, 3, 3, "brandNew", ""))
			p.event("approval/requested", p.facts("call1", plainChoices, 0, `"subject":`+first+`,"protectedWrite":true,"judgeEscalated":false`))
			p.ack(p.await("approval/decide"), `,"terminal":false`)
			done := stage("call1", 0, 1, 3, "allowOnce", "")
			second := subject("shellCommand", done, known, stage("call1", 2, 3, 3, "brandNew", ""))
			p.event("approval/updated", p.facts("call1", plainChoices, 2, `"subject":`+second))
			p.ack(p.await("approval/decide"), `,"terminal":true`)
			p.resolved("call1", "approved", "user", `,"stageEvidence":[`+done+`]`)
			p.resolved("call1", "denied", "user", "")
			p.toolDone("call1", touch, "completed", "")
			p.end("completed", "")
		},
		// odd-facts asks with facts that are missing or of another type.
		"odd-facts": func(p *peer) {
			for _, facts := range []string{`"x":1`, `"subject":null,"protectedWrite":null,"judgeEscalated":"yes"`, `"subject":"odd","protectedWrite":1`,
				`"subject":{"kind":7,"stages":[{"position":"1","resolution":"odd"},7]},"judgeEscalated":true`, `"subject":{"kind":"new","stages":[]}`} {
				p.begin()
				p.tool("call1", touch)
				p.event("approval/requested", p.facts("call1", plainChoices, 0, facts))
				p.ack(p.await("approval/decide"), `,"terminal":true`)
				p.resolved("call1", "abort", "somebodyNew", "")
				p.toolDone("call1", touch, "rejected", "")
				p.end("completed", "")
			}
		},
		// bare asks without a word about what it is about.
		"bare": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.event("approval/requested", p.facts("call1", plainChoices, 0, `"x":1`))
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		// by-itself resolves an approval before anybody could answer, one that was never published, and one of a child.
		"by-itself": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.resolved("call1", "denied", "policy", `,"stageEvidence":[]`)
			p.resolved("call2", "approved", "llmJudge", "")
			own := p.turn
			p.turn = "turn-of-a-child"
			p.resolved("call3", "denied", "policy", "")
			p.turn = own
			p.toolDone("call1", touch, "rejected", "")
			p.end("completed", "")
		},
		// resolved-by-cancel asks, and says how it ended once it is cancelled.
		"resolved-by-cancel": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			f := p.await("turn/cancel")
			p.resolved("call1", "abort", "policy", "")
			p.ack(f, fmt.Sprintf(`,"turnId":%q`, p.turn))
			p.toolDone("call1", touch, "cancelled", "")
			p.end("cancelled", "")
		},
		// foreign asks for another session: as it is, or for more rights.
		"foreign": func(p *peer) {
			p.begin()
			args := touch
			if len(p.args) > 0 {
				args = escalate
			}
			p.send(`{"jsonrpc":"2.0","method":"approval/requested","params":{"sessionId":"other",%s}}`, p.approvalParams("call1", args, plainChoices, 0))
			p.ack(p.await("approval/decide"), `,"terminal":true`)
			p.end("completed", "")
		},
		// resolved-elsewhere asks in every turn and does not wait for the answer.
		"resolved-elsewhere": func(p *peer) {
			for n := 1; ; n++ {
				p.begin()
				call := fmt.Sprintf("call%d", n)
				p.tool(call, touch)
				p.ask(call, touch, plainChoices)
				p.resolved(call, "denied", "policy", "")
				p.toolDone(call, touch, "rejected", "")
				p.end("completed", "")
			}
		},
		// moves-on goes on to the next stage while the first is asked about, and says so.
		"moves-on": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.event("approval/updated", p.approvalParams("call1", touch, plainChoices, 1))
			p.text("m1", "moved")
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		// moves-on-in-hook goes on to the next stage while hooks look at the first, and repeats that stage behind its decision.
		"moves-on-in-hook": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			next := p.approvalParams("call1", touch, plainChoices, 1)
			p.event("approval/updated", next)
			p.text("m1", "moved")
			f := p.await("approval/decide")
			p.ack(f, `,"terminal":false`)
			p.event("approval/updated", next)
			p.text("m2", "again")
			p.settleEnd("call1", f)
			p.end("completed", "")
		},
		// of-earlier-turn asks for what a turn before this one wanted.
		"of-earlier-turn": func(p *peer) {
			p.begin()
			own := p.turn
			p.turn = "earlier"
			p.ask("call0", touch, plainChoices)
			p.turn = own
			p.text("m1", "moved")
			p.end("completed", "")
		},
		// asks-once-more publishes the first stage again while the second is asked about.
		"asks-once-more": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.ack(p.await("approval/decide"), `,"terminal":false`)
			p.event("approval/updated", p.approvalParams("call1", touch, plainChoices, 1))
			p.ask("call1", touch, plainChoices)
			p.text("m1", "moved")
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		// resolved-in-hook resolves an approval while hooks look at it, and asks about another call.
		"resolved-in-hook": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.resolved("call1", "denied", "policy", "")
			p.tool("call2", touch)
			p.ask("call2", touch, plainChoices)
			p.text("m1", "moved")
			p.settle(p.await("approval/decide"), "call2", touch)
			p.end("completed", "")
		},
		// strange-news tells of what another session has under the same name, while the question is open.
		"strange-news": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			own := p.session
			p.session = "another"
			p.event("approval/updated", p.approvalParams("call1", touch, plainChoices, 1))
			p.resolved("call1", "approved", "user", "")
			p.session = own
			p.text("m1", "moved")
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		// other-choices offers other choices while the question is open, and says so.
		"other-choices": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.event("approval/updated", p.approvalParams("call1", touch, `[{"choiceId":"abort","label":"Reject","decision":"abort","scope":"once"}]`, 0))
			p.text("m1", "moved")
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		// resolved-then-waits resolves an approval that is asked about, says so, and asks about another one.
		"resolved-then-waits": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.resolved("call1", "denied", "policy", "")
			p.text("m1", "resolved")
			p.tool("call2", touch)
			p.ask("call2", touch, plainChoices)
			f := p.await("approval/decide")
			if f.param("approvalId") == `"a-call1"` {
				p.ack(f, "")
				f = p.await("approval/decide")
			}
			p.settle(f, "call2", touch)
			p.end("completed", "")
		},
		// strange-choice offers a choice whose decision nobody knows in front of the others.
		"strange-choice": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, `[{"choiceId":"new","label":"New","decision":"somethingNew","scope":"once"},`+plainChoices[1:])
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		// escalate-lasting:WHICH offers choices that last: both kinds, or lasting ones only.
		"escalate-lasting": func(p *peer) {
			lasting := `[{"choiceId":"always","label":"Always","decision":"approved","scope":"session"},`
			choices := lasting + plainChoices[1:]
			if p.args[0] == "lasting" {
				choices = lasting + `{"choiceId":"abort","label":"Reject","decision":"abort","scope":"once"}]`
			}
			p.begin()
			p.tool("call1", escalate)
			p.ask("call1", escalate, choices)
			p.settle(p.await("approval/decide"), "call1", escalate)
			p.end("completed", "")
		},
		// escalate-as:HOW asks for more rights wrongly.
		"escalate-as": func(p *peer) {
			args := map[string]string{
				"unjustified": `{"command":"x","sandbox_permissions":"workspace-write"}`,
				"lone":        `{"command":"x","justification":"j"}`,
				"empty":       `{"command":"x","sandbox_permissions":"workspace-write","justification":" "}`,
			}[p.args[0]]
			p.begin()
			p.tool("call1", args)
			p.ask("call1", args, plainChoices)
			p.settle(p.await("approval/decide"), "call1", args)
			p.end("completed", "")
		},
		// escalate-stages asks for more rights in two stages.
		"escalate-stages": func(p *peer) {
			p.begin()
			p.tool("call1", escalate)
			p.ask("call1", escalate, plainChoices)
			f := p.await("approval/decide")
			if f.param("choiceId") == `"allow_once"` {
				p.ack(f, `,"terminal":false`)
				p.event("approval/updated", p.approvalParams("call1", escalate, plainChoices, 1))
				f = p.await("approval/decide")
			}
			p.settle(f, "call1", escalate)
			p.end("completed", "")
		},
		// no-call asks about what is no tool call.
		"no-call": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.event("approval/requested", strings.Replace(p.approvalParams("call1", touch, plainChoices, 0), `"toolCallId":"call1",`, "", 1))
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		// ends-anyway ends a tool that is asked about, without a word about its approval, and goes on only when told to.
		"ends-anyway": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.toolDone("call1", touch, "rejected", "")
			p.text("m1", "ended")
			p.ack(p.await("turn/cancel"), fmt.Sprintf(`,"turnId":%q`, p.turn))
			p.end("cancelled", "")
		},
		// lacks asks without a member, or with another value of it, and waits for ever.
		"lacks": func(p *peer) {
			p.begin()
			var m map[string]json.RawMessage
			_ = json.Unmarshal([]byte("{"+p.approvalParams("call1", touch, plainChoices, 0)+"}"), &m)
			m["sessionId"] = fmt.Appendf(nil, "%q", p.session)
			if delete(m, p.args[0]); len(p.args) > 1 {
				m[p.args[0]] = json.RawMessage(p.args[1])
			}
			params, _ := json.Marshal(m)
			p.send(`{"jsonrpc":"2.0","method":"approval/requested","params":%s}`, params)
			p.send(`{"jsonrpc":"2.0","id":1,"method":"approval/request","params":%s}`, params)
		},
		// three-or-stuck asks about three calls, one after the other; a prompt about being stuck has one in two stages, and
		// the second never comes.
		"three-or-stuck": func(p *peer) {
			f := p.await("turn/start")
			p.turn = unquote(f.param("commandId"))
			p.ack(f, fmt.Sprintf(`,"turnId":%q,"disposition":"started"`, p.turn))
			p.started()
			if strings.Contains(f.raw, "be stuck") {
				p.tool("call1", touch)
				p.ask("call1", touch, plainChoices)
				p.ack(p.await("approval/decide"), `,"terminal":false`)
				return
			}
			for _, call := range []string{"call1", "call2", "call3"} {
				p.tool(call, touch)
				p.ask(call, touch, plainChoices)
				p.settle(p.await("approval/decide"), call, touch)
			}
			p.end("completed", "")
		},
		// between-turns asks when its turn is over and read: for another session and for a subagent, each in both forms,
		// and tells a pipe when both are decided.
		"between-turns": func(p *peer) {
			p.begin()
			p.end("completed", "")
			p.routine(p.await("session/read"))
			for call, more := range map[string]string{"call1": `"sessionId":"other",`, "call2": fmt.Sprintf(`"sessionId":%q,"subagentOrigin":{"subagentId":"s"},`, p.session)} {
				params := more + p.approvalParams(call, touch, plainChoices, 0)
				p.send(`{"jsonrpc":"2.0","method":"approval/requested","params":{%s}}`, params)
				p.send(`{"jsonrpc":"2.0","id":%q,"method":"approval/request","params":{%s}}`, call, params)
			}
			p.ack(p.await("approval/decide"), `,"terminal":true`)
			p.ack(p.await("approval/decide"), `,"terminal":true`)
			_ = os.WriteFile(filepath.Join(p.dir, "decided"), []byte("both"), 0o600)
			p.begin()
			p.text("m1", "finished")
			p.end("completed", "")
		},
		"cancels-itself": func(p *peer) {
			p.begin()
			p.end("cancelled", "")
		},
		// stages-of asks about every stage of an approval with the choices that are named: all, no-once, no-deny.
		"stages-of": func(p *peer) {
			choices := map[string]string{
				"all":     plainChoices,
				"lasting": `[{"choiceId":"always","label":"Always","decision":"approved","scope":"session"},{"choiceId":"never","label":"Never","decision":"denied","scope":"localPersistent"}]`,
				"strange": `[{"choiceId":"new","label":"New","decision":"somethingNew","scope":"once"}]`,
			}[p.args[0]]
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, choices)
			f := p.await("approval/decide")
			if f.param("choiceId") == `"allow_once"` {
				p.ack(f, `,"terminal":false`)
				p.event("approval/updated", p.approvalParams("call1", touch, choices, 1))
				f = p.await("approval/decide")
			}
			p.settle(f, "call1", touch)
			p.end("completed", "")
		},
	}
}
