// Package otheradapter is a second ACP adapter for Muse, for tests of the suite only. It is written from the
// specification and knows nothing of the reference adapter: a scenario that one of the two passes and the other does
// not shows either a fault of an adapter or a habit of the reference that the suite took for a rule.
//
// It is a right adapter, but in everything that is free it is unlike the reference:
//
//   - One `muse serve` serves all sessions. It is started by the first prompt and again when it died.
//   - A session is made on Muse by session/start alone; Muse chooses its id. The ids of ACP sessions, of tool calls and
//     of its own requests are this adapter's.
//   - A turn is begun only when every line of the same read was looked at. A cancel in the write of its prompt is
//     therefore known before Muse hears of the turn.
//   - Approvals are taken from the request approval/request. Where Muse announces one, approval/listPending is asked
//     before the client is. What belongs to nobody here is turned down where the host is read, before any session
//     hears of it.
//   - A dismissed, unreadable or unknown answer becomes the narrowest denial that Muse offers.
//   - Muse is told that its user can be asked only where the client shows forms. The fields of a form have names of this
//     adapter's own, and an answer that does not fit is no answer; the turn goes on.
//   - Clients that observe approvals are told nothing more than others.
//   - A session that is closed leaves Muse running for the others; it is resumed without a word to Muse, where that is
//     still the same. What is resumed shows no options, for there are none.
//   - It thinks for a moment before it writes, and writes in pieces of a size of its own, wherever in a line they end.
//   - Text is sent word by word, and a word without end in pieces. Everything on the wire is ASCII: other characters are escaped. Members stand in
//     another order.
//   - A batch is answered as a batch.
//
// How it is built: one goroutine reads the client, one writes to it. Each session is a goroutine with a mailbox, and
// all that happens to a session happens there, so there is no lock around its state. One more goroutine, the keeper,
// starts the host and opens sessions on it, one after the other.
package otheradapter
