//go:build unix

package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// colours are questions of each kind: one option, several options, free text.
const (
	oneColour  = `{"id":"q1","header":"Choice","question":"Pick a color","selection":{"mode":"single"},"options":[{"label":"red"},{"label":"blue"}]}`
	twoColours = `{"id":"q2","header":"More","question":"Pick some","selection":{"mode":"multiple","maxSelections":2},"options":[{"label":"a"},{"label":"b"},{"label":"c"}]}`
	anyWords   = `{"id":"q3","header":"Why","question":"Say why","selection":{"mode":"single"},"options":[]}`
)

// input asks for user input, as hosts do: as a request and as a notification.
func (p *peer) input(id, questions string) {
	params := fmt.Sprintf(`"userInputId":%q,"turnId":%q,"itemId":%q,"toolCallId":"call-%s","toolName":"ask_user","questions":[%s]`, id, p.turn, id, id, questions)
	p.nextID++
	p.send(`{"jsonrpc":"2.0","id":%d,"method":"userInput/request","params":{"sessionId":%q,%s}}`, p.nextID, p.session, params)
	p.event("userInput/requested", params)
}

func (p *peer) settled(id, outcome string) {
	p.event("userInput/settled", fmt.Sprintf(`"userInputId":%q,"outcome":%q,"answers":[],"clarification":null,"reason":null,"decidedByCommandId":null`, id, outcome))
}

// awaitInput waits for an answer or a cancel of user input.
func (p *peer) awaitInput() frame { return p.awaitOne("userInput/answer", "userInput/cancel") }

// awaitOne answers routine calls until one with one of the methods comes.
func (p *peer) awaitOne(methods ...string) frame {
	for p.in.Scan() {
		fmt.Fprintf(p.frames, "%s\n", p.in.Text())
		f, ok := readFrame(p.in.Bytes())
		switch {
		case ok && slices.Contains(methods, f.Method):
			return f
		case ok:
			p.routine(f)
		}
	}
	fmt.Fprintf(p.frames, "-\n")
	os.Exit(0)
	return frame{}
}

// moreScripts are what hosts can do, beside scripts. Words behind a colon are their arguments.
func moreScripts() map[string]func(*peer) {
	return map[string]func(*peer){
		// input:KINDS asks a form of the questions 1, 2 and 3 that are named, again and again, one a turn.
		"input": func(p *peer) {
			for {
				p.begin()
				questions := ""
				for _, kind := range p.args[0] {
					questions += "," + map[rune]string{'1': oneColour, '2': twoColours, '3': anyWords, '0': `{"question":"no id"}`}[kind]
				}
				p.input("ui", (questions + " ")[1:])
				p.ack(p.awaitInput(), "")
				p.settled("ui", "answered")
				p.text("m1", "thanks")
				p.end("completed", "")
			}
		},
		"two-inputs": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.input("ui1", oneColour)
			p.ask("call1", touch, plainChoices)
			p.input("ui2", anyWords)
			for range 3 {
				f := p.awaitOne("userInput/answer", "userInput/cancel", "approval/decide")
				if f.Method == "approval/decide" {
					p.settle(f, "call1", touch)
					continue
				}
				p.ack(f, "")
				p.settled(unquote(f.param("userInputId")), "answered")
			}
			p.end("completed", "")
		},
		// input-refused:CODE:KIND refuses what comes of the form.
		"input-refused": func(p *peer) {
			p.begin()
			p.input("ui", oneColour)
			code, _ := strconv.Atoi(p.args[0])
			p.refuse(p.awaitInput(), code, p.args[1])
			p.end("completed", "")
		},
		"input-settled": func(p *peer) {
			p.begin()
			p.input("ui", oneColour)
			p.settled("ui", "timedOut")
			p.text("m1", "too late")
			p.end("completed", "")
		},
		"input-silent": func(p *peer) {
			p.begin()
			p.input("ui", oneColour)
			p.ack(p.awaitInput(), "")
		},
		// refuse:CODE:KIND refuses the decision and then ends the turn well.
		"refuse": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			code, _ := strconv.Atoi(p.args[0])
			p.refuse(p.await("approval/decide"), code, p.args[1])
			p.end("completed", "")
		},
		"stale-first": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			f := p.await("approval/decide")
			p.event("approval/updated", p.approvalParams("call1", touch, plainChoices, 1))
			p.refuse(f, -32053, "approvalRequirementStale")
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		"escalate-then-approve": func(p *peer) {
			p.begin()
			p.tool("call1", escalate)
			p.ask("call1", escalate, plainChoices)
			p.settle(p.await("approval/decide"), "call1", escalate)
			p.tool("call2", touch)
			p.ask("call2", touch, plainChoices)
			p.settle(p.await("approval/decide"), "call2", touch)
			p.end("completed", "")
		},
		"escalate-twice": func(p *peer) {
			p.begin()
			for _, call := range []string{"call1", "call2"} {
				p.tool(call, escalate)
				p.ask(call, escalate, plainChoices)
				p.settle(p.await("approval/decide"), call, escalate)
			}
			p.end("completed", "")
		},
		// approve-each asks once in every turn.
		"approve-each": func(p *peer) {
			for n := 1; ; n++ {
				p.begin()
				call := fmt.Sprintf("call%d", n)
				p.tool(call, touch)
				p.ask(call, touch, plainChoices)
				p.settle(p.await("approval/decide"), call, touch)
				p.end("completed", "")
			}
		},
		// refuses-first-turn does not take the first turn of all; a host after it does.
		"refuses-first-turn": func(p *peer) {
			f := p.await("turn/start")
			if mark := filepath.Join(p.dir, "refused"); os.Mkdir(mark, 0o700) == nil {
				p.refuse(f, -32602, "invalidParams")
				return
			}
			p.turn = unquote(f.param("commandId"))
			p.ack(f, fmt.Sprintf(`,"turnId":%q`, p.turn))
			p.text("m1", "Well.")
			p.end("completed", "")
		},
		// kind:KIND fails the turn with that kind of error.
		"kind": func(p *peer) {
			p.begin()
			p.event("turn/retryScheduled", `"attempt":1,"nextAttempt":2,"maxAttempts":3,"retryDelayMs":1,"reason":"busy"`)
			p.end("failed", fmt.Sprintf(`,"reason":"m","error":{"kind":%q,"message":"m"}`, p.args[0]))
		},
		// dies-at:METHOD ends when that call comes.
		"dies-at": func(p *peer) {
			p.await(p.args[0])
			os.Exit(3)
		},
		"dies-asking": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.await(p.args[0])
			os.Exit(3)
		},
		"dies-with-question": func(p *peer) {
			p.begin()
			p.tool("call1", touch)
			p.ask("call1", touch, plainChoices)
			p.input("ui", oneColour)
			os.Exit(3)
		},
		"dies-reading": func(p *peer) {
			p.begin()
			p.text("m1", "here")
			p.end("completed", "")
			p.await("session/read")
			os.Exit(3)
		},
		"garbage": func(p *peer) {
			p.send("muse: warming up")
			f := p.await("turn/start")
			for _, line := range []string{"{", "[]", "42", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","method":7}`, "\xff\xfe", `{"jsonrpc":"2.0","id":"nobody","result":{}}`, ""} {
				p.send("%s", line)
			}
			p.turn = unquote(f.param("commandId"))
			p.ack(f, fmt.Sprintf(`,"turnId":%q`, p.turn))
			p.started()
			p.send(`{"jsonrpc":"2.0","method":"item/completed","params":7}`)
			p.send(`{"jsonrpc":"2.0","method":"item/completed","params":{"sessionId":%q,"item":{"itemId":7}}}`, p.session)
			p.text("m1", "fine")
			p.end("completed", "")
		},
		// wide-each asks once in every turn, with a choice of each kind.
		"wide-each": func(p *peer) {
			for n := 1; ; n++ {
				p.begin()
				p.item("completed", fmt.Sprintf("r%d", n), "reasoning", 1, "completed", `,"summary":["thinking"]`)
				call := fmt.Sprintf("call%d", n)
				p.tool(call, touch)
				wide := plainChoices[:len(plainChoices)-1] + `,{"choiceId":"allow_session","label":"Session","decision":"approvedForSession","scope":"session"}]`
				p.ask(call, touch, wide)
				p.settle(p.await("approval/decide"), call, touch)
				p.end("completed", "")
			}
		},
		"subagent-turn": func(p *peer) {
			p.begin()
			own := p.turn
			p.turn = "turn-of-a-child"
			params := p.approvalParams("call1", touch, plainChoices, 0)
			p.turn = own
			p.event("approval/requested", params+`,"subagentOrigin":{"subagentId":"s","childSessionId":"c","childRunId":"r"}`)
			p.settle(p.await("approval/decide"), "call1", touch)
			p.end("completed", "")
		},
		"waits": func(p *peer) {
			for n := 1; ; n++ {
				p.begin()
				p.tool(fmt.Sprintf("call%d", n), touch)
				p.ack(p.await("turn/cancel"), fmt.Sprintf(`,"turnId":%q`, p.turn))
				p.end("cancelled", "")
			}
		},
		"gap": gapScript,
	}
}

// gapScript loses events on their way: gap:HOW with HOW before, behind (the event at the end of the hole), end (of the
// turn), refused, stuck or silent.
func gapScript(p *peer) {
	how := p.args[0]
	event := func(method, params string) string {
		p.cursor++
		return fmt.Sprintf(`{"method":%q,"params":{"sessionId":%q,"viewCursor":"v:%d",%s}}`, method, p.session, p.cursor, params)
	}
	p.begin()
	p.item("started", "m1", "agentMessage", 1, "inProgress", `,"text":""`)
	p.delta("m1", "text", "one ")
	after := p.cursor
	lost := event("item/completed", fmt.Sprintf(`"item":{"itemId":"m1","kind":"agentMessage","turnId":%q,"revision":2,"status":"completed","text":"one two three"}`, p.turn)) +
		"," + event("item/started", fmt.Sprintf(`"item":{"itemId":"i-call1","kind":"toolCall","turnId":%q,"revision":1,"status":"inProgress","tool":"bash","callId":"call1","args":%q}`, p.turn, touch)) +
		"," + event("approval/requested", p.approvalParams("call1", touch, plainChoices, 0))
	next := p.cursor + 1
	gap := func() {
		p.send(`{"jsonrpc":"2.0","method":"view/gap","params":{"sessionId":%q,"after":"v:%d","next":"v:%d"},"emittedAtMs":1}`, p.session, after, next)
	}
	if how != "behind" {
		gap()
	}
	seen := event("approval/updated", p.approvalParams("call1", touch, plainChoices, 1))
	p.send(`{"jsonrpc":"2.0",%s`, seen[1:])
	if how == "behind" {
		gap()
	}
	p.delta("m1", "text", "three")
	f := p.await("view/page")
	switch how {
	case "refused":
		p.refuse(f, -32040, "viewTruncated")
	case "stuck":
		p.ok(f, fmt.Sprintf(`{"events":[],"nextCursor":%s}`, f.param("cursor")))
	case "silent":
	default:
		p.ok(f, fmt.Sprintf(`{"events":[%s],"nextCursor":"v:%d"}`, lost, next-1))
		p.ok(p.await("view/page"), fmt.Sprintf(`{"events":[%s],"nextCursor":"v:%d"}`, seen, next))
	}
	p.settle(p.await("approval/decide"), "call1", touch)
	p.end("completed", "")
}
