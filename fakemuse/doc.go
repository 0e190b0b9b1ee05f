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
//   - It keeps a model of sessions, turns, items, approvals, questions, goals, cursors and commands, and speaks all of
//     MSP v1 that an adapter can meet (methodTable lists the methods). Frames are made from that model. A script says
//     only what a host cannot know: what the model says, which tools it calls, what is asked, what is stored already.
//   - It answers the same command in the same way again, also after another host took over; whether answers come before
//     or behind their events, and much else in which hosts differ, is a named host variant (VariantNames).
//   - Tools really act. A scripted shell command runs in the session's workspace, a scripted write writes there, but
//     only after its approval was granted, and never under --disable-write or --disable-shell. Nothing acts outside
//     Options.Root.
//   - It reads the settings.json that an adapter passes, inside Options.Root only: a required MCP server that does not
//     start fails every turn. It writes session logs where adapters look for them, and exports.
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
// no claim. Neither does a request that a script lets wait for a named event.
//
// The log's conditions (wire.Log.Wait, Look) run under the log's lock. They must not call methods of a Server.
//
// # Scripts
//
// DecodeScript reads a muse.json. Script and the types below it describe the vocabulary: Turn and Step for what the model
// does, Tool, Approval and Ask for what it uses and asks, Stored for sessions that exist already, Trigger for what happens
// when a method is called, HostFacts and Catalogue for who the host is.
//
// # How true it is
//
// TestReplay plays the client's side of every recording of a real host, and of the protocol's own transcripts, to the
// fake and compares all that it says. The scripts for it are made from the recordings by rules that know no recording by
// name; what is aliased is listed in replay_alias_test.go. The recordings are no part of the module: MSP_DATA names their
// folder. TestAnyClient sends anything in any order and holds the answers against a model of the session.
package fakemuse
