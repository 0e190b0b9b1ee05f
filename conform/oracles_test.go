package conform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

// oracleCase is a small transcript and what the oracles make of it.
type oracleCase struct {
	name string
	rows []string
	// bad lists what is found, as "id: place: beginning of the message".
	bad []string
	// good lists ids that nothing spoke against; ids of other cases may be good too.
	good           []string
	facts          Facts
	ending         Ending // the zero value is a good end
	left           int    // how many rows there were when stdin was closed; 0 when that is not looked at
	notes          []string
	alone          bool // the client has no session A to begin with
	told, listened bool // the adapter was told to end, and did
	inTurns        bool // the scenario ends in the middle of turns
}

// The rows that many transcripts have in common. Every transcript is played through a log, so that answers and
// sessions are found as in a run.
const (
	initAsk  = `client ->   {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	initOK   = `client <-   {"jsonrpc":"2.0","id":1,"result":{}}`
	promptA  = `client ->   {"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"A"}}`
	promptOK = `client <-   {"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`
	cancelA  = `client ->   {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"A"}}`
	stopped  = `client <-   {"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}}`
	allow    = `client ->   {"jsonrpc":"2.0","id":9,"result":{"outcome":{"outcome":"selected","optionId":"a"}}}`
	reject   = `client ->   {"jsonrpc":"2.0","id":9,"result":{"outcome":{"outcome":"selected","optionId":"r"}}}`
	dismiss  = `client ->   {"jsonrpc":"2.0","id":9,"result":{"outcome":{"outcome":"cancelled"}}}`
)

// chunk, tool and question are frames of the adapter in session A.
func chunk() string {
	return `client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}}`
}

func tool(variant, id, status string) string {
	member := ""
	if status != "" {
		member = fmt.Sprintf(`,"status":%q`, status)
	}
	return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A","update":{"sessionUpdate":%q,"toolCallId":%q%s}}}`, variant, id, member)
}

// question9 asks about a call; a status stands in it where one is given.
func question9(call string, status ...string) string {
	member := ""
	if len(status) > 0 {
		member = fmt.Sprintf(`,"status":%q`, status[0])
	}
	return fmt.Sprintf(`client <-   {"jsonrpc":"2.0","id":9,"method":"session/request_permission","params":{"sessionId":"A","toolCall":{"toolCallId":%q%s},"options":[{"optionId":"a","name":"Allow","kind":"allow_once"},{"optionId":"r","name":"Reject","kind":"reject_once"}]}}`, call, member)
}

// Where a case is about session A, the client has loaded that: the load is over before the rows where they hold a prompt,
// and behind them where they are part of a turn.
const (
	loadA  = `client ->   {"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"A"}}`
	loadOK = `client <-   {"jsonrpc":"2.0","id":"load","result":{}}`
)

// around gives the rows with the load, and how many rows are in front of the case's own.
func (c oracleCase) around() (rows []string, shift int) {
	text := strings.Join(c.rows, "\n")
	switch {
	case c.alone || !strings.Contains(text, `"sessionId":"A"`):
		return c.rows, 0
	case strings.Contains(text, methodPrompt):
		return slices.Concat([]string{loadA, loadOK}, c.rows), 2
	}
	return slices.Concat([]string{loadA}, c.rows, []string{loadOK}), 1
}

// shifted moves the places of facts behind the rows that are in front.
func (f Facts) shifted(by int) Facts {
	f.Decisions, f.Tools, f.Inputs = slices.Clone(f.Decisions), slices.Clone(f.Tools), slices.Clone(f.Inputs)
	for i := range f.Inputs {
		f.Inputs[i].Seq += by
	}
	for i := range f.Decisions {
		f.Decisions[i].Seq += by
	}
	for i := range f.Tools {
		if f.Tools[i].Seq >= 0 {
			f.Tools[i].Seq += by
		}
	}
	return f
}

// judge runs all oracles on a case.
func judge(t *testing.T, c oracleCase) (bad []string, good map[string]bool) {
	t.Helper()
	log := wire.NewLog(wire.Limits{})
	rows, shift := c.around()
	for _, row := range transcript(t, rows...) {
		log.Append(row.Entry)
	}
	c.facts = c.facts.shifted(shift)
	if c.ending == (Ending{}) {
		c.ending.Clean = true
	}
	s := &Scenario{engine: &Engine{Deadlines: DefaultDeadlines()}, log: log, process: &goProcess{}, ended: true, facts: c.facts, leftAt: -1, told: c.told, listened: c.listened, endsInTurns: c.inTurns}
	if c.left > 0 {
		s.leftAt = c.left + shift
	}
	records := log.Records()
	for _, r := range records {
		if r.Lane == wire.Client && r.Dir == wire.FromAdapter && r.Frame.Kind == wire.Request && isQuestion(r.Frame.Method) {
			_, answered := answerTo(records, r.Seq)
			s.questions = append(s.questions, &question{seq: r.Seq, session: r.Session, id: r.Frame.ID, frame: r.Frame, answered: answered, form: r.Frame.Method == methodForm})
		}
	}
	e := &evidence{s: s, records: records, facts: c.facts, ending: c.ending}
	good = map[string]bool{}
	for _, o := range Oracles() {
		for _, f := range o.look(e) {
			for _, id := range f.ids {
				if !slices.Contains(o.IDs, id) {
					t.Errorf("the oracle %q decides %s, which is not in its list", o.Name, id)
				}
				if f.ok {
					good[id] = true
					continue
				}
				at := "nowhere"
				if f.place != nil && f.place.Frame > 0 {
					at = fmt.Sprintf("frame %d%s", f.place.Frame-shift, f.place.Pointer)
				}
				bad = append(bad, fmt.Sprintf("%s: %s: %s", id, at, f.message))
			}
		}
	}
	if diff := cmp.Diff(c.notes, s.notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	return bad, good
}

func TestOracles(t *testing.T) {
	t.Parallel()
	for _, c := range oracleCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bad, good := judge(t, c)
			short := slices.Clone(bad)
			for i := range short {
				if i < len(c.bad) && strings.HasPrefix(short[i], c.bad[i]) {
					short[i] = c.bad[i]
				}
			}
			if diff := cmp.Diff(c.bad, short); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
			for _, id := range c.good {
				if !good[id] {
					t.Errorf("%s is not good", id)
				}
			}
		})
	}
}

// Every id that an oracle decides is decided both ways by some case. Which answer reached which call no oracle can say:
// the good side of ACP-PERM-10 is for sentences.
func TestEveryOracleIsShownBothWays(t *testing.T) {
	t.Parallel()
	good, bad := map[string]bool{"ACP-PERM-10": true}, map[string]bool{}
	for _, c := range oracleCases() {
		for _, id := range c.good {
			good[id] = true
		}
		for _, b := range c.bad {
			id, _, _ := strings.Cut(b, ":")
			bad[id] = true
		}
	}
	for _, c := range auditCases() {
		for _, b := range c.want {
			id, _, _ := strings.Cut(b, ":")
			bad[id] = true
		}
		for _, id := range AuditRequirements() {
			good[id] = good[id] || c.want == nil
		}
	}
	for _, o := range Oracles() {
		if slices.Equal(o.IDs, AuditRequirements()) {
			continue // what it looks at is a file beside the frames; TestAuditWalk has its cases
		}
		for _, id := range o.IDs {
			if !good[id] || !bad[id] {
				t.Errorf("%s of %q: shown good %t, shown bad %t", id, o.Name, good[id], bad[id])
			}
		}
	}
}

// A transcript without an adapter's word decides nothing but how it ended.
func TestOraclesWithoutEvidence(t *testing.T) {
	t.Parallel()
	bad, good := judge(t, oracleCase{rows: []string{"~"}})
	if len(bad) > 0 || len(good) != 2 || !good["ACP-TRN-11"] || !good["ACP-TRN-17"] {
		t.Errorf("bad %q, good %v", bad, good)
	}
}
