package reference

import "slices"

// Fault is one small deviation from what is right, switched on by Options.Fault. Each exists to show that a check
// notices it.
type Fault string

// The faults. Those of single lines are in faultlines.go and have no names in Go.
const (
	GrantOnUnknownOption  Fault = "grant-on-unknown-option"
	GrantOnDismissal      Fault = "grant-on-dismissal"
	GrantOnRPCError       Fault = "grant-on-rpc-error"
	GrantOnNoOutcome      Fault = "grant-on-missing-discriminator"
	GrantOnPrefix         Fault = "grant-on-prefix"
	DecideBeforeAnswer    Fault = "decide-before-answer"
	LiesAboutDenied       Fault = "lies-about-denied-command"
	AsksWrongSession      Fault = "asks-wrong-session"
	LoseEarlyCancel       Fault = "lose-early-cancel"
	LateAnswerGrants      Fault = "late-answer-grants"
	CancelEndsTurn        Fault = "cancel-answers-end-turn"
	CancelIsError         Fault = "cancel-answers-error"
	UpdateAfterResponse   Fault = "drop-updates-after-response"
	TextTwice             Fault = "text-twice"
	NoAnnouncement        Fault = "no-tool-announcement"
	StatusBackwards       Fault = "tool-status-backwards"
	StatusInAsk           Fault = "in-progress-while-asking"
	CardsLeftOpen         Fault = "tool-left-open"
	SecondOvertakes       Fault = "second-request-overtakes"
	IgnoresBadJSON        Fault = "ignores-bad-json"
	AnswersNotification   Fault = "answers-notification"
	DoubleResponse        Fault = "double-response"
	SwapsAnswers          Fault = "swaps-answers"
	EscalationExtraOption Fault = "escalation-extra-option"
	EscalationReason      Fault = "escalation-shows-reason"
	PersistentDenial      Fault = "persistent-denial"
	DecidesTwice          Fault = "decides-twice"
	DecidesWrongStage     Fault = "decides-wrong-stage"
	AsksTwice             Fault = "asks-twice"
	BlocksDialogs         Fault = "one-dialog-at-a-time"
	RemembersGrant        Fault = "remembers-once-grant"
	PolicyBypass          Fault = "policy-bypass"
	DropsPair             Fault = "drops-decided"
	ReordersOptions       Fault = "reorders-options"
	ReplaysTurn           Fault = "replays-turn"
	HidesFailure          Fault = "failed-turn-ends-well"
	StdoutNoise           Fault = "stdout-noise"
	KeepsHost             Fault = "keeps-host-after-exit"
	IDTypeChanged         Fault = "id-type-changed"
	EchoesVersion         Fault = "echoes-protocol-version"
	RelativeCwd           Fault = "accepts-relative-cwd"
	UnknownMethodOK       Fault = "unknown-method-succeeds"
	UnaskedMeta           Fault = "sends-unasked-meta"
	RawReasoning          Fault = "shows-raw-reasoning"
	FloatNumbers          Fault = "reformats-numbers"
	WrongSessionUpdate    Fault = "updates-wrong-session"
	EarlyHost             Fault = "starts-host-at-session-new"
	DeniesAllowed         Fault = "denies-what-was-allowed"
	OneDialogForAll       Fault = "one-dialog-for-all-sessions"
	RepeatsSessionID      Fault = "repeats-session-id"
	StaysAfterEnd         Fault = "stays-after-end"
	LastLineCut           Fault = "last-line-cut"
	BusyAfterCancel       Fault = "busy-after-cancel"
	ReusesHost            Fault = "reuses-cancelled-host"
	AcceptsSecond         Fault = "accepts-second-prompt"
	ModelBeforeMode       Fault = "model-before-mode"
	DecidesOnCancel       Fault = "decides-on-cancel"
	EscalatesUnasked      Fault = "escalates-unasked"
	LateUpdate            Fault = "update-behind-response"
	ServesWithArgument    Fault = "serves-with-argument"
)

// FaultInfo describes a fault.
type FaultInfo struct {
	Name     Fault
	Sentence string
}

// Faults lists all faults.
func Faults() []FaultInfo {
	return slices.Concat(faults(), elsewhereFaults(), seamFaults(), grantFaults(), observeFaults(), modeFaults(), answerFaults(), auditFaults(), hookFaults(), absentFaults(), sessionFaults(), turnFaults(), restFaults(), meaningFaults(), outsideFaults(), conversationFaults(), shownFaults(), longFaults(), protocolFaults(), lineFaults())
}

func faults() []FaultInfo {
	return []FaultInfo{
		{GrantOnUnknownOption, "An answer with an option that was never offered is taken as the first offered one."},
		{GrantOnDismissal, "A dismissed question is taken as the first offered option."},
		{GrantOnRPCError, "An error in place of an answer is taken as the first offered option."},
		{GrantOnNoOutcome, "An answer with the allow option but without outcome \"selected\" grants."},
		{GrantOnPrefix, "Any option id that begins with \"allow\" grants."},
		{DecideBeforeAnswer, "Muse is told to go ahead before the client has answered."},
		{LiesAboutDenied, "A command that the user rejected is run, and reported as failed."},
		{AsksWrongSession, "The question is asked in another session than the one whose turn it is."},
		{LoseEarlyCancel, "A cancel in the same write as its prompt is lost."},
		{LateAnswerGrants, "After a cancel the host is kept, and an allow that comes late is still sent to it."},
		{CancelEndsTurn, "A cancelled prompt is answered with end_turn."},
		{CancelIsError, "A cancelled prompt is answered with an error."},
		{UpdateAfterResponse, "The last update of a turn is sent after the response."},
		{TextTwice, "A message that was streamed is sent once more as a whole."},
		{NoAnnouncement, "A tool's updates are sent without its tool_call."},
		{StatusBackwards, "A tool that has ended is reported in progress again."},
		{StatusInAsk, "A tool is reported in progress while it is still asked about."},
		{CardsLeftOpen, "A tool that has not ended when its turn does stays open."},
		{SecondOvertakes, "A request is handled before a prompt that came before it in the same write."},
		{IgnoresBadJSON, "A line that is not JSON gets no answer."},
		{AnswersNotification, "A notification gets an answer."},
		{DoubleResponse, "A prompt is answered twice."},
		{SwapsAnswers, "The answers to two open questions are exchanged."},
		{EscalationExtraOption, "An escalation also offers to allow always."},
		{EscalationReason, "The question about an escalation shows its reason as the tool's title."},
		{PersistentDenial, "A dismissed question is settled with a denial that lasts, though a narrower one is offered."},
		{DecidesTwice, "Every decision is sent twice."},
		{DecidesWrongStage, "Every decision names the first stage."},
		{AsksTwice, "Every question is asked twice, and the second answer counts."},
		{BlocksDialogs, "A second question of a session waits until the first is answered."},
		{RemembersGrant, "What was allowed once is not asked about again."},
		{PolicyBypass, "Under the policy never the client is asked all the same."},
		{DropsPair, "A rejection is not written to the audit log."},
		{ReordersOptions, "The options are offered in reverse order."},
		{ReplaysTurn, "A turn that failed is sent to the host once more."},
		{HidesFailure, "A failed turn is answered with end_turn."},
		{StdoutNoise, "A line that is no message is written to stdout at the start."},
		{KeepsHost, "The host is left running when the adapter ends."},
		{IDTypeChanged, "A number as request id is answered as a string."},
		{EchoesVersion, "Whatever protocol version the client asks for is confirmed."},
		{RelativeCwd, "A relative working directory is accepted."},
		{UnknownMethodOK, "An unknown method is answered with an empty result."},
		{UnaskedMeta, "The initialize result has _meta though the client opted into nothing."},
		{RawReasoning, "Raw reasoning text is sent as a thought."},
		{FloatNumbers, "Numbers in tool arguments pass through floating point."},
		{WrongSessionUpdate, "Updates are sent to the first session that was made, whatever session they are of."},
		{EarlyHost, "A host is started and stopped when a session is made."},
		{DeniesAllowed, "What the user allowed is sent to Muse as a rejection."},
		{OneDialogForAll, "A question of one session waits until those of all others are answered."},
		{RepeatsSessionID, "A second session gets the id of the first."},
		{StaysAfterEnd, "An adapter that had two sessions does not end when its stdin does."},
		{LastLineCut, "The last line before the end has no LF."},
		{BusyAfterCancel, "After a cancelled turn its session takes no further prompt."},
		{ReusesHost, "After a cancelled turn its host is used for the next one."},
		{AcceptsSecond, "A prompt for a session that has one running is answered with end_turn at once."},
		{ModelBeforeMode, "The model is set before the approval mode."},
		{DecidesOnCancel, "A cancel sends a denial of what is being asked, then the cancel."},
		{EscalatesUnasked, "An escalation is granted without a question."},
		{LateUpdate, "An empty piece of text comes behind the response of its turn."},
		{ServesWithArgument, "The host is started with a further argument."},
	}
}
