package fakemuse

import (
	"encoding/json"
	"strings"
)

// The sets of choices that real hosts offer (msp.md §7.2).
const (
	setShell = "shell" // once, always for this program, reject
	setMCP   = "mcp"   // once, for the session, always for this tool, reject
	setFile  = "file"  // once, for the session, reject
	setOnce  = "once"  // once, reject
)

// ChoiceSets lists the names that Approval.ChoiceSet may have.
func ChoiceSets() []string { return []string{setShell, setMCP, setFile, setOnce} }

// setName is the set of choices that this approval offers; "" when the script lists them itself.
func (a *approval) setName(subjectKind string) string {
	switch {
	case a.widened && a.spec.Widened.ChoiceSet != "":
		return a.spec.Widened.ChoiceSet
	case a.widened || len(a.spec.Choices) > 0:
		return ""
	case a.spec.ChoiceSet != "":
		return a.spec.ChoiceSet
	}
	switch subjectKind {
	case "shell":
		return setShell
	case "fileAccess":
		return setFile
	case "tool":
		return setMCP
	}
	return setOnce
}

// choices are what is offered now; the labels of a shell's choices follow the current stage.
func (a *approval) choices() []Choice {
	once := Choice{ChoiceID: "allow_once", Label: "Allow once", Decision: "approved", Scope: "once", Grants: true}
	abort := Choice{ChoiceID: "abort", Label: "Reject", Decision: "abort", Scope: "once", AcceptsFeedback: true}
	session := Choice{
		ChoiceID: "allow_session", Label: "Allow for this session", Decision: "approvedForSession", Scope: "session", Grants: true,
	}
	always := Choice{Decision: "approvedPolicyAmendment", Scope: "localPersistent", Grants: true}
	switch a.setName(a.subject.Kind) {
	case "":
		if a.widened && len(a.spec.Widened.Choices) > 0 {
			return a.spec.Widened.Choices
		}
		return a.spec.Choices
	case setShell:
		var argv []string
		if a.current < len(a.subject.Stages) {
			argv = a.subject.Stages[a.current].Argv
		}
		always.ChoiceID, always.Label = "allow_local_prefix", prefixLabel(argv)
		always.RulePreview = always.Label
		return []Choice{once, always, abort}
	case setMCP:
		always.ChoiceID, always.Label = "allow_local_mcp_tool", "Always allow in this workspace: "+a.item.Tool
		always.RulePreview = always.Label
		return []Choice{once, session, always, abort}
	case setFile:
		session.RulePreview = strings.TrimSpace(a.subject.Access + " " + a.subject.Path)
		return []Choice{once, session, abort}
	}
	return []Choice{once, abort}
}

func prefixLabel(argv []string) string {
	program := "command"
	if len(argv) > 0 {
		program = argv[0]
	}
	return "Always allow in this workspace: " + program + " ..."
}

// knownDecisions are the decisions that MSP names, and whether they let the tool run.
func knownDecisions() map[string]bool {
	return map[string]bool{
		"approved": true, "approvedForSession": true, "approvedPolicyAmendment": true,
		"denied": false, "deniedPolicyAmendment": false, "timedOut": false, "abort": false,
	}
}

// toolArgs are a tool's arguments, read as far as they can be.
type toolArgs map[string]json.RawMessage

func argsOf(text string) toolArgs {
	var args toolArgs
	if json.Unmarshal([]byte(text), &args) != nil {
		return nil
	}
	return args
}

// text gives an argument that is a string, "" otherwise.
func (a toolArgs) text(name string) string {
	var s string
	if json.Unmarshal(a[name], &s) != nil {
		return ""
	}
	return s
}

// splitCommand cuts a command into words as a shell does for plain words and quotes. It expands nothing.
func splitCommand(command string) []string {
	words := []string{}
	var word strings.Builder
	inWord := false
	var quote rune
	escaped := false
	for _, c := range command {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case quote == 0 && c == '\\', quote == '"' && c == '\\':
			escaped, inWord = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}
