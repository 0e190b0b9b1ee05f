package conform

import "slices"

// allowedElsewhere reports whether a tool call runs by the decision of somebody else than the client. Such a call may
// run while its permission is still open.
func (e *evidence) allowedElsewhere(session, call string) bool {
	return e.allowedAnyway(matchCalls(e.records, e.facts.Tools)(session, call))
}

// allowedAnyway reports the same of a tool call of the host.
func (e *evidence) allowedAnyway(call string) bool {
	return slices.ContainsFunc(e.facts.Tools, func(t HostTool) bool { return t.Call == call && t.Allowed })
}
