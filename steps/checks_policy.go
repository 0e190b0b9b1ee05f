package steps

import (
	"fmt"
	"slices"
	"strings"

	"acp-conform/conform"
)

// The literals that the model is told about the policy (approval-seam.md §4.3), and the words that stand for them in a
// sentence.
const (
	disabledWords   = "the sentence that prompts are disabled"
	disabledLiteral = "Approval prompts are disabled in this session: actions that require approval are rejected automatically — do not request sandbox escalation (do not set `sandbox_permissions`)."

	noticeWords   = "the notice of %s's change from %s to %s"
	noticeLiteral = `The approval policy changed from "%[2]s" to "%[3]s" (changed by %[1]s).`
)

// policyChecks are about what Muse is told of the policy.
func policyChecks() []Definition {
	return []Definition{
		{Sentence: `Muse heard in turn {n}, part by part, {text}`, IDs: heardIDs(), run: heardParts},
	}
}

func heardIDs() []string {
	return slices.Concat(toldNever(), toldChange(), []string{"REQ-POL-12"})
}

func toldNever() []string { return []string{"REQ-POL-01", "REQ-POL-10", "REQ-POL-14"} }

func toldChange() []string { return []string{"REQ-POL-08", "REQ-POL-09", "REQ-POL-11"} }

// heardParts compares the text parts of one turn's input, in their order: the sentence and the notice each by
// themselves, and who made the change apart from whether it is told.
func heardParts(s *conform.Scenario, a args) error {
	if s.Broken() != nil {
		return nil
	}
	turns := s.Facts().Turns
	n := a.number(0)
	if n < 1 || n > len(turns) {
		s.Check("the model is told of the policy as it should be", heardIDs(), false, nil, "Muse was given %d turns", len(turns))
		return nil
	}
	var want []string
	for _, part := range strings.Split(a[1], " | ") {
		want = append(want, literalOf(part))
	}
	t := turns[n-1]
	at := s.At(t.Seq, "/params/input", list(want), list(t.Texts))
	told := func(texts []string) bool { return slices.Contains(texts, disabledLiteral) }
	changes := func(texts []string) []string {
		return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return !isNotice(text) })
	}
	s.Check("the model is told that prompts are disabled when they are", toldNever(), told(want) == told(t.Texts), at, "Muse heard %s", list(t.Texts))
	s.Check("the model is told of a change once", toldChange(), len(changes(want)) == len(changes(t.Texts)), at, "Muse heard %s", list(t.Texts))
	if told(want) == told(t.Texts) && len(changes(want)) == len(changes(t.Texts)) {
		s.Check("the notice says who changed what", []string{"REQ-POL-12"}, slices.Equal(changes(want), changes(t.Texts)), at, "Muse heard %s", list(t.Texts))
		rest := func(texts []string) []string {
			return slices.DeleteFunc(slices.Clone(texts), isNotice)
		}
		before := func(texts []string) int { return slices.IndexFunc(texts, isNotice) }
		s.Check("what the model is told stands in front of the prompt", slices.Concat(toldNever(), toldChange()),
			slices.Equal(rest(want), rest(t.Texts)) && before(want) == before(t.Texts), at, "Muse heard %s", list(t.Texts))
	}
	return nil
}

// isNotice reports whether a text is a notice of a change, whatever it says of it.
func isNotice(text string) bool {
	begin, _, _ := strings.Cut(noticeLiteral, "%")
	return strings.HasPrefix(text, begin)
}

// literalOf gives what a part stands for: one of the literals, or itself.
func literalOf(part string) string {
	if part == disabledWords {
		return disabledLiteral
	}
	for who, literal := range map[string]string{"the user": "the user", "the operator": "the operator/config"} {
		for _, change := range [][2]string{{"ask", "never"}, {"never", "ask"}} {
			if part == fmt.Sprintf(noticeWords, who, change[0], change[1]) {
				return fmt.Sprintf(noticeLiteral, literal, change[0], change[1])
			}
		}
	}
	return part
}
