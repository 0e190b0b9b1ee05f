package fakemuse

import "encoding/json"

// entry is the answer to a command, kept for the day when the same command comes again (msp.md §4).
type entry struct {
	method  string
	payload string // the params in canonical form
	result  json.RawMessage
	err     *rpcError
}

// ledger holds the answered commands of a session, by command id. It lives as long as the session does, over the end
// of hosts.
type ledger map[string]entry

// once runs a command unless it was answered before: the same payload gets the same answer and nothing happens,
// another payload is a conflict. Params that were never valid are not admitted, so they are not kept.
func (h *host) once(commands ledger, c *call, run func() reply) reply {
	payload := canonical(c.raw)
	if earlier, there := commands[c.commandID]; there {
		if earlier.method != c.method || earlier.payload != payload {
			return fails(rejected(c.method, c.commandID, "command_id_conflict"))
		}
		return reply{result: earlier.result, err: earlier.err}
	}
	r := run()
	if r.err == nil {
		r.result = json.RawMessage(encode(r.result))
	}
	if r.err == nil || r.err.Code != -32602 {
		kept := entry{method: c.method, payload: payload, err: r.err}
		if r.err == nil {
			kept.result = r.result.(json.RawMessage)
		}
		commands[c.commandID] = kept
	}
	return r
}
