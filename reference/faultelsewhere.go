package reference

import (
	"time"

	"acp-conform/reference/approval"
)

// The faults about what is decided elsewhere, does not move or is missing.
const (
	DecidesAfterEnd Fault = "decides-behind-the-end"
	NoStallBound    Fault = "no-stall-bound"
	PassesHoles     Fault = "passes-over-holes"
	OpenStalls      Fault = "stalls-while-asked"
	StallStays      Fault = "stall-without-cancel"
	ShowsBehindHole Fault = "shows-behind-a-hole"
)

func elsewhereFaults() []FaultInfo {
	return []FaultInfo{
		{DecidesAfterEnd, "An answer that comes when its turn has ended is sent to Muse all the same."},
		{NoStallBound, "An approval that does not move is waited for without end."},
		{PassesHoles, "A hole that the host does not fill is passed over."},
		{OpenStalls, "An approval about which the client is being asked counts as one that does not move."},
		{ShowsBehindHole, "What came behind a hole that cannot be filled is shown."},
		{StallStays, "A turn that stalled is not cancelled at Muse."},
	}
}

// forget gives a question up that was decided, unless a fault waits for its answer.
func (a *adapter) forget(k *ask) {
	if !a.fault(DecidesAfterEnd) && !a.fault(LateForNext) {
		a.calls.forget(k)
	}
}

// tooLate is for the faults decides-behind-the-end and late-answer-counts-for-next.
func (s *session) tooLate(k *ask, r reply) {
	s.countForNext(r)
	got := readAnswer(r, k.params.Options)
	if !s.a.fault(DecidesAfterEnd) || got.outcome != approval.AllowedOnce || s.host == nil {
		return
	}
	_ = s.host.Request("approval/decide", decideParams{newCommandID(), s.id, k.p.v.ApprovalID, got.option, k.stage, ""}, nil)
}

// never is for the fault no-stall-bound.
func (s *session) never(at time.Time) time.Time {
	if s.a.fault(NoStallBound) {
		return time.Time{}
	}
	return at
}

// stands reports whether an approval does not move while nobody is asked about it; with the fault stalls-while-asked, also
// while somebody is.
func (s *session) stands(p *pending) bool {
	return p.waits() || s.a.fault(OpenStalls) && !p.resolved
}
