//go:build unix

package reference_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

const touch = `{"command":"touch marker","n":12345678901234567890.10}`

const escalate = `{"command":"touch marker","sandbox_permissions":"workspace-write","justification":"the user asked"}`

// scripts are what hosts can do, by name.
func scripts() map[string]func(*peer) {
	approve := func(args string) func(*peer) {
		return func(p *peer) {
			p.begin()
			p.tool("call1", args)
			p.ask("call1", args, plainChoices)
			f := p.await("approval/decide")
			p.settle(f, "call1", args)
			p.text("m1", "finished")
			p.end("completed", "")
		}
	}
	failed := func(errorObject string) func(*peer) {
		return func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.end("failed", `,"error":`+errorObject)
		}
	}
	return map[string]func(*peer){
		"text": func(p *peer) {
			for {
				p.begin()
				p.item("completed", "u1", "userMessage", 1, "completed", `,"text":"hello"`)
				p.item("started", "r1", "reasoning", 1, "inProgress", `,"summary":[]`)
				p.delta("r1", "summary.0", "think")
				p.delta("r1", "text", "raw thoughts")
				p.item("completed", "r1", "reasoning", 2, "completed", `,"summary":["thinking","more"],"text":"raw thoughts"`)
				p.item("started", "m1", "agentMessage", 1, "inProgress", `,"text":""`)
				p.delta("m1", "text", "Hi <you> ")
				p.item("updated", "m1", "agentMessage", 2, "inProgress", `,"text":"Hi <you> there"`)
				p.item("updated", "m1", "agentMessage", 2, "inProgress", `,"text":"old"`)
				p.delta("m1", "text", "!")
				p.item("completed", "m1", "agentMessage", 3, "completed", `,"text":"Hi <you> there!"`)
				p.delta("m1", "text", "late")
				p.event("session/tokenUsage", `"turnId":"x"`)
				p.end("completed", "")
			}
		},
		"approve":  approve(touch),
		"escalate": approve(escalate),
		"escalate-wrongly": func(p *peer) {
			approve(`{"command":"x","sandbox_permissions":"read-only","justification":"j"}`)(p)
		},
		"events-first": func(p *peer) {
			f := p.await("turn/start")
			p.turn = unquote(f.param("commandId"))
			p.started()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.ack(f, fmt.Sprintf(`,"turnId":%q`, p.turn))
			d := p.await("approval/decide")
			p.toolDone("call1", touch, "completed", `,"visibleOutput":"done"`)
			p.ack(d, `,"terminal":true`)
			p.end("completed", "")
		},
		"ack-last": func(p *peer) {
			f := p.await("turn/start")
			p.turn = unquote(f.param("commandId"))
			p.started()
			p.text("m1", "quick")
			p.end("completed", "")
			p.ack(f, fmt.Sprintf(`,"turnId":%q`, p.turn))
		},
		"two-approvals": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.tool("call2", touch)
			p.ask("call1", touch, plainChoices)
			p.ask("call2", touch, plainChoices)
			for range 2 {
				f := p.await("approval/decide")
				call := unquote(f.param("approvalId"))[2:]
				p.settle(f, call, touch)
			}
			p.end("completed", "")
		},
		"stages": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			f := p.await("approval/decide")
			p.ack(f, `,"terminal":false`)
			update := p.approvalParams("call1", touch, plainChoices, 2) + `,"change":{"kind":"stageResolved"}`
			p.event("approval/updated", update)
			f = p.await("approval/decide")
			p.ack(f, `,"terminal":true`)
			p.event("approval/updated", update)
			p.settleEnd("call1", f)
			p.end("completed", "")
		},
		"stale": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			f := p.await("approval/decide")
			p.refuse(f, -32053, "approvalRequirementStale")
			p.event("approval/updated", p.approvalParams("call1", touch, plainChoices, 1))
			f = p.await("approval/decide")
			p.settle(f, "call1", touch)
			p.end("completed", "")
		},
		"decide-refused": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.refuse(p.await("approval/decide"), -32603, "internal")
		},
		"subagent": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.event("approval/requested", p.approvalParams("call1", touch, plainChoices, 0)+`,"subagentOrigin":{"subagentId":"s"}`)
			p.settle(p.await("approval/decide"), "call1", touch)
			p.send(`{"jsonrpc":"2.0","method":"approval/requested","params":{"sessionId":"other",%s}}`, p.approvalParams("call2", touch, plainChoices, 0))
			p.ack(p.await("approval/decide"), "")
			p.end("completed", "")
		},
		"cancel": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			f := p.await("turn/cancel")
			p.ack(f, fmt.Sprintf(`,"turnId":%q`, p.turn))
			p.toolDone("call1", touch, "cancelled", "")
			p.end("cancelled", "")
		},
		"output": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.delta("i-call1", "output", "a\n")
			p.delta("i-call1", "output", "b\n")
			p.toolDone("call1", touch, "failed", `,"visibleOutput":"a\nb\n","failureReason":"exit 1"`)
			p.item("completed", "i-2", "compaction", 1, "completed", `,"fallbackText":"compacted"`)
			p.event("session/newThing", `"x":1`)
			p.send(`{"jsonrpc":"2.0","id":77,"method":"what/isThis","params":{}}`)
			p.send(`not a frame`)
			p.end("completed", "")
		},
		"step-limit":  failed(`{"kind":"stepLimit","message":"too many"}`),
		"auth":        failed(`{"kind":"authRequired","message":"log in","retryable":false}`),
		"model-error": failed(`{"kind":"modelError","message":"HTTP 503 Bearer abcdef topsecret1","retryable":true}`),
		"dies":        func(p *peer) { p.begin(); p.tool("call1", touch); os.Exit(3) },
		"dies-early":  func(p *peer) { p.await("session/setModel"); os.Exit(5) },
		"in-use": func(p *peer) {
			p.refuse(p.await("session/resume"), -32021, "inUse")
		},
		"no-kind": func(p *peer) {
			f := p.await("session/resume")
			p.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"no"}}`, f.ID)
		},
		"rejects-turn": func(p *peer) { p.refuse(p.await("turn/start"), -32030, "commandRejected") },
		"user-input": func(p *peer) {
			p.begin()
			p.send(`{"jsonrpc":"2.0","id":1,"method":"userInput/request","params":{"sessionId":%q,"userInputId":"u","turnId":%q}}`, p.session, p.turn)
		},
		"approve-twice": func(p *peer) {
			p.begin()
			for _, call := range []string{"call1", "call2"} {
				p.tool(call, touch)
				p.ask(call, touch, plainChoices)
				p.settle(p.await("approval/decide"), call, touch)
			}
			p.end("completed", "")
		},
		"two-failures": func(p *peer) {
			for {
				p.begin()
				p.end("failed", `,"error":{"kind":"modelError","message":"m"}`)
			}
		},
		"stages-silent": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.ack(p.await("approval/decide"), `,"terminal":false`)
		},
		"deaf":       func(*peer) { _, _ = io.Copy(io.Discard, os.Stdin) },
		"never-acks": func(p *peer) { p.await("turn/start") },
		"never-reads": func(p *peer) {
			p.begin()
			p.end("completed", "")
			p.await("session/read")
		},
		"silent": func(p *peer) { p.begin(); p.tool("call1", touch) },
		"stubborn": func(p *peer) {
			signal.Ignore(syscall.SIGTERM)
			child := exec.Command("sleep", "1000")
			child.Stdout = os.Stdout
			if child.Start() == nil {
				_ = os.WriteFile(p.dir+"/child", fmt.Append(nil, child.Process.Pid), 0o600)
			}
			p.begin()
			p.text("m1", "here")
			select {}
		},
	}
}

func (p *peer) settleEnd(call string, f frame) {
	if f.param("choiceId") == `"allow_once"` {
		_ = os.WriteFile(p.dir+"/marker-"+call, nil, 0o600)
		p.toolDone(call, touch, "completed", `,"visibleOutput":"done\n"`)
		return
	}
	p.toolDone(call, touch, "rejected", `,"visibleOutput":`+f.param("feedback"))
}
