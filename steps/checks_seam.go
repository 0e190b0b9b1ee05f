package steps

import (
	"slices"
	"strings"

	"acp-conform/conform"
)

// seamChecks are about who is asked, and by whom.
func seamChecks() []Definition {
	return []Definition{
		{Sentence: `the question about {text} offered {text}`, IDs: offeredIDs(), run: offered},
		{Sentence: `the questions offered {text}`, IDs: onceIDs(), run: func(s *conform.Scenario, a args) error {
			return offeredInTurn(s, onceIDs(), a[0])
		}},
	}
}

// unaskedIDs are the requirements that a question breaks which should not have been asked.
func unaskedIDs() []string {
	return append(automaticIDs(), "ACP-MODE-10", "MUSE-PERM-02", "REQ-ACP-18", "REQ-ACP-01", "REQ-ACP-02", "REQ-ACP-19", "REQ-APPR-07", "REQ-ASK-01", "REQ-ASK-02", "REQ-ESC-02", "REQ-ESC-03", "REQ-ESC-08", "REQ-HOOK-02", "REQ-HOOK-03")
}

func offeredIDs() []string {
	return []string{"REQ-ESC-09", "REQ-ESC-11", "REQ-HOOK-02", "REQ-HOOK-03"}
}

// offered looks at the first question about a command. Its options tell who asked: Muse's own choices, or the two
// one-shot options of a hook and of a request for wider rights.
func offered(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	const name = "the question comes from who should ask"
	want := strings.Split(a[1], " | ")
	for _, q := range s.Questions() {
		if strings.Contains(questionInput(s, q), jsonText(a[0])) {
			s.Check(name, offeredIDs(), slices.Equal(q.Options, want), s.At(q.Seq, "/params/options", list(want), list(q.Options)), "the question offers %s", list(q.Options))
			return nil
		}
	}
	s.Check(name, offeredIDs(), false, nil, "the editor was not asked about %q", a[0])
	return nil
}

// onceIDs are the requirements that a hook or a request for wider rights which asks about every part breaks.
func onceIDs() []string { return []string{"REQ-HOOK-01", "REQ-ESC-04", "REQ-ESC-11"} }

// offeredInTurn compares the options of all questions, in the order in which they were asked.
func offeredInTurn(s *conform.Scenario, ids []string, want string) error {
	if s.Broken() != nil {
		return nil
	}
	var got []string
	for _, q := range s.Questions() {
		got = append(got, strings.Join(q.Options, ", "))
	}
	s.Check("each question comes from who should ask", ids, strings.Join(got, " | ") == want, &conform.Place{Lane: "client", Offset: -1, Expected: want, Actual: list(got)}, "the questions offered %s", list(got))
	return nil
}
