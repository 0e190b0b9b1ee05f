package conform

import (
	"fmt"

	"acp-conform/wire"
)

// scopes looks at decisions that hold for longer than this once: each of them stands on an answer that picked an option of
// the kind allow_always for the same call. A user who allows something once must not find it allowed for good.
func scopes(e *evidence) []finding {
	hostCall := matchCalls(e.records, e.facts.Tools)
	lasting := map[string][]int{} // the host's call -> Seqs of answers that allow for good
	for _, q := range e.s.questions {
		if !q.answered || q.form {
			continue
		}
		for _, r := range e.records {
			if r.Answers != q.seq || r.Dir != wire.ToAdapter || wire.LookupString(r.Frame.Result, "outcome", "outcome") != "selected" {
				continue
			}
			picked := wire.LookupString(r.Frame.Result, "outcome", "optionId")
			for _, o := range optionsOf(q.frame.Params) {
				if o.ID == picked && o.Kind == "allow_always" {
					key := hostCall(q.session, wire.LookupString(q.frame.Params, "toolCall", "toolCallId"))
					lasting[key] = append(lasting[key], r.Seq)
				}
			}
		}
	}
	const id = "ACP-PERM-01"
	var bad []finding
	used := map[string]int{}
	granting := false
	for _, d := range e.facts.Decisions {
		granting = granting || d.Grants
		if !d.Grants || !d.Lasts {
			continue
		}
		earlier := 0
		for _, seq := range lasting[d.Call] {
			if seq < d.Seq {
				earlier++
			}
		}
		if earlier <= used[d.Call] {
			bad = append(bad, e.bad(d.Seq, "", "a choice for this once, which is what the client allowed", d.Choice, id, "%s",
				fmt.Sprintf("the host was told %q, which lasts, and the client had allowed the call %q for once at most", d.Label, d.Call)))
			continue
		}
		if d.Accepted {
			used[d.Call]++
		}
	}
	if !granting {
		return nil
	}
	return verdicts([]string{id}, bad)
}
