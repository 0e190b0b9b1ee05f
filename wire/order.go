package wire

import (
	"bytes"
	"encoding/json"
	"slices"
)

// OrderOptions tell Arrange what it cannot see on the wire.
type OrderOptions struct {
	// Unawaited lists the methods of requests to a host that the adapter sends without waiting for the answer. Each
	// such request and its answer are strands of their own.
	Unawaited []string
	// OpeningEnd is the method of the request that ends the opening of a session on its host lane; everything
	// before it on that lane, from the start of the host, is printed apart. Empty: there is no opening.
	OpeningEnd string
}

// Arranged is a record in its printed place.
type Arranged struct {
	Record
	Round   int  // from 1
	Opening bool // the record belongs to the common opening of connection, session and host
}

// Arrange puts the records of a log into an order that does not depend on luck.
//
//   - A strand holds the frames of one session on one lane in one direction, in wire order; frames without a session
//     form the strand of the connection. A request that makes a session, and its answer, belong to that session.
//   - Frames of a host lane that name no session belong to the one session that the lane names; those of a lane that
//     serves several sessions to the connection. A host's own id of a session is matched with the client's by the text of
//     the prompt.
//   - Answers to a host's own requests, and requests that nobody waits for with their answers, are strands of their
//     own.
//   - A round begins when the harness acts, and only when the log was quiet, so the round of a record is no matter of
//     luck.
//   - Inside a round: the connection first, then the sessions in the order of their creation. Inside a session the
//     strands are merged: an answer never stands before its request, nor what a host sent while it worked on a request
//     before that request; where several strands could go on, frames of the
//     harness come first, then starts of hosts, then what the adapter sends to its host, then what it sends to its
//     client, then exits of hosts.
func Arrange(records []Record, rounds []int, o OrderOptions) []Arranged {
	a := arranger{options: o, records: records, hostSession: map[Lane]string{}, same: map[string]string{}, rank: map[string]int{}, placed: make([]bool, len(records))}
	a.learn()
	var out []Arranged
	begin := 0
	// What came before the harness's first act belongs to its first round: how early an adapter speaks is luck.
	ends := append(slices.Clone(rounds[min(1, len(rounds)):]), len(records))
	for n, end := range ends {
		out = a.round(out, records[begin:end], n+1)
		begin = end
	}
	return out
}

type arranger struct {
	options     OrderOptions
	records     []Record
	hostSession map[Lane]string   // session that a host lane belongs to
	same        map[string]string // host's own id of a session -> client's id
	rank        map[string]int    // session -> order of creation, from 1
	makes       map[int]string    // request that made a session -> session
	placed      []bool            // by Seq
	opened      map[Lane]int      // host lane -> Seq of the request that ends its opening
}

// learn finds sessions, the session of each host lane, and where openings end.
func (a *arranger) learn() {
	a.makes, a.opened = map[int]string{}, map[Lane]int{}
	for _, r := range a.records {
		if r.Answers >= 0 && r.Session != "" {
			if asked := a.records[r.Answers]; asked.Session == "" {
				a.makes[asked.Seq] = r.Session
			}
		}
		if r.Session != "" && r.Lane == Client {
			if _, known := a.rank[r.Session]; !known {
				a.rank[r.Session] = len(a.rank) + 1
			}
		}
		if r.Dir == FromAdapter && r.Frame.Method != "" && r.Frame.Method == a.options.OpeningEnd {
			if _, known := a.opened[r.Lane]; !known {
				a.opened[r.Lane] = r.Seq
			}
		}
	}
	a.match()
	clients := len(a.rank)
	// A session that only hosts know, and that could not be matched, comes behind the others.
	for _, r := range a.records {
		if s := a.known(r.Session); s != "" {
			if _, known := a.rank[s]; !known {
				a.rank[s] = len(a.rank) + 1
			}
		}
	}
	a.lanes(clients)
}

// match finds the client's session for each session of a host that has an id of its own: the first turn that begins in
// it holds the text of a prompt of the client's session.
func (a *arranger) match() {
	taken := map[int]bool{}
	for _, r := range a.records {
		if r.Lane == Client || r.Dir != FromAdapter || r.Frame.Method == "" || r.Frame.Method != a.options.OpeningEnd || r.Session == "" {
			continue
		}
		if _, ours := a.rank[r.Session]; ours || a.same[r.Session] != "" {
			continue
		}
		for _, p := range a.records[:r.Seq] {
			prompt := promptText(p)
			if prompt != "" && !taken[p.Seq] && bytes.Contains(r.Frame.Params, []byte(prompt)) {
				taken[p.Seq] = true
				a.same[r.Session] = p.Session
				break
			}
		}
	}
}

// promptText gives the first text of a session/prompt, as it stands in JSON.
func promptText(r Record) string {
	if r.Lane != Client || r.Dir != ToAdapter || r.Frame.Method != "session/prompt" {
		return ""
	}
	var params struct {
		Prompt []struct {
			Text json.RawMessage `json:"text"`
		} `json:"prompt"`
	}
	if json.Unmarshal(r.Frame.Params, &params) != nil || len(params.Prompt) == 0 || len(params.Prompt[0].Text) < 3 {
		return ""
	}
	text := params.Prompt[0].Text
	return string(text[1 : len(text)-1])
}

// known gives the name under which a session is printed.
func (a *arranger) known(session string) string {
	if same := a.same[session]; same != "" {
		return same
	}
	return session
}

// lanes finds the session of each host lane: the one of the client's sessions that it names, or else the first that it
// names at all. A lane that names several of the client's belongs to the connection, and has no opening: which of them
// came first there is a matter of luck.
func (a *arranger) lanes(clients int) {
	shared := map[Lane]bool{}
	for _, r := range a.records {
		if r.Lane == Client || r.Session == "" {
			continue
		}
		s := a.known(r.Session)
		first, known := a.hostSession[r.Lane]
		switch ours := a.rank[s] <= clients; {
		case !known, ours && a.rank[first] > clients:
			a.hostSession[r.Lane] = s
		case ours && first != s:
			shared[r.Lane] = true
		}
	}
	for lane := range shared {
		a.hostSession[lane] = ""
		delete(a.opened, lane)
	}
}

// session gives the session that a record is printed with; "" for the connection.
func (a *arranger) session(r Record) string {
	if made := a.makes[r.Seq]; made != "" {
		return a.known(made)
	}
	if r.Lane == Client || r.Session != "" {
		return a.known(r.Session)
	}
	return a.hostSession[r.Lane]
}

func (a *arranger) unawaited(r Record) bool {
	if r.Lane == Client {
		return false
	}
	method := r.Frame.Method
	if r.Dir == ToAdapter && r.Answers >= 0 {
		method = a.records[r.Answers].Frame.Method
	} else if r.Dir == ToAdapter {
		return false
	}
	return method != "" && slices.Contains(a.options.Unawaited, method)
}

// round appends the records of one round in their printed order.
func (a *arranger) round(out []Arranged, records []Record, n int) []Arranged {
	bySession := map[string][]Record{}
	var sessions []string
	for _, r := range records {
		s := a.session(r)
		if _, known := bySession[s]; !known {
			sessions = append(sessions, s)
		}
		bySession[s] = append(bySession[s], r)
	}
	slices.SortFunc(sessions, func(x, y string) int { return a.rank[x] - a.rank[y] })
	for _, s := range sessions {
		var opening, rest []Record
		for _, r := range bySession[s] {
			if a.inOpening(r) {
				opening = append(opening, r)
			} else {
				rest = append(rest, r)
			}
		}
		for _, r := range a.merge(opening) {
			out = append(out, Arranged{Record: r, Round: n, Opening: true})
		}
		for _, r := range a.merge(rest) {
			out = append(out, Arranged{Record: r, Round: n, Opening: isLifecycle(a.records, r)})
		}
	}
	return out
}

// inOpening reports whether the record belongs to the opening of its host lane.
func (a *arranger) inOpening(r Record) bool {
	end, ends := a.opened[r.Lane]
	if r.Lane == Client || !ends {
		return false
	}
	if r.Seq < end {
		return true
	}
	// The answer to a request that nobody waits for may come late.
	return a.unawaited(r) && r.Answers >= 0 && r.Answers < end
}

// isLifecycle reports whether a client frame opens the connection or a session.
func isLifecycle(records []Record, r Record) bool {
	if r.Lane != Client {
		return false
	}
	method := r.Frame.Method
	if r.Answers >= 0 {
		method = records[r.Answers].Frame.Method
	}
	return method == "initialize" || method == "session/new"
}

// The places of the strands in the merge.
const (
	orderSent = iota
	orderStart
	orderHostSent
	orderHostGot
	orderReceipt
	orderUnawaitedGot
	orderUnawaitedSent
	orderClientGot
	orderExit
)

type strandKey struct {
	order int
	lane  Lane
	alone int // Seq of a record that is a strand of its own; -1 for the others
}

func (a *arranger) strand(r Record) strandKey {
	key := strandKey{lane: r.Lane, alone: -1}
	switch {
	case r.Dir == Start:
		key.order = orderStart
	case r.Dir == Exit:
		key.order = orderExit
	case r.Lane == Client && r.Dir == ToAdapter:
		key.order = orderSent
	case r.Lane == Client:
		key.order = orderClientGot
	case a.unawaited(r) && r.Dir == FromAdapter:
		key.order, key.alone = orderUnawaitedGot, r.Seq
	case a.unawaited(r):
		key.order, key.alone = orderUnawaitedSent, r.Seq
	case r.Dir == FromAdapter && r.Frame.Kind == Response:
		key.order = orderReceipt
	case r.Dir == FromAdapter:
		key.order = orderHostGot
	default:
		key.order = orderHostSent
	}
	return key
}

// merge joins the strands of one session in one round.
func (a *arranger) merge(records []Record) []Record {
	strands := map[strandKey][]Record{}
	var keys []strandKey
	for _, r := range records {
		k := a.strand(r)
		if _, known := strands[k]; !known {
			keys = append(keys, k)
		}
		strands[k] = append(strands[k], r)
	}
	// Strands of equal place are told apart by their lane; strands of one record each by their wire order, which is
	// the order of their lane's own stream.
	slices.SortFunc(keys, func(x, y strandKey) int {
		switch {
		case x.order != y.order:
			return x.order - y.order
		case x.lane.N != y.lane.N:
			return x.lane.N - y.lane.N
		}
		return x.alone - y.alone
	})
	out := make([]Record, 0, len(records))
	here := map[int]bool{}
	for _, r := range records {
		here[r.Seq] = true
	}
	answered := map[int]int{} // awaited request to a host -> its answer
	for _, r := range records {
		if r.Answers >= 0 && r.Dir == ToAdapter && r.Lane != Client && here[r.Answers] && !a.unawaited(r) {
			answered[r.Answers] = r.Seq
		}
	}
	ready := func(r Record) bool {
		if r.Answers >= 0 {
			return !here[r.Answers] || a.placed[r.Answers]
		}
		if r.Dir == ToAdapter && r.Lane != Client {
			// What a host sends while it works on a request stands behind that request.
			for asked, by := range answered {
				if asked < r.Seq && r.Seq < by && a.records[asked].Lane == r.Lane && !a.placed[asked] {
					return false
				}
			}
		}
		return true
	}
	for len(out) < len(records) {
		next := -1
		for i, k := range keys {
			if len(strands[k]) > 0 && ready(strands[k][0]) {
				next = i
				break
			}
		}
		if next < 0 {
			// Only an answer that crossed its own request in the same strand gets here; keep the strand's order.
			next = slices.IndexFunc(keys, func(k strandKey) bool { return len(strands[k]) > 0 })
		}
		k := keys[next]
		r := strands[k][0]
		strands[k] = strands[k][1:]
		a.placed[r.Seq] = true
		out = append(out, r)
	}
	return out
}
