package wire

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var museOrder = OrderOptions{Unawaited: []string{"model/list"}, OpeningEnd: "turn/start"}

// printed arranges a log and prints it.
func printed(l *Log, o OrderOptions) (string, int) {
	t, opening := Rows(Arrange(l.Records(), l.Rounds(), o))
	return string(t.Print()), opening
}

func TestArrange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		in, want []string
		opening  int
	}{
		{name: "nothing"},
		{
			name: "the connection first, then session by session in the order of their creation",
			in: []string{
				`~`, `client ->   {"jsonrpc":"2.0","id":1,"method":"session/new"}`, `client <-   {"jsonrpc":"2.0","id":1,"result":{"sessionId":"B"}}`, `~`,
				`client ->   {"jsonrpc":"2.0","id":2,"method":"session/new"}`, `client <-   {"jsonrpc":"2.0","id":2,"result":{"sessionId":"A"}}`, `~`,
				`client <-   {"jsonrpc":"2.0","method":"u","params":{"sessionId":"A"}}`,
				`client <-   {"jsonrpc":"2.0","method":"u","params":{"sessionId":"B"}}`,
				`client <-   {"jsonrpc":"2.0","method":"_log"}`,
			},
			want: []string{
				`client ->   {"jsonrpc":"2.0","id":1,"method":"session/new"}`, `client <-   {"jsonrpc":"2.0","id":1,"result":{"sessionId":"B"}}`, `~`,
				`client ->   {"jsonrpc":"2.0","id":2,"method":"session/new"}`, `client <-   {"jsonrpc":"2.0","id":2,"result":{"sessionId":"A"}}`, `~`,
				`client <-   {"jsonrpc":"2.0","method":"_log"}`,
				`client <-   {"jsonrpc":"2.0","method":"u","params":{"sessionId":"B"}}`,
				`client <-   {"jsonrpc":"2.0","method":"u","params":{"sessionId":"A"}}`,
			},
			opening: 5,
		},
		{
			name: "what an adapter says before it is spoken to belongs to the first round",
			in: []string{
				`client <-   hello`, `~`,
				`client ->   {"jsonrpc":"2.0","id":1,"method":"initialize"}`, `client <-   {"jsonrpc":"2.0","id":1,"result":{}}`, `~`,
				`client ->   {"jsonrpc":"2.0","id":2,"method":"x"}`,
			},
			want: []string{
				`client ->   {"jsonrpc":"2.0","id":1,"method":"initialize"}`, `~`, `client <-   hello`, `client <-   {"jsonrpc":"2.0","id":1,"result":{}}`, `~`,
				`client ->   {"jsonrpc":"2.0","id":2,"method":"x"}`,
			},
			opening: 1,
		},
		{
			name: "the harness's frames, then the host's start, then its lane, then what the client hears, then exits",
			in: []string{
				`client <-   {"jsonrpc":"2.0","method":"early","params":{"sessionId":"A"}}`,
				`muse 1 -    exit 0`,
				`muse 1 +    serve`,
				`muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"session/start","params":{"sessionId":"A"}}`,
				`muse 1 ->   {"jsonrpc":"2.0","id":1,"result":{}}`,
				`client ->   {"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"A"}}`,
				`client <-   {"jsonrpc":"2.0","id":1,"result":{}}`,
			},
			want: []string{
				`client ->   {"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"A"}}`,
				`muse 1 +    serve`,
				`muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"session/start","params":{"sessionId":"A"}}`,
				`muse 1 ->   {"jsonrpc":"2.0","id":1,"result":{}}`,
				`client <-   {"jsonrpc":"2.0","method":"early","params":{"sessionId":"A"}}`,
				`client <-   {"jsonrpc":"2.0","id":1,"result":{}}`,
				`muse 1 -    exit 0`,
			},
		},
		{
			name: "receipts, and requests that nobody waits for, stand apart",
			in: []string{
				`muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"model/list"}`,
				`muse 1 ->   {"jsonrpc":"2.0","id":7,"method":"approval/request","params":{"sessionId":"A"}}`,
				`muse 1 ->   {"jsonrpc":"2.0","id":1,"result":{"models":[]}}`,
				`muse 1 <-   {"jsonrpc":"2.0","id":7,"result":{}}`,
				`muse 1 <-   {"jsonrpc":"2.0","id":2,"method":"session/read","params":{"sessionId":"A"}}`,
				`muse 1 ->   {"jsonrpc":"2.0","id":2,"result":{}}`,
			},
			want: []string{
				`muse 1 ->   {"jsonrpc":"2.0","id":7,"method":"approval/request","params":{"sessionId":"A"}}`,
				`muse 1 <-   {"jsonrpc":"2.0","id":2,"method":"session/read","params":{"sessionId":"A"}}`,
				`muse 1 ->   {"jsonrpc":"2.0","id":2,"result":{}}`,
				`muse 1 <-   {"jsonrpc":"2.0","id":7,"result":{}}`,
				`muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"model/list"}`,
				`muse 1 ->   {"jsonrpc":"2.0","id":1,"result":{"models":[]}}`,
			},
		},
		{
			name: "hosts are numbered in the printed order",
			in: []string{
				`client ->   {"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"A"}}`,
				`client ->   {"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"B"}}`,
				`muse 1 +    serve`,
				`muse 2 +    serve`,
				`muse 1 <-   {"jsonrpc":"2.0","method":"x","params":{"sessionId":"B"}}`,
				`muse 2 <-   {"jsonrpc":"2.0","method":"x","params":{"sessionId":"A"}}`,
			},
			want: []string{
				`client ->   {"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"A"}}`,
				`muse 1 +    serve`,
				`muse 1 <-   {"jsonrpc":"2.0","method":"x","params":{"sessionId":"A"}}`,
				`client ->   {"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"B"}}`,
				`muse 2 +    serve`,
				`muse 2 <-   {"jsonrpc":"2.0","method":"x","params":{"sessionId":"B"}}`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, opening := printed(logOf(tt.in...), museOrder)
			if diff := cmp.Diff(joinLines(tt.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if opening != tt.opening {
				t.Errorf("the opening has %d rows, want %d", opening, tt.opening)
			}
		})
	}
}

// stream is a run of frames that always come in this order; a frame may have to wait for one of another stream.
type stream struct {
	lane Lane // N is the session's number; the log numbers hosts by the order of their starts
	rows []streamRow
}

type streamRow struct {
	dir   Dir
	data  string
	name  string // for after
	after string // comes behind the row of this name
}

// turnStreams is one session's turn with a question, as an adapter that starts its host lazily plays it: what the
// host's two directions and the client's lane carry is fixed, how they interleave is luck.
func turnStreams(n int) []stream {
	s, lane := fmt.Sprintf("session-%d", n), Lane{Name: "muse", N: n}
	name := func(what string) string { return fmt.Sprint(what, n) }
	p := func(method string, id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"sessionId":%q}}`, id, method, s)
	}
	note := func(method string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":{"sessionId":%q}}`, method, s)
	}
	ok := func(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id) }
	return []stream{
		{lane, []streamRow{
			{Start, `["serve"]`, name("start"), ""},
			{FromAdapter, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, name("init"), ""},
			{FromAdapter, `{"jsonrpc":"2.0","method":"initialized"}`, "", name("init ok")},
			{FromAdapter, p("session/start", 2), name("session"), ""},
			{FromAdapter, `{"jsonrpc":"2.0","id":3,"method":"model/list"}`, name("list"), name("session ok")},
			{FromAdapter, p("turn/start", 4), name("turn"), ""},
		}},
		{lane, []streamRow{{ToAdapter, `{"jsonrpc":"2.0","id":3,"result":{"models":[]}}`, "", name("list")}}},
		{lane, []streamRow{
			{ToAdapter, ok(1), name("init ok"), name("init")},
			{ToAdapter, note("session/started"), "", name("session")},
			{ToAdapter, ok(2), name("session ok"), ""},
			{ToAdapter, ok(4), "", name("turn")},
			{ToAdapter, note("item/started"), "", ""},
			{ToAdapter, p("approval/request", 1), name("ask"), ""},
			{ToAdapter, note("item/delta"), name("delta"), ""},
		}},
		{lane, []streamRow{{FromAdapter, ok(1), "", name("ask")}}},
		{Client, []streamRow{
			{FromAdapter, note("session/update"), "", name("ask")},
			{FromAdapter, p("session/request_permission", 100+n), "", ""},
			{FromAdapter, note("session/update"), "", name("delta")},
		}},
	}
}

// shuffled appends the streams to the log in a random order that keeps what must be kept.
func shuffled(l *Log, r *rand.Rand, streams []stream) {
	streams = slices.Clone(streams)
	seen, hosts := map[string]bool{}, map[int]int{}
	for len(streams) > 0 {
		i := r.IntN(len(streams))
		s := &streams[i]
		if len(s.rows) == 0 {
			streams = slices.Delete(streams, i, i+1)
			continue
		}
		row := s.rows[0]
		if row.after != "" && !seen[row.after] {
			continue
		}
		lane := s.lane
		if row.dir == Start {
			hosts[lane.N] = len(hosts) + 1
		}
		if lane != Client {
			lane.N = hosts[lane.N]
		}
		l.Append(Entry{Lane: lane, Dir: row.dir, Data: []byte(row.data)})
		seen[row.name] = true
		s.rows = s.rows[1:]
	}
}

// TestOnePrintedOrder plays two sessions at the same time, each with a lazily started host, in many interleavings.
func TestOnePrintedOrder(t *testing.T) {
	t.Parallel()
	var want string
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		l := NewLog(Limits{})
		for n := 1; n <= 2; n++ {
			l.BeginRound()
			l.Append(sent(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/new","params":{}}`, n)))
			l.Append(got(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"sessionId":"session-%d"}}`, n, n)))
		}
		l.BeginRound()
		for n := 1; n <= 2; n++ {
			l.Append(sent(fmt.Sprintf(`{"jsonrpc":"2.0","id":1%d,"method":"session/prompt","params":{"sessionId":"session-%d"}}`, n, n)))
		}
		shuffled(l, r, append(turnStreams(1), turnStreams(2)...))
		l.BeginRound()
		var ends []stream
		for n := 1; n <= 2; n++ {
			ends = append(ends, stream{Client, []streamRow{{FromAdapter, fmt.Sprintf(`{"jsonrpc":"2.0","id":1%d,"result":{"stopReason":"end_turn"}}`, n), "", ""}}})
		}
		shuffled(l, r, ends)
		text, _ := printed(l, museOrder)
		if seed == 0 {
			want = text
		}
		if text != want {
			t.Fatalf("seed %d prints another order (-seed 0 +this one):\n%s", seed, cmp.Diff(strings.Split(want, "\n"), strings.Split(text, "\n")))
		}
		if n := strings.Count(text, "\n"); n < len(l.Records()) {
			t.Fatalf("%d entries became %d lines", len(l.Records()), n)
		}
	}
}

// FuzzArrange: nothing is lost or doubled, and no answer stands before its request, whatever the adapter sends.
func FuzzArrange(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte{9, 9, 3, 3, 12, 12, 40, 41, 80})
	f.Add([]byte("1A0Ybc")) // a host answers a request without a session with one that ranks before its lane's
	f.Fuzz(func(t *testing.T, script []byte) {
		l := NewLog(Limits{})
		for _, b := range script {
			if b%11 == 0 {
				l.BeginRound()
			}
			e := Entry{Lane: []Lane{Client, {Name: "muse", N: 1}, {Name: "muse", N: 2}}[b%3], Dir: []Dir{ToAdapter, FromAdapter, Start, Exit}[b/3%4]}
			e.Data = []byte([]string{
				`{"jsonrpc":"2.0","id":1,"method":"session/new"}`, `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"A"}}`, `{"jsonrpc":"2.0","id":2,"method":"turn/start","params":{"sessionId":"A"}}`,
				`{"jsonrpc":"2.0","id":2,"result":{}}`, `{"jsonrpc":"2.0","id":1,"method":"model/list"}`, `{"jsonrpc":"2.0","method":"n","params":{"sessionId":"B"}}`, `broken`,
			}[b/12%7])
			l.Append(e)
		}
		arranged := Arrange(l.Records(), l.Rounds(), museOrder)
		places := map[int]int{}
		for i, a := range arranged {
			places[a.Seq] = i
		}
		if len(arranged) != len(script) || len(places) != len(script) {
			t.Fatalf("%d entries became %d, %d of them different", len(script), len(arranged), len(places))
		}
		for _, a := range arranged {
			if a.Answers >= 0 && places[a.Answers] > places[a.Seq] {
				t.Errorf("the answer %d stands before its request %d", a.Seq, a.Answers)
			}
		}
	})
}
