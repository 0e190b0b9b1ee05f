package fakemuse

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"

	"acp-conform/internal/strictjson"
	"acp-conform/wire"
)

func (d *decoder) turn(n node) Turn {
	turn := Turn{Line: n.line()}
	m := d.object(n, "prompt", "repeat", "steps", "goal", "launchFails", "lateAck", "cancelReason", "totals", "timings")
	read(d, m, "prompt", &turn.Prompt, node.text)
	read(d, m, "repeat", &turn.Repeat, node.flag)
	read(d, m, "goal", &turn.Goal, node.anyTextPointer)
	read(d, m, "launchFails", &turn.LaunchFails, d.failure)
	read(d, m, "lateAck", &turn.LateAck, node.flag)
	d.turnEnd(m, &turn)
	if prompt, there := m["prompt"]; there && turn.Goal != nil && d.err == nil {
		d.fail(prompt.errorf("%s: %q and %q exclude each other", n.name, "prompt", "goal"))
	}
	steps, there := m["steps"]
	if !there && d.err == nil {
		d.fail(n.errorf("%s needs a member %q", n.name, "steps"))
	}
	if there {
		turn.Steps = d.steps(steps)
	}
	return turn
}

// turnEnd reads the members that say how a turn ends.
func (d *decoder) turnEnd(m map[string]node, turn *Turn) {
	read(d, m, "cancelReason", &turn.CancelReason, node.text)
	read(d, m, "totals", &turn.Totals, strict[*Usage])
	read(d, m, "timings", &turn.Timings, func(n node) (*Timings, error) {
		t := &Timings{}
		for _, e := range d.list(n) {
			switch take(d, func(n node) (string, error) { return n.closed([]string{"duration", "firstToken"}) }, e) {
			case "duration":
				t.Duration = true
			case "firstToken":
				t.FirstToken = true
			}
		}
		return t, d.err
	})
}

func (d *decoder) steps(n node) []Step {
	if d.err != nil {
		return nil
	}
	var steps []Step
	var last Step
	for i, e := range d.list(n) {
		if end := last.ends(); i > 0 && end != "" && d.err == nil {
			d.fail(e.errorf("%s is never reached: %q before it ends the turn", e.name, end))
		}
		last = d.step(e)
		steps = append(steps, last)
	}
	return steps
}

// ends names the kind of a step behind which no other can come.
func (s Step) ends() string {
	switch {
	case s.Hang, s.Text.Hang, s.Tool != nil && s.Tool.Hang, slices.ContainsFunc(s.Tools, func(t Tool) bool { return t.Hang }):
		return "hang"
	case s.Fail != nil:
		return "fail"
	case s.Exit != nil:
		return "exit"
	case s.Silence:
		return "silence"
	}
	return ""
}

func stepNames() []string {
	return []string{
		"think", "say", "tool", "tools", "lost", "wait", "hang", "fail", "exit", "silence", "raw", "ask", "usage", "retry", "show", "event", "todos",
	}
}

func (d *decoder) step(n node) Step {
	step := Step{Line: n.line()}
	m := d.object(n, stepNames()...)
	if d.err != nil {
		return step
	}
	if len(m) != 1 {
		d.fail(n.errorf("%s must have exactly one of the members %v", n.name, stepNames()))
		return step
	}
	text := func(n node) ([]string, error) { return d.text(n, &step.Text) }
	read(d, m, "think", &step.Think, text)
	read(d, m, "say", &step.Say, text)
	read(d, m, "tool", &step.Tool, d.tool)
	read(d, m, "tools", &step.Tools, d.tools)
	read(d, m, "lost", &step.Lost, d.lost)
	read(d, m, "wait", &step.Wait, node.text)
	read(d, m, "hang", &step.Hang, node.onlyTrue)
	read(d, m, "fail", &step.Fail, d.failure)
	read(d, m, "exit", &step.Exit, node.exitCode)
	read(d, m, "silence", &step.Silence, node.onlyTrue)
	read(d, m, "raw", &step.Raw, d.raw)
	read(d, m, "ask", &step.Ask, d.ask)
	read(d, m, "usage", &step.Usage, strict[*Usage])
	read(d, m, "retry", &step.Retry, strict[*Retry])
	read(d, m, "show", &step.Show, d.show)
	read(d, m, "event", &step.Event, d.event)
	read(d, m, "todos", &step.Todos, strict[[]Todo])
	return step
}

// lost reads steps that can be told later: those that say something, or call one tool.
func (d *decoder) lost(n node) ([]Step, error) {
	var steps []Step
	tools := 0
	for _, e := range d.list(n) {
		step := d.step(e)
		if step.Tool != nil {
			tools++
		}
		if d.err == nil && (step.ends() != "" || step.Tool == nil && step.Think == nil && step.Say == nil || tools > 1) {
			d.fail(e.errorf("%s: only what is thought or said, and one tool, can get lost", e.name))
		}
		steps = append(steps, step)
	}
	if len(steps) == 0 && d.err == nil {
		return nil, n.errorf("%s must not be empty", n.name)
	}
	return steps, d.err
}

// text reads what is thought or said: a string, a list of chunks, or an object that says how they come.
func (d *decoder) text(n node, how *Text) ([]string, error) {
	if n.raw[0] != '{' {
		return d.pieces(n)
	}
	m := d.object(n, "chunks", "whole", "stream", "hang")
	read(d, m, "whole", &how.Whole, node.flag)
	read(d, m, "stream", &how.Stream, node.text)
	read(d, m, "hang", &how.Hang, node.flag)
	chunks, there := m["chunks"]
	if !there && d.err == nil {
		return nil, n.errorf("%s needs a member %q", n.name, "chunks")
	}
	if d.err != nil {
		return nil, d.err
	}
	if chunks.raw[0] == '"' {
		return d.pieces(chunks)
	}
	var list []string
	for _, e := range d.list(chunks) {
		if e.raw[0] != '{' || wire.Lookup(e.raw, "repeat") != nil {
			list = append(list, take(d, d.piece, e))
			continue
		}
		var event string
		need(d, e, d.object(e, "wait"), "wait", &event, node.text)
		if how.Pauses == nil {
			how.Pauses = map[int]string{}
		}
		how.Pauses[len(list)] = event
	}
	if len(list) == 0 && d.err == nil {
		return nil, n.errorf("%s must not be empty", chunks.name)
	}
	return list, d.err
}

func (d *decoder) ask(n node) (*Ask, error) {
	ask := &Ask{}
	m := d.object(n, "questions", "name", "args", "rawArgs", "callId", "output", "stuck", "autoResolutionMs", "expires")
	need(d, n, m, "questions", &ask.Questions, strict[[]Question])
	read(d, m, "name", &ask.Name, node.text)
	read(d, m, "args", &ask.Args, node.argsText)
	read(d, m, "rawArgs", &ask.Args, node.anyText)
	read(d, m, "callId", &ask.CallID, node.text)
	read(d, m, "output", &ask.Output, node.anyTextPointer)
	read(d, m, "stuck", &ask.Stuck, node.onlyTrue)
	read(d, m, "autoResolutionMs", &ask.AutoResolutionMs, func(n node) (int, error) { return n.whole(1, 1<<31-1) })
	read(d, m, "expires", &ask.Expires, node.text)
	if len(ask.Questions) == 0 && d.err == nil {
		return nil, n.errorf("%s asks nothing", n.name)
	}
	for i := range ask.Questions {
		q := &ask.Questions[i]
		if d.err == nil && (q.ID == "" || !slices.Contains([]string{"", "single", "multiple"}, q.Selection.Mode)) {
			return nil, n.errorf("%s: question %d needs an id, and a selection whose mode is single or multiple", n.name, i+1)
		}
		if q.Selection.Mode == "" {
			q.Selection.Mode = "single"
		}
		if q.Options == nil {
			q.Options = []Option{}
		}
	}
	return ask, d.err
}

// show reads an item whole.
func (d *decoder) show(n node) (json.RawMessage, error) {
	if n.raw[0] != '{' {
		return nil, n.want("an object")
	}
	var head struct{ Kind, Status string }
	if json.Unmarshal(n.raw, &head) != nil || head.Kind == "" || head.Status == "" {
		return nil, n.errorf("%s needs the members %q and %q", n.name, "kind", "status")
	}
	return n.raw, nil
}

func (d *decoder) event(n node) (*Event, error) {
	e, err := strict[*Event](n)
	switch {
	case err != nil:
		return nil, err
	case e == nil || e.Method == "":
		return nil, n.errorf("%s needs a member %q", n.name, "method")
	case len(e.Params) > 0 && e.Params[0] != '{':
		return nil, n.errorf("%s: its params must be an object", n.name)
	}
	return e, nil
}

// strict reads a value into a type of ours whose members have the names of the wire.
func strict[T any](n node) (T, error) {
	var v T
	err := strictjson.Decode(n.file, n.raw, &v)
	var wrong *strictjson.Error
	if errors.As(err, &wrong) {
		at := n.name
		if wrong.At != "" && wrong.At[0] != '[' {
			at += "."
		}
		return v, &ScriptError{File: n.file, Line: n.line() + wrong.Line - 1, Problem: at + wrong.At + ": " + wrong.Problem}
	}
	return v, err
}

func (d *decoder) raw(n node) (*Raw, error) {
	if n.raw[0] == '"' {
		text, err := n.anyText()
		return &Raw{Bytes: []byte(text)}, err
	}
	raw := &Raw{}
	m := d.object(n, "text", "base64", "partial")
	_, isText := m["text"]
	if _, isBase64 := m["base64"]; isText == isBase64 && d.err == nil {
		d.fail(n.errorf("%s must have either %q or %q", n.name, "text", "base64"))
	}
	var text string
	read(d, m, "text", &text, node.anyText)
	raw.Bytes = []byte(text)
	read(d, m, "base64", &raw.Bytes, func(n node) ([]byte, error) {
		text, err := n.text()
		if err != nil {
			return nil, err
		}
		bytes, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, n.errorf("%s is not base64", n.name)
		}
		return bytes, nil
	})
	read(d, m, "partial", &raw.Partial, node.flag)
	return raw, d.err
}
