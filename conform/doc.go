// Package conform is the engine: it starts an adapter, plays its client, lets a host play the other side, and judges
// what it saw.
//
// The contract of an adapter under test:
//
//   - It speaks ACP v1 on stdin and stdout, one JSON-RPC message a line, and nothing else on stdout.
//   - It finds its host program first on PATH (or where {{muse}} in its arguments or environment says).
//   - It ends when its stdin is closed.
//
// The rules of a run:
//
//   - One engine goroutine drives a scenario. It acts (sends a frame, lets the host go on) only when everything is
//     quiet: no party claims to be at work, and every request has its answer, except running prompts, questions that
//     the script leaves open, and what the host's script leaves open on purpose. Each act begins a round of the
//     transcript. Nothing sleeps and nothing polls; every wait has a deadline.
//   - Questions and forms that come up while something is waited for are answered as scripted: at once, once an event of
//     the log has come, by a step, or never. Answers of one instant go out in one write and one round. An editor that goes
//     away closes both its ends; what its adapter and the host still do, and their end, is the last round.
//   - Checks decide requirements; a check that fails does not end the scenario. What cannot go on (the adapter died,
//     a deadline passed, the log is full) ends the driving, not the judging.
//   - A scenario may have the adapter started with further flags (Switchable). To an adapter that takes none it is not
//     applicable.
//   - A scenario always ends with stdin closed and stdout read to its end; then the oracles look at the whole log,
//     and the golden is compared.
//   - Every process that was started is gone afterwards, and so is the private folder.
package conform
