package conform

import (
	"bytes"
	"slices"
)

// Approve says that the user approves a command before anybody is asked, by setting the adapter to a mode that answers
// for them. Tool calls whose input holds the command need no grant of their own.
func (s *Scenario) Approve(command string) { s.approved = append(s.approved, command) }

// approved reports whether a tool call of the host is one that the user approved in advance.
func (e *evidence) approved(call string) bool {
	return slices.ContainsFunc(e.facts.Tools, func(t HostTool) bool {
		return t.Call == call && slices.ContainsFunc(e.s.approved, func(command string) bool {
			return bytes.Contains(t.Input, []byte(text(command)[1:len(text(command))-1]))
		})
	})
}

// ran reports whether a tool call of the host ran by a decision of the client.
func (e *evidence) ran(call string) bool {
	return slices.ContainsFunc(e.facts.Tools, func(t HostTool) bool { return t.Call == call && t.Ran && t.Asked && !t.Allowed })
}
