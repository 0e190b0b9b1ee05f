// Package fakemuse is the scripted Muse: a loopback server that speaks the Muse Session Protocol (MSP v1) as a real
// `muse serve` does, and the small program `muse` that joins an adapter's child process to it.
//
// # How an adapter meets it
//
// Start listens on 127.0.0.1 and makes a private folder that holds one program, `muse`: a hard link to our own
// executable. Server.Dir goes first on the adapter's PATH; Server.Path is the program itself. What the adapter starts
// is our executable again, so whoever may be started like that calls Main before anything else:
//
//	func main() {
//		fakemuse.Main()
//		…
//	}
//
// The same holds for the TestMain of every package whose tests start adapters. Main looks at the name it was started
// by. Started as `muse` it becomes the stand-in and never returns; otherwise it returns at once.
//
// The stand-in finds address and token in a file beside itself, because an adapter may give its children a reduced
// environment. For `serve` it tells the server its argv, process id, folder and a few facts of its environment, then
// carries bytes: stdin to the server, the server's frames to stdout. Everything that the host says is decided in the
// server, which is one process with the scenario's clock, script and log.
//
// # What the server does
//
//   - It keeps a model of sessions, turns, items, approvals, cursors and commands. Frames are made from that model.
//     A script says only what a host cannot know: what the model says, which tools it calls, what is asked.
//   - Tools really act. A scripted shell command runs in the session's workspace, a scripted write writes there, but
//     only after its approval was granted, and never under --disable-write or --disable-shell. Nothing acts outside
//     Options.Root.
//   - Ids come from a counter of the server, times from a logical clock of the session, so that two runs of one
//     scenario differ in nothing but the ids that the adapter mints.
//   - Every frame goes into the wire.Log, in the order of the wire, on the lane "muse N".
//
// # Claims
//
// A scenario may go on when nobody works. So whoever works here holds a claim in the log (wire.Log.Busy):
//
//   - from the moment bytes of the adapter are read until every whole frame in them is handled and its consequences
//     are in the log;
//   - while a shell command runs, until its process is gone and its outcome is in the log;
//   - from the end of stdin (or a signal, or a lost connection) until the Exit entry is in the log;
//   - from before Release returns until the released scripts are parked again.
//
// A turn runs until it parks: at an approval, at a named event, at a running command, at its end. A parked turn holds
// no claim.
//
// The log's conditions (wire.Log.Wait, Look) run under the log's lock. They must not call methods of a Server.
//
// # Scripts
//
// DecodeScript reads a muse.json. Script and the types below it describe the vocabulary.
package fakemuse
