package reference

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/approval"
	"acp-conform/reference/audit"
)

// What is set just when a turn begins stands above what waited for the turn, and is not recorded where it only takes
// that back (REQ-POL-07, REQ-POL-08).
func TestSwitchAtTheBeginning(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		waits, then string
		want        []string
	}{
		"back":    {"never", "ask", []string{"turn/start"}},
		"onwards": {"", "never", []string{"turn/start", "approval/policy"}},
		"again":   {"never", "never", []string{"turn/start", "approval/policy"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := newAdapter(nil, Options{DataDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			log, err := audit.Open(filepath.Join(t.TempDir(), "log.jsonl"), audit.Config{})
			if err != nil {
				t.Fatal(err)
			}
			s := newSession(a, "s", "/", log)
			set := func(value string) {
				if err := s.turnKnob(approvalOption, value); err != nil {
					t.Fatal(err)
				}
			}
			if c.waits != "" {
				set(c.waits)
			}
			if err := s.agent.Append(approval.TurnStart, turnStart{1}); err != nil {
				t.Fatal(err)
			}
			set(c.then)
			if err := s.anchorKnobs(); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range s.agent.Events() {
				got = append(got, e.Type)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || s.inForce(approvalOption) != c.then {
				t.Errorf("in force: %s, log (-want +got):\n%s", s.inForce(approvalOption), diff)
			}
			if err := log.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
