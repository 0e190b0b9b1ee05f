package reference

import (
	"fmt"
	"strings"
	"time"

	"acp-conform/reference/muse"
)

// The faults of an end that comes while something is open, and of what is taken for something else.
const (
	GrantWhenTold  Fault = "grant-when-told-to-end"
	NoCancelBound  Fault = "no-cancel-bound"
	FirstChoices   Fault = "keeps-first-choices"
	LateForNext    Fault = "late-answer-counts-for-next"
	TitlesAnyStage Fault = "titles-any-stage"
	SilentRefusal  Fault = "refusal-without-reason"
)

func restFaults() []FaultInfo {
	return []FaultInfo{
		{GrantWhenTold, "When the adapter is told to end, what the client is being asked is granted."},
		{NoCancelBound, "After a cancel a host that says nothing any more is waited for without end."},
		{FirstChoices, "The choices of an approval stay those that the host offered first."},
		{LateForNext, "An answer to a question that is over counts for the one that is open, whatever is answered to that."},
		{TitlesAnyStage, "The title names a stage also where what the host says of it does not fit."},
		{SilentRefusal, "A call whose question came to nothing, so that the prompt fails, is closed without a reason."},
	}
}

// patience is until when a cancelled turn may end, but for the fault no-cancel-bound; the zero time is for ever.
func (s *session) patience() time.Time {
	if s.a.fault(NoCancelBound) {
		return time.Time{}
	}
	return time.Now().Add(s.a.o.Deadlines.Cancel)
}

// impatient ends the wait of the fault no-cancel-bound when the adapter ends.
func (s *session) impatient() bool { return s.closing && s.a.fault(NoCancelBound) }

// countForNext is for the fault late-answer-counts-for-next: the answer is kept, and counts in place of the next one. The
// session's goroutine hears both, so they are in order however fast the client is.
func (s *session) countForNext(r reply) {
	if s.a.fault(LateForNext) {
		s.kept = &r
	}
}

// keptOr is the answer that counts for one that came.
func (s *session) keptOr(r reply) reply {
	if s.kept != nil {
		r, s.kept = *s.kept, nil
	}
	return r
}

// titled is the title of a stage, with the fault titles-any-stage.
func (s *session) titled(v muse.Approval) string {
	title := stagedTitle(v)
	if title != "" || !s.a.fault(TitlesAnyStage) || v.Subject == nil || v.Current.SourceIndex >= len(v.Subject.Stages) {
		return title
	}
	stage := v.Subject.Stages[v.Current.SourceIndex]
	return fmt.Sprintf("Stage %s of %s: %s", stage.Position, stage.TotalStages, strings.Trim(string(stage.Argv), "[]"))
}
