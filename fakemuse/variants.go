package fakemuse

import (
	"fmt"
	"slices"
	"strings"
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
	noDecidedAt          = "no-decided-at"         // approval/resolved does not say when
)

// variantGroups are the sets of variants that exclude each other. Without a choice in a group the host does what is
// marked as default above; for the cursor of session/start, what a real host does: empty in the default approval mode,
// numbered in every other.
func variantGroups() [][]string {
	return [][]string{
		{acksFirst, eventsFirst},
		{cursorEmpty, cursorNumbered},
		{lastStageRepeated},
		{approvalBoth, approvalNotification, approvalRequest, requestFirst},
		{pendingFull},
		{noDecidedAt},
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
	if !chosen[eventsFirst] {
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
	if near := nearest(name, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; there are: " + strings.Join(known, ", ")
}

// nearest gives the known name that differs least from name, or "" when all differ by more than a third of it.
func nearest(name string, known []string) string {
	best, bestDistance := "", max(2, len(name)/3)+1
	for _, candidate := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance is the number of characters to insert, delete or change to make b from a.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j := range to {
			cost := 1
			if from[i] == to[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
