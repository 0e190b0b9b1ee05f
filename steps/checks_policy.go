package steps

import (
	"fmt"
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
	return []string{"REQ-POL-01", "REQ-POL-07", "REQ-POL-08", "REQ-POL-09", "REQ-POL-10", "REQ-POL-11", "REQ-POL-12", "REQ-POL-14", "ACP-PR-05"}
}

// heardParts compares the text parts of one turn's input, in their order.
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
	s.Check("the model is told of the policy as it should be", heardIDs(), strings.Join(t.Texts, "\n") == strings.Join(want, "\n") && len(t.Texts) == len(want),
		s.At(t.Seq, "/params/input", list(want), list(t.Texts)), "Muse heard %s", list(t.Texts))
	return nil
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
