package hook_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"acp-conform/reference/hook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestDecode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		out  string
		want hook.Result
	}{
		"ask":                       {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}}`, hook.Result{Decision: hook.Ask, Reason: "why"}},
		"deny":                      {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`, hook.Result{Decision: hook.Deny, Reason: "no"}},
		"allow":                     {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"x"}}`, hook.Result{Decision: hook.Allow}},
		"no event":                  {`{"hookSpecificOutput":{"permissionDecision":"deny"}}`, hook.Result{}},
		"other event":               {`{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"deny"}}`, hook.Result{}},
		"older block":               {`{"decision":"block","reason":"old"}`, hook.Result{Decision: hook.Deny, Reason: "old"}},
		"older approve":             {`{"decision":"approve","reason":"old"}`, hook.Result{Decision: hook.Allow}},
		"older ask":                 {`{"decision":"ask","reason":"old"}`, hook.Result{}},
		"both":                      {`{"decision":"block","reason":"old","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`, hook.Result{Decision: hook.Deny, Reason: "old"}},
		"unknown":                   {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ALLOW"}}`, hook.Result{}},
		"nothing":                   {``, hook.Result{}},
		"bad JSON":                  {`{"decision":"block"`, hook.Result{}},
		"wrong types":               {`{"decision":7}`, hook.Result{}},
		"other case":                {`{"HOOKSPECIFICOUTPUT":{"HookEventName":"PreToolUse","permissiondecision":"ask"}}`, hook.Result{}},
		"other case within":         {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","PermissionDecision":"allow","permissionDecision":"deny"}}`, hook.Result{Decision: hook.Deny}},
		"other case of the older":   {`{"Decision":"block"}`, hook.Result{}},
		"older reason is no text":   {`{"reason":5,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`, hook.Result{Decision: hook.Deny, Reason: "no"}},
		"reason is no text":         {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":{}}}`, hook.Result{Decision: hook.Deny}},
		"older decision is no text": {`{"decision":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`, hook.Result{Decision: hook.Ask}},
		"block is no object":        {`{"decision":"block","reason":"old","hookSpecificOutput":[1]}`, hook.Result{Decision: hook.Deny, Reason: "old"}},
		"event is no text":          {`{"hookSpecificOutput":{"hookEventName":["PreToolUse"],"permissionDecision":"ask"}}`, hook.Result{}},
		"decided twice":             {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecision":"allow"}}`, hook.Result{}},
		"two blocks":                {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"},"hookSpecificOutput":{}}`, hook.Result{}},
		"an escaped name twice":     {`{"decision":"block","d\u0065cision":"approve"}`, hook.Result{}},
		"two outputs":               {`{"decision":"block"} {"decision":"block"}`, hook.Result{}},
		"text about JSON":           {`I allow {"decision":"approve"}`, hook.Result{}},
	} {
		if diff := cmp.Diff(c.want, hook.Decode([]byte(c.out))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	r := func(d hook.Decision, reason string) hook.Result { return hook.Result{Decision: d, Reason: reason} }
	for name, c := range map[string]struct {
		in   []hook.Result
		want hook.Result
	}{
		"none":           {nil, hook.Result{}},
		"ask and deny":   {[]hook.Result{r(hook.Ask, "a"), r(hook.Deny, "d"), r(hook.Allow, "x")}, r(hook.Deny, "d")},
		"two asks":       {[]hook.Result{r(hook.Ask, "a"), r(hook.None, ""), r(hook.Ask, "b")}, r(hook.Ask, "a\n\nb")},
		"one has none":   {[]hook.Result{r(hook.Ask, ""), r(hook.Ask, "b")}, r(hook.Ask, "b")},
		"allow and none": {[]hook.Result{r(hook.Allow, "x"), r(hook.None, "")}, r(hook.Allow, "")},
	} {
		if diff := cmp.Diff(c.want, hook.Merge(c.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What a hook gets and how its end is read.
func TestRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		return "/bin/sh " + path // a file that was just written may be busy when it is run itself
	}
	in := hook.Input{SessionID: "s", Cwd: "/w", ToolName: "bash", ToolInput: json.RawMessage(`{"n":1.0}`), ToolUseID: "c1"}
	seen := filepath.Join(dir, "seen")
	ask := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}}`
	for name, c := range map[string]struct {
		command string
		want    hook.Result
	}{
		"ask":        {script("ask", "cat > "+seen+"; echo '"+ask+"'"), hook.Result{Decision: hook.Ask, Reason: "why"}},
		"no shell":   {script("args", `[ "$1" = '$HOME;' ] && exit 2; exit 0`) + " $HOME;", hook.Result{Decision: hook.Deny}},
		"exit 2":     {script("deny", "echo no >&2; exit 2"), hook.Result{Decision: hook.Deny, Reason: "no"}},
		"exit 1":     {script("fail", "echo '"+ask+"'; exit 1"), hook.Result{}},
		"exit 3":     {script("odd", "echo '"+ask+"'; echo no >&2; exit 3"), hook.Result{}},
		"two ends":   {script("torn", "echo '"+ask+"'; echo no >&2; exit 2"), hook.Result{Decision: hook.Deny, Reason: "no"}},
		"given PATH": {script("given", `[ "$PATH" = /usr/bin:/bin ] && [ -z "$HOME" ] && exit 2; exit 0`), hook.Result{Decision: hook.Deny}},
		"killed":     {script("killed", "echo '"+ask+"'; kill -9 $$"), hook.Result{}},
		"deaf":       {script("deaf", "echo '"+ask+"'"), hook.Result{Decision: hook.Ask, Reason: "why"}},
		"a child":    {script("child", `sleep 60 & echo '{"decision":"block","reason":"no"}'`), hook.Result{Decision: hook.Deny, Reason: "no"}},
		"not there":  {filepath.Join(dir, "nothing"), hook.Result{}},
		"no command": {"  ", hook.Result{}},
	} {
		r := hook.Runner{Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}, Limit: time.Minute}
		if diff := cmp.Diff(c.want, r.Run(t.Context(), c.command, in).Result()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	got, err := os.ReadFile(seen)
	want := `{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"bash","tool_input":{"n":1.0},"tool_use_id":"c1"}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("stdin: %s, %v", got, err)
	}
}

// A hook that does not end decides nothing, by the deadline and by an abort.
func TestRunEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "slow")
	if err := os.WriteFile(path, []byte("echo '{\"decision\":\"block\"}'; exec sleep 60\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := hook.Runner{Env: []string{"PATH=/usr/bin:/bin"}, Limit: 50 * time.Millisecond}
	if got := r.Run(t.Context(), "/bin/sh "+path, hook.Input{}).Result(); got != (hook.Result{}) {
		t.Errorf("deadline: %v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.Limit = time.Minute
	if got := r.Run(ctx, "/bin/sh "+path, hook.Input{}).Result(); got != (hook.Result{}) {
		t.Errorf("abort: %v", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`))
	f.Fuzz(func(t *testing.T, out []byte) {
		r := hook.Decode(out)
		if r.Decision < hook.Ask && r.Reason != "" {
			t.Fatalf("a reason without a denial or a question: %v", r)
		}
	})
}
