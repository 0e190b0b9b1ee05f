package fakemuse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/wire"
)

func TestTextTurn(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"prompt":"hello","steps":[{"think":["Greet ","back."]},{"say":["Hi ","there"]}]}]}`)
	c := s.open()
	c.session()
	c.prompt("say hello")
	if got := c.terminal(); got != "completed" {
		t.Errorf("terminal is %q", got)
	}
	want := []string{
		"=", "session/started", "=", "=", "turn/started", "item/completed",
		"item/started", "item/delta", "item/delta", "item/completed",
		"item/started", "item/delta", "item/delta", "item/completed",
		"session/tokenUsage", "session/contextUsage", "turn/completed",
	}
	if diff := cmp.Diff(want, c.methods()); diff != "" {
		t.Errorf("frames differ (-want +got):\n%s", diff)
	}
	cursor := 0
	for _, f := range c.seen {
		if v := wire.LookupString(f.Params, "viewCursor"); v != "" {
			cursor++
			if want := fmt.Sprintf("v:%s:%d", sessionOne, cursor); v != want {
				t.Errorf("cursor %s, want %s", v, want)
			}
		}
	}
	if text := wire.LookupString(c.seen[13].Params, "item", "text"); text != "Hi there" {
		t.Errorf("the whole text is %q", text)
	}
	if err := c.end(); err != nil {
		t.Errorf("the host exited with %v", err)
	}
	if diff := cmp.Diff([]string{"muse 1 exit 0"}, s.exits()); diff != "" {
		t.Error(diff)
	}
	s.noProblems()
	if left := s.Unused(); len(left) != 0 {
		t.Errorf("unused: %v", left)
	}
}

func TestTurnEndings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, steps, terminal, reason string
	}{
		{"failure", `{"fail":{"kind":"modelError","message":"HTTP 503","retryable":true}}`, "failed", "HTTP 503"},
		{"nothing", ``, "completed", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `{"turns":[{"steps":[`+tt.steps+`]}]}`)
			c := s.open()
			c.session()
			c.prompt("go")
			end := c.until("turn/completed")
			if got := wire.LookupString(end.Params, "terminal"); got != tt.terminal {
				t.Errorf("terminal %q, want %q", got, tt.terminal)
			}
			if got := wire.LookupString(end.Params, "reason"); got != tt.reason {
				t.Errorf("reason %q, want %q", got, tt.reason)
			}
			if got := wire.LookupString(end.Params, "error", "message"); got != tt.reason {
				t.Errorf("error %q, want %q", got, tt.reason)
			}
		})
	}
}

func TestUnscriptedTurn(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"prompt":"this","steps":[{"say":"x"}]}]}`)
	c := s.open()
	c.session()
	c.prompt("that")
	if got := c.terminal(); got != "failed" {
		t.Errorf("terminal %q", got)
	}
	if p := s.Problems(); len(p) != 1 || p[0].Class != ProblemUnscripted {
		t.Errorf("problems: %v", p)
	}
	if left := s.Unused(); len(left) != 1 || left[0].Step != -1 || left[0].Line != 1 {
		t.Errorf("unused: %v", left)
	}
}

// What a turn waits for is said where it waits in vain, and where another prompt comes in its place.
func TestWhatTurnsWaitFor(t *testing.T) {
	t.Parallel()
	const used = `{"prompt":"a","steps":[]}`
	for _, tt := range []struct {
		name, turns, problem string
		unused               []string
	}{
		{"a prompt", `{"prompt":"other","steps":[]}`, `it waits for a prompt with "other"`,
			[]string{`line 1: turn 1 was never begun: it waits for a prompt with "other", which never reached Muse`}},
		{"two prompts", `{"prompt":"x","steps":[]},{"prompt":"y","repeat":true,"steps":[]}`, `it waits for a prompt with "x", or for a prompt with "y"`,
			[]string{`line 1: turn 1 was never begun: it waits for a prompt with "x", which never reached Muse`}},
		{"a goal", `{"goal":"g","steps":[]}`, `it waits for a goal with "g"`,
			[]string{`line 1: turn 1 was never begun: it waits for a goal with "g", which never reached Muse`}},
		{"nothing", used, "all of them were begun before", nil},
		{"no turns", ``, "it has none", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `{"turns":[`+tt.turns+`]}`)
			c := s.open()
			c.session()
			if tt.turns == used {
				c.prompt("a")
				c.terminal()
			}
			c.prompt("a")
			c.terminal()
			want := `the script has no turn left for the input "a"; ` + tt.problem
			if p := s.Problems(); len(p) != 1 || !strings.HasSuffix(p[0].Text, want) {
				t.Errorf("problems: %v, want %q", p, want)
			}
			var unused []string
			for _, l := range s.Unused() {
				unused = append(unused, l.String())
			}
			if !slices.Equal(unused, tt.unused) {
				t.Errorf("unused: %q, want %q", unused, tt.unused)
			}
		})
	}
}

func TestPromptsChooseTurns(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[
		{"prompt":"one","steps":[{"say":"1"}]},
		{"prompt":"two","steps":[{"say":"2"}]},
		{"steps":[{"say":"any"}]},
		{"prompt":"one","steps":[{"say":"1 again"}]}]}`)
	c := s.open()
	c.session()
	for _, tt := range []struct{ prompt, want string }{{"two", "2"}, {"one", "1"}, {"one", "any"}, {"one", "1 again"}} {
		c.prompt(tt.prompt)
		c.until("item/completed")
		if got := wire.LookupString(c.until("item/completed").Params, "item", "text"); got != tt.want {
			t.Errorf("prompt %q got %q, want %q", tt.prompt, got, tt.want)
		}
		c.terminal()
	}
	s.noProblems()
}

func TestWaitAndRelease(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"before"},{"wait":"now"},{"say":"after"},{"wait":"early"}]}]}`)
	s.Release("early")
	c := s.open()
	c.session()
	c.prompt("go")
	s.quiet()
	if diff := cmp.Diff([]string{"now"}, s.Waiting()); diff != "" {
		t.Error(diff)
	}
	frames := len(s.log.Records())
	s.Release("elsewhere")
	if got := len(s.log.Records()); got != frames {
		t.Errorf("another event released %d frames", got-frames)
	}
	s.Release("now")
	if len(s.log.Records()) == frames {
		t.Error("Release returned before the script went on")
	}
	if got := c.terminal(); got != "completed" {
		t.Errorf("terminal %q", got)
	}
}

func TestHangIsCancelled(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"turn/cancel", "turn/interrupt"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, `{"turns":[{"steps":[{"say":"on it"},{"hang":true}]},{"steps":[{"say":"next"}]}]}`)
			c := s.open()
			c.session()
			turn := c.prompt("go")
			s.quiet()
			c.bad(method, fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"turnId":"other"}`, c.command(), sessionOne), -32030, "commandRejected")
			c.ok(method, fmt.Sprintf(`{"commandId":%q,"sessionId":%q,"turnId":%q}`, c.command(), sessionOne, turn))
			end := c.until("turn/completed")
			if got := wire.LookupString(end.Params, "reason"); got != "cancelled during model step" {
				t.Errorf("reason %q", got)
			}
			e := c.bad(method, fmt.Sprintf(`{"commandId":%q,"sessionId":%q}`, c.command(), sessionOne), -32030, "commandRejected")
			if got := wire.LookupString(e, "data", "reason"); got != "missing_run" {
				t.Errorf("reason %q, want missing_run", got)
			}
			c.prompt("go on")
			if got := c.terminal(); got != "completed" {
				t.Errorf("the next turn ended %q", got)
			}
			s.noProblems()
		})
	}
}

func TestQueuedTurn(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"wait":"go"}]},{"steps":[{"say":"second"}]}]}`)
	c := s.open()
	c.session()
	c.prompt("first")
	result := c.ok("turn/start", fmt.Sprintf(`{"commandId":"q","sessionId":%q,"input":[{"type":"text","text":"second"}]}`, sessionOne))
	if got := wire.LookupString(result, "disposition"); got != "queued" {
		t.Errorf("disposition %q", got)
	}
	result = c.ok("turn/start", fmt.Sprintf(`{"commandId":"s","sessionId":%q,"input":[],"ifBusy":"steer"}`, sessionOne))
	if got := wire.LookupString(result, "disposition"); got != "steered" {
		t.Errorf("disposition %q", got)
	}
	s.Release("go")
	c.terminal()
	if got := wire.LookupString(c.until("turn/started").Params, "turnId"); got != "q" {
		t.Errorf("the queued turn is %q", got)
	}
	if got := c.terminal(); got != "completed" {
		t.Errorf("terminal %q", got)
	}
}

func TestHostExitsByScript(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"oh"},{"exit":3}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	if code := exitCode(c.gone()); code != 3 {
		t.Errorf("exit code %d", code)
	}
	if diff := cmp.Diff([]string{"muse 1 exit 3"}, s.exits()); diff != "" {
		t.Error(diff)
	}
	if last := c.methods(); !strings.HasPrefix(last[len(last)-1], "item/") {
		t.Errorf("the last frame is %s", last[len(last)-1])
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"say":"oh"},{"silence":true}]}]}`)
	c := s.open()
	c.session()
	c.prompt("go")
	s.quiet()
	frames := len(s.log.Records())
	c.send("model/list", `{}`)
	s.await("the request is in the log", func(v wire.View) bool { return len(v.Records()) > frames && v.Idle() })
	if got := len(s.log.Records()); got != frames+1 {
		t.Errorf("a silent host made %d entries", got-frames-1)
	}
	if err := c.end(); err != nil {
		t.Errorf("a silent host exits with %v", err)
	}
}

func TestRawBytes(t *testing.T) {
	t.Parallel()
	s := newScene(t, `{"turns":[{"steps":[{"raw":"no frame"},{"raw":{"base64":"/w=="}},{"raw":{"text":"{\"half","partial":true}}]}]}`)
	s.wrong = func(r wire.Record) bool { return !r.Frame.IsMessage() }
	c := s.open()
	c.session()
	c.prompt("go")
	s.quiet()
	c.end()
	var raw []string
	for _, r := range s.log.Records() {
		if r.Dir == wire.ToAdapter && !r.Frame.IsMessage() {
			raw = append(raw, fmt.Sprintf("%q %v", r.Data, r.Partial))
		}
	}
	want := []string{`"no frame" false`, `"\xff" false`, `"{\"half" true`}
	if diff := cmp.Diff(want, raw); diff != "" {
		t.Error(diff)
	}
}

// Two runs of one script differ in nothing, when the adapter mints the same ids.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	run := func() string {
		s := newScene(t, `{"turns":[{"steps":[{"say":"a"},{"tool":{"name":"bash","args":{"command":"echo hi"},"approval":{}}},{"say":"b"}]}]}`)
		c := s.open()
		c.session()
		c.prompt("go")
		asked := c.until("approval/request")
		c.ok("approval/decide", decide(c.command(), wire.LookupString(asked.Params, "approvalId"), 0, "allow_once", ""))
		c.terminal()
		c.end()
		return strings.ReplaceAll(s.dump(), s.root, "ROOT")
	}
	if diff := cmp.Diff(run(), run()); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
}
