package steps

import (
	"encoding/json"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// questionChecks are about what the editor was asked.
func questionChecks() []Definition {
	about := []string{"MUSE-PERM-01", "MUSE-PERM-08", "REQ-ACP-03", "ACP-PERM-13", "ACP-PERM-14", "REQ-ACP-16", "MUSE-MODE-10", "MUSE-PERM-33"}
	return []Definition{
		{Sentence: `the editor was asked once, about {text}, with {text}`, IDs: about, run: func(s *conform.Scenario, a args) error {
			return askedAbout(s, 0, a[0], strings.Split(a[1], " | "))
		}},
		{Sentence: `session {n} was asked once, about {text}, with {text}`, IDs: about, run: func(s *conform.Scenario, a args) error {
			return askedAbout(s, a.number(0), a[1], strings.Split(a[2], " | "))
		}},
		{Sentence: `the editor was asked twice`, IDs: []string{"REQ-ESC-09"}, run: func(s *conform.Scenario, _ args) error {
			if s.Broken() == nil {
				n := len(s.Questions())
				s.Check("the editor was asked twice", []string{"REQ-ESC-09"}, n == 2, nil, "the editor was asked %d times", n)
			}
			return nil
		}},
		{Sentence: `the question held only its session, its tool call and the one-shot options {text}`, IDs: []string{"REQ-ACP-03", "REQ-ACP-04", "REQ-ACP-05", "REQ-ESC-04", "REQ-HOOK-01"}, run: bareQuestion},
		{Sentence: `the file {text} did not exist before the first answer`, IDs: []string{"ACP-PERM-01", "REQ-ESC-04"}, run: func(s *conform.Scenario, a args) error {
			if questions := s.Questions(); len(questions) > 0 && questions[0].Answered {
				q := questions[0]
				s.Check("no effect before the answer", []string{"ACP-PERM-01", "REQ-ESC-04"}, !q.Before[a[0]], s.At(q.Seq, "", "no file "+a[0], "the file"), "the file %q existed before the question was answered", a[0])
			}
			return nil
		}},
		{Sentence: `the file {text} did not exist before the answer`, IDs: []string{"ACP-PERM-01", "REQ-ESC-04"}, run: func(s *conform.Scenario, a args) error {
			for _, q := range s.Questions() {
				if q.Answered {
					s.Check("no effect before the answer", []string{"ACP-PERM-01", "REQ-ESC-04"}, !q.Before[a[0]], s.At(q.Seq, "", "no file "+a[0], "the file"), "the file %q existed before the question was answered", a[0])
				}
			}
			return nil
		}},
	}
}

// askedAbout checks that one question was asked in a session (0: in all together), about this command, with these
// options.
func askedAbout(s *conform.Scenario, session int, command string, options []string) error {
	const name = "the editor is asked once, about the right thing"
	all := s.Questions()
	questions := slices.DeleteFunc(slices.Clone(all), func(q conform.Question) bool { return session > 0 && q.Session != session })
	if s.Broken() != nil {
		// Even so: that another session was asked, and this one was not, tells what held this one up.
		if len(questions) == 0 && len(all) > 0 {
			s.Check(name, []string{"ACP-PERM-13"}, false, nil, "session %d was not asked while another session had a question", session)
		}
		return nil
	}
	once := []string{"MUSE-PERM-01", "ACP-PERM-13", "ACP-PERM-14", "REQ-ACP-16", "MUSE-MODE-10", "MUSE-PERM-33"}
	if len(questions) != 1 {
		if len(questions) > 1 {
			once = []string{"MUSE-PERM-01", "MUSE-PERM-33"}
		}
		s.Check(name, once, false, nil, "the editor was asked %d times", len(questions))
		return nil
	}
	q := questions[0]
	s.Check(name, once, true, nil, "")
	s.Check(name, []string{"REQ-ACP-03"}, q.Session > 0, s.At(q.Seq, "/params/sessionId", "the id of a session", "another"), "the question is asked in a session that does not exist")
	input := questionInput(s, q)
	s.Check(name, []string{"ACP-PERM-14", "REQ-ACP-03", "REQ-ACP-16"}, strings.Contains(input, jsonText(command)), s.At(q.Seq, "/params/toolCall", "a tool call for "+command+", in its rawInput or title", input), "the question does not show what it is about")
	s.Check(name, []string{"MUSE-PERM-08", "REQ-ACP-03"}, slices.Equal(q.Options, options), s.At(q.Seq, "/params/options", list(options), list(q.Options)), "the question offers %s", list(q.Options))
	return nil
}

// questionInput gives what the user is shown of the tool call that a question is about: the input and the title of the
// question, and those of the announced call.
func questionInput(s *conform.Scenario, q conform.Question) string {
	shown := plain(wire.Lookup(q.Params, "toolCall", "rawInput")) + jsonText(wire.LookupString(q.Params, "toolCall", "title"))
	for _, c := range s.ToolCalls() {
		if c.ID == q.Call && c.Session == q.Session {
			shown += plain(c.RawInput) + jsonText(c.Title)
		}
	}
	return shown
}

// isAbout reports whether a tool call is the one for a command: the client is shown the command in its input or title,
// or the call has the host's id of one with that input.
func isAbout(s *conform.Scenario, c conform.ToolCall, command string) bool {
	if strings.Contains(plain(c.RawInput), jsonText(command)) || strings.Contains(c.Title, command) {
		return true
	}
	return slices.ContainsFunc(s.Facts().Tools, func(t conform.HostTool) bool {
		return t.Call == c.HostCall && strings.Contains(plain(t.Input), jsonText(command))
	})
}

// plain is the input of a tool call in one form, whatever escapes the adapter wrote it with.
func plain(raw json.RawMessage) string {
	var v any
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if json.Unmarshal(raw, &v) != nil || enc.Encode(v) != nil {
		return string(raw)
	}
	return b.String()
}

// jsonText is a text as it stands inside a JSON string.
func jsonText(text string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) != nil || b.Len() < 3 {
		return text
	}
	return b.String()[1 : b.Len()-2]
}

// bareQuestion checks the question of an escalation against its literal form (approval-seam.md §2.1).
func bareQuestion(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "the question of an escalation"
	questions := s.Questions()
	if len(questions) == 0 {
		s.Check(name, []string{"REQ-ESC-04", "REQ-HOOK-01"}, false, nil, "the editor was not asked")
		return nil
	}
	q := questions[0]
	options := strings.Split(a[0], " | ")
	s.Check(name, []string{"REQ-ESC-04", "REQ-HOOK-01"}, true, nil, "")
	known := slices.ContainsFunc(s.ToolCalls(), func(c conform.ToolCall) bool { return c.ID == q.Call && c.Session == q.Session })
	s.Check(name, []string{"REQ-ACP-03"}, q.Session > 0 && known, s.At(q.Seq, "/params", "the id of the session and of its call", string(q.Params)), "the question names another session or call")
	s.Check(name, []string{"REQ-ACP-03"}, slices.Equal(q.Options, options), s.At(q.Seq, "/params/options", list(options), list(q.Options)), "the question offers %s", list(q.Options))
	oneShot := !slices.ContainsFunc(q.Kinds, func(k string) bool { return !strings.HasSuffix(k, "_once") })
	s.Check(name, []string{"REQ-ACP-05"}, oneShot, s.At(q.Seq, "/params/options", "allow_once and reject_once", list(q.Kinds)), "the question offers more than one-shot options: %s", list(q.Kinds))
	got := memberNames(q.Params) + " " + memberNames(wire.Lookup(q.Params, "toolCall"))
	s.Check(name, []string{"REQ-ACP-04"}, got == "options sessionId toolCall toolCallId", s.At(q.Seq, "/params", "options, sessionId, toolCall{toolCallId}", got), "the question holds more or less than it may: %s", got)
	return nil
}

// memberNames lists the members of an object, sorted.
func memberNames(object json.RawMessage) string {
	members, err := wire.Members(object)
	if err != nil {
		return "?"
	}
	var names []string
	for _, m := range members {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
