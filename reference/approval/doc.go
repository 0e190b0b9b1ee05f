// Package approval is the approval seam: it puts one question, "may this one action go ahead?", to whoever can
// answer it, and turns every way in which that can go into one of four outcomes.
//
// The package is mechanism only. Who asks (a host's approval, a hook, a sandbox escalation) and who answers (a
// client over ACP, a script) live elsewhere; it knows nothing of protocols, hooks or tools and imports the standard
// library only. Its rules, in the order in which they apply:
//
//   - A request needs an open turn. The agent's log is read backwards and the first turn/start or turn/end decides;
//     without an open turn the request fails and nothing is appended (REQ-APPR-01). A request without an agent or
//     without a tool name fails the same way (REQ-APPR-31).
//   - approval/asked is appended first, under a new id (REQ-APPR-02, REQ-APPR-03). If that fails nothing is asked
//     (REQ-APPR-21).
//   - A request that is already aborted is cancelled and no answerer runs (REQ-APPR-05, REQ-APPR-06).
//   - Then the policy: never rejects inside the service, before anything is dispatched, so no answerer in any
//     position can get ahead of it (REQ-APPR-05, REQ-APPR-07). The policy is the last approval/policy event of the
//     agent's log, else the configured one, else ask (REQ-APPR-26, REQ-POL-01, REQ-POL-03).
//   - Then the answerers: those put in front, the latest first, then the others as they were added (REQ-APPR-11).
//     The first that returns without calling next decides (REQ-APPR-09); one that does not know the agent calls next
//     (REQ-APPR-10) and may change what comes back (REQ-APPR-12). When all delegate, or there is none, the outcome is
//     unavailable (REQ-APPR-08, REQ-APPR-10).
//   - An answerer that returns an error, panics or ends its goroutine makes the outcome unavailable, also when it had
//     delegated before and a grant came back (REQ-APPR-13, REQ-APPR-14, REQ-APPR-15). So does a value that is not one
//     of the four outcomes, letter for letter (REQ-APPR-16).
//   - An abort while the question is open cancels at once and waits for nobody (REQ-APPR-17). What an answerer says or
//     does later changes nothing, and it cannot delegate any more (REQ-APPR-18, REQ-APPR-19). An abort that never
//     comes changes nothing either (REQ-APPR-20).
//   - approval/decided is appended exactly once, with the id of its approval/asked, before the outcome is returned
//     (REQ-APPR-04). If that fails the outcome is never a grant (REQ-APPR-21).
//   - Nothing is kept between requests: a grant is for this one action, and the same action asked again is asked again
//     (REQ-APPR-23). Requests of one agent may cross or nest; pairs are joined by id alone (REQ-APPR-27), and a policy
//     switch does not touch a question that is open (REQ-APPR-28).
//   - A removed answerer is not in the chain of the next request; one that is added again is, and earlier requests are
//     not repeated to it (REQ-APPR-24).
//   - Answerers get the very request that the asker passed (REQ-APPR-30). A request holds no tool arguments
//     (REQ-APPR-29).
package approval
