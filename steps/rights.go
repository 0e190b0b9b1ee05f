package steps

import (
	"fmt"
	"slices"

	"acp-conform/conform"
)

// optionSandbox is the option by which a session shows that its adapter knows what rights a call has.
const optionSandbox = "sandbox-mode"

// refusesRights is the evidence that an adapter knows nothing of wider rights and refuses them by itself, as it must
// (REQ-ESC-08): none of its sessions has the option about the sandbox, it asked the editor nothing, and every decision
// that it sent to Muse was a denial. It is empty in a scenario in which nobody is to be asked, and for any other adapter:
// one that asks is judged by how it takes the answer, one that has the option must ask, and one that grants unasked is
// wrong.
func refusesRights(s *conform.Scenario) string {
	sessions := answersTo(s, "session/new")
	for _, r := range sessions {
		if slices.ContainsFunc(configOptions(r.Frame.Result), func(o configOption) bool { return o.ID == optionSandbox }) {
			return ""
		}
	}
	if s.ScriptedAnswers() == 0 {
		return "" // nobody is to be asked
	}
	decisions := s.Facts().Decisions
	if len(sessions) == 0 || len(decisions) == 0 || len(s.Questions()) > 0 || slices.ContainsFunc(decisions, func(d conform.Decision) bool { return d.Grants }) {
		return ""
	}
	return fmt.Sprintf("it refuses wider rights by itself: its sessions have no option %s, and it sent Muse %q without asking the editor", optionSandbox, decisions[0].Label)
}
