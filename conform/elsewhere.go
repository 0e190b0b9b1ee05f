package conform

import "slices"

// allowedElsewhere reports whether a tool call runs by the decision of somebody else than the client. Such a call may
// run while its permission is still open.
func (e *evidence) allowedElsewhere(session, call string) bool {
	host := matchCalls(e.records, e.facts.Tools)(session, call)
	return slices.ContainsFunc(e.facts.Tools, func(t HostTool) bool { return t.Call == host && t.Allowed })
}
