package steps

import (
	"slices"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// museChecks are about what reached Muse, and what Muse did.
func museChecks() []Definition {
	return []Definition{
		{Sentence: `Muse was started {n} times, with {text}`, IDs: []string{"MUSE-SESS-05", "MUSE-SESS-01", "MUSE-TURN-21"}, run: started},
		{Sentence: `Muse was not started before the first prompt`, IDs: []string{"MUSE-SESS-01"}, run: lazily},
		{Sentence: `Muse was called in this order: {text}`, IDs: []string{"MUSE-SESS-06"}, run: calls},
		{Sentence: `Muse heard {text}`, IDs: []string{"ACP-PR-05"}, run: func(s *conform.Scenario, a args) error {
			if s.Broken() != nil {
				return nil
			}
			var got []string
			for _, t := range s.Facts().Turns {
				got = append(got, strings.Join(t.Texts, "\n"))
			}
			s.Check("the text of the prompt reaches Muse", []string{"ACP-PR-05"}, slices.Equal(got, []string{a[0]}), &conform.Place{Lane: "muse 1", Offset: -1, Expected: a[0], Actual: list(got)}, "Muse heard %s", list(got))
			return nil
		}},
		{Sentence: `Muse was told {text}`, IDs: append(toldIDs(), "MUSE-PERM-19"), run: toldMuse},
		{Sentence: `Muse was told {text} in session {n}`, IDs: []string{"ACP-PERM-10", "REQ-ACP-16"}, run: toldSession},
		{Sentence: `Muse was never told to go ahead`, IDs: []string{"MUSE-PERM-24", "REQ-APPR-18", "REQ-ACP-09", "REQ-ACP-10", "REQ-ACP-11", "REQ-ACP-12", "REQ-ACP-01", "REQ-ACP-02", "REQ-ACP-13", "REQ-ACP-15", "REQ-ACP-17", "ACP-PERM-08", "ACP-PERM-11", "MUSE-PERM-32"}, run: func(s *conform.Scenario, _ args) error {
			ids := []string{"MUSE-PERM-24", "REQ-APPR-18", "REQ-ACP-09", "REQ-ACP-10", "REQ-ACP-11", "REQ-ACP-12", "REQ-ACP-01", "REQ-ACP-02", "REQ-ACP-13", "REQ-ACP-15", "REQ-ACP-17", "ACP-PERM-08", "ACP-PERM-11", "MUSE-PERM-32"}
			for _, d := range s.Facts().Decisions {
				if d.Grants {
					s.Check("Muse is never told to go ahead", ids, false, s.At(d.Seq, "/params/choiceId", "no choice that approves", d.Choice), "Muse was told %q", d.Choice)
					return nil
				}
			}
			s.Check("Muse is never told to go ahead", ids, true, nil, "")
			return nil
		}},
		{Sentence: `Muse was sent no decision, only a cancel of the turn`, IDs: []string{"MUSE-PERM-24"}, run: onlyCancel},
		{Sentence: `Muse got its receipt before the editor had answered`, IDs: []string{"MUSE-PERM-03"}, run: receipt},
		{Sentence: `the model read {text}`, IDs: denialIDs(), run: modelRead},
		{Sentence: `the tool call of {text} ended as {text}, with the text {text}`, IDs: append(denialIDs(), "REQ-ACP-14", "REQ-ACP-07"), run: closedWith},
	}
}

func started(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	starts := s.HostStarts()
	s.Check("Muse is started as often as it should", []string{"MUSE-SESS-01", "MUSE-TURN-21"}, len(starts) == a.number(0), nil, "Muse was started %d times, not %d", len(starts), a.number(0))
	for _, argv := range starts {
		got := strings.Join(argv, " ")
		s.Check("Muse is started with the right arguments", []string{"MUSE-SESS-05"}, got == a[1], &conform.Place{Lane: "muse 1", Offset: -1, Expected: a[1], Actual: got}, "Muse was started with %q", got)
	}
	return nil
}

func lazily(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	prompted := false
	for _, r := range s.Records() {
		prompted = prompted || r.Lane == wire.Client && r.Frame.Method == "session/prompt"
		if r.Dir == wire.Start {
			s.Check("Muse is started with the first turn", []string{"MUSE-SESS-01"}, prompted, s.At(r.Seq, "", "no start before a prompt", "a start"), "Muse was started before the first prompt")
			return nil
		}
	}
	s.Check("Muse is started with the first turn", []string{"MUSE-SESS-01"}, false, nil, "Muse was never started")
	return nil
}

// hostCalls lists the methods that the adapter sent to its hosts, without receipts.
func hostCalls(s *conform.Scenario) (methods []string, seqs []int) {
	for _, r := range s.Records() {
		if r.Lane != wire.Client && r.Dir == wire.FromAdapter && r.Frame.Method != "" {
			methods, seqs = append(methods, r.Frame.Method), append(seqs, r.Seq)
		}
	}
	return methods, seqs
}

func calls(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	want := strings.Split(a[0], ", ")
	methods, _ := hostCalls(s)
	// The catalogue may be asked for at any time.
	methods = slices.DeleteFunc(methods, func(m string) bool { return m == "model/list" })
	if len(methods) > len(want) {
		methods = methods[:len(want)]
	}
	s.Check("Muse is called in the fixed order", []string{"MUSE-SESS-06"}, slices.Equal(methods, want), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(want), Actual: list(methods)}, "Muse was called in another order: %s", list(methods))
	return nil
}

// toldIDs are the requirements about which decision is sent.
func toldIDs() []string {
	return []string{"MUSE-PERM-11", "MUSE-PERM-12", "MUSE-PERM-13", "REQ-ACP-08", "REQ-ESC-09", "MUSE-PERM-30", "MUSE-MODE-04", "MUSE-MODE-05", "MUSE-PERM-31", "ACP-RPC-15", "ACP-RPC-16"}
}

func toldMuse(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := toldIDs()
	var got []string
	for _, d := range s.Facts().Decisions {
		got = append(got, d.Label)
	}
	want := strings.Split(a[0], " | ")
	s.Check("no decision is sent again", []string{"MUSE-PERM-19"}, len(got) <= len(want), nil, "Muse was told %s", list(got))
	s.Check("Muse is told the decision, once", ids, slices.Equal(got, want), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(want), Actual: list(got)}, "Muse was told %s", list(got))
	return nil
}

func toldSession(s *conform.Scenario, a args) error {
	ids := []string{"ACP-PERM-10", "REQ-ACP-16"}
	// The host's session is found by the tool call: an adapter may use ids of its own on either side.
	asked := map[string]bool{}
	for _, q := range s.Questions() {
		asked[q.HostCall] = asked[q.HostCall] || q.Session == a.number(1)
	}
	var got []string
	for _, d := range s.Facts().Decisions {
		if asked[d.Call] {
			got = append(got, d.Label)
		}
	}
	if s.Broken() != nil && len(got) == 0 {
		return nil // what was decided is evidence even so; what was not, is none
	}
	s.Check("each answer reaches its own call", ids, slices.Equal(got, a[:1]), &conform.Place{Offset: -1, Expected: a[0], Actual: list(got)}, "for the call of session %s Muse was told %s", a[1], list(got))
	return nil
}

func onlyCancel(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	methods, seqs := hostCalls(s)
	cancelled := false
	for i, m := range methods {
		if m == "approval/decide" {
			s.Check("a cancelled question is not decided", []string{"MUSE-PERM-24"}, false, s.At(seqs[i], "", "no decision", m), "Muse was sent a decision")
			return nil
		}
		cancelled = cancelled || m == "turn/cancel" || m == "turn/interrupt"
	}
	s.Check("a cancelled question is not decided", []string{"MUSE-PERM-24"}, cancelled, nil, "Muse was not sent a cancel of the turn")
	return nil
}

func receipt(s *conform.Scenario, _ args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "Muse gets its receipt at once"
	records := s.Records()
	answered := len(records)
	for _, q := range s.Questions() {
		for _, r := range records {
			if r.Answers == q.Seq && r.Seq < answered {
				answered = r.Seq
			}
		}
	}
	for _, r := range records {
		if r.Dir == wire.FromAdapter && r.Lane != wire.Client && r.Answers >= 0 && records[r.Answers].Frame.Method == "approval/request" {
			s.Check(name, []string{"MUSE-PERM-03"}, r.Seq < answered, s.At(r.Seq, "", "a receipt before the editor's answer", "one behind it"), "the receipt came behind the editor's answer")
			s.Check(name, []string{"MUSE-PERM-03"}, string(r.Frame.Result) == "{}", s.At(r.Seq, "/result", "{}", string(r.Frame.Result)), "the receipt is not an empty object")
			return nil
		}
	}
	s.Check(name, []string{"MUSE-PERM-03"}, false, nil, "Muse's own request was never acknowledged")
	return nil
}

// denialIDs are the requirements about the texts of denials.
func denialIDs() []string {
	return []string{"REQ-ASK-01", "REQ-ASK-02", "REQ-ASK-03", "REQ-ASK-04", "REQ-ASK-05", "REQ-ASK-06", "REQ-ESC-02", "REQ-ESC-03", "REQ-ESC-05", "REQ-ESC-06", "REQ-ESC-07", "REQ-ESC-08", "REQ-HOOK-02", "REQ-HOOK-03"}
}

func modelRead(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := denialIDs()
	var got []string
	for _, t := range s.Facts().Tools {
		got = append(got, t.Output)
	}
	found := slices.ContainsFunc(got, func(o string) bool { return strings.Contains(o, a[0]) })
	s.Check("the model reads why", ids, found, &conform.Place{Lane: "muse 1", Offset: -1, Expected: a[0], Actual: list(got)}, "the model read %s", list(got))
	return nil
}

func closedWith(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	ids := append(denialIDs(), "REQ-ACP-14", "REQ-ACP-07")
	for _, c := range s.ToolCalls() {
		if !isAbout(s, c, a[0]) {
			continue
		}
		at := s.At(c.Seqs[len(c.Seqs)-1], "/params/update", a[1]+": "+a[2], strings.Join(c.Statuses, ", ")+": "+c.Text)
		status := ""
		if n := len(c.Statuses); n > 0 {
			status = c.Statuses[n-1]
		}
		s.Check("the tool call is closed as it should", []string{"REQ-ACP-14", "REQ-ACP-07"}, status == a[1], at, "the tool call ended as %s", status)
		s.Check("the tool call says why", denialIDs(), strings.Contains(c.Text, a[2]), at, "the tool call's text is %q", c.Text)
		return nil
	}
	s.Check("the tool call is closed as it should", ids, false, nil, "no tool call was announced whose rawInput or title holds %q", a[0])
	return nil
}
