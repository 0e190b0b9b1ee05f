package approval_test

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"acp-conform/reference/approval"
)

// held is an answerer that says when it was asked and answers when it is told to.
type held struct {
	asked  chan *approval.Request
	answer chan answer
}

type answer struct {
	out approval.Outcome
	err error
}

func newHeld() *held {
	return &held{asked: make(chan *approval.Request, 8), answer: make(chan answer, 8)}
}

// stubborn answers only when it is told to, whatever becomes of the request.
func (h *held) stubborn(_ context.Context, req *approval.Request, _ approval.Next) (approval.Outcome, error) {
	h.asked <- req
	a := <-h.answer
	return a.out, a.err
}

type result struct {
	out approval.Outcome
	err error
}

func ask(ctx context.Context, s *approval.Service, req *approval.Request) <-chan result {
	c := make(chan result, 1)
	go func() {
		out, err := s.Request(ctx, req)
		c <- result{out, err}
	}()
	return c
}

// C13, C14: aborted before: cancelled, whatever the policy, and nobody is asked.
func TestAbortedBefore(t *testing.T) {
	t.Parallel()
	for _, policy := range approval.Policies() {
		t.Run(string(policy), func(t *testing.T) {
			t.Parallel()
			agent, s := openTurn(t), service(t, policy)
			s.Add(func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
				t.Error("an answerer was called")
				return approval.AllowedOnce, nil
			})
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			out, err := s.Request(ctx, echo(agent))
			if err != nil || out != approval.Cancelled {
				t.Errorf("got %q, %v", out, err)
			}
			checkLog(t, agent, pair("1", approval.Cancelled))
		})
	}
}

// C15, C16: an abort cancels at once, and what comes later changes nothing.
func TestAbortedWhilePending(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]answer{
		"late grant":   {approval.AllowedOnce, nil},
		"late failure": {"", errors.New("too late")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agent, s, h := openTurn(t), service(t, ""), newHeld()
			s.Add(h.stubborn)
			ctx, cancel := context.WithCancel(t.Context())
			done := ask(ctx, s, echo(agent))
			<-h.asked
			cancel()
			if r := <-done; r.err != nil || r.out != approval.Cancelled {
				t.Errorf("got %q, %v", r.out, r.err)
			}
			h.answer <- late
			checkLog(t, agent, pair("1", approval.Cancelled))
		})
	}
}

// A gate that was slow must not bring up a question for work that was aborted.
func TestNoDelegationAfterAbort(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	asked, goOn, after := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	s.Add(func(_ context.Context, _ *approval.Request, next approval.Next) (approval.Outcome, error) {
		close(asked)
		<-goOn
		out, err := next()
		after <- err
		return out, err
	})
	s.Add(func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
		t.Error("asked after the abort")
		return approval.AllowedOnce, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := ask(ctx, s, echo(agent))
	<-asked
	cancel()
	<-done
	close(goOn)
	if err := <-after; err == nil {
		t.Error("next worked after the abort")
	}
}

// An answerer is told when the question is decided without it.
func TestAnswererIsTold(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	asked, told := make(chan struct{}), make(chan struct{})
	s.Add(func(ctx context.Context, _ *approval.Request, _ approval.Next) (approval.Outcome, error) {
		close(asked)
		<-ctx.Done()
		close(told)
		return "", ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := ask(ctx, s, echo(agent))
	<-asked
	cancel()
	<-done
	<-told
}

// C18: a grant is not remembered, and every request has its own id.
func TestNothingRemembered(t *testing.T) {
	t.Parallel()
	agent := openTurn(t)
	s, err := approval.New(approval.Config{})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	s.Add(func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
		calls++
		if calls == 1 {
			return approval.AllowedOnce, nil
		}
		return approval.Rejected, nil
	})
	req := echo(agent)
	for _, want := range []approval.Outcome{approval.AllowedOnce, approval.Rejected} {
		if out, err := s.Request(t.Context(), req); err != nil || out != want {
			t.Errorf("got %q, %v, want %q", out, err, want)
		}
	}
	ids := regexp.MustCompile(`"id":"([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})"`).
		FindAllStringSubmatch(strings.Join(agent.lines(), "\n"), -1)
	if len(ids) != 4 || ids[0][1] != ids[1][1] || ids[2][1] != ids[3][1] || ids[0][1] == ids[2][1] {
		t.Errorf("ids of the two pairs: %v", ids)
	}
}

// C19 and the second half of REQ-APPR-24: an answerer goes with its owner and may come back.
func TestRemoval(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	calls := 0
	grant := func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
		calls++
		return approval.AllowedOnce, nil
	}
	remove := s.Add(grant)
	want := func(want approval.Outcome) {
		t.Helper()
		if out, err := s.Request(t.Context(), echo(agent)); err != nil || out != want {
			t.Errorf("got %q, %v, want %q", out, err, want)
		}
	}
	want(approval.AllowedOnce)
	remove()
	remove()
	want(approval.Unavailable)
	defer s.Prepend(grant)()
	want(approval.AllowedOnce)
	if calls != 2 {
		t.Errorf("the answerer was asked %d times, want 2", calls)
	}
}

// C20: two open questions are answered in reverse; the pairs cross and are joined by id.
func TestCrossingPairs(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	first, second := newHeld(), newHeld()
	s.Add(func(ctx context.Context, req *approval.Request, next approval.Next) (approval.Outcome, error) {
		if req.Reason == "first" {
			return first.stubborn(ctx, req, next)
		}
		return second.stubborn(ctx, req, next)
	})
	a := ask(t.Context(), s, &approval.Request{Agent: agent, ToolName: "echo", Reason: "first"})
	<-first.asked
	b := ask(t.Context(), s, &approval.Request{Agent: agent, ToolName: "echo", Reason: "second"})
	<-second.asked
	second.answer <- answer{approval.Rejected, nil}
	if r := <-b; r.out != approval.Rejected {
		t.Errorf("second: %v", r)
	}
	first.answer <- answer{approval.AllowedOnce, nil}
	if r := <-a; r.out != approval.AllowedOnce {
		t.Errorf("first: %v", r)
	}
	checkLog(t, agent, []string{
		`approval/asked {"id":"1","toolName":"echo","reason":"first"}`,
		`approval/asked {"id":"2","toolName":"echo","reason":"second"}`,
		`approval/decided {"id":"2","outcome":"rejected"}`,
		`approval/decided {"id":"1","outcome":"allowed-once"}`,
	})
}

// C21: a policy that does not exist is refused, with its name, when the seam is set up and when it is switched.
func TestBadPolicy(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"sometimes", "ASK", " never", "always"} {
		if _, err := approval.New(approval.Config{Policy: approval.Policy(bad)}); err == nil || !strings.Contains(err.Error(), strconv.Quote(bad)) {
			t.Errorf("set up with %q: %v", bad, err)
		}
		agent, s := openTurn(t), service(t, "")
		if err := s.SetPolicy(agent, approval.Policy(bad)); err == nil || !strings.Contains(err.Error(), `"ask" or "never"`) {
			t.Errorf("switch to %q: %v", bad, err)
		}
		checkLog(t, agent)
	}
}

// C22: never is decided inside, whoever stands in the chain and wherever.
func TestNever(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(*approval.Service, approval.Answerer){
		"added":        func(s *approval.Service, a approval.Answerer) { s.Add(a) },
		"in front":     func(s *approval.Service, a approval.Answerer) { s.Prepend(a) },
		"on all sides": func(s *approval.Service, a approval.Answerer) { s.Add(a); s.Prepend(a); s.Add(a) },
		"nobody":       func(*approval.Service, approval.Answerer) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agent, s := openTurn(t), service(t, approval.Never)
			place(s, func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
				t.Error("an answerer was called")
				return approval.AllowedOnce, nil
			})
			out, err := s.Request(t.Context(), echo(agent))
			if err != nil || out != approval.Rejected {
				t.Errorf("got %q, %v", out, err)
			}
			checkLog(t, agent, pair("1", approval.Rejected))
		})
	}
}

// C23: the session's own policy beats the configured one, both ways; the last switch counts.
func TestPolicyFold(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, approval.Never)
	s.Add(fixed(approval.AllowedOnce))
	for _, step := range []struct {
		policy approval.Policy
		want   approval.Outcome
	}{{approval.Ask, approval.AllowedOnce}, {approval.Never, approval.Rejected}, {approval.Ask, approval.AllowedOnce}} {
		if err := s.SetPolicy(agent, step.policy); err != nil {
			t.Fatal(err)
		}
		if out, err := s.Request(t.Context(), echo(agent)); err != nil || out != step.want {
			t.Errorf("under %s: got %q, %v, want %q", step.policy, out, err, step.want)
		}
	}
	for name, c := range map[string]struct {
		data string
		conf approval.Policy
		want approval.Policy
	}{
		"nothing":    {"", "", approval.Ask},
		"configured": {"", approval.Never, approval.Never},
		"event":      {`{"policy":"ask"}`, approval.Never, approval.Ask},
		"unreadable": {`{"policy":7}`, approval.Ask, approval.Never},
		"unknown":    {`{"policy":"maybe"}`, approval.Ask, approval.Never},
	} {
		var events []approval.Event
		if c.data != "" {
			events = append(events, approval.Event{Type: approval.EventPolicy, Data: []byte(c.data)})
		}
		if got := approval.EffectivePolicy(events, c.conf); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// C24: a switch while a question is open leaves it alone.
func TestSwitchWhilePending(t *testing.T) {
	t.Parallel()
	agent, s, h := openTurn(t), service(t, ""), newHeld()
	s.Add(h.stubborn)
	done := ask(t.Context(), s, echo(agent))
	<-h.asked
	if err := s.SetPolicy(agent, approval.Never); err != nil {
		t.Fatal(err)
	}
	h.answer <- answer{approval.AllowedOnce, nil}
	if r := <-done; r.err != nil || r.out != approval.AllowedOnce {
		t.Errorf("got %q, %v", r.out, r.err)
	}
	if out, err := s.Request(t.Context(), echo(agent)); err != nil || out != approval.Rejected {
		t.Errorf("the next: got %q, %v", out, err)
	}
	p := pair("1", approval.AllowedOnce)
	checkLog(t, agent, []string{p[0], `approval/policy {"policy":"never"}`, p[1]}, pair("2", approval.Rejected))
}

// C52, first half: a question that could not be logged is not asked, a grant that could not be logged is none.
func TestAppendFails(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	t.Run("asked", func(t *testing.T) {
		t.Parallel()
		agent, s := openTurn(t), service(t, "")
		agent.fail = map[string]error{approval.EventAsked: full}
		s.Add(func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
			t.Error("an answerer was called")
			return approval.AllowedOnce, nil
		})
		out, err := s.Request(t.Context(), echo(agent))
		if out != "" || !errors.Is(err, full) {
			t.Errorf("got %q, %v", out, err)
		}
		checkLog(t, agent)
	})
	for _, given := range []approval.Outcome{approval.AllowedOnce, approval.Rejected} {
		t.Run("decided "+string(given), func(t *testing.T) {
			t.Parallel()
			agent, s := openTurn(t), service(t, "")
			agent.fail = map[string]error{approval.EventDecided: full}
			s.Add(fixed(given))
			out, err := s.Request(t.Context(), echo(agent))
			if out == approval.AllowedOnce || !errors.Is(err, full) {
				t.Errorf("got %q, %v", out, err)
			}
		})
	}
}

// The seam stands on the standard library alone.
func TestImports(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if first, _, _ := strings.Cut(path, "/"); strings.ContainsAny(first, ".-") {
				t.Errorf("%s imports %s", f.Name(), path)
			}
		}
	}
}
