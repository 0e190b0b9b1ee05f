package approval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"acp-conform/reference/approval"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is an agent whose log is a slice.
type memory struct {
	mu     sync.Mutex
	events []approval.Event
	fail   map[string]error // appends of this type fail
}

func (m *memory) Events() []approval.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.events)
}

func (m *memory) Append(typ string, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail[typ]; err != nil {
		return err
	}
	m.events = append(m.events, approval.Event{Type: typ, Data: raw})
	return nil
}

// lines are the log in a form that is easy to compare.
func (m *memory) lines() []string {
	var out []string
	for _, e := range m.Events() {
		out = append(out, e.Type+" "+string(e.Data))
	}
	return out
}

func openTurn(t *testing.T) *memory {
	t.Helper()
	m := &memory{}
	if err := m.Append(approval.TurnStart, struct{}{}); err != nil {
		t.Fatal(err)
	}
	return m
}

// counter gives the ids 1, 2, 3 …
func counter() func() string {
	var mu sync.Mutex
	n := 0
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprint(n)
	}
}

func service(t *testing.T, policy approval.Policy) *approval.Service {
	t.Helper()
	s, err := approval.New(approval.Config{Policy: policy, NewID: counter()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fixed(out approval.Outcome) approval.Answerer {
	return func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) { return out, nil }
}

func delegate(_ context.Context, _ *approval.Request, next approval.Next) (approval.Outcome, error) {
	return next()
}

func echo(agent approval.Agent) *approval.Request {
	return &approval.Request{Agent: agent, ToolName: "echo", CallID: "c1", Reason: "why"}
}

const start = `turn/start {}`

func pair(id string, out approval.Outcome) []string {
	return []string{
		fmt.Sprintf(`approval/asked {"id":%q,"toolName":"echo","callId":"c1","reason":"why"}`, id),
		fmt.Sprintf(`approval/decided {"id":%q,"outcome":%q}`, id, out),
	}
}

func checkLog(t *testing.T, agent *memory, want ...[]string) {
	t.Helper()
	all := []string{start}
	for _, w := range want {
		all = append(all, w...)
	}
	if diff := cmp.Diff(all, agent.lines()); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// C01, C02: without an open turn a request fails and the log stays as it was.
func TestPrecondition(t *testing.T) {
	t.Parallel()
	for name, events := range map[string][]string{
		"no turn ever":         nil,
		"last is turn/end":     {approval.TurnStart, approval.TurnEnd},
		"end after many turns": {approval.TurnStart, approval.TurnEnd, approval.TurnStart, approval.EventPolicy, approval.TurnEnd},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agent := &memory{}
			for _, e := range events {
				if err := agent.Append(e, approval.PolicyData{Policy: approval.Ask}); err != nil {
					t.Fatal(err)
				}
			}
			before := agent.lines()
			s := service(t, "")
			s.Add(fixed(approval.AllowedOnce))
			out, err := s.Request(t.Context(), echo(agent))
			if out != "" || !errors.Is(err, approval.ErrNoTurn) || !strings.Contains(err.Error(), "outside an open turn") {
				t.Errorf("got %q, %v", out, err)
			}
			if diff := cmp.Diff(before, agent.lines()); diff != "" {
				t.Errorf("log changed (-before +after):\n%s", diff)
			}
		})
	}
}

// REQ-APPR-31: what must never be logged is refused before anything is appended.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	agent := openTurn(t)
	s := service(t, "")
	for name, req := range map[string]*approval.Request{
		"nil": nil, "no agent": {ToolName: "echo"}, "no tool name": {Agent: agent},
	} {
		if out, err := s.Request(t.Context(), req); err == nil || out != "" {
			t.Errorf("%s: got %q, %v", name, out, err)
		}
	}
	checkLog(t, agent)
}

// The chain: C03 to C12, C17 and what the answerers may do to each other.
func TestChain(t *testing.T) {
	t.Parallel()
	fail := func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
		return approval.AllowedOnce, errors.New("broken")
	}
	boom := func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) { panic("broken") }
	leave := func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
		runtime.Goexit()
		return approval.AllowedOnce, nil
	}
	thenFail := func(_ context.Context, _ *approval.Request, next approval.Next) (approval.Outcome, error) {
		out, _ := next()
		return out, errors.New("broken after delegating")
	}
	thenPanic := func(_ context.Context, _ *approval.Request, next approval.Next) (approval.Outcome, error) {
		_, _ = next()
		panic("broken after delegating")
	}
	harder := func(_ context.Context, _ *approval.Request, next approval.Next) (approval.Outcome, error) {
		out, err := next()
		if out == approval.Unavailable {
			out = approval.Rejected
		}
		return out, err
	}
	twice := func(_ context.Context, _ *approval.Request, next approval.Next) (approval.Outcome, error) {
		_, _ = next()
		return next()
	}
	unread := func(*testing.T) approval.Answerer {
		return func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
			panic("must not be asked")
		}
	}
	allow, reject, cancel := fixed(approval.AllowedOnce), fixed(approval.Rejected), fixed(approval.Cancelled)
	type chain = []approval.Answerer
	for name, c := range map[string]struct {
		chain chain
		want  approval.Outcome
	}{
		"C03 no answerer":                     {nil, approval.Unavailable},
		"C05 the first that answers wins":     {chain{allow, unread(t)}, approval.AllowedOnce},
		"C06 delegation reaches the next":     {chain{delegate, reject}, approval.Rejected},
		"C07 all delegate":                    {chain{delegate, delegate}, approval.Unavailable},
		"C09 a delegated result is changed":   {chain{harder, delegate}, approval.Rejected},
		"C10 an error":                        {chain{fail, allow}, approval.Unavailable},
		"C10 a panic":                         {chain{boom, allow}, approval.Unavailable},
		"C10 a goroutine that ends":           {chain{leave, allow}, approval.Unavailable},
		"C11 delegates, then fails":           {chain{thenFail, allow}, approval.Unavailable},
		"C11 delegates, then panics":          {chain{thenPanic, allow}, approval.Unavailable},
		"a panic below a delegating answerer": {chain{harder, boom}, approval.Unavailable},
		"delegates twice":                     {chain{twice, allow}, approval.Unavailable},
		"C17 a signal that never fires":       {chain{reject}, approval.Rejected},
		"a dismissal":                         {chain{cancel}, approval.Cancelled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agent, s := openTurn(t), service(t, "")
			for _, a := range c.chain {
				s.Add(a)
			}
			out, err := s.Request(t.Context(), echo(agent))
			if err != nil || out != c.want {
				t.Errorf("got %q, %v, want %q", out, err, c.want)
			}
			checkLog(t, agent, pair("1", c.want))
		})
	}
}

// C12: nothing but the four words, letter for letter, is an answer.
func TestRogueValues(t *testing.T) {
	t.Parallel()
	for _, v := range []approval.Outcome{
		"", "ALLOWED-ONCE", "true", "allowed-always", "allow_once", "yolo", " allowed-once", "allowed-once\n", `{"outcome":"allowed-once"}`,
	} {
		t.Run(string(v), func(t *testing.T) {
			t.Parallel()
			agent, s := openTurn(t), service(t, "")
			s.Add(fixed(v))
			out, err := s.Request(t.Context(), echo(agent))
			if err != nil || out != approval.Unavailable {
				t.Errorf("got %q, %v", out, err)
			}
			checkLog(t, agent, pair("1", approval.Unavailable))
		})
	}
}

// C04: absent optionals are left out of the log.
func TestOptionalsLeftOut(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	if _, err := s.Request(t.Context(), &approval.Request{Agent: agent, ToolName: "echo"}); err != nil {
		t.Fatal(err)
	}
	checkLog(t, agent, []string{
		`approval/asked {"id":"1","toolName":"echo"}`,
		`approval/decided {"id":"1","outcome":"unavailable"}`,
	})
}

// C08: answerers in front come first, the latest of them foremost.
func TestOrder(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	var calls []string
	named := func(name string) approval.Answerer {
		return func(_ context.Context, _ *approval.Request, next approval.Next) (approval.Outcome, error) {
			calls = append(calls, name)
			return next()
		}
	}
	s.Add(named("A"))
	s.Add(named("B"))
	s.Prepend(named("P"))
	s.Prepend(named("Q"))
	if _, err := s.Request(t.Context(), echo(agent)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Q", "P", "A", "B"}, calls); diff != "" {
		t.Errorf("order of calls (-want +got):\n%s", diff)
	}
}

// REQ-APPR-30: the answerer gets the asker's own request.
func TestSameRequest(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	req := echo(agent)
	s.Add(delegate)
	s.Add(func(_ context.Context, got *approval.Request, _ approval.Next) (approval.Outcome, error) {
		if got != req {
			return approval.Rejected, nil
		}
		return approval.AllowedOnce, nil
	})
	if out, err := s.Request(t.Context(), req); err != nil || out != approval.AllowedOnce {
		t.Errorf("got %q, %v", out, err)
	}
}
