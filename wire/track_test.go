package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// logOf appends the rows of a printed transcript; gaps begin rounds.
func logOf(lines ...string) *Log {
	l := NewLog(Limits{})
	for _, row := range rows(lines...) {
		if row.Gap {
			l.BeginRound()
			continue
		}
		l.Append(row.Entry)
	}
	return l
}

func TestAnswersAndSessions(t *testing.T) {
	t.Parallel()
	l := logOf(
		`client ->   {"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}`,
		`client <-   {"jsonrpc":"2.0","id":1,"result":{"sessionId":"A"}}`,
		`client ->   {"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"A"}}`,
		`client <-   {"jsonrpc":"2.0","id":2,"method":"session/request_permission","params":{"sessionId":"A"}}`, // the same id the other way
		`client <-   {"jsonrpc":"2.0","id":"2","result":{}}`,                                                    // "2" is not 2
		`client ->   {"jsonrpc":"2.0","id":2,"result":{}}`,
		`client <-   {"jsonrpc":"2.0","id":2,"result":{}}`,
		`client <-   {"jsonrpc":"2.0","id":2,"result":{}}`, // a second answer answers nothing, where the first one does
		`client <-   {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"A"}}`,
		`muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"session/start","params":{"x":1}}`,
		`muse 2 ->   {"jsonrpc":"2.0","id":1,"result":{}}`, // another lane
		`muse 1 ->   {"jsonrpc":"2.0","id":1,"result":{"session":{"sessionId":"A"}}}`,
		`muse 1 ->   {"jsonrpc":"2.0","method":"session/started","params":{"session":{"sessionId":"B"}}}`,
		`client ->   {"jsonrpc":"2.0","id":null,"method":"x"}`,
		`client <-   {"jsonrpc":"2.0","id":null,"error":{}}`,
	)
	var got []string
	for _, r := range l.Records() {
		got = append(got, fmt.Sprintf("%d %d %s", r.Seq, r.Answers, r.Session))
	}
	want := []string{"0 -1 ", "1 0 A", "2 -1 A", "3 -1 A", "4 -1 ", "5 3 A", "6 2 A", "7 -1 A", "8 -1 A", "9 -1 ", "10 -1 ", "11 9 A", "12 -1 B", "13 -1 ", "14 13 "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("place, what it answers, session (-want +got):\n%s", diff)
	}
	l.Look(func(v View) {
		if r, ok := v.AnswerTo(2); !ok || r.Seq != 6 {
			t.Errorf("the answer to 2 is %d, %t", r.Seq, ok)
		}
		if _, ok := v.AnswerTo(8); ok {
			t.Error("a notification has an answer")
		}
		if open := v.Open(); len(open) != 0 {
			t.Errorf("still open: %v", open)
		}
	})
}

// An adapter may use an id twice at a time: the answers then belong to the requests in their order.
func TestAnIDUsedTwice(t *testing.T) {
	t.Parallel()
	l := logOf(
		`client <-   {"jsonrpc":"2.0","id":1,"method":"a"}`,
		`client <-   {"jsonrpc":"2.0","id":1,"method":"b"}`,
		`client ->   {"jsonrpc":"2.0","id":1,"result":1}`,
		`client ->   {"jsonrpc":"2.0","id":1,"result":2}`,
		`client ->   {"jsonrpc":"2.0","id":1,"result":3}`,
	)
	var answers []int
	for _, r := range l.Records() {
		answers = append(answers, r.Answers)
	}
	if diff := cmp.Diff([]int{-1, -1, 0, 1, -1}, answers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A second answer to a request answers nothing, and stands where the first one does. One under an id that nobody used, or
// used in the other type, stands nowhere.
func TestASecondAnswer(t *testing.T) {
	t.Parallel()
	l := logOf(
		`client <-   {"jsonrpc":"2.0","id":1,"method":"a","params":{"sessionId":"s"}}`,
		`client ->   {"jsonrpc":"2.0","id":"1","result":1}`,
		`client ->   {"jsonrpc":"2.0","id":1,"result":1}`,
		`client ->   {"jsonrpc":"2.0","id":1,"result":2}`,
	)
	var got []string
	for _, r := range l.Records() {
		got = append(got, fmt.Sprintf("%d %s", r.Answers, r.Session))
	}
	if diff := cmp.Diff([]string{"-1 s", "-1 ", "0 s", "-1 s"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOpenRequests(t *testing.T) {
	t.Parallel()
	l := logOf(
		`client ->   {"jsonrpc":"2.0","id":1,"method":"a"}`,
		`client <-   {"jsonrpc":"2.0","id":1,"method":"b"}`,
		`muse 1 ->   {"jsonrpc":"2.0","id":1,"method":"c"}`,
		`muse 1 <-   {"jsonrpc":"2.0","id":1,"method":"d"}`,
		`client <-   {"jsonrpc":"2.0","id":1,"result":{}}`,
	)
	l.LeaveOpen(2)
	l.LeaveOpen(0)  // answered already: nothing to leave open
	l.LeaveOpen(77) // no such request
	muse := Lane{Name: "muse", N: 1}
	want := []OpenRequest{
		{Seq: 1, Lane: Client, Dir: FromAdapter, Method: "b"},
		{Seq: 2, Lane: muse, Dir: ToAdapter, Method: "c", LeftOpen: true},
		{Seq: 3, Lane: muse, Dir: FromAdapter, Method: "d"},
	}
	l.Look(func(v View) {
		if diff := cmp.Diff(want, v.Open()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		n := 0
		v.EachOpen(func(OpenRequest) bool { n++; return n < 2 })
		if n != 2 {
			t.Errorf("EachOpen went on to %d after it was told to end at 2", n)
		}
	})
}

// LeaveOpen wakes whoever waits for the log to become quiet.
func TestLeaveOpenWakes(t *testing.T) {
	t.Parallel()
	l := logOf(`muse 1 ->   {"jsonrpc":"2.0","id":1,"method":"c"}`)
	looked := make(chan struct{}, 8)
	woken := make(chan error, 1)
	go func() {
		woken <- l.Wait(t.Context(), func(v View) bool {
			looked <- struct{}{}
			return v.Open()[0].LeftOpen
		})
	}()
	<-looked
	l.LeaveOpen(0)
	if err := <-woken; err != nil {
		t.Error(err)
	}
}

// A request that a peer repeats for ever keeps the log right, however long the list of equal ids is.
func TestManyEqualIDs(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.Repeat("client <-   {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n", 50), "\n")
	l := logOf(lines[:50]...)
	for range 50 {
		l.Append(sent(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	}
	for i, r := range l.Records()[50:] {
		if r.Answers != i {
			t.Errorf("answer %d answers %d", i, r.Answers)
		}
	}
}

// Nobody waits for an answer on the lane of a host that has exited; that of another lane is still owed.
func TestAnExitClosesItsLane(t *testing.T) {
	t.Parallel()
	l := logOf(
		`muse 1 ->   {"jsonrpc":"2.0","id":1,"method":"a"}`,
		`muse 2 ->   {"jsonrpc":"2.0","id":1,"method":"b"}`,
		`client ->   {"jsonrpc":"2.0","id":1,"method":"c"}`,
		`muse 1 -    exit 0`,
	)
	var left []string
	l.Look(func(v View) {
		for _, q := range v.Open() {
			if !q.LeftOpen {
				left = append(left, q.Method)
			}
		}
	})
	if diff := cmp.Diff([]string{"b", "c"}, left); diff != "" {
		t.Errorf("what is owed (-want +got):\n%s", diff)
	}
}
