package fakemuse

import (
	"encoding/json"
	"fmt"
	"testing"

	"acp-conform/wire"
)

// TestReplayDecides plays every recording in which the client decides three times more. Each time the client also sends
// what it must not, and gets the error that the registry has for it; what the recording holds stays as it is.
func TestReplayDecides(t *testing.T) {
	t.Parallel()
	all, _ := recordings(t)
	for _, r := range all {
		decides := 0
		for i, l := range r.lines {
			if l.client && l.frame.method() == "approval/decide" && answered(r, i) {
				decides++
			}
		}
		if decides == 0 {
			continue
		}
		for name, alter := range map[string]func(*replay) func() int{
			"same command, other payload": alterPayload, "stale stage": alterStage, "second decide": alterAgain,
		} {
			t.Run(r.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := newReplay(t, r)
				asked := alter(p)
				p.run()
				if asked() == 0 {
					t.Error("there was nothing to alter")
				}
			})
		}
	}
}

// answered says whether the request of a line got a result.
func answered(r recording, line int) bool {
	for _, l := range r.lines[line:] {
		if !l.client && l.frame.isResponse() && l.frame.id() == r.lines[line].frame.id() {
			return l.frame.has("result")
		}
	}
	return false
}

// decided calls f with the decides that are answered with a result.
func (p *replay) decided(f func(params tree)) func(int) {
	return func(line int) {
		l := p.r.lines[line]
		if p.made.method[line] == "approval/decide" && answered(p.r, line) {
			params := tree{}
			for name, v := range l.frame.object("params") {
				params[name] = v
			}
			f(params)
		}
	}
}

// try sends a decide that must fail, and gives the error's data. It does not disturb the comparison.
func (p *replay) try(params tree, code int, kind string) tree {
	p.t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		p.t.Fatal(err)
	}
	p.extra++
	p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":"extra %d","method":"approval/decide","params":%s}`, p.extra, p.aliases.translate(string(text))))
	var last wire.Record
	records := p.scene.log.Records()
	for _, r := range records {
		if r.Dir == wire.ToAdapter {
			last = r
		}
	}
	frame, err := parseTree(string(last.Data))
	if err != nil {
		p.t.Fatal(err)
	}
	if frame.number("error", "code") != code || frame.text("error", "data", "kind") != kind {
		p.t.Errorf("%s: got %s, want error %d %s", text, last.Data, code, kind)
	}
	p.skip = append(p.skip, string(last.Data))
	return frame.object("error", "data")
}

// alterPayload repeats a command with another choice.
func alterPayload(p *replay) func() int {
	n := 0
	p.after = p.decided(func(params tree) {
		n++
		params["choiceId"] = "another"
		data := p.try(params, -32030, "commandRejected")
		if data.text("reason") != "command_id_conflict" || data.text("commandId") != params.text("commandId") {
			p.t.Errorf("the error has the data %v", data)
		}
	})
	return func() int { return n }
}

// alterStage decides another stage than the current one before the right one.
func alterStage(p *replay) func() int {
	n := 0
	p.before = p.decided(func(params tree) {
		n++
		current := params.object("requirementId")
		params["commandId"] = fmt.Sprintf("0199ffff-0000-7000-8000-%012d", n)
		params["requirementId"] = object{"approvalId": current["approvalId"], "sourceIndex": current.number("sourceIndex") + 7}
		data := p.try(params, -32053, "approvalRequirementStale")
		if data.number("currentRequirementId", "sourceIndex") != current.number("sourceIndex") || !data.has("approvalId") {
			p.t.Errorf("the error has the data %v", data)
		}
	})
	return func() int { return n }
}

// alterAgain decides an approval that is resolved once more, under another command.
func alterAgain(p *replay) func() int {
	n := 0
	p.after = func(line int) {
		p.decided(func(params tree) {
			for _, l := range p.r.lines[line:] {
				if !l.client && l.frame.id() == p.r.lines[line].frame.id() && l.frame.at("result", "terminal") != true {
					return
				}
			}
			n++
			params["commandId"] = fmt.Sprintf("0199ffff-0000-7000-8000-%012d", n)
			data := p.try(params, -32051, "approvalAlreadyResolved")
			if !data.has("resolution", "decision") || data.text("resolution", "resolvedBy") != "user" || !data.has("resolution", "viewCursor") {
				p.t.Errorf("the error has the data %v", data)
			}
		})(line)
	}
	return func() int { return n }
}
