package approval_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/approval"
)

// C16: an answerer that panics when the question was cancelled long ago. If the panic escaped, this program would end.
func TestLatePanic(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	asked, release, left := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s.Add(func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) {
		close(asked)
		<-release
		defer close(left)
		panic("too late")
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := ask(ctx, s, echo(agent))
	<-asked
	cancel()
	if r := <-done; r.err != nil || r.out != approval.Cancelled {
		t.Errorf("got %q, %v", r.out, r.err)
	}
	close(release)
	<-left
	checkLog(t, agent, pair("1", approval.Cancelled))
}

// live is a context that can end, and does not. Whoever goes on waiting for its end is found when the tests are over.
type live struct{ context.Context }

func (live) Done() <-chan struct{} { return make(chan struct{}) }

// C17: a signal that never fires changes no answer, and nothing observes it once there is one.
func TestSignalThatNeverFires(t *testing.T) {
	t.Parallel()
	for _, want := range approval.Outcomes() {
		agent, s := openTurn(t), service(t, "")
		s.Add(fixed(want))
		if out, err := s.Request(live{context.Background()}, echo(agent)); err != nil || out != want {
			t.Errorf("got %q, %v, want %q", out, err, want)
		}
		checkLog(t, agent, pair("1", want))
	}
}

// What the seam is told, and what it logs, has no place for the arguments of a tool.
func TestNoArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   any
		want []string
	}{
		{approval.Request{}, []string{"Agent", "ToolName", "CallID", "Reason"}},
		{approval.AskedData{}, []string{"ID", "ToolName", "CallID", "Reason"}},
		{approval.DecidedData{}, []string{"ID", "Outcome"}},
	} {
		var got []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c.of)) {
			got = append(got, f.Name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.of, diff)
		}
	}
}

// C52, last part: answerers that know one agent each. The owner's answers, and a question of nobody reaches neither's
// answer.
func TestOwnersAnswer(t *testing.T) {
	t.Parallel()
	a, b, nobody, s := openTurn(t), openTurn(t), openTurn(t), service(t, "")
	var answered []string
	owns := func(name string, agent approval.Agent, out approval.Outcome) approval.Answerer {
		return func(_ context.Context, req *approval.Request, next approval.Next) (approval.Outcome, error) {
			if req.Agent != agent {
				return next()
			}
			answered = append(answered, name)
			return out, nil
		}
	}
	s.Add(owns("A", a, approval.AllowedOnce))
	s.Add(owns("B", b, approval.Rejected))
	for _, c := range []struct {
		agent approval.Agent
		want  approval.Outcome
	}{{b, approval.Rejected}, {a, approval.AllowedOnce}, {nobody, approval.Unavailable}} {
		if out, err := s.Request(t.Context(), echo(c.agent)); err != nil || out != c.want {
			t.Errorf("got %q, %v, want %q", out, err, c.want)
		}
	}
	if got := strings.Join(answered, " "); got != "B A" {
		t.Errorf("answered: %s, want B A", got)
	}
	checkLog(t, a, pair("2", approval.AllowedOnce))
	checkLog(t, b, pair("1", approval.Rejected))
	checkLog(t, nobody, pair("3", approval.Unavailable))
}

// With an owner its own answerers go, and no others (REQ-APPR-24).
func TestRemovalOfOne(t *testing.T) {
	t.Parallel()
	agent, s := openTurn(t), service(t, "")
	says := func(out approval.Outcome) approval.Answerer {
		return func(context.Context, *approval.Request, approval.Next) (approval.Outcome, error) { return out, nil }
	}
	s.Add(says(approval.Rejected))
	remove := s.Prepend(says(approval.AllowedOnce))
	remove()
	if out, err := s.Request(t.Context(), echo(agent)); err != nil || out != approval.Rejected {
		t.Errorf("got %q, %v", out, err)
	}
}
