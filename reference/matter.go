package reference

import (
	"context"
	"fmt"

	"acp-conform/reference/approval"
)

// service is the approval seam as its askers see it. They look it up for every question, so one that goes away
// degrades the next question and no other (REQ-ASK-13).
type service interface {
	Request(context.Context, *approval.Request) (approval.Outcome, error)
	Policy(approval.Agent) approval.Policy
	SetPolicy(approval.Agent, approval.Policy) error
}

// matter is what is asked about, with what the model is told when it is not granted.
type matter struct {
	tool   string
	reason string // the asker's, for the log
	mode   string // the wider mode that an escalation wishes for; empty for any other question
}

// withoutService is for an adapter without the seam: the asker's own reason, where it has one (REQ-ASK-01, REQ-ASK-02,
// REQ-ESC-08).
func (m matter) withoutService() string {
	switch {
	case m.mode != "":
		return fmt.Sprintf("sandbox escalation to %q requires approval, but no approval service is composed", m.mode)
	case m.reason != "":
		return m.reason
	default:
		return fmt.Sprintf("tool %q requires approval (not yet supported)", m.tool)
	}
}

// withoutAgent is for the work of a session that is none of ours: there is nobody to ask, and no log to write to
// (REQ-ASK-03, REQ-ESC-08).
func (m matter) withoutAgent() string {
	if m.mode != "" {
		return fmt.Sprintf("sandbox escalation to %q requires approval, but the call has no agent to route it through", m.mode)
	}
	return fmt.Sprintf("tool %q requires approval, but the call has no agent to route it through", m.tool)
}

// denied is for the outcomes that are no grant (REQ-ASK-04 to REQ-ASK-06, REQ-ESC-05 to REQ-ESC-07). Anything else
// never comes out of the seam, and is no grant either (REQ-ASK-08).
func (m matter) denied(o approval.Outcome) string {
	escalates := m.mode != ""
	switch {
	case o == approval.Rejected && escalates:
		return fmt.Sprintf("the user rejected escalating this command to %q", m.mode)
	case o == approval.Rejected:
		return fmt.Sprintf("the user rejected tool %q", m.tool)
	case o == approval.Cancelled && escalates:
		return fmt.Sprintf("approval for escalating to %q was cancelled", m.mode)
	case o == approval.Cancelled:
		return fmt.Sprintf("approval for tool %q was cancelled", m.tool)
	case o == approval.Unavailable && escalates:
		return fmt.Sprintf("sandbox escalation to %q requires approval, but no approval channel is available", m.mode)
	case o == approval.Unavailable:
		return fmt.Sprintf("tool %q requires approval, but no approval channel is available", m.tool)
	default:
		return fmt.Sprintf("the approval of tool %q came to what should be unreachable: outcome %q", m.tool, string(o))
	}
}
