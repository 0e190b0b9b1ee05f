//go:build unix

package reference_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference"
)

// A hook's question rides the wire of an escalation; what it denies is denied without one; what it allows grants
// nothing (REQ-HOOK-01 to REQ-HOOK-04, REQ-ASK-01).
func TestHooks(t *testing.T) {
	t.Parallel()
	says := func(decision string) string {
		return fmt.Sprintf(`echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":%q,"permissionDecisionReason":"be careful"}}'`, decision)
	}
	hooks := []string{"hook/invoked", "hook/result ask"}
	for name, c := range map[string]struct {
		hook, answer string
		noSeam       bool
		question     string
		decision     string
		log          []string
	}{
		"ask, allow":   {says("ask"), "allow-once", false, oneShot, `"choiceId":"allow_once"`, append(hooks, "approval/asked", "approval/decided allowed-once")},
		"ask, reject":  {says("ask"), "reject-once", false, oneShot, `"choiceId":"abort",` + stage0 + `,"feedback":"Error: the user rejected tool \"bash\""`, append(hooks, "approval/asked", "approval/decided rejected")},
		"ask, no seam": {says("ask"), "", true, "", `"choiceId":"abort",` + stage0 + `,"feedback":"Error: be careful"`, hooks},
		"deny":         {says("deny"), "", false, "", `"choiceId":"abort",` + stage0 + `,"feedback":"Error: be careful"`, []string{"hook/invoked", "hook/result deny"}},
		"exit 2":       {"echo no >&2; exit 2", "", false, "", `"choiceId":"abort",` + stage0 + `,"feedback":"Error: no"`, []string{"hook/invoked", "hook/result deny"}},
		"allow":        {says("allow"), "abort", false, permission, `"choiceId":"abort"`, []string{"hook/invoked", "hook/result allow", "approval/asked", "approval/decided rejected"}},
		"exit 1":       {says("deny") + "; exit 1", "abort", false, permission, `"choiceId":"abort"`, []string{"hook/invoked", "hook/result none", "approval/asked", "approval/decided rejected"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "approve", func(o *reference.Options) { o.NoApprovals = c.noSeam })
			path := filepath.Join(w.dir, "hook.sh")
			if err := os.WriteFile(path, []byte(c.hook), 0o600); err != nil {
				t.Fatal(err)
			}
			w.options.Hooks = []string{"/bin/sh " + path}
			w.ready(1)
			w.send(w.prompt(2, 0))
			if c.question != "" {
				lines := w.plain(w.until("request_permission"))
				if diff := cmp.Diff(c.question, lines[len(lines)-1]); diff != "" {
					t.Errorf("question (-want +got):\n%s", diff)
				}
				w.send(selected(0, c.answer))
			}
			if lines := w.until(`"id":2`); contains(lines, "request_permission") || !contains(lines, "end_turn") {
				t.Errorf("lines: %q", lines)
			}
			w.close()
			if d := w.decisions(); len(d) != 1 || !contains(d, c.decision) {
				t.Errorf("decisions: %q, want %s", d, c.decision)
			}
			want := append(append([]string{"turn/start", "tool/call"}, c.log...), "tool/result", "turn/end completed")
			if diff := cmp.Diff(want, w.log(0)); diff != "" {
				t.Errorf("audit log (-want +got):\n%s", diff)
			}
		})
	}
}

// hook has the adapter run a shell line before tools that ask.
func (w *world) hook(line string) {
	w.t.Helper()
	path := filepath.Join(w.dir, fmt.Sprintf("hook%d.sh", len(w.options.Hooks)))
	if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.options.Hooks = append(w.options.Hooks, "/bin/sh "+path)
}

// A cancel ends a hook that runs, and the turn does not wait for it.
func TestCancelWhileHookRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "cancel")
	path := filepath.Join(w.dir, "hook.sh")
	if err := os.WriteFile(path, []byte("touch "+w.dir+"/runs\nexec sleep 1000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.options.Hooks = []string{"/bin/sh " + path}
	w.ready(1)
	w.send(w.prompt(2, 0))
	w.until("tool_call")
	w.send(w.cancel(0))
	w.until(`"id":2,` + cancelled)
	w.close()
}

// A stage that is asked about is asked about once, also when Muse has gone on to it while a hook looked at the one before
// (muse-adapter.md §6.1).
func TestStageThatCameWhileHookRan(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{"nothing": "", "asks": `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "moves-on-in-hook")
			end := filepath.Join(w.dir, "end")
			if err := syscall.Mkfifo(end, 0o600); err != nil {
				t.Skipf("no named pipes here: %v", err)
			}
			w.hook("read x <" + end + "; echo '" + says + "'")
			w.ready(1)
			w.send(w.prompt(2, 0))
			w.until("moved")
			if err := os.WriteFile(end, []byte("\n"), 0); err != nil { // waits for the hook to read
				t.Fatal(err)
			}
			asked := 0
			w.answering(`"id":2`, func(id, line string) string {
				asked++
				option := "allow_once"
				if says != "" {
					option = "allow-once"
				}
				return chooses(option, "")(id, line)
			})
			w.close()
			if d := w.decisions(); asked != 1 || len(d) != 1 || !contains(d, `"sourceIndex":1`) {
				t.Errorf("asked %d times; decisions: %q", asked, d)
			}
		})
	}
}

// A hook is told of the call that it is asked about, and of its session (REQ-HOOK-01).
func TestWhatAHookIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "approve")
	seen := filepath.Join(w.dir, "seen")
	w.hook("cat >" + seen)
	w.ready(1)
	w.send(w.prompt(2, 0))
	w.answering(`"id":2`, chooses("abort", ""))
	w.close()
	got, err := os.ReadFile(seen)
	want := fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"PreToolUse","tool_name":"bash","tool_input":%s,"tool_use_id":"call1"}`, w.sessions[0], w.cwd, touch) + "\n"
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// What was resolved while a hook looked at it is not asked about.
func TestResolvedWhileHookRan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "resolved-in-hook")
	end := filepath.Join(w.dir, "end")
	if err := syscall.Mkfifo(end, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	w.hook("[ -e " + w.dir + "/first ] && exit; touch " + w.dir + "/first; read x <" + end) // only the first one waits
	w.ready(1)
	w.send(w.prompt(2, 0))
	w.until("moved")
	if err := os.WriteFile(end, []byte("\n"), 0); err != nil {
		t.Fatal(err)
	}
	var asked []string
	w.answering(`"id":2`, func(id, line string) string {
		asked = append(asked, line)
		return chooses("abort", "")(id, line)
	})
	w.close()
	if len(asked) != 1 || !contains(asked, `"toolCallId":"call2"`) {
		t.Errorf("asked: %q", asked)
	}
}
