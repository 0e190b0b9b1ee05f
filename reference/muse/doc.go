// Package muse speaks the Muse Session Protocol (MSP v1) to a host: it starts `muse serve`, reads and writes its
// lines, and stops it.
//
//   - One Host is one child process. Everything that it says is delivered in the order of its lines, requests,
//     notifications and responses alike; a response calls the function that waits for it when the owner of the host
//     hands it to Take. So the owner, who handles one event after the other, sees one order.
//   - What is written goes through one writer per host, in the order of the calls.
//   - Lines that are no JSON-RPC are skipped. A result that is no object, or an error without data.kind, breaks the
//     protocol (muse-adapter.md §9).
//   - A host ends by its stdin being closed; who does not go is told so by SIGTERM, then SIGKILL, together with
//     everything that it started.
package muse
