package fakemuse

import (
	"fmt"
	"slices"
	"strings"

	"acp-conform/internal/strictjson"
)

// A real host varies, by version and by luck (msp.md §4, §5.1, §7, §12). Variants are named ways in which this one
// does; a right adapter passes under all of them.
const (
	acksFirst            = "acks-first"            // a command's answer comes before its events (default)
	eventsFirst          = "events-first"          // a command's events come before its answer
	cursorEmpty          = "cursor-empty"          // session/start always answers with an empty cursor
	cursorNumbered       = "cursor-numbered"       // session/start always answers with a numbered cursor
	lastStageRepeated    = "last-stage-repeated"   // approval/updated once more for the last stage, before approval/resolved
	approvalNotification = "approval-notification" // approvals come as notification only
	approvalRequest      = "approval-request"      // approvals come as request only
	approvalBoth         = "approval-both"         // approvals come as both, the notification first (default)
	requestFirst         = "request-first"         // approvals come as both, the request first
	pendingFull          = "pending-full"          // pendingRequests hold whole requests instead of pointers
	noDecidedAt          = "no-decided-at"         // approval/resolved and userInput/settled do not say when

	liveOrder          = "live-order"           // what a command itself writes down comes before its answer, what follows from it behind
	inputNotifiedFirst = "input-notified-first" // a question comes as notification, then as request; by default the other way round
	ownApprovalIDs     = "own-approval-ids"     // approval, task and item have ids of their own; by default they share one
	streamsByKind      = "streams-by-kind"      // turns and approvals have streams of records of their own, as in MSP's transcripts
	messageIsRecord    = "message-is-record"    // a user message has the id of its record
	truncatedShown     = "truncated-shown"      // a tool that ended says that its output is not cut, too
	noSuffixReason     = "no-suffix-reason"     // a resume with a cursor does not say why it has no history
	usageSilent        = "usage-silent"         // model calls are not reported as events
	statusEvents       = "status-events"        // the session's status is told as it changes, as newer hosts do
	gapFirst           = "gap-first"            // view/gap comes before the event behind the gap; by default after it
	announceClose      = "announce-close"       // session/closed comes when the host shuts down
	feedbackHidden     = "feedback-hidden"      // a denial's text is not shown in the tool's output; by default it is, as what the model read
	noLastTurn         = "no-last-turn"         // answers with a session's history do not restate its last turn
	resumeLoadedFresh  = "resume-loaded-fresh"  // a resume of a session that is loaded already gives cursor 1 and no items
)

// variantGroups are the sets of variants that exclude each other. Without a choice in a group the host does what is
// marked as default above; for the cursor of session/start, what a real host does: empty in the default approval mode,
// numbered in every other.
func variantGroups() [][]string {
	return [][]string{
		{acksFirst, eventsFirst, liveOrder},
		{cursorEmpty, cursorNumbered},
		{lastStageRepeated},
		{approvalBoth, approvalNotification, approvalRequest, requestFirst},
		{pendingFull},
		{noDecidedAt},
		{inputNotifiedFirst},
		{ownApprovalIDs},
		{streamsByKind},
		{messageIsRecord},
		{truncatedShown},
		{noSuffixReason},
		{usageSilent},
		{statusEvents},
		{gapFirst},
		{announceClose},
		{feedbackHidden},
		{noLastTurn},
		{resumeLoadedFresh},
	}
}

// VariantNames lists every host variant.
func VariantNames() []string { return slices.Concat(variantGroups()...) }

// CheckVariants reports the first unknown or contradictory name in a list of host variants.
func CheckVariants(names []string) error {
	_, err := chooseVariants(names, nil)
	return err
}

// variants is the choice in force: one name, or none, per group.
type variants map[string]bool

func (v variants) has(name string) bool { return v[name] }

func (v variants) names() []string {
	var names []string
	for _, name := range VariantNames() {
		if v[name] {
			names = append(names, name)
		}
	}
	return names
}

// chooseVariants combines what a script fixes with what a run asks for; the script wins within its groups.
func chooseVariants(fixed, wanted []string) (variants, error) {
	first, err := groupVariants(fixed)
	if err != nil {
		return nil, err
	}
	second, err := groupVariants(wanted)
	if err != nil {
		return nil, err
	}
	chosen := variants{}
	for i := range variantGroups() {
		if first[i] != "" {
			chosen[first[i]] = true
		} else if second[i] != "" {
			chosen[second[i]] = true
		}
	}
	if !chosen[eventsFirst] && !chosen[liveOrder] {
		chosen[acksFirst] = true
	}
	if !chosen[approvalNotification] && !chosen[approvalRequest] && !chosen[requestFirst] {
		chosen[approvalBoth] = true
	}
	return chosen, nil
}

// groupVariants sorts names into their groups.
func groupVariants(names []string) (map[int]string, error) {
	chosen := map[int]string{}
	for _, name := range names {
		group := slices.IndexFunc(variantGroups(), func(g []string) bool { return slices.Contains(g, name) })
		if group < 0 {
			return nil, fmt.Errorf("there is no host variant %q%s", name, didYouMean(name, VariantNames()))
		}
		if other := chosen[group]; other != "" && other != name {
			return nil, fmt.Errorf("the host variants %q and %q exclude each other", other, name)
		}
		chosen[group] = name
	}
	return chosen, nil
}

// didYouMean suggests the nearest of the known names, or lists them all when none is near.
func didYouMean(name string, known []string) string {
	if near := strictjson.Nearest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; there are: " + strings.Join(known, ", ")
}
