package steps

import (
	"slices"
	"strconv"
	"strings"

	"acp-conform/conform"
	"acp-conform/wire"
)

// restChecks are about what becomes of a question when Muse changes it, or falls silent, and about how a denial reads.
func restChecks() []Definition {
	return []Definition{
		{Sentence: `Muse was given up, and the turn ended with {text}`, IDs: []string{"MUSE-TURN-22"}, run: func(s *conform.Scenario, a args) error {
			outcomes := s.Outcomes(0)
			if len(outcomes) == 0 {
				return nil
			}
			// A prompt that is never answered ends the scenario, and is the finding.
			o := last(outcomes)
			s.Check("a Muse that does not stop is given up", []string{"MUSE-TURN-22"}, o.StopReason == a[0], s.At(o.Turn, "", "stop reason "+a[0], describe(o)), "the prompt came to: %s", describe(o))
			return nil
		}},
		{Sentence: `the first question offered {text}`, IDs: []string{"MUSE-PERM-22"}, run: func(s *conform.Scenario, a args) error {
			questions := s.Questions()
			if s.Broken() != nil && len(questions) == 0 {
				return nil
			}
			const name = "what Muse offers by now is offered"
			if len(questions) == 0 {
				s.Check(name, []string{"MUSE-PERM-22"}, false, nil, "the editor was not asked")
				return nil
			}
			q, want := questions[0], strings.Split(a[0], " | ")
			s.Check(name, []string{"MUSE-PERM-22"}, slices.Equal(q.Options, want), s.At(q.Seq, "/params/options", list(want), list(q.Options)), "the question offers %s", list(q.Options))
			return nil
		}},
		{Sentence: `Muse was told only what it still offered: {text}`, IDs: []string{"MUSE-PERM-27"}, run: stillOffered},
		{Sentence: `Muse was told only what the user meant: {text}`, IDs: []string{"MUSE-PERM-34"}, run: asMeant},
		{Sentence: `the user was asked for input once, whatever became of it`, IDs: []string{"MUSE-FORM-09"}, run: func(s *conform.Scenario, _ args) error {
			if forms := s.Forms(); s.Broken() == nil || len(forms) > 1 {
				s.Check("an answered form is not shown again", []string{"MUSE-FORM-09"}, len(forms) == 1, nil, "%d forms were shown, not one", len(forms))
			}
			return nil
		}},
		{Sentence: `what did not move was cancelled at Muse`, IDs: []string{"MUSE-PERM-25", "MUSE-FORM-09"}, run: func(s *conform.Scenario, _ args) error {
			methods, _ := hostCalls(s)
			if s.Broken() == nil {
				s.Check("a turn that stalled is cancelled at Muse", []string{"MUSE-PERM-25", "MUSE-FORM-09"}, slices.Contains(methods, "turn/cancel"), nil, "Muse was not sent a cancel of the turn")
			}
			return nil
		}},
		{Sentence: `the call was closed with the reason {text}`, IDs: []string{"MUSE-PERM-28"}, run: func(s *conform.Scenario, a args) error {
			const name = "a call that was not granted says why"
			for _, c := range s.ToolCalls() {
				end := c.Seqs[len(c.Seqs)-1]
				s.Check(name, []string{"MUSE-PERM-28"}, last(c.Statuses) == "failed" && strings.Contains(c.Text, a[0]),
					s.At(end, "/params/update", "failed: "+a[0], last(c.Statuses)+": "+c.Text), "the tool call ended as %s, with the text %q", last(c.Statuses), c.Text)
			}
			if s.Broken() == nil && len(s.ToolCalls()) == 0 {
				s.Check(name, []string{"MUSE-PERM-28"}, false, nil, "the user was shown no tool call")
			}
			return nil
		}},
		{Sentence: `the audit log decides its questions in the order {text}`, IDs: []string{"REQ-APPR-27"}, run: decidedOrder},
		{Sentence: `the denial of {text} is one text, told as an error to the model and to the user`, IDs: []string{"REQ-ASK-10"}, run: oneText},
	}
}

// stillOffered looks at all decisions that reached Muse: each is one of its choices at that moment, as Muse says.
func stillOffered(s *conform.Scenario, a args) error {
	const name = "what Muse does not offer any more is not sent"
	want := strings.Split(a[0], " | ")
	var got []string
	for _, d := range s.Facts().Decisions {
		if !d.Accepted {
			s.Check(name, []string{"MUSE-PERM-27"}, false, s.At(d.Seq, "/params/choiceId", "a choice that is offered", d.Choice), "Muse refused the decision %q", d.Label)
		}
		got = append(got, d.Label)
	}
	if s.Broken() == nil {
		s.Check(name, []string{"MUSE-PERM-27"}, slices.Equal(got, want), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(want), Actual: list(got)}, "Muse was told %s", list(got))
	}
	return nil
}

// asMeant looks for a decision that lets something run, in a conversation whose user always says no, and then at what each
// decision was called when it was sent.
func asMeant(s *conform.Scenario, a args) error {
	const name = "a choice is not sent with another meaning"
	ids := []string{"MUSE-PERM-34"}
	want := strings.Split(a[0], " | ")
	var got []string
	for _, d := range s.Facts().Decisions {
		if d.Grants {
			s.Check(name, ids, false, s.At(d.Seq, "/params/choiceId", "no choice that approves", d.Choice), "Muse was told %q, which nobody chose", d.Label)
		}
		if !slices.Contains(got, d.Label) { // that one is sent twice is another matter
			got = append(got, d.Label)
		}
	}
	if s.Broken() == nil {
		s.Check(name, ids, slices.Equal(got, want), &conform.Place{Lane: "muse 1", Offset: -1, Expected: list(want), Actual: list(got)}, "Muse was told %s", list(got))
	}
	return nil
}

// decidedOrder names each decision of a log by the place of its question.
func decidedOrder(s *conform.Scenario, a args) error {
	return audited(s, 0, func(log conform.AuditLog) {
		asked := map[string]int{}
		var got []string
		for _, e := range log.Entries {
			id := wire.LookupString(e.Data, "id")
			switch e.Type {
			case "approval/asked":
				asked[id] = len(asked) + 1
			case "approval/decided":
				got = append(got, strconv.Itoa(asked[id]))
			}
		}
		s.Check("each decision belongs to its question", []string{"REQ-APPR-27"}, strings.Join(got, ", ") == a[0], lines(a[0], got), "the questions were decided in the order %s", list(got))
	})
}

// oneText looks at what the model and the user read about a denied tool call.
func oneText(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	const name, begins = "a denial is one text that says it is an error", "Error: "
	ids := []string{"REQ-ASK-10"}
	for _, t := range s.Facts().Tools {
		if strings.Contains(plain(t.Input), jsonText(a[0])) {
			s.Check(name, ids, strings.HasPrefix(t.Output, begins), s.At(t.Seq, "", begins+"…", t.Output), "the model read %q", t.Output)
		}
	}
	for _, c := range s.ToolCalls() {
		if !isAbout(s, c, a[0]) {
			continue
		}
		at := s.At(c.Seqs[len(c.Seqs)-1], "/params/update/content", "one text: "+begins+"…", c.Text)
		s.Check(name, ids, c.Blocks == 1, at, "the user was shown %d blocks", c.Blocks)
		s.Check(name, ids, strings.HasPrefix(c.Text, begins), at, "the user was shown %q", c.Text)
		return nil
	}
	s.Check(name, ids, false, nil, "no tool call was shown whose input holds %q", a[0])
	return nil
}
