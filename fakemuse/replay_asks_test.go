package fakemuse

import "strings"

// approvalOf is what is asked: choices, subject and stages, where they are not what the host makes of the tool itself.
func approvalOf(p tree) object {
	a := object{}
	for _, name := range []string{"protectedWrite", "judgeEscalated"} {
		if p.at(name) == true {
			a[name] = true
		}
	}
	if o := p.at("subagentOrigin"); o != nil {
		a["subagentOrigin"] = o
	}
	subject := object{}
	for name, v := range p.object("subject") {
		if name != "stages" {
			subject[name] = v
		}
	}
	a["subject"] = subject
	usual := usualChoices(p)
	if !usual {
		var choices []any
		for _, c := range p.list("availableChoices") {
			choice := object{}
			for name, v := range c.(map[string]any) {
				choice[name] = v
			}
			if _, known := knownDecisions()[choice["decision"].(string)]; !known {
				choice["grants"] = true
			}
			choices = append(choices, choice)
		}
		a["choices"] = choices
	}
	var stages []any
	for _, v := range p.list("subject", "stages") {
		from := tree(v.(map[string]any))
		stage := object{"argv": from.at("argv"), "argvComplete": from.at("argvComplete")}
		if kind := from.text("resolution", "kind"); kind != unresolved {
			stage["resolution"] = kind
		}
		if !usual && from.has("suggestedPrefix") {
			stage["suggestedPrefix"] = from.at("suggestedPrefix")
		}
		stages = append(stages, stage)
	}
	if stages != nil {
		a["stages"] = stages
	}
	return a
}

// usualChoices says whether the choices are those of a real host for shell commands, whose labels follow the stage.
func usualChoices(p tree) bool {
	choices := p.list("availableChoices")
	if p.text("subject", "kind") != "shell" || len(choices) != 3 {
		return false
	}
	for i, id := range []string{"allow_once", "allow_local_prefix", "abort"} {
		c := tree(choices[i].(map[string]any))
		if c.text("choiceId") != id || id == "allow_local_prefix" && !strings.HasSuffix(c.text("label"), " ...") {
			return false
		}
	}
	return true
}

// shells makes the shell lines of the user.
func (s *scripter) shells() {
	var shells []any
	for q, l := range s.lines {
		a, answered := s.answer[q]
		if s.method[q] != "session/userShell" || !l.client || !answered || !s.lines[a].frame.has("result") {
			continue
		}
		id := l.frame.text("params", "commandId")
		shell := object{"command": l.frame.text("params", "commandText"), "deltas": []any{}}
		itemID := ""
		for _, later := range s.lines[q:] {
			f := later.frame
			if later.client {
				continue
			}
			item := f.object("params", "item")
			switch m := f.method(); {
			case m == "item/started" && item.text("commandId") == id:
				itemID = item.text("itemId")
			case (m == "approval/requested" || m == "approval/request") && f.text("params", "turnId") == id && shell["approval"] == nil:
				shell["approval"] = approvalOf(f.object("params"))
			case m == "item/delta" && f.text("params", "itemId") == itemID && itemID != "":
				shell["deltas"] = append(shell["deltas"].([]any), f.text("params", "delta"))
			case m == "item/completed" && item.text("itemId") == itemID && itemID != "" && item.text("status") != "rejected":
				shell["ends"] = object{"status": item.text("status"), "output": item.text("visibleOutput")}
			}
		}
		shells = append(shells, shell)
	}
	if shells != nil {
		s.script["shells"] = shells
	}
}
