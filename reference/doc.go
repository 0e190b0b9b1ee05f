// Package reference is the reference adapter: an ordinary ACP adapter that drives Muse Code. It speaks ACP v1 on its
// stdin and stdout and MSP v1 to one `muse serve` per session. It shares no code with the harness that judges it.
//
// What it promises beyond the two protocols is the order of things, so that the same conversation gives the same
// bytes every time:
//
//   - One goroutine reads the client. Each message is admitted before the next line is looked at: a request is
//     answered or registered, a cancel is applied, an answer is handed over. The turns admitted from one read start
//     after all its lines were admitted, so a prompt and its cancel in one write start no host (ACP-CAN-08).
//   - One goroutine writes to the client, whole lines in the order in which they were queued. All updates of a turn
//     are queued before its response, and nothing of the turn after it.
//   - One goroutine per session handles, one after the other, what its host sends (responses included), what the
//     client answers, and what it cancels. Nothing else touches a session's turn. So what follows from a frame is
//     written before the next frame is looked at.
//   - A question to the client does not block the session: several may be open. The seam (package approval) runs in a
//     goroutine of its own, which the session waits for at both ends: until the question is queued, and from the
//     answer until the decision is in the audit log.
//   - A host that is not kept has exited before the response of its turn is queued.
//   - A session that is closed leaves the table first; then its turn ends as cancelled and its host exits, and only
//     then the close is answered. What is resumed is read from disk: where it belongs from Muse's log of it, its
//     options and what the model was told from the audit log. Its mode is in no file, so it is kept while the process
//     lives.
//
// Decisions that are ours, where the specifications leave them open or differ:
//
//   - The options approval-policy and sandbox-mode are answered with the complete list, and no config_option_update is
//     sent for them: who set one has the answer (approval-seam.md §4.2). A change of the mode is announced, by
//     current_mode_update and config_option_update (muse-adapter.md §2.2, §2.4).
//   - The audit log has one type of row beside those of approval-seam.md §5, sandbox/mode: REQ-POL-07 wants every option
//     to be held back and read from the log alike, and without a row the sandbox mode could not be. It holds the mode
//     and nothing else, and who reads a log by the list passes over it.
//   - A session that is resumed starts no host; the next prompt does.
//   - An approval that Muse publishes without what is needed to decide it fails its prompt.
//   - Not there yet: usage_update, updates of a session's title, available_commands_update.
//
// What it does with a conversation is described where it happens: the options in Options, the start of a host in
// host.go, the turn in turn.go, tools in cards.go, approvals in approvals.go and settle.go, user input in forms.go,
// sessions that are closed and resumed in close.go, resume.go and store.go, config options in config.go, modes in
// mode.go and what the automatic ones answer in automatic.go, what a client that observes approvals is shown in
// observe.go, approvals of strangers in strangers.go, what the model is told of the policy in policy.go, events that a
// host did not deliver in gap.go. It never sends a turn again, never grants what the client did not choose, and keeps
// no grant of its own.
package reference
