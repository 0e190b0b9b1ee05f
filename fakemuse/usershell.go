package fakemuse

import (
	"errors"
	"strings"
)

// userShell runs a shell line of the user's own, beside the turns (msp.md §7.2). A script may say how it goes.
func (h *host) userShell(c *call) reply {
	text := c.params.text("commandText")
	if c.params.problem == "" && strings.TrimSpace(text) == "" {
		c.params.fail("`commandText` must not be empty")
	}
	if err := c.params.err(); err != nil {
		return fails(err)
	}
	s := c.session
	t := h.newTurn(s, c.commandID, c.commandID, turnInput{text: text})
	t.aside = h.server.shellLine(h.who(), text)
	s.asides = append(s.asides, t)
	s.durable = true
	s.writeLog()
	t.start(t.runShellLine)
	return reply{result: commandResult{CommandID: c.commandID, Status: "accepted"}, before: t.beginShellLine, after: func() { h.advance(t) }}
}

// shellLine gives the first unused Shell of the script for a line. A line that no Shell is for was not typed by any user:
// it is the adapter's own, it does not run, and it is a problem.
func (s *Server) shellLine(who, text string) *Shell {
	for i := range s.options.Script.Shells {
		shell := &s.options.Script.Shells[i]
		if !s.shells[i] && strings.Contains(text, shell.Command) {
			s.shells[i] = true
			return shell
		}
	}
	s.problem(ProblemUnscripted, who, "no user typed the shell line %q", trimName(text))
	return &Shell{Tool: Tool{Name: "shell", Fails: "no user typed this line"}}
}

// beginShellLine shows the line. Its item has the id of its record.
func (t *turn) beginShellLine() {
	s := t.session
	args := string(encode(struct {
		Command string `json:"command"`
	}{t.input.text}))
	source := s.fresh()
	t.begun = s.clock
	i := item{
		ItemID: source.First.ID, Kind: "userShell", Revision: 1, Status: "inProgress", RecordedAt: stamp(s.clock),
		CommandID: t.commandID, CommandText: t.input.text,
	}
	t.open = &toolCall{turn: t, item: i, first: source.First, stream: s.stream(), spec: &t.aside.Tool}
	task := ""
	if t.asks(&t.aside.Tool) {
		task = s.server.newID()
	}
	t.open.approvalID, t.open.taskID = task, task
	v := s.next(source)
	s.keep(i)
	s.publish("item/started", v, itemParams{view: v, Item: i})
	// What is asked about is the task, a call of the tool "shell".
	t.open.call = item{ItemID: task, Tool: "shell", CallID: "user_shell_" + t.commandID, Args: &args}
}

// runShellLine is the life of a shell line behind its beginning.
func (t *turn) runShellLine() {
	if err := t.open.run(); err != nil && !errors.Is(err, errStopped) {
		t.closeOpen(*t.cancelled)
	}
}
