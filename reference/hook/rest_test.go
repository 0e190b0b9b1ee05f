//go:build unix

package hook_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/hook"
)

// A hook that has exited by itself has said what it had to say, also when nobody waits any more by the time that what
// it left behind lets go of its output (REQ-HOOK-03). The child tells when the hook is gone, and is told when to end.
func TestExitCodeCountsBehindTheDeadline(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last string
		want hook.Result
	}{
		"exit 2": {"echo 'no way' >&2; exit 2", hook.Result{Decision: hook.Deny, Reason: "no way"}},
		"exit 0": {`echo '{"decision":"block","reason":"no way"}'`, hook.Result{Decision: hook.Deny, Reason: "no way"}},
		"exit 1": {"exit 1", hook.Result{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			gone, end := filepath.Join(dir, "gone"), filepath.Join(dir, "end")
			for _, pipe := range []string{gone, end} {
				if err := syscall.Mkfifo(pipe, 0o600); err != nil {
					t.Skipf("no named pipes here: %v", err)
				}
			}
			rest, err := os.OpenFile(end, os.O_RDWR, 0) // both ends, so that nobody waits for the other
			if err != nil {
				t.Fatal(err)
			}
			defer rest.Close()
			path := filepath.Join(dir, "hook")
			script := "hook=$$\n(while kill -0 $hook 2>/dev/null; do :; done; echo gone >" + gone + "; read x <" + end + ") &\n" + c.last + "\n"
			if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			said := make(chan hook.Said, 1)
			r := hook.Runner{Dir: dir, Env: []string{"PATH=/usr/bin:/bin"}, Limit: time.Minute, Rest: time.Minute}
			go func() { said <- r.Run(ctx, "/bin/sh "+path, hook.Input{}) }()
			if _, err := os.ReadFile(gone); err != nil {
				t.Fatal(err)
			}
			cancel()
			if _, err := rest.WriteString("\n"); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, (<-said).Result()); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}
