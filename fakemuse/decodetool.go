package fakemuse

import (
	"maps"
	"slices"
)

func (d *decoder) tool(n node) (*Tool, error) {
	tool := &Tool{Args: "{}"}
	m := d.object(n, "name", "args", "rawArgs", "callId", "approval", "output", "fails", "deltas", "ends", "hang", "stored", "patch", "exit")
	need(d, n, m, "name", &tool.Name, node.text)
	if _, args := m["args"]; args {
		if raw, both := m["rawArgs"]; both && d.err == nil {
			d.fail(raw.errorf("%s: %q and %q exclude each other", n.name, "args", "rawArgs"))
		}
	}
	read(d, m, "args", &tool.Args, node.argsText)
	read(d, m, "rawArgs", &tool.Args, node.anyText)
	read(d, m, "callId", &tool.CallID, node.text)
	read(d, m, "approval", &tool.Approval, d.approval)
	d.toolEnd(n, m, tool)
	return tool, d.err
}

func (d *decoder) tools(n node) ([]Tool, error) {
	var tools []Tool
	for _, e := range d.list(n) {
		if tool := take(d, d.tool, e); d.err == nil {
			tools = append(tools, *tool)
		}
	}
	if len(tools) < 2 && d.err == nil {
		return nil, n.errorf("%s must have two or more tools; one alone is a %q", n.name, "tool")
	}
	return tools, d.err
}

// toolEnd reads the members that say what a tool does.
func (d *decoder) toolEnd(n node, m map[string]node, tool *Tool) {
	read(d, m, "output", &tool.Output, d.output)
	read(d, m, "fails", &tool.Fails, node.text)
	read(d, m, "deltas", &tool.Deltas, strict[[]string])
	read(d, m, "ends", &tool.Ends, strict[*ToolEnd])
	read(d, m, "hang", &tool.Hang, node.flag)
	read(d, m, "stored", &tool.Stored, node.flag)
	read(d, m, "patch", &tool.Patch, strict[*Patch])
	read(d, m, "exit", &tool.Exit, d.toolExit)
	if e, there := m["exit"]; there && d.err == nil && tool.Exit.At != exitRunning && tool.Approval == nil {
		d.fail(e.errorf("%s: nobody is asked about the tool, so it is never %s", n.name, tool.Exit.At))
	}
	if fails, there := m["fails"]; there && tool.Output != nil && d.err == nil {
		d.fail(fails.errorf("%s: %q and %q exclude each other", n.name, "output", "fails"))
	}
}

func (d *decoder) toolExit(n node) (*ToolExit, error) {
	e := &ToolExit{}
	m := d.object(n, "code", "at")
	var code *int
	need(d, n, m, "code", &code, node.exitCode)
	need(d, n, m, "at", &e.At, func(n node) (string, error) { return n.closed([]string{exitAsked, exitGranted, exitRunning}) })
	if code != nil {
		e.Code = *code
	}
	return e, d.err
}

// argsText reads arguments, byte for byte as they stand in the script.
func (n node) argsText() (string, error) {
	if n.raw[0] != '{' {
		return "", n.want("an object (other texts go into rawArgs)")
	}
	return string(n.raw), nil
}

func (n node) anyTextPointer() (*string, error) {
	text, err := n.anyText()
	return &text, err
}

func (d *decoder) approval(n node) (*Approval, error) {
	a := &Approval{}
	m := d.object(n, "choices", "stages", "subject", "protectedWrite", "judgeEscalated", "subagentOrigin", "noCall", "lateAck", "decideFails",
		"elsewhere", "widened", "stuck")
	a.Choices, a.ChoiceSet = d.offered(m)
	if stages, there := m["stages"]; there && d.err == nil {
		a.Stages = d.stages(stages)
	}
	read(d, m, "subject", &a.Subject, d.subject)
	read(d, m, "protectedWrite", &a.ProtectedWrite, node.flag)
	read(d, m, "judgeEscalated", &a.JudgeEscalated, node.flag)
	read(d, m, "subagentOrigin", &a.SubagentOrigin, d.subagent)
	read(d, m, "noCall", &a.NoCall, node.onlyTrue)
	read(d, m, "lateAck", &a.LateAck, node.flag)
	read(d, m, "decideFails", &a.DecideFails, d.answerFailure)
	read(d, m, "elsewhere", &a.Elsewhere, d.elsewhere)
	read(d, m, "widened", &a.Widened, d.widened)
	read(d, m, "stuck", &a.Stuck, node.flag)
	return a, d.err
}

// offered reads the member "choices": the name of a set, or a list.
func (d *decoder) offered(m map[string]node) ([]Choice, string) {
	choices, there := m["choices"]
	switch {
	case !there || d.err != nil:
		return nil, ""
	case choices.raw[0] == '"':
		return nil, take(d, func(n node) (string, error) { return n.closed(ChoiceSets()) }, choices)
	}
	return d.choices(choices), ""
}

func (d *decoder) elsewhere(n node) (*Elsewhere, error) {
	e := &Elsewhere{}
	m := d.object(n, "choice", "decision", "by", "atOnce", "wait")
	read(d, m, "choice", &e.Choice, node.text)
	read(d, m, "decision", &e.Decision, func(n node) (string, error) { return n.closed(slices.Sorted(maps.Keys(knownDecisions()))) })
	read(d, m, "by", &e.By, func(n node) (string, error) { return n.closed([]string{"user", "policy", "llmJudge"}) })
	read(d, m, "atOnce", &e.AtOnce, node.onlyTrue)
	read(d, m, "wait", &e.Wait, node.text)
	e.By = firstOf(e.By, "user")
	switch {
	case d.err != nil:
	case (e.Choice == "") == (e.Decision == ""):
		return nil, n.errorf("%s must have either %q or %q", n.name, "choice", "decision")
	case e.AtOnce && e.Wait != "":
		return nil, n.errorf("%s: %q and %q exclude each other", n.name, "atOnce", "wait")
	}
	return e, d.err
}

func (d *decoder) widened(n node) (*Widened, error) {
	w := &Widened{}
	m := d.object(n, "choices", "wait")
	w.Choices, w.ChoiceSet = d.offered(m)
	read(d, m, "wait", &w.Wait, node.text)
	if _, there := m["choices"]; !there && d.err == nil {
		return nil, n.errorf("%s needs a member %q", n.name, "choices")
	}
	return w, d.err
}

func (d *decoder) choices(n node) []Choice {
	var choices []Choice
	seen := map[string]bool{}
	for _, e := range d.list(n) {
		c := d.choice(e)
		if seen[c.ChoiceID] && d.err == nil {
			d.fail(e.errorf("%s: the choiceId %q is there twice", e.name, c.ChoiceID))
		}
		seen[c.ChoiceID] = true
		choices = append(choices, c)
	}
	if len(choices) == 0 && d.err == nil {
		d.fail(n.errorf("%s must not be empty", n.name))
	}
	return choices
}

func (d *decoder) choice(n node) Choice {
	var c Choice
	decisions := knownDecisions()
	m := d.object(n, "choiceId", "label", "decision", "scope", "acceptsFeedback", "rulePreview", "grants")
	need(d, n, m, "choiceId", &c.ChoiceID, node.text)
	need(d, n, m, "label", &c.Label, node.text)
	need(d, n, m, "decision", &c.Decision, func(n node) (string, error) {
		return n.open(slices.Sorted(maps.Keys(decisions)))
	})
	need(d, n, m, "scope", &c.Scope, func(n node) (string, error) {
		return n.open([]string{"once", "session", "localPersistent"})
	})
	read(d, m, "acceptsFeedback", &c.AcceptsFeedback, node.flag)
	read(d, m, "rulePreview", &c.RulePreview, node.text)
	if d.err != nil {
		return c
	}
	grants, said := m["grants"]
	known, isKnown := decisions[c.Decision]
	switch {
	case isKnown && said:
		d.fail(grants.errorf("%s: the decision %q says itself whether it grants", n.name, c.Decision))
	case !isKnown && !said:
		d.fail(n.errorf("%s: %q is no decision of MSP; say with %q whether it lets the tool run", n.name, c.Decision, "grants"))
	case isKnown:
		c.Grants = known
	}
	read(d, m, "grants", &c.Grants, node.flag)
	return c
}

func (d *decoder) stages(n node) []Stage {
	var stages []Stage
	for _, e := range d.list(n) {
		stages = append(stages, d.stage(e))
	}
	if len(stages) == 0 && d.err == nil {
		d.fail(n.errorf("%s must not be empty", n.name))
	}
	if d.err == nil && !slices.ContainsFunc(stages, func(s Stage) bool { return s.Known == "" }) {
		d.fail(n.errorf("%s: no stage needs a decision, so there is nothing to ask", n.name))
	}
	return stages
}

func (d *decoder) stage(n node) Stage {
	if n.raw[0] == '[' {
		return Stage{Argv: take(d, node.texts, n)}
	}
	var stage Stage
	complete := true
	m := d.object(n, "argv", "argvComplete", "resolution", "suggestedPrefix", "instead")
	read(d, m, "instead", &stage.Instead, node.objectText)
	read(d, m, "suggestedPrefix", &stage.Suggested, strict[*SuggestedPrefix])
	need(d, n, m, "argv", &stage.Argv, node.texts)
	read(d, m, "argvComplete", &complete, node.flag)
	stage.Incomplete = !complete
	read(d, m, "resolution", &stage.Known, func(n node) (string, error) {
		return n.open([]string{"knownSafe", "known_safe", unresolved, "allowOnce"})
	})
	if stage.Known == unresolved {
		stage.Known = ""
	}
	return stage
}

func (d *decoder) subject(n node) (*Subject, error) {
	s := &Subject{}
	m := d.object(n, "kind", "command", "path", "access", "target", "host", "port", "protocol", "toolName", "workspaceRoot", "origin")
	need(d, n, m, "kind", &s.Kind, func(n node) (string, error) {
		return n.open([]string{"shell", "fileAccess", "network", "unixSocket", "process", "tool"})
	})
	read(d, m, "command", &s.Command, node.text)
	read(d, m, "path", &s.Path, node.text)
	read(d, m, "access", &s.Access, node.text)
	read(d, m, "target", &s.Target, node.text)
	read(d, m, "host", &s.Host, node.text)
	read(d, m, "port", &s.Port, func(n node) (*int, error) {
		port, err := n.whole(0, 65535)
		return &port, err
	})
	read(d, m, "protocol", &s.Protocol, node.text)
	read(d, m, "toolName", &s.ToolName, node.text)
	read(d, m, "workspaceRoot", &s.Workspace, node.text)
	read(d, m, "origin", &s.Origin, d.origin)
	return s, d.err
}

func (d *decoder) origin(n node) (*Origin, error) {
	o := &Origin{}
	m := d.object(n, "kind", "command", "url")
	need(d, n, m, "kind", &o.Kind, node.text)
	read(d, m, "command", &o.Command, node.text)
	read(d, m, "url", &o.URL, node.text)
	return o, d.err
}

func (d *decoder) subagent(n node) (*SubagentOrigin, error) {
	o := &SubagentOrigin{}
	m := d.object(n, "subagentId", "childSessionId", "childRunId")
	need(d, n, m, "subagentId", &o.SubagentID, node.text)
	need(d, n, m, "childSessionId", &o.ChildSessionID, node.text)
	need(d, n, m, "childRunId", &o.ChildRunID, node.text)
	return o, d.err
}
