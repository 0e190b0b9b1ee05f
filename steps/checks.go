package steps

import (
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// turnChecks are about turns, texts, tool calls and files.
func turnChecks() []Definition {
	return []Definition{
		{Sentence: `the user was shown {text}`, IDs: []string{"ACP-PR-08", "MUSE-TURN-02", "MUSE-TURN-13", "ACP-ISO-02"}, run: func(s *conform.Scenario, a args) error {
			return shown(s, "the user was shown "+a[0], "agent_message_chunk", a[0], 0, "ACP-PR-08", "MUSE-TURN-02", "MUSE-TURN-13")
		}},
		{Sentence: `the user of session {n} was shown {text}`, IDs: []string{"ACP-ISO-02", "ACP-PR-08"}, run: func(s *conform.Scenario, a args) error {
			return shown(s, "the user of a session was shown its text only", "agent_message_chunk", a[1], a.number(0), "ACP-ISO-02", "ACP-PR-08")
		}},
		{Sentence: `the user was shown the thought {text}`, IDs: []string{"MUSE-TURN-25"}, run: func(s *conform.Scenario, a args) error {
			return shown(s, "the user was shown the thought", "agent_thought_chunk", a[0], 0, "MUSE-TURN-25")
		}},
		{Sentence: `the turn ended with {text}`, IDs: []string{"ACP-PR-01", "ACP-PR-14", "MUSE-TURN-14", "ACP-PERM-06", "ACP-CAN-01", "ACP-CAN-10", "REQ-ACP-14", "REQ-APPR-17"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, 0, a[0], "MUSE-TURN-14", "ACP-PERM-06", "ACP-CAN-01", "ACP-CAN-10", "REQ-ACP-14", "REQ-APPR-17")
		}},
		{Sentence: `the next turn ended with {text}`, IDs: []string{"ACP-CAN-06", "MUSE-TURN-21"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, 0, a[0], "ACP-CAN-06", "MUSE-TURN-21")
		}},
		{Sentence: `the turn of session {n} ended with {text}`, IDs: []string{"ACP-PR-01", "ACP-PERM-13", "MUSE-PERM-26"}, run: func(s *conform.Scenario, a args) error {
			return ended(s, a.number(0), a[1], "ACP-PERM-13", "MUSE-PERM-26")
		}},
		{Sentence: `the turn of session {n} is still open`, IDs: []string{"ACP-PERM-13", "REQ-ACP-16", "MUSE-PERM-26"}, run: func(s *conform.Scenario, a args) error {
			o := last(s.Outcomes(a.number(0)))
			s.Check("the turn of a session is still open", []string{"ACP-PERM-13", "REQ-ACP-16", "MUSE-PERM-26"}, !o.Answered, s.At(o.Seq, "", "no answer yet", describe(o)), "the turn was answered: %s", describe(o))
			return nil
		}},
		{Sentence: `all {n} turns ended with {text}`, IDs: []string{"ACP-CAN-08"}, run: func(s *conform.Scenario, a args) error {
			return allEnded(s, a.number(0), a[1])
		}},
		{Sentence: `the first was carried out and the second was refused with the error {n}`, IDs: []string{"MUSE-TURN-01"}, run: refused},
		{Sentence: `the file {text} exists`, IDs: ranIDs(), run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			s.Check("the file exists", ranIDs(), s.Exists(a[0]), nil, "the file %q does not exist in the workspace", a[0])
			return nil
		}},
		{Sentence: `the file {text} holds {text} once`, IDs: []string{"ACP-PERM-05", "ACP-PERM-09", "REQ-ACP-08", "REQ-APPR-23", "ACP-RPC-16"}, run: func(s *conform.Scenario, a args) error {
			got := s.File(a[0])
			s.Check("the command ran exactly once", []string{"ACP-PERM-05", "ACP-PERM-09", "REQ-ACP-08", "REQ-APPR-23", "ACP-RPC-16"}, got == a[1]+"\n", &conform.Place{Offset: -1, Expected: a[1] + "\n", Actual: got}, "the file %q holds %q", a[0], got)
			return nil
		}},
		{Sentence: `the file {text} does not exist yet`, IDs: []string{"REQ-ACP-16", "ACP-PERM-01", "ACP-PERM-12", "MUSE-PERM-31", "ACP-RPC-15"}, run: func(s *conform.Scenario, a args) error {
			s.Check("the file does not exist yet", []string{"REQ-ACP-16", "ACP-PERM-01", "ACP-PERM-12", "MUSE-PERM-31", "ACP-RPC-15"}, !s.Exists(a[0]), nil, "the file %q exists, though its question is still open", a[0])
			return nil
		}},
		{Sentence: `the connection was opened in version {n} of the protocol`, IDs: []string{"ACP-INIT-01", "ACP-INIT-02", "ACP-INIT-05"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			seq, result := s.Initialized()
			got := string(wire.Lookup(result, "protocolVersion"))
			s.Check("initialize answers the version that was asked for", []string{"ACP-INIT-02"}, got == a[0], s.At(seq, "/result/protocolVersion", a[0], got), "initialize answered version %s", got)
			s.Check("initialize names the capabilities", []string{"ACP-INIT-01"}, wire.Lookup(result, "agentCapabilities") != nil, s.At(seq, "/result", "agentCapabilities", "none"), "the answer to initialize has no agentCapabilities")
			introduced(s, seq, result)
			return nil
		}},
		{Sentence: `the sessions have different ids`, IDs: []string{"ACP-NEW-01"}, run: func(s *conform.Scenario, _ args) error {
			if s.Broken() != nil {
				return nil
			}
			ids := s.SessionIDs()
			different := slices.Sorted(slices.Values(ids))
			s.Check("the sessions have different ids", []string{"ACP-NEW-01"}, len(slices.Compact(different)) == len(ids), nil, "two sessions have the same id")
			return nil
		}},
		{Sentence: `the file {text} does not exist`, IDs: noEffect(), run: func(s *conform.Scenario, a args) error {
			exists := s.Exists(a[0])
			s.Check("the file does not exist", noEffect(), !exists, nil, "the file %q exists in the workspace, though nobody allowed it", a[0])
			if !exists { // an adapter could make up for it when nobody looks any more
				s.Finally(func() {
					s.Check("the file does not exist in the end", noEffect(), !s.Exists(a[0]), nil, "the file %q exists after the adapter has ended, though nobody allowed it", a[0])
				})
			}
			return nil
		}},
		{Sentence: `the tool call {text} went through {text}`, IDs: []string{"ACP-TOOL-01", "ACP-TOOL-07", "REQ-ACP-07", "MUSE-TURN-06"}, run: statuses},
	}
}

// ranIDs are the requirements that a granted call which does not run breaks.
func ranIDs() []string {
	return []string{"ACP-PERM-05", "REQ-ACP-08", "REQ-ESC-09", "REQ-ACP-16", "REQ-ASK-07", "REQ-APPR-28", "REQ-POL-03", "MUSE-MODE-04", "MUSE-MODE-10"}
}

// noEffect are the requirements that a file without its grant breaks.
func noEffect() []string {
	return []string{"ACP-PERM-06", "ACP-PERM-07", "ACP-PERM-08", "ACP-PERM-11", "REQ-ACP-09", "REQ-ACP-10", "REQ-ACP-11", "REQ-ACP-12", "MUSE-PERM-21", "ACP-CAN-10", "REQ-ACP-08", "REQ-ACP-14", "REQ-APPR-18", "REQ-ESC-09", "REQ-ACP-16",
		"REQ-ACP-01", "REQ-ACP-02", "REQ-ACP-13", "REQ-ACP-17", "REQ-ACP-19", "REQ-APPR-07", "REQ-ESC-02", "REQ-ESC-03", "REQ-ESC-08", "REQ-HOOK-02", "REQ-HOOK-03", "MUSE-MODE-05", "MUSE-MODE-06", "MUSE-MODE-08", "ACP-MODE-07", "ACP-MODE-09", "MUSE-MODE-09", "MUSE-MODE-10",
		"MUSE-PERM-31", "MUSE-PERM-32", "ACP-RPC-15", "ACP-RPC-16"}
}

func shown(s *conform.Scenario, name, variant, want string, session int, ids ...string) error {
	if s.Broken() != nil {
		return nil
	}
	got := s.Shown(session, variant)
	s.Check(name, ids, got == want, &conform.Place{Lane: "client", Offset: -1, Expected: want, Actual: got}, "what was shown is %q", got)
	return nil
}

// last is the last of a list, or the zero value.
func last[T any](list []T) T {
	if len(list) == 0 {
		var none T
		return none
	}
	return list[len(list)-1]
}

func describe(o conform.Outcome) string {
	switch {
	case !o.Answered:
		return "no answer"
	case o.Code != 0:
		return fmt.Sprintf("error %d: %s", o.Code, o.Message)
	}
	return "stop reason " + o.StopReason
}

func ended(s *conform.Scenario, session int, want string, ids ...string) error {
	if s.Broken() != nil {
		return nil
	}
	o := last(s.Outcomes(session))
	s.Check("the prompt is answered with a stop reason", []string{"ACP-PR-01"}, o.StopReason != "", s.At(o.Seq, "", "a stop reason", describe(o)), "the prompt came to: %s", describe(o))
	s.Check("a turn that nobody declined is not answered as refused", []string{"ACP-PR-14"}, o.StopReason != "refusal", s.At(o.Seq, "/result/stopReason", "another stop reason", describe(o)), "the prompt came to: %s", describe(o))
	s.Check("the turn ended with "+want, ids, o.StopReason == want, s.At(o.Seq, "", "stop reason "+want, describe(o)), "the turn ended otherwise: %s", describe(o))
	return nil
}

func allEnded(s *conform.Scenario, n int, want string) error {
	outcomes := s.Outcomes(0)
	for i, o := range outcomes {
		if o.StopReason != want {
			s.Check("all turns ended with "+want, []string{"ACP-CAN-08"}, false, s.At(o.Turn, "", "stop reason "+want, describe(o)), "turn %d of %d ended otherwise: %s", i+1, n, describe(o))
			return nil
		}
	}
	s.Check("all turns ended with "+want, []string{"ACP-CAN-08"}, len(outcomes) == n, nil, "only %d of %d turns were played", len(outcomes), n)
	return nil
}

func refused(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	outcomes := s.Outcomes(0)
	if len(outcomes) < 2 {
		return s.Harness("the scenario sent %d prompts, not two", len(outcomes))
	}
	first, second := outcomes[len(outcomes)-2], outcomes[len(outcomes)-1]
	const name = "the first prompt keeps its place"
	s.Check(name, []string{"MUSE-TURN-01"}, first.StopReason == "end_turn", s.At(first.Seq, "", "stop reason end_turn", describe(first)), "the first prompt came to: %s", describe(first))
	s.Check(name, []string{"MUSE-TURN-01"}, second.Code == -a.number(0), s.At(second.Seq, "", fmt.Sprintf("error -%d", a.number(0)), describe(second)), "the second prompt came to: %s", describe(second))
	s.Check(name, []string{"MUSE-TURN-01"}, second.Seq < first.Seq, s.At(second.Seq, "", "the refusal before the other answer", "behind it"), "the refusal came behind the answer to the first prompt")
	return nil
}

func statuses(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := []string{"ACP-TOOL-01", "ACP-TOOL-07", "REQ-ACP-07", "MUSE-TURN-06"}
	want := strings.Split(a[1], ", ")
	calls := s.ToolCalls()
	i := slices.IndexFunc(calls, func(c conform.ToolCall) bool { return isAbout(s, c, a[0]) })
	if i < 0 {
		s.Check("the tool call is announced", ids, false, nil, "no tool call was announced whose rawInput or title holds %q", a[0])
		return nil
	}
	c := calls[i]
	s.Check("the tool call is announced", []string{"ACP-TOOL-01", "REQ-ACP-07"}, c.Announced, s.At(c.Seqs[0], "/params/update/sessionUpdate", "tool_call", "tool_call_update"), "the tool call is updated, but was never announced")
	at := s.At(c.Seqs[len(c.Seqs)-1], "", list(want), list(c.Statuses))
	// To be in progress in between is what the protocol advises; only the two ends are demanded of everybody.
	ends := len(c.Statuses) > 0 && c.Statuses[0] == want[0] && c.Statuses[len(c.Statuses)-1] == want[len(want)-1]
	s.Check("the tool call begins and ends as it should", []string{"REQ-ACP-07"}, ends, at, "the tool call went through %s", list(c.Statuses))
	s.Check("a tool that runs is in progress", []string{"ACP-TOOL-07"}, c.Begun >= 0 || !slices.Contains(want, "in_progress"), at, "the tool call went through %s", list(c.Statuses))
	s.Check("the tool call goes through its statuses", []string{"MUSE-TURN-06"}, slices.Equal(c.Statuses, want), at, "the tool call went through %s", list(c.Statuses))
	for _, d := range s.Facts().Decisions {
		if d.Grants && d.Call == c.HostCall && c.Begun >= 0 {
			s.Check("the tool call begins after its grant", []string{"MUSE-TURN-06"}, c.Begun > d.Seq, s.At(c.Begun, "/params/update/status", "in_progress behind the grant", "in front of it"), "the tool call was in progress before Muse was told to go ahead")
			break // a grant that is sent twice is for others to judge
		}
	}
	return nil
}
